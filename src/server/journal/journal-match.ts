import { type Fault, invalidParams } from '../../model/error.ts';
import { isObject } from '../../model/fields/coerce.ts';
import type { Mistake } from '../../model/mistakes/table.ts';
import type { JournalMatch, RequestMatch } from '../../model/operation-types.ts';
import {
  absent,
  type MatchTest,
  type Mismatch,
  type ServerPaths,
  testsOf,
  textPattern,
  unless,
  wantedText,
} from '../../model/operations/request-match.ts';
import { outcomeText } from '../../model/operations/request-outcome.ts';
import { readInput } from '../body.ts';
import { joinPieces } from '../http.ts';
import { mistakesIn } from '../mistakes/sequences.ts';
import { checkPath } from '../route-paths.ts';
import { hidden, isSecret, withoutSecrets } from './credentials.ts';
import type { JournalEntry, LoggedServer } from './entry.ts';
import { sideText, userOf } from './journaled.ts';

/** A request to match. */
interface Candidate {
  exchange: JournalEntry;
  /** The value of a JSON or form body; undefined if it is invalid. */
  value: unknown;
  /** Rules and texts of the mistakes in it; empty if the match doesn't name any. */
  hints: readonly string[];
}

const excerptOf = (value: unknown): string => {
  const text = value === undefined ? absent : JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
};

function differences(expected: unknown, actual: unknown, at: string): Mismatch[] {
  if (expected === null && (actual === undefined || actual === null)) return [];
  if (isObject(expected) && (isObject(actual) || actual === undefined))
    return Object.entries(expected).flatMap(([name, value]) => differences(value, actual?.[name], `${at}.${name}`));
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length)
    return expected.flatMap((value, i) => differences(value, actual[i], `${at}[${i}]`));
  const isPlain =
    expected !== null && typeof expected !== 'object' && actual !== null && actual !== undefined && typeof actual !== 'object';
  if (isPlain && textPattern(String(expected)).test(String(actual))) return [];
  return [{ part: at, wanted: expected === null ? absent : excerptOf(expected), found: excerptOf(actual) }];
}

/** The tests of what a match of the journal has beside that of a request, by member. */
const memberTests: {
  [Name in Exclude<keyof JournalMatch, keyof RequestMatch>]: (expected: NonNullable<JournalMatch[Name]> | null) => MatchTest<Candidate>;
} = {
  status(expected) {
    const statuses = [expected].flat().map(String);
    const isOne = (status: number) =>
      statuses.some((each) => each === String(status) || each.toLowerCase() === `${Math.floor(status / 100)}xx`);
    return ({ exchange }) =>
      unless(exchange.status !== null && isOne(exchange.status), 'status', wantedText(statuses), () => outcomeText(exchange));
  },
  user:
    (expected) =>
    ({ exchange }) =>
      differences(expected, userOf(exchange), 'user'),
  aborted:
    (expected) =>
    ({ exchange }) =>
      differences(expected, exchange.aborted, 'aborted'),
  body:
    (expected) =>
    ({ exchange, value }) =>
      differences(expected, typeof expected === 'string' ? sideText(exchange.request) : value, 'body'),
  hint(expected) {
    const pattern = expected === null ? undefined : textPattern(expected);
    const isMet = (hints: readonly string[]) => (pattern ? hints.some((each) => pattern.test(each)) : !hints.length);
    return ({ hints }) =>
      unless(isMet(hints), 'hint', expected === null ? absent : JSON.stringify(expected), () => hints.join(', ') || absent);
  },
};

/** Throws `rest_invalid_param` if it is invalid. */
function journalTests(match: JournalMatch, server: ServerPaths, at: string): MatchTest<Candidate>[] {
  const wrong = [match.status ?? []].flat().find((each) => !/^[1-5](\d\d|xx)$/i.test(String(each)));
  if (wrong !== undefined) {
    const fault: Fault = { reason: `${JSON.stringify(wrong)} is not a status such as 404 or 4xx` };
    throw invalidParams({ [at === '' ? 'status' : `${at}.status`]: fault });
  }
  const ofRequest = testsOf(match, server, at).map(
    (test): MatchTest<Candidate> =>
      ({ exchange }) =>
        test(asMatched(exchange)),
  );
  if (at !== '') checkPath(match, server, `${at}.path`);
  const ofMembers = Object.entries(memberTests).flatMap(([name, test]) => {
    const expected = match[name as keyof typeof memberTests];
    return expected === undefined ? [] : [test(expected as never)];
  });
  return [...ofRequest, ...ofMembers];
}

const asMatched = ({ method, path, query, request }: JournalEntry) => ({ method, path, query, headers: request.headers });

async function candidateOf(exchange: JournalEntry, { body }: JournalMatch, mistakes: readonly Mistake[] = []): Promise<Candidate> {
  const hints = mistakes.flatMap(({ rule, text }) => [rule, text]);
  if (body === undefined || typeof body === 'string') return { exchange, value: undefined, hints };
  const whole = joinPieces(exchange.request.body);
  return { exchange, hints, value: whole.length ? await readInput(whole, exchange.request.headers).catch(() => undefined) : undefined };
}

/** The requests that match, and the mismatches of each of the others. Throws `rest_invalid_param` for an invalid match. */
export async function findMatches(
  exchanges: readonly JournalEntry[],
  match: JournalMatch,
  server: LoggedServer,
  at = 'match',
): Promise<{ matches: JournalEntry[]; others(): { exchange: JournalEntry; mismatches: Mismatch[] }[] }> {
  const tests = journalTests(match, server, at);
  const mistakes = match.hint === undefined ? undefined : mistakesIn(exchanges, server.hints !== false);
  const all = await Promise.all(exchanges.map((exchange) => candidateOf(exchange, match, mistakes?.get(exchange.id))));
  const isMatch = (each: Candidate) => tests.every((test) => !test(each).length);
  const others = () =>
    all
      .filter((each) => !isMatch(each))
      .map((each) => ({ exchange: each.exchange, mismatches: tests.flatMap((test) => test(each)).map(redact) }));
  return { matches: all.filter(isMatch).map(({ exchange }) => exchange), others };
}

/** Removes credentials from a mismatch. */
const redact = ({ part, wanted, found }: Mismatch): Mismatch => ({
  part,
  wanted,
  found: isSecret(part.slice(part.lastIndexOf('.') + 1)) && found !== absent ? hidden : withoutSecrets(found),
});
