import { isDeepStrictEqual } from 'node:util';
import type { Collection, Entry, Ref, Resource } from '../../model/calendar.ts';
import { exitCodes, Failure } from '../../model/error.ts';
import { withNamed } from './names.ts';

/** A record that a command is about to change. */
export interface TargetRecord {
  name: string;
  ref: Ref;
  /** As it is now; undefined where the caller may not read it. */
  before?: Entry;
}

const together = 8;

/** The records that names mean. Fails before anything is changed unless all are there: with what is wrong of each. */
export async function targetsOf(names: readonly string[], resource: Resource, collection: Collection): Promise<TargetRecord[]> {
  const targets: TargetRecord[] = [];
  const failures: Failure[] = [];
  for (let at = 0; at < names.length; at += together) {
    const found = names.slice(at, at + together).map((name) => targetOf(name, resource, collection));
    for (const each of await Promise.allSettled(found)) {
      if (each.status === 'fulfilled') targets.push(each.value);
      else if (each.reason instanceof Failure && isOwnFault(each.reason)) failures.push(each.reason);
      else throw each.reason;
    }
  }
  const [first, ...more] = failures;
  if (!first) return targets.filter(({ ref }, at) => targets.findIndex((each) => isDeepStrictEqual(each.ref, ref)) === at);
  if (names.length === 1) throw first;
  const text = `${failures.map(({ message }) => message).join('; ')}; nothing was changed`;
  throw new Failure(first.code, text, first.data, more.length ? undefined : first.hint, first.status);
}

/** Whether a failure is of the name, and not of the calendar. */
const isOwnFault = ({ code, exit }: Failure): boolean => code === 'bad-request' || exit === exitCodes.missing;

function targetOf(name: string, resource: Resource, collection: Collection): Promise<TargetRecord> {
  return withNamed(name, resource, collection, async (ref) => {
    try {
      const before = await collection.get(ref, { context: 'edit' });
      return { name, ref: { id: before.id }, before };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      // What cannot be read may be there all the same: the change itself will say.
      if (error.code === 'event-no-longer-available') return { name, ref, before: await trashed(ref, collection) };
      if (error.status === 403) return { name, ref };
      throw error;
    }
  });
}

/** An event in the trash, which only lists show. */
async function trashed(ref: Ref, collection: Collection): Promise<Entry | undefined> {
  if (!('id' in ref)) return undefined;
  try {
    return (await collection.list({ include: String(ref.id), status: 'trash' })).entries[0];
  } catch {
    // Who may not list the trash may not change what is in it either.
    return undefined;
  }
}
