import type { Mistake } from '../../model/mistakes/table.ts';
import type { ConnectionFault } from '../../model/operations/connection-faults.ts';
import type { ServerPaths } from '../../model/operations/request-match.ts';
import type { BodyPieces, ServerRequest } from '../http.ts';

/** Headers and body of a request or a response. */
export interface Side {
  headers: Readonly<Record<string, string | undefined>>;
  /** The first part of the body. */
  body: BodyPieces;
  /** Size of the whole body. */
  bytes: number;
}

/** A request in the journal with its response. */
export interface JournalEntry {
  id: number;
  /** Arrival time in epoch milliseconds. */
  at: number;
  /** The same by the calendar's clock. */
  now: number;
  method: string;
  protocol: ServerRequest['protocol'];
  /** The start of its path that selected the page and a world. */
  prefix: string;
  path: string;
  query: string;
  /** Null without a response, or until it ends. */
  status: number | null;
  fault: ConnectionFault | null;
  /** ID of the fault that made the response; undefined for that of the calendar. */
  injectedBy: number | undefined;
  /** Null until the response ends, or the client goes away. */
  took: number | null;
  /** True if the client went away before the response ended. */
  aborted: boolean;
  request: Side;
  /** Null without a response, or until it ends. */
  response: Side | null;
  /** False while its body arrives. */
  isComplete: boolean;
  /** True for a request of this program. */
  isOurs: boolean;
  /** Mistakes of the client that are known from this request alone. */
  mistakes: readonly Mistake[];
  /** ID of the last request that had arrived when its response ended; 0 before. */
  lastAtEnd: number;
  /** Estimated size of what is kept of it, without the body of its response. */
  weight: number;
}

/** A server whose requests are logged. */
export interface LoggedServer extends ServerPaths {
  /** False to report no mistakes of conduct. */
  hints?: boolean | undefined;
}
