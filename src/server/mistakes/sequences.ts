import { isObject } from '../../model/fields/coerce.ts';
import { latin1Text, utf8Text } from '../../model/formats/bytes.ts';
import { combinedHints } from '../../model/mistakes/hints.ts';
import { type Mistake, type MistakeName, mistakes, mistakeText } from '../../model/mistakes/table.ts';
import type { Hint } from '../../model/operation-types.ts';
import { actingMethod } from '../../model/operations/request-match.ts';
import { joinPieces } from '../http.ts';
import { withoutSecrets } from '../journal/credentials.ts';
import type { JournalEntry, Side } from '../journal/entry.ts';

/** Number of early repetitions that are a mistake. */
const maxEarly = 3;

/** The mistakes in logged requests by the ID of the request, those between several requests included. */
export function mistakesIn(entries: readonly JournalEntry[], hasConduct: boolean): Map<number, readonly Mistake[]> {
  const byRequest = new Map<number, readonly Mistake[]>();
  const clients = entries.filter(({ isOurs }) => !isOurs);
  for (const { id, mistakes: own } of clients) if (own.length) byRequest.set(id, own);
  for (const [id, mistake] of hasConduct ? [...earlyRetries(clients), ...doubleCreates(clients)] : [])
    byRequest.set(id, [...(byRequest.get(id) ?? []), mistake]);
  return byRequest;
}

/** The mistakes in logged requests, each with the first request that has it. */
export function hintsIn(entries: readonly JournalEntry[], hasConduct: boolean, world: string | undefined): Hint[] {
  const byRequest = mistakesIn(entries, hasConduct);
  if (!byRequest.size) return [];
  return combinedHints(
    entries.flatMap(({ id, at, method, path, query }) =>
      (byRequest.get(id) ?? []).map(({ rule, text }): Hint => {
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

/** The text of a request that another one repeats: equal for the same request of the same client. */
const repeatKey = (entry: JournalEntry): string => {
  const { path, query, request } = entry;
  const { authorization, 'user-agent': client } = request.headers;
  const body = latin1Text(joinPieces(request.body));
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

/** A request that repeats one too early. */
interface EarlyRepeat {
  limited: JournalEntry;
  again: JournalEntry;
  /** Time that the response to the first asked to wait, and the time until the other. */
  seconds: number;
  elapsedMs: number;
}

/** The seconds of the `Retry-After` of a response, by the clock of the calendar; undefined without one. */
function retryAfterOf({ response, now }: JournalEntry): number | undefined {
  const text = response ? headerOf(response, 'retry-after') : undefined;
  if (text === undefined) return undefined;
  return /^\s*\d+\s*$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - now) / 1000) || undefined;
}

/** The first of some requests that is repeated before its `Retry-After` is over; `times` is the number of repetitions. */
export function firstEarly(entries: readonly JournalEntry[], among: ReadonlySet<JournalEntry>, times = 1): EarlyRepeat | undefined {
  const limited = entries.filter((entry) => among.has(entry) && (retryAfterOf(entry) ?? 0) > 0);
  if (!limited.length) return undefined;
  const groups = groupsOf(entries);
  for (const entry of limited) {
    const seconds = retryAfterOf(entry)!;
    const again = groups.get(repeatKey(entry))!.filter(({ id }) => id > entry.id)[times - 1];
    const elapsed = again && elapsedMs(entry, again);
    if (elapsed !== undefined && elapsed < seconds * 1000) return { limited: entry, again: again!, seconds, elapsedMs: elapsed };
  }
  return undefined;
}

/** The third repetition of a request before its `Retry-After` is over. */
function earlyRetries(entries: readonly JournalEntry[]): [id: number, Mistake][] {
  if (!entries.some((entry) => retryAfterOf(entry) !== undefined)) return [];
  // Those who wait for a copy of a site ask again at once.
  const early = firstEarly(entries, new Set(entries.filter((entry) => codeOf(entry) !== 'not-ready')), maxEarly);
  return early ? [[early.again.id, mistake('early-retry', mistakeText('early-retry', String(early.seconds)))]] : [];
}

/** The time from the response to a request until another one, in ms: by the clock of the calendar, if that was moved forward. */
function elapsedMs(before: JournalEntry, after: JournalEntry): number {
  const took = before.took ?? 0;
  return Math.max(after.at - before.at - took, after.now - before.now - took);
}

/** The second of exactly two equal requests that created two records, if it was sent before the first was answered. */
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
    const value: unknown = JSON.parse(utf8Text(joinPieces(response!.body)));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
};

const idOf = (entry: JournalEntry): unknown => bodyOf(entry).id;
const codeOf = (entry: JournalEntry): unknown => bodyOf(entry).code;
