import type { Field } from '../fields/field.ts';
import { type Resource, type ResourceName, resources } from './all.ts';
import { isTerms, resourceNames } from './names.ts';

/** A field that links to any number of records of another resource. */
export type LinkField = Field & { links: ResourceName; stored: Required<Pick<Field['stored'], 'join'>> };

const isLinkField = (field: Field): field is LinkField => field.stored.join !== undefined;

export const linkFields = (name: ResourceName): LinkField[] => (resources[name] as Resource).fields.filter(isLinkField);

/** The field that refers to another record of the same resource, such as the parent of a category. */
export const parentField = (name: ResourceName): Field | undefined =>
  (resources[name] as Resource).fields.find(({ links, stored: { column } }) => column !== undefined && links === name);

/** The resources in the order in which records are created: a resource after all that it links to. */
export const resourceOrder: readonly ResourceName[] = inLinkOrder();

function inLinkOrder(): ResourceName[] {
  const order: ResourceName[] = [];
  const add = (name: ResourceName): void => {
    if (order.includes(name)) return;
    for (const { links } of linkFields(name)) add(links);
    order.push(name);
  };
  for (const name of resourceNames.toSorted((a, b) => linkFields(a).length - linkFields(b).length)) add(name);
  return order;
}

/** Undefined if terms of a resource have no parents. */
export const treeField = (name: ResourceName): string | undefined => (isTerms(name) ? parentField(name)?.name : undefined);

export const hasDates = (name: ResourceName): boolean => (resources[name] as Resource).fields.some((field) => field.name === 'start_date');
