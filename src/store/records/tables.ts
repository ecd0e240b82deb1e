import { type Resource, type ResourceName, resourceNames } from '../../model/calendar.ts';
import type { Field } from '../../model/fields/field.ts';
import { resources } from '../../model/resources/all.ts';

/** A field that links records to those of another resource, and the table that stores its links. */
export interface Link {
  /** The field and its name. */
  field: Field;
  name: string;
  owner: Resource;
  target: Resource;
  table: string;
  /** The column with the ID of the record that has the field. */
  from: string;
  /** The column with the ID of the linked record. */
  to: string;
  /** The statement that adds a link. */
  insertion: string;
}

/** Every link of every resource, in the order of the fields. */
export const links: readonly Link[] = resourceNames.flatMap((resource) => {
  const owner: Resource = resources[resource];
  const joined = owner.fields.filter(({ stored: { join } }) => join);
  return joined.map((field, i): Link => {
    const { name, links: to } = field;
    const target: Resource = resources[to as ResourceName];
    // A second field that links to the same resource has a table with its own name.
    const isFirst = joined.findIndex((other) => other.links === to) === i;
    const table = `${owner.kind}_${isFirst ? to : name}`;
    const columns = { from: `${owner.kind}_id`, to: `${target.kind}_id` };
    const insertion = `insert into ${table} (${columns.from}, ${columns.to}, position) values (?, ?, ?)`;
    return { field, name, owner, target, table, ...columns, insertion };
  });
});

const grouped = (nameOf: (link: Link) => ResourceName) =>
  new Map(resourceNames.map((name) => [name, links.filter((link) => nameOf(link) === name)]));
const byOwner = grouped(({ owner }) => owner.name);
const byTarget = grouped(({ target }) => target.name);
export const linksFrom = ({ name }: { name: ResourceName }): readonly Link[] => byOwner.get(name)!;
export const linksTo = ({ name }: { name: ResourceName }): readonly Link[] => byTarget.get(name)!;

/** The names of the resources of a family, which share one sequence of IDs. */
export const namesIn = (family: Resource['family']): ResourceName[] => resourceNames.filter((name) => resources[name].family === family);

/** IDs of linked records by field, in order. */
export type LinkedIds = Record<string, readonly number[]>;

/** Number of IDs that a new calendar skips in each sequence: a fresh site of the reference has pages and terms outside of its calendar. */
export const reserved = { posts: 7, terms: 2 } as const;
