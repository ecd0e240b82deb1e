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
  headers: Request['headers'];
  body: Uint8Array;
  /** Before compression. */
  response: Response;
  epoch: AbortSignal | undefined;
}

/** Checks of requests before they are handled. */
export interface ReceiveOptions {
  /** Names that a Host header may have; any if absent. */
  hosts?: HostRule;
  /**
   * Returns the maximum body size of a request in bytes, given everything but its body. Larger bodies get 413. May return a response
   * instead, which rejects the request before its body is read.
   */
  admit(head: Request): number | Response;
  /** Returns the epoch that a request belongs to, given everything but its body; see {@link Request.epoch}. */
  epochOf?(head: Request): AbortSignal | undefined;
  /** Called after each response. */
  onRequest?(event: CompletedRequest): void;
}

/** Reads a body. Rejects with `body-too-large` past a limit in bytes. */
export type ReadBody = (maxBytes: number) => Promise<Uint8Array>;

/** The failure of a body past its limit. */
export const tooLarge = (maxBytes: number) => new Failure('body-too-large', `The request body is larger than ${maxBytes} bytes`);

/**
 * Checks the host and the access of a request, reads its body and handles it. Sets its epoch. Returns no promise where the handler returns none: it would take longer than most reads.
 */
export function receive(handle: Handle, head: Request, read: ReadBody | undefined, options: ReceiveOptions): Response | Promise<Response> {
  try {
    for (const host of [head.headers.host, head.sentHost]) checkHost(host, options.hosts);
  } catch (error) {
    const failure = asFailure(error);
    return failureResponse(failure, {}, failure.hint === undefined ? {} : { hint: failure.hint });
  }
  head.epoch = options.epochOf?.(head);
  if (!read) return handle(head);
  const admitted = options.admit(head);
  if (typeof admitted !== 'number') return { ...admitted, headers: { ...admitted.headers, Connection: 'close' } };
  return read(admitted).then(
    (body) => handle({ ...head, body }),
    (error) => (error instanceof Failure ? failureResponse(error) : Promise.reject(error)),
  );
}

/** Receives a request that came without a socket, and reports it like the others. */
export async function receiveDirectly(
  handle: Handle,
  head: Request,
  read: ReadBody | undefined,
  options: ReceiveOptions,
): Promise<Response> {
  const start = performance.now();
  let { body } = head;
  const keep = async (maxBytes: number) => {
    body = await read!(maxBytes);
    return body;
  };
  const result = await receive(handle, head, read && keep, options);
  const response = currentResponse(head.epoch, result);
  const path = head.query === '' ? head.path : `${head.path}?${head.query}`;
  const { method, headers, epoch } = head;
  const { status, fault } = response;
  options.onRequest?.({ method, path, headers, body, response, status, fault, epoch, took: performance.now() - start });
  return response;
}
