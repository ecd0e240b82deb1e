import { Failure } from '../../model/error.ts';
import { outcomeText } from '../../model/operations/request-outcome.ts';
import type { JournalMatch, NearRequest, VerifyInput } from '../../model/operations/requests.ts';
import { millisecondsIn, type Time } from '../../model/time/duration.ts';
import type { FaultList } from '../../server/faults/fault-list.ts';
import { type Journal, type JournalEntry, journaled, summaryOf } from '../../server/journal/journal.ts';
import { findMatches } from '../../server/journal/journal-match.ts';
import type { Implementations, OperationContext } from './context.ts';

/** Maximum number of requests that a failed verification names. */
const maxNearest = 3;

export const requests: Implementations<'requests'> = {
  async list(context, { after, limit, brief = false, ...match }) {
    const journal = journalOf(context);
    const { total } = journal;
    const firstId = after !== undefined && after <= total ? after : 0;
    const exchanges = journal.exchanges().filter(({ id }) => id > firstId);
    const isFiltered = Object.values(match).some((value) => value !== undefined);
    const matches = isFiltered ? (await findMatches(exchanges, match, journal.server, '')).matches : exchanges;
    const listed = limit === undefined ? matches : after === undefined ? matches.slice(-limit) : matches.slice(0, limit);
    return { requests: listed.map((exchange) => journaled(exchange, brief)), total, dropped: journal.dropped };
  },
  async clear(context, { match }) {
    const journal = journalOf(context);
    if (match === undefined || !Object.keys(match).length) {
      const deleted = journal.total;
      journal.reset();
      return { deleted };
    }
    const { matches } = await findMatches(await exchangesFor(match, journal), match, journal.server);
    journal.remove(new Set(matches.map(({ id }) => id)));
    return { deleted: matches.length };
  },
  async count(context, { match = {} }) {
    const journal = journalOf(context);
    const { matches } = await findMatches(await exchangesFor(match, journal), match, journal.server);
    if (journal.dropped > 0) throw requestsDropped(journal, matches.length);
    return { count: matches.length };
  },
  async waitFor(context, { match = {}, times = 1, after = 0, timeout = '30s' }) {
    const journal = journalOf(context);
    return within(millisecondsIn(timeout, 'timeout', 'timeout'), async (giveUp) => {
      for (;;) {
        // Before the search: what arrives during it wakes it again.
        const next = journal.nextAfter(giveUp);
        const exchanges = journal.exchanges().filter(({ id, isComplete }) => id > after && isComplete);
        const { matches, others } = await findMatches(exchanges, match, journal.server);
        const { total, dropped } = journal;
        if (matches.length >= times) return { requests: matches.map((exchange) => journaled(exchange, false)), total, dropped };
        if (giveUp.aborted || journal.isClosed) {
          const nearest = nearestOf(others());
          const end = journal.isClosed ? closedText : withinText(timeout);
          const text = `${boundsText(times, Number.POSITIVE_INFINITY)} should match ${JSON.stringify(match)} ${end}, and ${matches.length} of ${exchanges.length} did${nearestText(nearest)}`;
          throw new Failure('verification-failed', text, undefined, { count: matches.length, nearest });
        }
        await next;
      }
    });
  },
  async verify(context, { match = {}, ...expected }) {
    const journal = journalOf(context);
    const exchanges = await exchangesFor(match, journal);
    const [min, max] = boundsOf(expected);
    const { matches, others } = await findMatches(exchanges, match, journal.server);
    const count = matches.length;
    // Each dropped request may match as well.
    if (journal.dropped > 0 && count <= max && !(count >= min && max === Number.POSITIVE_INFINITY)) throw requestsDropped(journal, count);
    if (count >= min && count <= max) return { count };
    const nearest = count > max ? matches.slice(-maxNearest).map(surplus) : nearestOf(others());
    throw new Failure(
      'verification-failed',
      `${boundsText(min, max)} should match ${JSON.stringify(match)}, and ${count} of ${exchanges.length} did${nearestText(nearest)}`,
      undefined,
      { count, nearest },
    );
  },
};

/** Maximum time in which the body of a request arrives that is compared, in ms. */
const bodyTimeoutMs = 1000;

/** Returns the requests, for a match of bodies when these have arrived. */
async function exchangesFor({ body }: JournalMatch, journal: Journal): Promise<JournalEntry[]> {
  if (body === undefined) return journal.exchanges();
  return within(bodyTimeoutMs, async (giveUp) => {
    let exchanges = journal.exchanges();
    while (!giveUp.aborted && exchanges.some(({ isComplete }) => !isComplete)) {
      await journal.nextAfter(giveUp);
      exchanges = journal.exchanges();
    }
    return exchanges;
  });
}

