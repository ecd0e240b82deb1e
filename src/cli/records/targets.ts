import { isDeepStrictEqual } from 'node:util';
import type { Collection, Entry, Ref, Resource } from '../../model/calendar.ts';
import { exitCodes, Failure } from '../../model/error.ts';
import { maxPerPage } from '../../model/fields/list.ts';
import type { Lister } from '../../model/paging.ts';
import { withRecord } from './names.ts';

/** A record to change. */
export interface TargetRecord {
  name: string;
  ref: Ref;
  /** Its current state; undefined if the caller may not read it. */
  before?: Entry;
}

/** Returns the names, or with `--series` the IDs of all events of their series. */
export const targetNames = async (
  names: string[],
  { series }: Record<string, unknown>,
  resource: Resource,
  collection: Collection & Lister,
): Promise<string[]> => (series ? (await import('./series.ts')).seriesNames(names, resource, collection) : names);

const batchSize = 8;

/** Looks up the records with these names. Throws if any is missing, with a message for each, so that nothing is changed. */
export async function targetsOf(names: readonly string[], resource: Resource, collection: Collection): Promise<TargetRecord[]> {
  const targets: TargetRecord[] = [];
  const failures: Failure[] = [];
  for (let at = 0; at < names.length; at += batchSize) {
    const lookups = names.slice(at, at + batchSize).map((name) => targetOf(name, resource, collection));
    for (const each of await Promise.allSettled(lookups)) {
      if (each.status === 'fulfilled') targets.push(each.value);
      else if (each.reason instanceof Failure && isNameError(each.reason)) failures.push(each.reason);
      else throw each.reason;
    }
  }
  const [first, ...more] = failures;
  if (!first) return targets.filter(({ ref }, at) => targets.findIndex((each) => isDeepStrictEqual(each.ref, ref)) === at);
  if (names.length === 1) throw first;
  const messages = [...new Set(failures.map(({ message }) => message))];
  const text = `${messages.join('; ')}; no records were changed`;
  throw new Failure(first.code, text, more.length ? undefined : first.hint, first.data, first.status);
}

/** Returns whether a failure is about the name, not about the calendar. */
const isNameError = ({ code, exit }: Failure): boolean => code === 'bad-request' || exit === exitCodes.missing;

function targetOf(name: string, resource: Resource, collection: Collection): Promise<TargetRecord> {
  return withRecord(name, resource, collection, async (ref) => {
    try {
      const before = await collection.get(ref, { context: 'edit' });
      return { name, ref: { id: before.id }, before };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      // A record may exist even if the caller may not read it.
      if (error.code === 'event-no-longer-available') return { name, ref, before: await trashedRecord(ref, collection) };
      if (error.status === 403) return { name, ref };
      throw error;
    }
  });
}

/** Returns a record in the trash by its ID, which only lists return. */
export async function trashedRecord(ref: Ref, collection: Collection): Promise<Entry | undefined> {
  if (!('id' in ref)) return undefined;
  try {
    return (await collection.list({ include: String(ref.id), status: 'trash', per_page: String(maxPerPage) })).entries.find(
      ({ id }) => id === ref.id,
    );
  } catch {
    // A caller who may not list the trash may not change it either.
    return undefined;
  }
}
