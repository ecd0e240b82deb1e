import type { Collection, Entry, Input, Ref, Resource } from '../../model/calendar.ts';
import { type ExitCode, exitCodes, Failure } from '../../model/error.ts';
import { maxPerPage } from '../../model/fields/list.ts';
import type { Lister } from '../../model/paging.ts';
import type { Connection } from '../connect/connect.ts';
import { failureJson, failureMessage, failureOf } from '../failure-message.ts';
import type { Session } from '../session.ts';
import { progressOf, silent } from '../terminal/progress.ts';
import { Interrupted, OutputClosed, write } from '../terminal/terminal.ts';
import { withRecord } from './names.ts';

/** A record to change. */
export interface TargetRecord {
  name: string;
  ref: Ref;
  /** Its current state; undefined if the caller may not read it. */
  before?: Entry;
}

/** The names, or with `--series` the IDs of all events of their series. */
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
  if (!first) {
    const seen = new Set<string>();
    return targets.filter(({ ref }) => {
      const key = JSON.stringify(ref);
      return !seen.has(key) && seen.add(key);
    });
  }
  if (names.length === 1) throw first;
  const messages = [...new Set(failures.map(({ message }) => message))];
  const text = `${messages.join('; ')}; no records were changed`;
  throw new Failure(first.code, text, more.length ? undefined : first.hint, first.data, first.status);
}

/** True if a failure is about the name, not about the calendar. */
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

/** A record in the trash by its ID, which only lists return. */
export const trashedRecord = async (ref: Ref, collection: Collection): Promise<Entry | undefined> =>
  'id' in ref ? (await trashedRecords([{ ref }], collection)).get(ref.id) : undefined;

/** Those of the records that are in the trash, by their IDs. */
export async function trashedRecords(targets: readonly { ref: Ref }[], collection: Collection): Promise<Map<number, Entry>> {
  const ids = targets.flatMap(({ ref }) => ('id' in ref ? ref.id : []));
  const trashed = new Map<number, Entry>();
  try {
    for (let at = 0; at < ids.length; at += maxPerPage) {
      const include = ids.slice(at, at + maxPerPage).join();
      const { entries } = await collection.list({ include, status: 'trash', per_page: String(maxPerPage) });
      for (const entry of entries) trashed.set(entry.id, entry);
    }
  } catch {
    // A caller who may not list the trash may not change it either.
  }
  return trashed;
}

/** The results of a batch in which some items may fail. */
export interface BatchResult {
  /** Yields the resulting records in order. Reports failures on stderr and omits them. Shows the progress, unless records are printed to a terminal as they arrive. */
  entries(reading?: { collects?: boolean }): AsyncIterable<Entry>;
  /** 0, or `partial` after a failure. Final only when all entries have been read. */
  readonly exit: ExitCode;
}

/** Runs `work` for each item and continues after failures. Rethrows the failure of a single item. */
export function forEach<T>(
  session: Session,
  items: readonly T[],
  nameOf: (item: T, index: number) => string,
  options: Record<string, unknown>,
  work: (item: T) => Promise<Entry>,
): BatchResult {
  let exit: ExitCode = exitCodes.ok;
  return {
    get exit() {
      return exit;
    },
    async *entries({ collects = false } = {}) {
      const isSilent = items.length < 2 || (session.terminal.stdout.isTTY && !collects);
      const progress = isSilent ? silent : progressOf(session.terminal, 'done', items.length);
      for (const [index, value] of items.entries()) {
        progress.update(index);
        session.terminal.interrupted.throwIfAborted();
        try {
          yield await work(value);
        } catch (error) {
          if (items.length === 1 || error instanceof OutputClosed || error instanceof Interrupted) throw error;
          const { stderr, env } = session.terminal;
          const reason = failureOf(error);
          const item = nameOf(value, index);
          const message = reason.message.includes(item) ? reason.message : `${item}: ${reason.message}`;
          const failure = reason.with({ message, data: { ...reason.data, item } });
          await write(stderr, options.json ? failureJson(failure) : failureMessage(failure, stderr, env, session.globals.color));
          exit = exitCodes.partial;
        }
      }
      progress.end();
    },
  };
}

/** Maximum number of records that one request changes. */
const maxChanged = 1000;

/**
 * Changes records together: in batches on a file and on a server of this program. Without new values, they are deleted. Returns a function that throws the failure of a record;
 * undefined if the calendar takes only one after the other.
 */
export async function changeTogether(
  session: Session,
  connection: Connection,
  { name: resource }: Resource,
  changes: readonly { ref: Ref; fields?: Input }[],
): Promise<((ref: Ref) => void) | undefined> {
  if (changes.length < 2 || !changes.every(({ ref }) => 'id' in ref) || !(await connection.isControlled())) return undefined;
  const failures = new Map<number, Failure>();
  const progress = progressOf(session.terminal, 'done', changes.length);
  for (let at = 0; at < changes.length; at += maxChanged) {
    const part = changes.slice(at, at + maxChanged).map(({ ref, fields }) => ({ resource, ids: [(ref as { id: number }).id], fields }));
    for await (const { done, unchanged = [], stopped } of connection.changeMany(part)) {
      progress.update(at + done);
      session.terminal.interrupted.throwIfAborted();
      for (const { id, code, message, hint, data, status } of unchanged) failures.set(id, new Failure(code, message, hint, data, status));
      if (stopped !== undefined) throw new Failure('conflict', `Only ${at + done} of ${changes.length} records were changed: ${stopped}`);
    }
  }
  progress.end();
  return (ref) => {
    const failure = 'id' in ref ? failures.get(ref.id) : undefined;
    if (failure) throw failure;
  };
}
