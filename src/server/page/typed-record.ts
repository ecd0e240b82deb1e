import type { Entry, Resource, ResourceName } from '../../model/calendar.ts';
import { decodeEntities } from '../../model/html/plain-text.ts';
import { stripMarkup } from '../../model/html/tokens.ts';
import { routes } from '../../model/routes.ts';
import type { ActionHandler } from '../actions.ts';
import { type Call, joinPieces, type Result } from '../http.ts';

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

/** Returns the record that the API returns, as forms edit it. */
export function typedRecord(handleAction: ActionHandler, name: ResourceName): (call: Call) => Promise<Result> {
  const route = routes.find(({ resource, by }) => resource === name && by === 'id')!;
  return async (call) => {
    const result = await handleAction({ ...call, route, action: 'get', query: { context: 'edit' } });
    if (result.status !== 200) return result;
    const { body, value } = result;
    const entry: Entry = body ? JSON.parse(Buffer.from(joinPieces(body.pieces)).toString()) : value;
    return { ...result, headers: { 'Cache-Control': 'no-store' }, body: undefined, value: asTyped(call.service.resources()[name], entry) };
  };
}
