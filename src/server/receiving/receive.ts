import { Failure } from '../../model/error.ts';
import type { ConnectionFault } from '../../model/operations/connection-faults.ts';
import { currentResponse } from '../epoch.ts';
import type { Handle, Request, Response } from '../http.ts';
import { asFailure, failureResponse } from '../response.ts';
import { checkHost, type HostRule } from './host.ts';

/** A request and its response, for logs. */
export interface RequestEvent {
  /** `-` for a connection that sent no complete request head. */
  method: string;
  /** Includes the query string; `-` for a connection that sent no complete request head. */
  path: string;
  /** The response's status, also when a fault replaced the response; 0 if there is none. */
  status: number;
  /** The connection fault that was injected instead of a response, if any. */
  fault?: ConnectionFault;
  /** Reason of a connection error. */
  error?: string;
  /** Time from the request's head to its response, in ms. */
  took: number;
  /** Absent for a connection error. */
  response?: Response;
}

/** A request and its response with their contents. */
export interface CompletedRequest extends RequestEvent {
  /** As its receiver saw it. */
  request: Request;
  /** Before compression. */
  response: Response;
}

/** Handles requests, like one calendar of a server. */
export interface Receiver {
  handle: Handle;
  /**
   * Returns the maximum body size of a request in bytes, given everything but its body. Larger bodies get 413. May return a response
   * instead, which rejects the request before its body is read.
   */
  admit(head: Request): number | Response;
  /** Returns the epoch that a request belongs to, given everything but its body; see {@link Request.epoch}. */
  epochOf?(head: Request): AbortSignal | undefined;
  /** Called after each response. */
  onResponse?(event: CompletedRequest): void;
}

/** Returns the receiver of a request, given everything but its body, and changes the request to what the receiver sees: one of a world is not below the path that selects it. */
export type ReceiverOf = (head: Request) => Receiver;

/** Checks and logs of requests. */
export interface ReceiveOptions {
  /** Names that a Host header may have; any if absent. */
  hosts?: HostRule;
  /** Called after each response, also of requests that no receiver got. */
  onRequest?(event: RequestEvent): void;
}

/** Reads a body. Rejects with `body-too-large` past a limit in bytes. */
export type ReadBody = (maxBytes: number) => Promise<Uint8Array>;

/** The failure of a body past its limit. */
export const tooLarge = (maxBytes: number) => new Failure('body-too-large', `The request body is larger than ${maxBytes} bytes`);

/** A request that is being received. */
export class Reception {
  readonly #start = performance.now();
  readonly #path: string;
  #receiver: Receiver | undefined;

  /** `request` has everything but its body; `read` reads that, if there is one. */
  constructor(
    readonly request: Request,
    private readonly read: ReadBody | undefined,
    private readonly options: ReceiveOptions,
  ) {
    const { path, query } = request;
    this.#path = query === '' ? path : `${path}?${query}`;
  }

  /** Checks host and access, reads the body and handles the request. Sets its epoch. Returns no promise where the handler returns none: it would take longer than most reads. */
  respond(receiverOf: ReceiverOf): Response | Promise<Response> {
    const { request, read, options } = this;
    try {
      checkHost(request.headers.host, options.hosts);
      checkHost(request.sentHost, options.hosts);
    } catch (error) {
      const failure = asFailure(error);
      return failureResponse(failure, {}, failure.hint === undefined ? {} : { hint: failure.hint });
    }
    const receiver = receiverOf(request);
    this.#receiver = receiver;
    request.epoch = receiver.epochOf?.(request);
    if (!read) return receiver.handle(request);
    const admitted = receiver.admit(request);
    if (typeof admitted !== 'number') return { ...admitted, headers: { ...admitted.headers, Connection: 'close' } };
    return read(admitted).then(
      (body) => {
        request.body = body;
        return receiver.handle(request);
      },
      (error) => (error instanceof Failure ? failureResponse(error) : Promise.reject(error)),
    );
  }

  /** Reports the request and its response, as it was before compression. */
  end(response: Response): void {
    const { request, options } = this;
    const { status, fault } = response;
    const event = { method: request.method, path: this.#path, status, fault, took: performance.now() - this.#start, request, response };
    this.#receiver?.onResponse?.(event);
    options.onRequest?.(event);
  }
}

/** Receives a request that came without a socket, and reports it like the others. */
export async function receiveDirectly(
  receiverOf: ReceiverOf,
  head: Request,
  read: ReadBody | undefined,
  options: ReceiveOptions,
): Promise<Response> {
  const reception = new Reception(head, read, options);
  const result = await reception.respond(receiverOf);
  const response = currentResponse(head.epoch, result);
  reception.end(response);
  return response;
}
