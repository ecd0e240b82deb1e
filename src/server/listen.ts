import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { Failure } from '../model/error.ts';
import { isLoopback } from '../model/loopback.ts';
import type { ConnectionFault } from '../model/operations/connection-faults.ts';
import { joinInPool } from './buffer-pool.ts';
import { compress } from './compression.ts';
import { currentResponse } from './epoch.ts';
import { sendFaulty } from './faults/send-faulty.ts';
import { type BodyStream, type Handle, joinPieces, noBody, type Request, type Response, sizeOf } from './http.ts';
import { asFailure, failureResponse } from './response.ts';

export interface ListenOptions {
  host: string;
  /** 0 picks a free port. */
  port: number;
  /**
   * Returns the maximum body size of a request in bytes, given everything but its body. Larger bodies get 413. May return a response
   * instead, which rejects the request before its body is read.
   */
  admit(head: Request): number | Response;
  /** Returns the epoch that a request belongs to, given everything but its body; see {@link Request.epoch}. */
  epochOf?(head: Request): AbortSignal | undefined;
  /** Names that a Host header may have, besides those of this machine, if the server listens on a loopback address. */
  allowHosts?: readonly string[];
  /** Idle timeout of a streaming response, in ms. Default 60 000. */
  stallTimeoutMs?: number;
  /** Overrides of {@link serverTimeouts}. */
  timeouts?: Partial<typeof serverTimeouts>;
  /** Called after each response. */
  onRequest?(event: CompletedRequest): void;
  /** Called when a connection is closed because what it sent is not a request, with the response it got. */
  onConnectionError?(event: RequestEvent): void;
}

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

/** A server that listens. */
export interface Listening {
  host: string;
  port: number;
  url: string;
  /** Accepts no more requests, and resolves when open ones have finished, or after three seconds. */
  close(): Promise<void>;
}

/** Returns whether a Host header names this machine. Servers on a loopback address reject others (DNS rebinding). */
function isLocalHost(header: string | undefined, allowed: readonly string[] = []): boolean {
  if (header === undefined) return true;
  const name = header.replace(/:\d+$/, '').toLowerCase();
  return isLoopback(name) || allowed.includes(name);
}

/** Returns whether a Host header is a plain host name or address, safe to echo in HTML. */
const isHost = (header: string | undefined) => header === undefined || /^([\w.-]+|\[[\da-f:.]+\])(:\d+)?$/i.test(header);

/** Returns the address of a client; of IPv6 the network, because a client has all addresses in it. */
export function peerOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  return plain.includes(':') ? plain.split('::')[0]!.split(':').slice(0, 4).join(':') : plain;
}

/** Returns how often a request has a header; node keeps only the first value. */
function countOf(name: string, { rawHeaders }: http.IncomingMessage): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const header = rawHeaders[i]!;
    if (header.length === name.length && header.toLowerCase() === name) count += 1;
  }
  return count;
}

/** Maximum size of all request bodies that a server holds in memory at one time, in bytes. */
export const maxBufferedBytes = 512 << 20;

/** Reads a request body. Rejects with `body-too-large` past the limit, and with `busy` past the server's limit for all bodies. */
function readBody(incoming: http.IncomingMessage, maxBytes: number, buffered: { bytes: number }): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length;
      buffered.bytes += chunk.length;
      if (size > maxBytes) reject(tooLarge(maxBytes));
      else if (buffered.bytes > maxBufferedBytes) reject(new Failure('busy', 'The server is receiving too much data at the same time'));
      else chunks.push(chunk);
    });
    incoming.on('close', () => {
      buffered.bytes -= size;
    });
    incoming.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    incoming.on('error', reject);
    if (Number(incoming.headers['content-length'] ?? 0) > maxBytes) reject(tooLarge(maxBytes));
  });
}
const tooLarge = (maxBytes: number) => new Failure('body-too-large', `The request body is larger than ${maxBytes} bytes`);

/**
 * Timeouts for keep-alive, request headers and whole requests, in ms. Browsers and HTTP clients open connections before they need them, so a
 * connection may be silent for as long as it may be idle between requests.
 */
export const serverTimeouts = {
  keepAliveTimeout: 65_000,
  headersTimeout: 60_000,
  requestTimeout: 120_000,
  connectionsCheckingInterval: 2000,
};

/** The response of a request that has none yet. */
const emptyResponse: Response = { status: 0, headers: {}, body: [] };

/** Returns the failure that a connection error stands for, or undefined if the client just went away. */
function connectionFailure(code = ''): Failure | undefined {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Failure('request-timeout', 'The request was not complete in time');
  if (code === 'HPE_HEADER_OVERFLOW')
    return new Failure('header-too-large', `The request header is larger than ${http.maxHeaderSize} bytes`);
  if (code.startsWith('HPE_')) return new Failure('bad-request', 'Invalid HTTP request');
  return undefined;
}

/** Time that open requests have to finish when the server stops, in ms. */
const shutdownTimeoutMs = 3000;

/** Sends a response, and closes its connection if it is the last one. */
function send(response: Response, method: string | undefined, outgoing: http.ServerResponse, last: boolean): void {
  const { status, body } = response;
  const headers: http.OutgoingHttpHeaders = { ...response.headers };
  if (status === 413 || last) headers.Connection = 'close';
  if (method === 'HEAD' || status === 304) {
    outgoing.writeHead(status, headers);
    outgoing.end();
    return;
  }
  headers['Content-Length'] = sizeOf(body);
  outgoing.writeHead(status, headers);
  if (body.length === 1) outgoing.end(body[0]);
  else {
    const joined = joinInPool(body);
    outgoing.end(joined.bytes, joined.free);
  }
}

