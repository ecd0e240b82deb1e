import type { Failure } from '../model/error.ts';
import type { SiteSlugs } from '../model/site-address.ts';
import type { ControlOptions, OperationMatch } from './control/access.ts';
import type { FaultList } from './faults/fault-list.ts';
import type { Hooks } from './hooks/functions.ts';
import type { Handle, Handled, HandlerOptions, RequestEvent, ServerRequest, ServerResponse } from './http.ts';
import type { JournalEntry } from './journal/entry.ts';
import type { Journal } from './journal/journal.ts';
import type { MessageLog } from './journal/message-log.ts';
import type { ResponseCache } from './response-cache.ts';

/** One calendar of a server, as the steps of a request use it. */
export interface ServedWorld {
  /** Absent for the calendar of the server. */
  readonly id?: string;
  readonly options: HandlerOptions;
  /** The words of the addresses of its pages. */
  readonly slugs: SiteSlugs;
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
  /** Counts a request, like `POST /events`, as one in progress until its response is ready. */
  track(label: string, response: Promise<ServerResponse>): Promise<ServerResponse>;
  /** Counts work as a use, which keeps the world from being deleted, until its response ends. Absent for the calendar of the server. */
  during?(work: () => Handled): Handled;
}

/** A server, as the steps of a request use it. */
export interface Server {
  readonly options: Pick<HandlerOptions, 'compress' | 'cors' | 'publicUrl' | 'headerPrefix' | 'basePath' | 'namespace'> & {
    maxBody: number;
    requireWorld?: boolean;
  };
  /** True if requests for the API have to select a world. */
  readonly isWorldRequired: boolean;
  /** The world with an ID, by default the calendar of the server. Throws `unknown-world`, and `not-ready` while the server starts. */
  worldFor(request: ServerRequest, id: string | undefined): ServedWorld;
  /** Notes a request for the API that selected no world, or one that is gone, for the report of a failed test. */
  refuse(request: ServerRequest, failure: Failure): void;
  /** Time of the calendar of the server, in epoch milliseconds. */
  now(): number;
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
type ReadBody = (maxBytes: number) => Promise<Uint8Array>;

/** A content coding. */
export type Coding = 'br' | 'gzip';

/** A request that arrives at a server, and how its response leaves. */
export interface Arrival {
  readonly server: Server;
  /** Without its body until it is admitted. */
  readonly request: ServerRequest;
  /** Reads its body, if it has one. */
  readonly read?: ReadBody;
  /** Names that its Host header may have; any if absent. */
  readonly hosts?: HostRule;
  /** True if it has more than one Host header. */
  readonly hasSeveralHosts?: boolean;
  /** A signal that aborts when the client goes away. Absent if that can't be noticed. */
  readonly gone?: () => AbortSignal;
  /** The connection that the response is sent on. Absent for calls without a socket, whose responses have neither a coding nor a length. */
  readonly connection?: {
    /** True if it takes no other request. */
    isLast(): boolean;
    /** True if its client is on this machine, where compression costs more time than it saves. */
    isLocal?(): boolean;
    /** Compresses a body for it. */
    encode?(coding: Coding, bytes: Uint8Array): Promise<Uint8Array>;
  };
  /** Sends the response. Throws if that can't be sent, before anything was. */
  send(response: ServerResponse): void;
}

/** A request on its way: everything that its steps find and its end needs. Each member is set by one step. It has every member from the start: objects that grow are slower. */
export interface Exchange {
  readonly arrival: Arrival;
  readonly server: Server;
  /** When it arrived, as `performance.now()`. */
  readonly start: number;
  readonly method: string;
  /** The path and the query that were requested. */
  readonly target: string;
  /** True once `checkHost` has accepted its Host header. */
  isHostAllowed: boolean;
  /** The world that `selectWorld` found. */
  world: ServedWorld | undefined;
  /** Its entry in the journal, and its epoch, as `journal` set them; absent if it has none. */
  entry: JournalEntry | undefined;
  epoch: AbortSignal | undefined;
  /** The operation of the control API that it calls, if `admit` found that its caller may. */
  operation: OperationMatch | undefined;
  /** Its response as it was sent, with the body before coding. */
  response: ServerResponse | undefined;
  /** True once its response has ended, or its client has gone away. */
  isEnded: boolean;
}

/** A request whose world was found. */
export type WorldExchange = Exchange & { world: ServedWorld };

/**
 * One thing that happens to a request. `next` runs the steps after it, with the request or one that replaces it. Returns no promise where that is possible: promises would take longer than most
 * reads.
 */
export type Step = (request: ServerRequest, exchange: WorldExchange, next: (request: ServerRequest) => Handled) => Handled;
