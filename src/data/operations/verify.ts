import { Failure } from '../../model/error.ts';
import type { JournalMatch, VerifyInput } from '../../model/operation-types.ts';
import { outcomeText } from '../../model/operations/request-outcome.ts';
import type { NearRequest } from '../../model/operations/requests.ts';
import type { Time } from '../../model/time/duration.ts';
import type { JournalEntry } from '../../server/journal/entry.ts';
import type { Journal } from '../../server/journal/journal.ts';
import { findMatches } from '../../server/journal/journal-match.ts';
import { summaryOf } from '../../server/journal/journaled.ts';
import { firstEarly } from '../../server/mistakes/sequences.ts';

/** Maximum number of requests that a failed verification names. */
const maxNearest = 3;

/** Verifies requests. Throws `verification-failed`, `requests-dropped` if the log lacks some, and `bad-request` for expectations that exclude each other. */
export async function verify(journal: Journal, exchanges: JournalEntry[], input: VerifyInput): Promise<{ count: number }> {
  const { match = {}, nothingElse = false, retryAfter = false } = input;
  const matches = Array.isArray(match)
    ? await matchesInOrder(journal, exchanges, match, input)
    : await boundedMatches(journal, exchanges, match as JournalMatch, input);
  if ((nothingElse || retryAfter) && journal.dropped > 0) throw requestsDropped(journal, matches.length);
  if (nothingElse) {
    const expected = new Set(matches);
    const others = exchanges.filter((each) => !expected.has(each) && !each.isOurs && !isPreflight(each));
    if (others.length)
      throw failed(
        `no other request was expected, and there ${others.length === 1 ? 'is 1' : `are ${others.length}`}`,
        matches,
        others.slice(-maxNearest).map(surplus),
      );
  }
  const early = retryAfter ? firstEarly(exchanges, new Set(matches)) : undefined;
  if (early) {
    const { limited, again, seconds, elapsedMs } = early;
    const text = `${targetText(summaryOf(limited))} was repeated after ${Math.max(0, Math.round(elapsedMs)) / 1000} s, and its response has Retry-After: ${seconds}`;
    throw failed(text, matches, [limited, again].map(surplus));
  }
  return { count: matches.length };
}

const failed = (text: string, matches: readonly JournalEntry[], nearest: NearRequest[]): Failure =>
  new Failure('verification-failed', `${text}${nearestText(nearest)}`, undefined, { count: matches.length, nearest });

const isPreflight = ({ method, request }: JournalEntry): boolean =>
  method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;

/** The requests that match, whose number is as expected. */
async function boundedMatches(
  journal: Journal,
  exchanges: JournalEntry[],
  match: JournalMatch,
  input: VerifyInput,
): Promise<JournalEntry[]> {
  const [min, max] = boundsOf(input);
  const { matches, others } = await findMatches(exchanges, match, journal.server);
  const count = matches.length;
  // Each dropped request may match as well.
  if (journal.dropped > 0 && count <= max && !(count >= min && max === Number.POSITIVE_INFINITY)) throw requestsDropped(journal, count);
  if (count >= min && count <= max) return matches;
  const nearest = count > max ? matches.slice(-maxNearest).map(surplus) : nearestOf(others());
  throw failed(`${boundsText(min, max)} should match ${JSON.stringify(match)}, and ${count} of ${exchanges.length} did`, matches, nearest);
}

/** One request for each match, each after that of the match before. */
async function matchesInOrder(
  journal: Journal,
  exchanges: JournalEntry[],
  list: readonly JournalMatch[],
  input: VerifyInput,
): Promise<JournalEntry[]> {
  const { exactly, atLeast, atMost, never } = input;
  if ([exactly, atLeast, atMost, never].some((each) => each !== undefined))
    throw new Failure(
      'bad-request',
      'A list of matches expects one request for each, in this order: omit exactly, atLeast, atMost and never',
    );
  if (journal.dropped > 0) throw requestsDropped(journal, 0);
  const matches: JournalEntry[] = [];
  for (const [at, match] of list.entries()) {
    const last = matches.at(-1)?.id ?? 0;
    const candidates = await findMatches(exchanges, match, journal.server, `match[${at}]`);
    const next = candidates.matches.find(({ id }) => id > last);
    if (!next) {
      const after = matches.length ? ` after ${targetText(summaryOf(matches.at(-1)!))}` : '';
      const nearest = candidates.matches.length ? candidates.matches.slice(-maxNearest).map(surplus) : nearestOf(candidates.others());
      throw failed(`a request should match ${JSON.stringify(match)}${after}, and none did`, matches, nearest);
    }
    matches.push(next);
  }
  return matches;
}

const targetText = ({ method, path, query }: Pick<NearRequest['request'], 'method' | 'path' | 'query'>): string =>
  `${method} ${path}${query && `?${query}`}`;

export const requestsDropped = ({ dropped, total }: Journal, count?: number): Failure =>
  new Failure(
    'requests-dropped',
    `The journal has dropped ${dropped} of ${requestsText(total)}, so ${count === undefined ? 'their hints are not known' : `the number of matches is not known; at least ${count} matched`}`,
    'Start the server with a larger --journal N, or clear the journal between tests.',
    { count, dropped },
  );

/** Throws if they are given in two ways. */
function boundsOf({ exactly, atLeast, atMost, never }: VerifyInput): [number, number] {
  const ways = [exactly !== undefined, atLeast !== undefined || atMost !== undefined, never === true];
  if (ways.filter(Boolean).length > 1 || (atLeast ?? 0) > (atMost ?? Number.POSITIVE_INFINITY))
    throw new Failure('bad-request', 'Pass exactly, never, or atLeast with an atMost that is not below it');
  if (never) return [0, 0];
  if (exactly !== undefined) return [exactly, exactly];
  return [atLeast ?? (atMost === undefined ? 1 : 0), atMost ?? Number.POSITIVE_INFINITY];
}

export const closedText = 'before the calendar was closed';
export const withinText = (timeout: Time): string => `within ${typeof timeout === 'number' ? `${timeout} ms` : timeout}`;
export const requestsText = (count: number): string => (count === 1 ? '1 request' : `${count} requests`);

export function boundsText(min: number, max: number): string {
  if (max === 0) return 'no request';
  if (min === max) return `exactly ${requestsText(min)}`;
  if (max === Number.POSITIVE_INFINITY) return `at least ${requestsText(min)}`;
  return min === 0 ? `at most ${requestsText(max)}` : `${min} to ${requestsText(max)}`;
}

const surplus = (exchange: JournalEntry): NearRequest => ({ request: summaryOf(exchange), mismatches: [] });

/** The exchanges with the fewest mismatches, the latest first. */
export const nearestOf = (others: { exchange: JournalEntry; mismatches: NearRequest['mismatches'] }[]): NearRequest[] =>
  others
    .sort((a, b) => a.mismatches.length - b.mismatches.length || b.exchange.id - a.exchange.id)
    .slice(0, maxNearest)
    .map(({ exchange, mismatches }) => ({ request: summaryOf(exchange), mismatches }));

export function nearestText(nearest: readonly NearRequest[]): string {
  if (!nearest.length) return '';
  const lines = nearest.map(({ request, mismatches }) => {
    const why = mismatches.map(({ part, wanted, found }) => `${part} is ${found}, not ${wanted}`).join('; ');
    return `${targetText(request)} ${outcomeText(request)}${why && ` (${why})`}`;
  });
  return `: ${lines.join(', ')}`;
}