/** Listens, and calls a handler for each request. Throws the error of the system if it cannot listen. */
export async function listen(handle: Handle, options: ListenOptions): Promise<Listening> {
  const guarded = isLoopback(options.host);
  /** Returns no promise where the handler returns none: it would take longer than most reads. */
  const respond = (incoming: http.IncomingMessage, event: CompletedRequest): Response | Promise<Response> => {
    const { headers } = event;
    const target = incoming.url ?? '/';
    const mark = target.indexOf('?');
    const path = mark < 0 ? target : target.slice(0, mark);
    const query = mark < 0 ? '' : target.slice(mark + 1);
    if (countOf('host', incoming) > 1) return failureResponse(new Failure('bad-request', 'The request has several Host headers'));
    if (!isHost(headers.host) || (guarded && !isLocalHost(headers.host, options.allowHosts)))
      return failureResponse(new Failure('host-not-allowed', `Host ${JSON.stringify(headers.host)} is not allowed`));
    // Only requests that may have a password are counted by address.
    const mayGuess = headers.authorization !== undefined || query !== '';
    const peer = mayGuess ? peerOf(incoming.socket.remoteAddress ?? '') : undefined;
    const request: Request = { method: incoming.method ?? 'GET', path, query, headers, body: noBody, peer };
    const epoch = options.epochOf?.(request);
    request.epoch = epoch;
    event.epoch = epoch;
    const finish = (response: Response) => {
      event.response = response;
      return compress(response, headers['accept-encoding']);
    };
    if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) {
      const admitted = options.admit(request);
      if (typeof admitted !== 'number') return { ...admitted, headers: { ...admitted.headers, Connection: 'close' } };
      return readBody(incoming, admitted, buffered).then(
        async (body) => {
          event.body = body;
          return finish(await handle({ ...request, body }));
        },
        (error) => (error instanceof Failure ? failureResponse(error) : Promise.reject(error)),
      );
    }
    const response = handle(request);
    return response instanceof Promise ? response.then(finish) : finish(response);
  };
  const buffered = { bytes: 0 };
  let stopping = false;
  /** Connections that a fault stalls; closing the server does not wait for them. */
  const stalledSockets = new Set<Socket>();
  const streams = new Map<http.ServerResponse, BodyStream>();
  /** Sends a response with a stream as its body. Its connection takes no other request. */
  const sendStream = ({ status, headers }: Response, stream: BodyStream, outgoing: http.ServerResponse): void => {
    streams.set(outgoing, stream);
    outgoing.setTimeout(options.stallTimeoutMs ?? 60_000, () => outgoing.destroy());
    outgoing.writeHead(status, { ...headers, Connection: 'close' });
    pipeline(Readable.from(stream.texts, { highWaterMark: 1 }), outgoing, () => streams.delete(outgoing));
    outgoing.on('close', () => stream.stop());
  };
  const server = http.createServer({ ...serverTimeouts, ...options.timeouts }, (incoming, outgoing) => {
    const start = performance.now();
    const { method = '', url: path = '' } = incoming;
    // Node joins repeated headers except cookies, which are not used here.
    const headers = incoming.headers as Request['headers'];
    const event: CompletedRequest = { method, path, headers, body: noBody, response: emptyResponse, status: 0, took: 0, epoch: undefined };
    const sendResponse = (result: Response): void => {
      const response = currentResponse(event.epoch, result);
      if (response.fault || response.slowBody) {
        sendFaulty(response, incoming, outgoing, stalledSockets, event.epoch);
        if (stopping) incoming.socket.destroy();
      } else if (response.stream && incoming.method !== 'HEAD' && !stopping) sendStream(response, response.stream, outgoing);
      else send(response, incoming.method, outgoing, stopping);
      if (event.response === emptyResponse) event.response = response;
      event.status = response.status;
      event.fault = response.fault;
      event.took = performance.now() - start;
      options.onRequest?.(event);
    };
    // An error in one response must not end the others.
    const onError = (error: unknown): void => {
      if (outgoing.headersSent) outgoing.destroy();
      else send(failureResponse(asFailure(error)), incoming.method, outgoing, true);
    };
    try {
      const response = respond(incoming, event);
      if (response instanceof Promise) response.then(sendResponse).catch(onError);
      else sendResponse(response);
    } catch (error) {
      onError(error);
    }
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const failure = connectionFailure(error.code);
    // A client that sent nothing expects no response: it would take one for the response to its next request.
    if (!failure || socket.bytesRead === 0 || !socket.writable) {
      socket.destroy();
      return;
    }
    const { status, headers, body } = failureResponse(failure, { Connection: 'close' });
    const head = Object.entries({ ...headers, 'Content-Length': sizeOf(body) }).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\n${head.join('')}\r\n${joinPieces(body)}`);
    options.onConnectionError?.({ method: '-', path: '-', status, error: failure.message, took: 0 });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, () => resolve());
  });
  const { port } = server.address() as AddressInfo;
  const shown = options.host.includes(':') ? `[${options.host}]` : options.host;
  return {
    host: options.host,
    port,
    url: `http://${shown}:${port}`,
    close: () =>
      new Promise((resolve) => {
        const timer = setTimeout(() => server.closeAllConnections(), shutdownTimeoutMs).unref();
        server.close(() => {
          clearTimeout(timer);
          resolve();
        });
        server.closeIdleConnections();
        stopping = true;
        for (const socket of stalledSockets) socket.destroy();
        for (const [outgoing, stream] of streams) {
          stream.stop();
          // A client that does not read now will not read the end.
          if (outgoing.writableNeedDrain) outgoing.destroy();
        }
      }),
  };
}
