import { type Entry, type Input, type Resource, resourceNames } from '../../model/calendar.ts';
import type { Lookup, RequestContext } from '../../model/context.ts';
import { Failure, isMissingRecord } from '../../model/error.ts';
import { check } from '../../model/validate.ts';
import { owner } from '../../model/viewer.ts';
import type { Connection } from '../connect/connect.ts';

/** Returns a context for checks without a calendar. By default, every linked record exists. */
export function checkContext(now: number, zone: string, lookup: Partial<Lookup> = {}): RequestContext {
  const store: Lookup = { hasUser: () => true, hasImage: () => true, hasPost: () => true, findTerm: () => 1, ...lookup };
  return { viewer: owner, now, zone, perPage: 10, radius: 1, extensions: [], copying: false, newUid: () => '', store };
}

/** Checks the new values of a record as a write would, with the model's checks and lookups of linked IDs. Throws `rest_invalid_param`. */
export async function checkValues({ fields }: Resource, values: Input, before: Entry | undefined, connection: Connection): Promise<void> {
  const now = (await connection.clock())();
  const zone = typeof before?.timezone === 'string' ? before.timezone : await connection.zone();
  const linked = new Map<string, { resource: string; id: number }>();
  const missing = new Set<string>();
  const exists = (resource: string, id: number) => {
    const key = `${resource} ${id}`;
    linked.set(key, { resource, id });
    return !missing.has(key);
  };
  const users = fields.some(({ name, links }) => links === 'users' && values[name] !== undefined) ? await connection.users() : undefined;
  const context = checkContext(now, zone, {
    hasUser: (id) => !users?.length || users.some((user) => user.id === id),
    hasPost: exists,
    findTerm: (resource, ref) => (exists(resource, Number(ref)) ? Number(ref) : undefined),
  });
  const run = () => check(fields, values, context);
  run();
  for (const [key, { resource, id }] of linked) {
    const name = resourceNames.find((each) => each === resource);
    if (name === undefined || !Number.isSafeInteger(id)) continue;
    try {
      await connection.calendar[name].get({ id }, {});
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (isMissingRecord(error, { id }) || error.status === 404) missing.add(key);
    }
  }
  if (missing.size) run();
}
