import { Failure } from '../../model/error.ts';
import { combinedHints } from '../../model/mistakes/hints.ts';
import type { JournalMatch } from '../../model/operation-types.ts';
import { millisecondsIn } from '../../model/time/duration.ts';
import { coverageOf } from '../../model/variants.ts';
import type { FaultList } from '../../server/faults/fault-list.ts';
import { Coverage } from '../../server/journal/coverage.ts';
import type { JournalEntry } from '../../server/journal/entry.ts';
import type { Journal } from '../../server/journal/journal.ts';
import { findMatches } from '../../server/journal/journal-match.ts';
import { journaled, summaryOf } from '../../server/journal/journaled.ts';
import { mistakesIn } from '../../server/mistakes/sequences.ts';
import { type Implementations, type OperationContext, servedWorld } from './context.ts';
import { boundsText, closedText, nearestOf, nearestText, requestsDropped, requestsText, verify, withinText } from './verify.ts';

export const requests: Implementations<'requests'> = {
  async list(context, { after, limit, brief = false, ...match }) {
    const journal = journalOf(context);
    const { total } = journal;
    const firstId = after !== undefined && after <= total ? after : 0;
    const exchanges = withMistakes(journal).filter(({ id }) => id > firstId);
    const isFiltered = Object.values(match).some((value) => value !== undefined);
    const matches = isFiltered ? (await findMatches(exchanges, match, journal.server, '')).matches : exchanges;
    const listed = limit === undefined ? matches : after === undefined ? matches.slice(-limit) : matches.slice(0, limit);
    return {
      requests: listed.map((exchange) => (brief ? summaryOf(exchange) : journaled(exchange, journal.server))),
      total,
      dropped: journal.dropped,
    };
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
        if (matches.length >= times) return { requests: matches.map((exchange) => journaled(exchange, journal.server)), total, dropped };
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
  async hints({ world, worlds, id, ...context }, { all = false }) {
    const journal = journalOf({ ...context, world });
    if (all) return { hints: combinedHints([...journal.allHints(), ...(id === undefined ? (worlds?.hints() ?? []) : [])]) };
    if (journal.dropped > 0) throw requestsDropped(journal);
    return { hints: journal.hints() };
  },
  async coverage({ world, worlds, id, ...context }, { all = false }) {
    const journal = journalOf({ ...context, world });
    if (!all && journal.dropped > 0) throw requestsDropped(journal);
    const report = new Coverage(journal.server, () => context.store.requestContext().zone);
    if (!all) for (const each of journal.exchanges()) report.add(each);
    else if (!journal.cover(report))
      throw new Failure('bad-request', 'The server does not note what clients met before a reset', 'Start it with --coverage.');
    else if (id === undefined) worlds?.cover(report);
    return coverageOf(report.counts, report.truncated);
  },
  async verify(context, input) {
    const journal = journalOf(context);
    const needsBody = [input.match ?? {}].flat().some(({ body }) => body !== undefined);
    return verify(journal, needsBody ? await completeExchanges(journal) : journal.exchanges(), input);
  },
};

/** The logged requests with all their mistakes, those between several requests included. */
function withMistakes(journal: Journal): JournalEntry[] {
  const exchanges = journal.exchanges();
  const mistakes = mistakesIn(exchanges, journal.server.hints !== false);
  return mistakes.size ? exchanges.map((each) => ({ ...each, mistakes: mistakes.get(each.id) ?? [] })) : exchanges;
}

/** Maximum time in which the body of a request arrives that is compared, in ms. */
const bodyTimeoutMs = 1000;

/** The requests, for a match of bodies when these have arrived. */
const exchangesFor = async ({ body }: JournalMatch, journal: Journal): Promise<JournalEntry[]> =>
  body === undefined ? journal.exchanges() : completeExchanges(journal);

/** The requests when their bodies have arrived. */
function completeExchanges(journal: Journal): Promise<JournalEntry[]> {
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

const journalOf = (context: OperationContext): Journal => servedWorld(context, 'logs of requests').served.journal;

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

const faultsOf = (context: OperationContext): FaultList => servedWorld(context, 'faults').served.faults;
