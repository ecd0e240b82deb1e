import { isObject } from '../../model/fields/coerce.ts';
import { type Mistake, type MistakeName, mistakes, mistakeText } from '../../model/mistakes.ts';
import { combinedHints, type Hint } from '../../model/operations/hints.ts';
import { actingMethod } from '../../model/operations/request-match.ts';
import { joinPieces } from '../http.ts';
import { withoutSecrets } from '../journal/credentials.ts';
import type { JournalEntry, Side } from '../journal/journal.ts';

/** Number of early repetitions that are a mistake. */
const maxEarly = 3;

/** Returns the mistakes in logged requests by the ID of the request, those between several requests included. */
export function mistakesIn(entries: readonly JournalEntry[], hasConduct: boolean): Map<number, readonly Mistake[]> {
  const found = new Map<number, readonly Mistake[]>();
  const clients = entries.filter(({ isOurs }) => !isOurs);
  for (const { id, mistakes: own } of clients) if (own.length) found.set(id, own);
  for (const [id, mistake] of hasConduct ? [...earlyRetries(clients), ...doubleCreates(clients)] : [])
    found.set(id, [...(found.get(id) ?? []), mistake]);
  return found;
}

/** Returns the mistakes in logged requests, each with the first request that has it. */
export function hintsIn(entries: readonly JournalEntry[], hasConduct: boolean, world: string | undefined): Hint[] {
  const found = mistakesIn(entries, hasConduct);
  if (!found.size) return [];
  return combinedHints(
    entries.flatMap(({ id, at, method, path, query }) =>
      (found.get(id) ?? []).map(({ rule, text }): Hint => {
        const first = { id, time: new Date(at).toISOString(), method, path, query: withoutSecrets(query), ...(world && { world }) };
        return { rule, kind: mistakes[rule].kind, text, count: 1, first };
      }),
    ),
  );
}

const mistake = (rule: MistakeName, text: string): Mistake => ({ rule, text });

const headerOf = ({ headers }: Side, name: string): string | undefined =>
  Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];

const methodOf = ({ method, request: { headers } }: JournalEntry): string => actingMethod(method, headers, undefined);

/** Returns the text of a request that another one repeats: equal for the same request of the same client. */
const repeatKey = (entry: JournalEntry): string => {
  const { path, query, request } = entry;
  const { authorization, 'user-agent': client } = request.headers;
  const body = Buffer.from(joinPieces(request.body)).toString('latin1');
  return JSON.stringify([methodOf(entry), path, query, authorization, client, request.bytes, body]);
};

function groupsOf(entries: readonly JournalEntry[]): Map<string, JournalEntry[]> {
  const groups = new Map<string, JournalEntry[]>();
  for (const entry of entries) {
    const key = repeatKey(entry);
    const group = groups.get(key);
    if (group) group.push(entry);
    else groups.set(key, [entry]);
  }
  return groups;
}

/** Returns requests that repeat one before its `Retry-After` is over, the third of them. */
function earlyRetries(entries: readonly JournalEntry[]): [id: number, Mistake][] {
  const limited = entries.filter(({ response }) => response && headerOf(response, 'retry-after') !== undefined);
  if (!limited.length) return [];
  const groups = groupsOf(entries);
  for (const entry of limited) {
    const seconds = Number(headerOf(entry.response!, 'retry-after'));
    // Those who wait for a copy of a site ask again at once.
    if (!(seconds > 0) || codeOf(entry) === 'not-ready') continue;
    const later = groups.get(repeatKey(entry))!.filter(({ id }) => id > entry.id);
    const third = later[maxEarly - 1];
    if (third && elapsedMs(entry, third) < seconds * 1000)
      return [[third.id, mistake('early-retry', mistakeText('early-retry', String(seconds)))]];
  }
  return [];
}

/** Returns the time from the response to a request until another one, in ms: by the clock of the calendar, if that was moved forward. */
export function elapsedMs(before: JournalEntry, after: JournalEntry): number {
  const took = before.took ?? 0;
  return Math.max(after.at - before.at - took, after.now - before.now - took);
}

/** Returns the second of exactly two equal requests that created two records, if it was sent before the first was answered. */
function doubleCreates(entries: readonly JournalEntry[]): [id: number, Mistake][] {
  const posts = entries.filter((entry) => methodOf(entry) === 'POST' && entry.request.bytes > 0);
  const pairs = [...groupsOf(posts).values()].filter((group) => group.length === 2) as [JournalEntry, JournalEntry][];
  return pairs.flatMap(([one, other]) => {
    const isWhole = [one, other].every(({ status, fault, aborted }) => status === 201 && fault === null && !aborted);
    if (!isWhole || other.id > one.lastAtEnd) return [];
    const [first, second] = [idOf(one), idOf(other)];
    if (first === undefined || second === undefined || first === second) return [];
    return [[other.id, mistake('double-create', mistakeText('double-create', String(first), String(second)))]];
  });
}

const bodyOf = ({ response }: JournalEntry): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(Buffer.from(joinPieces(response!.body)).toString());
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
};

const idOf = (entry: JournalEntry): unknown => bodyOf(entry).id;
const codeOf = (entry: JournalEntry): unknown => bodyOf(entry).code;
