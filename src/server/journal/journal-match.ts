import { type Fault, invalidParams } from '../../model/error.ts';
import {
  absent,
  type MatchTest,
  type Mismatch,
  type ServerPaths,
  testsOf,
  textPattern,
  wantedText,
} from '../../model/operations/request-match.ts';
import type { JournalMatch, StatusMatch } from '../../model/operations/requests.ts';
import { inputOf } from '../body.ts';
import { hidden, isSecret, withoutSecrets } from './credentials.ts';
import { type KeptExchange, textOf, userOf } from './journal.ts';

/** A request as matches see it. */
interface Seen {
  exchange: KeptExchange;
  /** What JSON or a form says; undefined where it cannot be read. */
  value: unknown;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

const shown = (value: unknown): string => {
  const text = value === undefined ? absent : JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
};

/** Where a value differs from what is wanted of it. */
function differences(wanted: unknown, found: unknown, at: string): Mismatch[] {
  if (wanted === null && (found === undefined || found === null)) return [];
  if (isObject(wanted) && (isObject(found) || found === undefined))
    return Object.entries(wanted).flatMap(([name, value]) => differences(value, found?.[name], `${at}.${name}`));
  if (Array.isArray(wanted) && Array.isArray(found) && wanted.length === found.length)
    return wanted.flatMap((value, i) => differences(value, found[i], `${at}[${i}]`));
  const isPlain = wanted !== null && typeof wanted !== 'object' && found !== null && found !== undefined && typeof found !== 'object';
  if (isPlain && textPattern(String(wanted)).test(String(found))) return [];
  return [{ part: at, wanted: wanted === null ? absent : shown(wanted), found: shown(found) }];
}

function statusTest(status: StatusMatch): MatchTest<Seen> {
  const wanted = [status].flat().map(String);
  const passes = ({ exchange }: Seen) =>
    wanted.some((each) => each === String(exchange.status) || each.toLowerCase() === `${Math.floor(exchange.status / 100)}xx`);
  return {
    passes,
    mismatches: (seen) => (passes(seen) ? [] : [{ part: 'status', wanted: wantedText(wanted), found: String(seen.exchange.status) }]),
  };
}

function userTest(user: string | null): MatchTest<Seen> {
  const mismatches = ({ exchange }: Seen) => differences(user, userOf(exchange), 'user');
  return { passes: (seen) => mismatches(seen).length === 0, mismatches };
}

function bodyTest(body: unknown): MatchTest<Seen> {
  const mismatches = ({ exchange, value }: Seen) => differences(body, typeof body === 'string' ? textOf(exchange.sent) : value, 'body');
  return { passes: (seen) => mismatches(seen).length === 0, mismatches };
}

/** The tests of a match, with what is wrong with it by the name of the part. */
function journalTests(match: JournalMatch, server: ServerPaths, at: string): MatchTest<Seen>[] {
  const wrong = [match.status ?? []].flat().find((each) => !/^[1-5](\d\d|xx)$/i.test(String(each)));
  if (wrong !== undefined) {
    const fault: Fault = { reason: `must be statuses like 404 or 4xx, not ${JSON.stringify(wrong)}` };
    throw invalidParams({ [at === '' ? 'status' : `${at}.status`]: fault });
  }
  const ofRequest = testsOf(match, server, at).map(
    ({ passes, mismatches }): MatchTest<Seen> => ({
      passes: ({ exchange }) => passes(asMatched(exchange)),
      mismatches: ({ exchange }) => mismatches(asMatched(exchange)),
    }),
  );
  return [
    ...ofRequest,
    ...(match.status === undefined ? [] : [statusTest(match.status)]),
    ...(match.user === undefined ? [] : [userTest(match.user)]),
    ...(match.body === undefined ? [] : [bodyTest(match.body)]),
  ];
}

const asMatched = ({ method, path, query, sent }: KeptExchange) => ({ method, path, query, headers: sent.headers });

async function seen(exchange: KeptExchange, { body }: JournalMatch): Promise<Seen> {
  if (body === undefined || typeof body === 'string') return { exchange, value: undefined };
  const whole = Buffer.concat(exchange.sent.body);
  return { exchange, value: whole.length ? await inputOf(whole, exchange.sent.headers).catch(() => undefined) : undefined };
}

/** The requests that are meant, and what keeps each of the others from being so. Fails with `rest_invalid_param` where the match cannot be read. */
export async function matched(
  exchanges: readonly KeptExchange[],
  match: JournalMatch,
  server: ServerPaths,
  at = 'match',
): Promise<{ meant: KeptExchange[]; others(): { exchange: KeptExchange; mismatches: Mismatch[] }[] }> {
  const tests = journalTests(match, server, at);
  const all = await Promise.all(exchanges.map((exchange) => seen(exchange, match)));
  const isMeant = (each: Seen) => tests.every(({ passes }) => passes(each));
  const others = () =>
    all
      .filter((each) => !isMeant(each))
      .map((each) => ({ exchange: each.exchange, mismatches: tests.flatMap(({ mismatches }) => mismatches(each)).map(openly) }));
  return { meant: all.filter(isMeant).map(({ exchange }) => exchange), others };
}

/** A mismatch without the credentials that it found. */
const openly = ({ part, wanted, found }: Mismatch): Mismatch => ({
  part,
  wanted,
  found: isSecret(part.slice(part.lastIndexOf('.') + 1)) && found !== absent ? hidden : withoutSecrets(found),
});