/** Runs work with a signal that aborts after a time in ms. A signal of `AbortSignal.timeout` would follow fake timers in some test environments, and let the process end. */
async function within<T>(timeoutMs: number, work: (giveUp: AbortSignal) => Promise<T>): Promise<T> {
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(), timeoutMs);
  try {
    return await work(giveUp.signal);
  } finally {
    clearTimeout(timer);
  }
}

function journalOf({ world }: OperationContext): Journal {
  if (world) return world.served.journal;
  throw new Failure(
    'bad-request',
    'No server is running, so there is no journal of requests',
    'Start one with calendar serve, or pass --url.',
  );
}

const requestsDropped = ({ dropped, total }: Journal, count: number): Failure =>
  new Failure(
    'requests-dropped',
    `The journal has dropped ${dropped} of ${requestsText(total)}, so the number of matches is not known; at least ${count} matched`,
    'Start the server with a larger --journal N, or clear the journal between tests.',
    { count, dropped },
  );

/** Throws if they are given in two ways. */
function boundsOf({ exactly, atLeast, atMost, never }: Omit<VerifyInput, 'match'>): [number, number] {
  const ways = [exactly !== undefined, atLeast !== undefined || atMost !== undefined, never === true];
  if (ways.filter(Boolean).length > 1 || (atLeast ?? 0) > (atMost ?? Number.POSITIVE_INFINITY))
    throw new Failure('bad-request', 'Pass exactly, never, or atLeast with an atMost that is not below it');
  if (never) return [0, 0];
  if (exactly !== undefined) return [exactly, exactly];
  return [atLeast ?? (atMost === undefined ? 1 : 0), atMost ?? Number.POSITIVE_INFINITY];
}

const closedText = 'before the calendar was closed';
const withinText = (timeout: Time): string => `within ${typeof timeout === 'number' ? `${timeout} ms` : timeout}`;
const requestsText = (count: number): string => (count === 1 ? '1 request' : `${count} requests`);

function boundsText(min: number, max: number): string {
  if (max === 0) return 'no request';
  if (min === max) return `exactly ${requestsText(min)}`;
  if (max === Number.POSITIVE_INFINITY) return `at least ${requestsText(min)}`;
  return min === 0 ? `at most ${requestsText(max)}` : `${min} to ${requestsText(max)}`;
}

const surplus = (exchange: JournalEntry): NearRequest => ({ request: summaryOf(exchange), mismatches: [] });

/** Returns the exchanges with the fewest mismatches, the latest first. */
const nearestOf = (others: { exchange: JournalEntry; mismatches: NearRequest['mismatches'] }[]): NearRequest[] =>
  others
    .sort((a, b) => a.mismatches.length - b.mismatches.length || b.exchange.id - a.exchange.id)
    .slice(0, maxNearest)
    .map(({ exchange, mismatches }) => ({ request: summaryOf(exchange), mismatches }));

function nearestText(nearest: readonly NearRequest[]): string {
  if (!nearest.length) return '';
  const lines = nearest.map(({ request, mismatches }) => {
    const { method, path, query } = request;
    const why = mismatches.map(({ part, wanted, found }) => `${part} is ${found}, not ${wanted}`).join('; ');
    return `${method} ${path}${query && `?${query}`} ${outcomeText(request)}${why && ` (${why})`}`;
  });
  return `: ${lines.join(', ')}`;
}

export const faults: Implementations<'faults'> = {
  list: (context) => ({ faults: faultsOf(context).list() }),
  add: (context, input) => faultsOf(context).add(input),
  get: (context, { id }) => faultsOf(context).get(id),
  remove: (context, { id }) => faultsOf(context).remove(id),
  release: (context, { id, response }) => faultsOf(context).release(Number(id), response),
  async arrived(context, { id, count = 1, timeout = '30s' }) {
    const { info, arrived } = await faultsOf(context).arrived(Number(id), count, millisecondsIn(timeout, 'timeout', 'timeout'));
    if (arrived >= count) return info;
    const journal = journalOf(context);
    const { others } = await findMatches(journal.exchanges(), info.match, journal.server);
    const nearest = nearestOf(others());
    const text = `${requestsText(count)} should match ${JSON.stringify(info.match)} and be held by fault ${id} ${journal.isClosed ? closedText : withinText(timeout)}, and ${arrived} arrived${nearestText(nearest)}`;
    throw new Failure('verification-failed', text, undefined, { count: arrived, nearest });
  },
  clear(context) {
    faultsOf(context).clear();
    return { faults: [] };
  },
};

function faultsOf({ world }: OperationContext): FaultList {
  if (world) return world.served.faults;
  throw new Failure('bad-request', 'No server is running, so there are no faults', 'Start one with calendar serve, or pass --url.');
}
