import { worldCookie, worldHeader } from '../addresses.ts';
import { hintLines } from '../mistakes/hints.ts';
import type { CoverageReport, FaultInfo, Hint, JournaledRequest } from '../operation-types.ts';
import { isFailed, outcomeText } from './request-outcome.ts';

/** Maximum number of requests of each kind in a report of a calendar. */
const maxReported = 10;

const requestsText = (count: number): string => (count === 1 ? '1 request' : `${count} requests`);

/** Returns what a fault matches, for messages. */
const matchText = ({ match }: FaultInfo): string => JSON.stringify(match);

/** True if no request met a fault, or fewer than its `times`. Chance may spare requests. */
export const isUnused = ({ hits, remaining, probability }: FaultInfo): boolean =>
  probability === undefined && (hits === 0 || (remaining !== null && remaining > 0));

/** Returns what is unused about a fault. */
export const unusedText = (fault: FaultInfo): string =>
  `fault ${fault.id} for ${matchText(fault)} met ${fault.hits === 0 ? 'no request' : `${fault.hits} of ${requestsText(fault.hits + (fault.remaining ?? 0))}`}`;

/** The state of a calendar after a failed test or command. */
interface TestState {
  faults: readonly FaultInfo[];
  requests: readonly JournaledRequest[];
  /** Mistakes of clients. Those of form are in the requests that have them. */
  hints?: readonly Hint[];
  /** Calls that have not resolved, like `requests.waitFor({"path":"/events"})`. */
  waits?: readonly string[];
  /** Requests that selected no world, or one that is gone, like `GET /events 400 world-required`. */
  refused?: readonly string[];
}

const requestText = ({ method, path, query }: JournaledRequest): string => `${method} ${path}${query && `?${query}`}`;

/** A request that explains a failure, with the reason, or how long its client waited. */
export function reportedText(request: JournaledRequest): string {
  const { aborted, took, reason } = request;
  const waited = aborted && took !== null ? ` after ${took.toFixed(0)} ms` : '';
  return `${requestText(request)} ${outcomeText(request)}${waited}${reason ? ` ${reason.replace(/\s+/g, ' ')}` : ''}`;
}

/** The last requests that failed or got a hint, and the last ones whose client went away: a page that aborts many hides no error. */
export function reportedRequests<Request extends JournaledRequest>(requests: readonly Request[]): Request[] {
  const isOther = ({ aborted, reason }: Request) => aborted && reason === null;
  const all = requests.filter((each) => isFailed(each) || each.reason !== null);
  const last = new Set([true, false].flatMap((other) => all.filter((each) => isOther(each) === other).slice(-maxReported)));
  return all.filter((each) => last.has(each));
}

/** Lines about requests that no calendar of a test got. */
function refusedLines(refused: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const text of refused) counts.set(text, (counts.get(text) ?? 0) + 1);
  const all = [...counts].map(([text, count]) => `refused meanwhile: ${text}${count === 1 ? '' : ` (${requestsText(count)})`}`);
  const left = all.length - maxReported;
  const listed = left > 0 ? [`(${left} refused requests before these)`, ...all.slice(-maxReported)] : all;
  const advice = `  Those belong to no test: pass the cookie ${worldCookie} of the request that your site handles on to the API, or its ID in the header ${worldHeader}`;
  return all.length ? [...listed, advice] : [];
}

/**
 * One line for each thing that explains a failure: what is held, waiting, unused or in flight, the last requests that failed, were given up or got a hint, with the reason, those that selected
 * no world, and the mistakes of conduct.
 */
export function reportLines({ faults, requests, hints = [], waits = [], refused = [] }: TestState): string[] {
  const isRefused = ({ reason }: JournaledRequest) => refused.length > 0 && reason?.startsWith('world-required');
  return [
    ...faults
      .filter(({ held = 0 }) => held > 0)
      .map((fault) => `held: fault ${fault.id} for ${matchText(fault)} holds ${requestsText(fault.held!)}`),
    ...waits.map((wait) => `waiting: ${wait}`),
    ...faults.filter(isUnused).map((fault) => `unused: ${unusedText(fault)}`),
    ...requests
      .filter(({ status, fault, aborted }) => status === null && fault === null && !aborted)
      .map((each) => `in flight: ${requestText(each)}`),
    ...reportedRequests(requests.filter((each) => !isRefused(each))).map(reportedText),
    ...refusedLines(refused),
    ...hintLines(hints.filter(({ kind }) => kind === 'conduct')),
  ];
}

/** The sentence of a report; empty if the app sent nothing. */
export function coverageText({ met, total, operations }: CoverageReport): string {
  const used = operations.filter(({ requests }) => requests > 0).length;
  return used === 0
    ? ''
    : `calendar: The app met ${met} of ${total} variants of responses, with ${used} of ${operations.length} operations`;
}

/** The report for people: what was met, and how to meet the rest. */
export function coverageLines({ variants, operations, truncated }: CoverageReport): string[] {
  const used = operations.filter(({ requests }) => requests > 0);
  const others = operations.filter((each) => !used.includes(each)).map(({ about }) => about);
  const rows = [...variants, ...used];
  const width = Math.max(...rows.map(({ about }) => about.length));
  return [
    ...rows.map(({ about, how, requests }) => `  ${about.padEnd(width)}  ${requests > 0 ? requestsText(requests) : `not met (${how})`}`),
    ...(others.length ? [`  not called: ${others.join(', ')}`] : []),
    ...(truncated
      ? [`  The log has only the start of ${truncated === 1 ? '1 response' : `${truncated} responses`}: see --journal-body`]
      : []),
  ];
}
