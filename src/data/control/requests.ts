import { Failure } from '../../model/error.ts';
import type { CalendarControl } from '../../model/operations/control.ts';
import type { NearRequest, VerifyInput } from '../../model/operations/requests.ts';
import { type Journal, journaled, type KeptExchange, summaryOf } from '../../server/journal/journal.ts';
import { matched } from '../../server/journal/journal-match.ts';

/** How many requests a failed verification names. */
const mostNamed = 3;

/** What can be asked of the requests that a server answered. */
export function requestOperations(
  journal: Journal | undefined,
): Pick<CalendarControl, 'requests' | 'clearRequests' | 'countRequests' | 'verifyRequests'> {
  const kept = (): Journal => {
    if (journal) return journal;
    throw new Failure('bad-request', 'no requests are kept of a file', {}, 'Serve it with calendar serve, or name a server with --url.');
  };
  return {
    async requests({ after, limit, brief = false, ...match } = {}) {
      const { total, server } = kept();
      const from = after !== undefined && after <= total ? after : 0;
      const all = kept()
        .exchanges()
        .filter(({ id }) => id > from);
      const { meant } = await matched(all, match, server, '');
      const listed = limit === undefined ? meant : after === undefined ? meant.slice(-limit) : meant.slice(0, limit);
      return { requests: listed.map((exchange) => journaled(exchange, brief)), total };
    },
    async clearRequests() {
      const deleted = kept().total;
      kept().reset();
      return { deleted };
    },
    async countRequests({ match = {} }) {
      const { meant } = await matched(kept().exchanges(), match, kept().server);
      return { count: meant.length };
    },
    async verifyRequests({ match = {}, ...wanted }) {
      const exchanges = kept().exchanges();
      const [least, most] = boundsOf(wanted);
      const { meant, others } = await matched(exchanges, match, kept().server);
      const count = meant.length;
      if (count >= least && count <= most) return { count };
      const nearest = count > most ? meant.slice(-mostNamed).map(tooMany) : nearestOf(others());
      throw new Failure(
        'verification-failed',
        `${boundsText(least, most)} should match ${JSON.stringify(match)}, and ${count} of ${exchanges.length} did${namedText(nearest)}`,
        { count, nearest },
      );
    },
  };
}

/** How many there may be, at least and at most. Fails where that is said in two ways. */
function boundsOf({ exactly, atLeast, atMost, never }: Omit<VerifyInput, 'match'>): [number, number] {
  const ways = [exactly !== undefined, atLeast !== undefined || atMost !== undefined, never === true];
  if (ways.filter(Boolean).length > 1 || (atLeast ?? 0) > (atMost ?? Number.POSITIVE_INFINITY))
    throw new Failure('bad-request', 'how many requests should match can be exactly, never, or atLeast with atMost not below it');
  if (never) return [0, 0];
  if (exactly !== undefined) return [exactly, exactly];
  return [atLeast ?? (atMost === undefined ? 1 : 0), atMost ?? Number.POSITIVE_INFINITY];
}

const requestsText = (count: number): string => (count === 1 ? '1 request' : `${count} requests`);

function boundsText(least: number, most: number): string {
  if (most === 0) return 'no request';
  if (least === most) return `exactly ${requestsText(least)}`;
  if (most === Number.POSITIVE_INFINITY) return `at least ${requestsText(least)}`;
  return least === 0 ? `at most ${requestsText(most)}` : `${least} to ${requestsText(most)}`;
}

const tooMany = (exchange: KeptExchange): NearRequest => ({ request: summaryOf(exchange), mismatches: [] });

/** Those with the fewest differences, of these the latest. */
const nearestOf = (others: { exchange: KeptExchange; mismatches: NearRequest['mismatches'] }[]): NearRequest[] =>
  others
    .sort((a, b) => a.mismatches.length - b.mismatches.length || b.exchange.id - a.exchange.id)
    .slice(0, mostNamed)
    .map(({ exchange, mismatches }) => ({ request: summaryOf(exchange), mismatches }));

function namedText(nearest: readonly NearRequest[]): string {
  if (!nearest.length) return '';
  const lines = nearest.map(({ request: { method, path, query, status, fault }, mismatches }) => {
    const why = mismatches.map(({ part, wanted, found }) => `${part} is ${found}, not ${wanted}`).join('; ');
    return `${method} ${path}${query && `?${query}`} ${fault ?? status}${why && ` (${why})`}`;
  });
  return `: ${lines.join(', ')}`;
}
