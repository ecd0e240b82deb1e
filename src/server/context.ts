import type { ControlOptions, OperationMatch } from './control/access.ts';
import type { FaultList } from './faults/fault-list.ts';
import type { Hooks } from './hooks/functions.ts';
import type { Handle, HandlerOptions, RequestEvent, ServerRequest, ServerResponse } from './http.ts';
import type { Journal, StoredRequest } from './journal/journal.ts';
import type { MessageLog } from './journal/message-log.ts';
import type { ResponseCache } from './response-cache.ts';

/** One calendar of a server, as the steps of a request use it. */
export interface ServedWorld {
  /** Absent for the calendar of the server. */
  readonly id?: string;
  readonly options: HandlerOptions;
  /** Maximum size of a request body in bytes, except for uploads and imports. */
  readonly maxBodyBytes: number;
  /** The control API; absent without one. */
  readonly controlled?: ControlOptions;
  readonly clock: { now(): number };
  readonly faults: FaultList;
  readonly hooks?: Hooks;
  /** Absent if responses are not cached. */
  readonly cache?: ResponseCache;
  readonly journal: Journal;
  readonly messages: MessageLog;
  /** The current epoch; see {@link ServerRequest.epoch}. */
  readonly epoch: AbortSignal;
  /** Aborts when the server stops. */
  readonly stopping: AbortSignal;
  /** The API: routes of records, and what else the server has outside of the control API. */
  readonly api: Handle;
  /** Waits until a time has passed, the epoch is over, or the server stops. */
  sleep(ms: number, epoch?: AbortSignal): Promise<unknown>;
  /** Counts a request, like `POST /events`, as one in progress until its response is ready. */
  track(label: string, response: Promise<ServerResponse>): Promise<ServerResponse>;
  /** Counts work as a use, which keeps the world from being deleted, until its response ends. Absent for the calendar of the server. */
  during?(work: () => ServerResponse | Promise<ServerResponse>): ServerResponse | Promise<ServerResponse>;
}

/** A server, as the steps of a request use it. */
export interface Server {
  readonly options: Pick<HandlerOptions, 'cors' | 'headerPrefix' | 'basePath' | 'namespace'> & { maxBody: number; requireWorld?: boolean };
  /** True if requests for the API have to select a world. */
  readonly isWorldRequired: boolean;
  /** Returns the world with an ID, by default the calendar of the server. Throws `unknown-world`, and `not-ready` while the server starts. */
  worldFor(request: ServerRequest, id: string | undefined): ServedWorld;
  /** Called after each response. */
  onRequest?(event: RequestEvent): void;
}

/** Names that a Host header may have. */
export interface HostRule {
  /** Names besides those of this machine. */
  allowed?: readonly string[];
  /** True to allow every address: a page can rebind a name (DNS rebinding), but not an address. */
  addresses?: boolean;
}

/** Reads a body. Rejects with `body-too-large` past a limit in bytes. */
export type ReadBody = (maxBytes: number) => Promise<Uint8Array>;

/** A request on its way through the steps of a server. */
export interface Arrival {
  readonly server: Server;
  /** Without its body until it is admitted. Hooks and faults replace it by one that they changed. */
  request: ServerRequest;
  /** Reads its body, if it has one. */
  readonly read?: ReadBody;
  /** Names that its Host header may have; any if absent. */
  readonly hosts?: HostRule;
  /** True if it has more than one Host header. */
  readonly hasSeveralHosts?: boolean;
  /** True if its response may be compressed. */
  readonly mayCompress?: boolean;
  /** Returns a signal that aborts when the client goes away. Absent if that can't be noticed. */
  readonly gone?: () => AbortSignal;
}

/** A request with all that its steps need and find. */
export interface Context extends Arrival {
  /** When it arrived, as `performance.now()`. */
  readonly start: number;
  readonly method: string;
  /** The path and the query that were requested. */
  readonly target: string;
  /** Set by `selectWorld`, like {@link SelectedContext}. */
  world?: ServedWorld;
  /** Its entry in the journal; absent if it is not journaled. */
  entry?: StoredRequest;
  /** True once its response has ended, or its client has gone away. */
  isEnded: boolean;
  /** The operation of the control API that it calls, if the caller may. */
  operation?: OperationMatch;
  /** Before compression. */
  response?: ServerResponse;
}

/** The context of the steps after `selectWorld`. */
export type SelectedContext = Context & { world: ServedWorld };

/** One thing that happens to a request. `next` runs the steps after it. Returns no promise where that is possible: promises would take longer than most reads. */
export type Step = (
  context: SelectedContext,
  next: () => ServerResponse | Promise<ServerResponse>,
) => ServerResponse | Promise<ServerResponse>;
