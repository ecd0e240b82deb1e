import type { Resource, ResourceName } from '../model/calendar.ts';
import { resources } from '../model/resources/all.ts';
import type { FilterDefinition } from './definition.ts';

/** Returns the kind of control for a filter; undefined for paging, search, dates and others that have controls elsewhere. */
function filterKind({ fields, list }: Resource, name: string): FilterDefinition['kind'] | undefined {
  const parameter = list.parameters.find((each) => each.name === name)!;
  const field = fields.find((each) => each.name === name);
  if (!field || field.extension || parameter.extension || parameter.topic || parameter.choices) return undefined;
  if (parameter.links) return parameter.many ? 'records' : undefined;
  if (parameter.switch) return 'switch';
  return parameter.placeholder === 'n' ? 'number' : 'text';
}

/** Returns the filters that the calendar offers: the list parameters of events that compare a field. */
export const toFilters = (events: Resource): FilterDefinition[] =>
  events.list.parameters.flatMap(({ name, about, links }) => {
    const kind = filterKind(events, name);
    return kind ? [{ name, about, kind, ...(kind === 'records' && { links: links as ResourceName }) }] : [];
  });

export const filterDefinitions = toFilters(resources.events);
