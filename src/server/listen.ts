import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { Failure } from '../model/error.ts';
import { isLoopback } from '../model/loopback.ts';
import type { ConnectionFault } from '../model/operations/faults.ts';
import { compressed } from './compression.ts';
import { sendFaulty } from './faults/send-faulty.ts';
import { type BodyStream, type Handle, noBody, type Request, type Response } from './http.ts';
import { asFailure, failureResponse, piecesOf, sizeOf } from './response.ts';

/** Where and how a server listens. */
export interface ListenOptions {
  host: string;
  /** 0 for any free one. */
  port: number;
  /**
   * Returns the maximum body size of a request in bytes, given everything but its body. Larger bodies get 413. May return a response
   * instead, which rejects the request before its body is read.
   */
  admit(head: Request): number | Response;
  /** Milliseconds after which who takes nothing of an answer without end is dropped; a minute when absent. */
  mostStall?: number;
  /** Overrides of {@link serverTimeouts}. */
  timeouts?: Partial<typeof serverTimeouts>;
  /** Called after each response. */
  onRequest?(event: AnsweredRequest): void;
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
}

/** The same with all that came and went. */
export interface AnsweredRequest extends RequestEvent {
  headers: Request['headers'];
  body: Uint8Array;
  /** As it was made, before it was compressed for the way. */
  answer: Response;
}

/** A server that listens. */
export interface Listening {
  host: string;
  port: number;
  url: string;
  /** Takes no more requests, and resolves when those under way are answered, or after three seconds. */
  close(): Promise<void>;
}

/** Whether a Host header names this machine; on a loopback address others are refused (DNS rebinding). */
const isLocalHost = (header: string | undefined) => header === undefined || isLoopback(header.replace(/:\d+$/, '').toLowerCase());

/** Whether a Host header is one name or address, with nothing that means more in a page that shows it. */
const isHost = (header: string | undefined) => header === undefined || /^([\w.-]+|\[[\da-f:.]+\])(:\d+)?$/i.test(header);

/** Where a request comes from: an address; of IPv6 the network, for who has one has all of its addresses. */
export function peerOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  return plain.includes(':') ? plain.split('::')[0]!.split(':').slice(0, 4).join(':') : plain;
}

/** How often a header stands in a request; node keeps the first alone. */
const countOf = (name: string, { rawHeaders }: http.IncomingMessage) =>
  rawHeaders.filter((text, i) => i % 2 === 0 && text.length === name.length && text.toLowerCase() === name).length;

/** Maximum size of all request bodies that a server holds in memory at one time, in bytes. */
const maxBufferedBytes = 512 << 20;

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
const serverTimeouts = { keepAliveTimeout: 65_000, headersTimeout: 60_000, requestTimeout: 120_000, connectionsCheckingInterval: 2000 };

/** What a request has before its answer. */
const unanswered: Response = { status: 0, headers: {}, body: '' };

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

/** Writes an answer to its socket; the last one on it when the server stops. */
function send(answer: Response, method: string | undefined, outgoing: http.ServerResponse, last: boolean): void {
  const { status } = answer;
  const headers: http.OutgoingHttpHeaders = { ...answer.headers };
  if (status === 413 || last) headers.Connection = 'close';
  if (method === 'HEAD' || status === 304) {
    outgoing.writeHead(status, headers);
    outgoing.end();
    return;
  }
  const pieces = piecesOf(answer);
  const size = sizeOf(pieces);
  headers['Content-Length'] = size;
  outgoing.writeHead(status, headers);
  if (pieces.length === 1 || size > roomSize) outgoing.end(pieces.length === 1 ? pieces[0] : Buffer.concat(pieces, size));
  else {
    const room = rooms.pop() ?? Buffer.allocUnsafeSlow(roomSize);
    let at = 0;
    for (const piece of pieces) {
      room.set(piece, at);
      at += piece.length;
    }
    outgoing.end(room.subarray(0, size), () => rooms.length < mostRooms && rooms.push(room));
  }
}

/** Room for putting answers together, used again once its bytes are with the system: making it costs more than filling it. */
const rooms: Buffer[] = [];
const roomSize = 64 << 10;
const mostRooms = 32;

