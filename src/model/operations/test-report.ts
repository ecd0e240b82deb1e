import { hintLines } from '../mistakes/hints.ts';
import type { FaultInfo, Hint } from '../operation-types.ts';
import { outcomeText } from './request-outcome.ts';
import type { RequestSummary } from './requests.ts';

/** Maximum number of rejected requests of a calendar in a report. */
export const maxRejected = 10;

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
  requests: readonly RequestSummary[];
  /** Mistakes of clients. Those of form are in the requests that have them. */
  hints?: readonly Hint[];
  /** Calls that have not resolved, like `requests.waitFor({"path":"/events"})`. */
  waits?: readonly string[];
}

const requestText = ({ method, path, query }: RequestSummary): string => `${method} ${path}${query && `?${query}`}`;

/** A request that was rejected or got a hint, with the reason. */
export const rejectedText = (request: RequestSummary): string =>
  `${requestText(request)} ${outcomeText(request)}${request.reason ? ` ${request.reason.replace(/\s+/g, ' ')}` : ''}`;

/** One line for each thing that explains a failure: what is held, waiting, unused or in flight, the last requests that were rejected or got a hint, with the reason, and the mistakes of conduct. */
export function reportLines({ faults, requests, hints = [], waits = [] }: TestState): string[] {
  const rejected = requests.filter(({ status, reason }) => (status ?? 0) >= 400 || reason !== null);
  return [
    ...faults
      .filter(({ held = 0 }) => held > 0)
      .map((fault) => `held: fault ${fault.id} for ${matchText(fault)} holds ${requestsText(fault.held!)}`),
    ...waits.map((wait) => `waiting: ${wait}`),
    ...faults.filter(isUnused).map((fault) => `unused: ${unusedText(fault)}`),
    ...requests
      .filter(({ status, fault, aborted }) => status === null && fault === null && !aborted)
      .map((each) => `in flight: ${requestText(each)}`),
    ...rejected.slice(-maxRejected).map(rejectedText),
    ...hintLines(hints.filter(({ kind }) => kind === 'conduct')),
  ];
}
