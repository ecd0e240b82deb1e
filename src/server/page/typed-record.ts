import type { Entry, Resource, ResourceName } from '../../model/calendar.ts';
import { decodeEntities } from '../../model/html/plain-text.ts';
import { stripMarkup } from '../../model/html/tokens.ts';
import type { Call, Result } from '../http.ts';

/** Replaces the texts of a record with those that a form sends: they render to the same texts. */
function asTyped({ fields }: Resource, entry: Entry): Entry {
  const typed: Entry = { ...entry };
  for (const { name, fromResponse } of fields) {
    const value = entry[name];
    if (typeof value !== 'string') continue;
    const text = fromResponse(value, entry);
    typed[name] = typeof text === 'string' ? text : text === null ? '' : decodeEntities(stripMarkup(value));
  }
  return typed;
}

/** Returns a record as forms edit it. */
export const typedRecord =
  (name: ResourceName) =>
  async ({ service, viewer, site, ref }: Call): Promise<Result> => {
    const entry = await service.calendar(viewer, site)[name].get(ref!, { context: 'edit' });
    return { status: 200, headers: { 'Cache-Control': 'no-store' }, value: asTyped(service.resources()[name], entry) };
  };