/** Listens, and hands requests to a function of data. Fails with the system's error when it cannot listen. */
export async function listen(handle: Handle, options: ListenOptions): Promise<Listening> {
  const guarded = isLoopback(options.host);
  /** What is answered at once where that can be: a promise costs a read more than finding its answer. */
  const answerOf = (incoming: http.IncomingMessage, event: AnsweredRequest): Response | Promise<Response> => {
    const { headers } = event;
    const target = incoming.url ?? '/';
    const mark = target.indexOf('?');
    const path = mark < 0 ? target : target.slice(0, mark);
    const query = mark < 0 ? '' : target.slice(mark + 1);
    if (countOf('host', incoming) > 1) return failureResponse(new Failure('bad-request', 'there are several Host headers'));
    if (!isHost(headers.host) || (guarded && !isLocalHost(headers.host)))
      return failureResponse(new Failure('host-not-allowed', `this server does not answer to ${JSON.stringify(headers.host)}`));
    const { authorization } = headers;
    const peer = authorization === undefined ? undefined : peerOf(incoming.socket.remoteAddress ?? '');
    const request: Request = { method: incoming.method ?? 'GET', path, query, headers, body: noBody, peer };
    const smaller = (answer: Response) => {
      event.answer = answer;
      return compressed(answer, headers['accept-encoding']);
    };
    if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) {
      const admitted = options.admit(request);
      if (typeof admitted !== 'number') return { ...admitted, headers: { ...admitted.headers, Connection: 'close' } };
      return readBody(incoming, admitted, buffered).then(
        async (body) => {
          event.body = body;
          return smaller(await handle({ ...request, body }));
        },
        (error) => (error instanceof Failure ? failureResponse(error) : Promise.reject(error)),
      );
    }
    const answer = handle(request);
    return answer instanceof Promise ? answer.then(smaller) : smaller(answer);
  };
  const buffered = { bytes: 0 };
  let stopping = false;
  /** Connections that faults hold, which nobody waits for at the end. */
  const held = new Set<Socket>();
  const streams = new Map<http.ServerResponse, BodyStream>();
  /** Sends an answer whose body comes as it is made. Its connection takes no other request. */
  const sendStream = ({ status, headers }: Response, stream: BodyStream, outgoing: http.ServerResponse): void => {
    streams.set(outgoing, stream);
    outgoing.setTimeout(options.mostStall ?? 60_000, () => outgoing.destroy());
    outgoing.writeHead(status, { ...headers, Connection: 'close' });
    pipeline(Readable.from(stream.texts, { highWaterMark: 1 }), outgoing, () => streams.delete(outgoing));
    outgoing.on('close', () => stream.stop());
  };
  const server = http.createServer({ ...serverTimeouts, ...options.timeouts }, (incoming, outgoing) => {
    const start = performance.now();
    const { method = '', url: path = '' } = incoming;
    // Node joins repeated headers, but for cookies, which nobody asks for here.
    const headers = incoming.headers as Request['headers'];
    const event: AnsweredRequest = { method, path, headers, body: noBody, answer: unanswered, status: 0, took: 0 };
    const done = (answer: Response): void => {
      if (answer.fault || answer.slowBody) {
        sendFaulty(answer, incoming, outgoing, held);
        if (stopping) incoming.socket.destroy();
      } else if (answer.stream && incoming.method !== 'HEAD' && !stopping) sendStream(answer, answer.stream, outgoing);
      else send(answer, incoming.method, outgoing, stopping);
      if (event.answer === unanswered) event.answer = answer;
      event.status = answer.status;
      event.fault = answer.fault;
      event.took = performance.now() - start;
      options.onRequest?.(event);
    };
    // A mistake in one answer must not end the others.
    const broken = (error: unknown): void => {
      if (outgoing.headersSent) outgoing.destroy();
      else send(failureResponse(asFailure(error)), incoming.method, outgoing, true);
    };
    try {
      const answer = answerOf(incoming, event);
      if (answer instanceof Promise) answer.then(done).catch(broken);
      else done(answer);
    } catch (error) {
      broken(error);
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
    const head = Object.entries({ ...headers, 'Content-Length': Buffer.byteLength(body) }).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\n${head.join('')}\r\n${body}`);
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
        for (const socket of held) socket.destroy();
        for (const [outgoing, stream] of streams) {
          stream.stop();
          // Whoever does not read now will not read the end either.
          if (outgoing.writableNeedDrain) outgoing.destroy();
        }
      }),
  };
}
