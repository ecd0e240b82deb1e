import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { isLoopback } from '../model/addresses.ts';
import { Failure } from '../model/error.ts';
import { utf8Text } from '../model/formats/bytes.ts';
import type { Server } from './context.ts';
import { tcpSocketOf } from './faults/send-faulty.ts';
import { responseToNone } from './handle.ts';
import { joinPieces, type RequestEvent } from './http.ts';
import { createListener, type Listener, type ListenerOptions } from './listener.ts';

/** A certificate and its private key, in PEM format. */
export interface Certificate {
  cert: Buffer;
  key: Buffer;
}

interface ListenOptions extends Omit<ListenerOptions, 'hosts' | 'originOf'> {
  host: string;
  /** 0 picks a free port. */
  port: number;
  /** Makes it a server of HTTPS. */
  certificate?: Certificate;
  /** False to let the process end while it listens (default true). */
  keepsRunning?: boolean;
  /** Names that a Host header may have, besides those of this machine, if the server listens on a loopback address. */
  allowHosts?: readonly string[];
  /** Overrides of {@link serverTimeouts}. */
  timeouts?: Partial<typeof serverTimeouts>;
  /** Called when a connection is closed because what it sent is not a request, with the response it got. */
  onConnectionError?(event: RequestEvent): void;
}

/** A server that listens. */
export interface Listening {
  host: string;
  port: number;
  url: string;
  /** Accepts no more requests, and resolves when open ones have finished, or after three seconds. */
  close(): Promise<void>;
}

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

/** Code of the error of a request over plain HTTP to a server of HTTPS. */
const plainHttp = 'ERR_SSL_HTTP_REQUEST';

/** The failure that a connection error stands for, or undefined if the client just went away. */
function connectionFailure(code = ''): Failure | undefined {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Failure('request-timeout', 'The request was not complete in time');
  if (code === 'HPE_HEADER_OVERFLOW')
    return new Failure('header-too-large', `The request header is larger than ${http.maxHeaderSize} bytes`);
  if (code === plainHttp) return new Failure('bad-request', 'The request is plain HTTP, but this server uses HTTPS');
  if (code === 'HPE_INVALID_URL')
    return new Failure(
      'bad-request',
      'Invalid address in the HTTP request',
      'Write characters other than ASCII, and spaces, with percent-encoding.',
    );
  if (code.startsWith('HPE_')) return new Failure('bad-request', 'Invalid HTTP request');
  return undefined;
}

/** Time that open requests have to finish when the server stops, in ms. */
const shutdownTimeoutMs = 3000;

type OnRequest = Listener['onRequest'];

/**
 * Handles the requests of a connection one at a time: pipelined ones wait until the response before has been sent, and no more are read meanwhile.
 * Hundreds of requests fit into one packet, and responses are a hundred times as large.
 */
function oneAtATime(onRequest: OnRequest): OnRequest {
  const waiting = new WeakMap<Socket, Parameters<OnRequest>[]>();
  const pauseIfWaiting = (socket: Socket): void => {
    // Node resumes a connection in the next tick after each request; microtasks come later.
    queueMicrotask(() => {
      if (waiting.get(socket)?.length) socket.pause();
    });
  };
  const handle: OnRequest = (...given) => {
    const [{ socket }, outgoing] = given;
    outgoing.on('finish', () => {
      // A connection that is being closed takes no other request.
      const next = socket.writable ? waiting.get(socket)?.shift() : undefined;
      if (next) {
        handle(...next);
        pauseIfWaiting(socket);
      } else {
        waiting.delete(socket);
        socket.resume();
      }
    });
    onRequest(...given);
  };
  return (...given) => {
    const [{ socket }] = given;
    const queue = waiting.get(socket);
    if (queue) {
      queue.push(given);
      pauseIfWaiting(socket);
    } else {
      waiting.set(socket, []);
      handle(...given);
    }
  };
}

/** Listens for the requests of a server. Throws the error of the system if it cannot listen. */
export async function listen(calendar: Server, options: ListenOptions): Promise<Listening> {
  const { allowHosts, onConnectionError, timeouts, certificate, keepsRunning = true, ...rest } = options;
  const hosts = isLoopback(options.host) ? { allowed: allowHosts } : undefined;
  const protocol = certificate ? 'https' : 'http';
  const listener = createListener(calendar, { ...rest, hosts, originOf: certificate && (() => ({ protocol })) });
  const onRequest = oneAtATime(listener.onRequest);
  const server = certificate
    ? (await import('node:https')).createServer({ ...serverTimeouts, ...timeouts, ...certificate }, onRequest)
    : http.createServer({ ...serverTimeouts, ...timeouts }, onRequest);
  // A body that is too large, or that the caller may not send, is rejected before the client sends it.
  server.on('checkContinue', (incoming: http.IncomingMessage, outgoing: http.ServerResponse) => onRequest(incoming, outgoing, true));
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    if (!keepsRunning) socket.unref();
  });
  server.on('clientError', (error: NodeJS.ErrnoException, failed: Socket) => {
    const failure = connectionFailure(error.code);
    const isPlain = error.code === plainHttp;
    const socket = isPlain ? tcpSocketOf(failed) : failed;
    // A client that sent nothing expects no response: it would take one for the response to its next request.
    if (!failure || (socket.bytesRead === 0 && !isPlain) || !socket.writable) {
      socket.destroy();
      return;
    }
    const { status, headers, body } = responseToNone(calendar, failure);
    const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\n${head.join('')}\r\n${utf8Text(joinPieces(body))}`);
    onConnectionError?.({ method: '-', path: '-', status, error: failure.message, took: 0 });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, () => resolve());
  });
  if (!keepsRunning) server.unref();
  const { port } = server.address() as AddressInfo;
  const authority = options.host.includes(':') ? `[${options.host}]` : options.host;
  return {
    host: options.host,
    port,
    url: `${protocol}://${authority}:${port}`,
    close: () =>
      new Promise((resolve) => {
        // Some may not have sent a request, nor completed the handshake of TLS.
        const timer = setTimeout(() => {
          for (const socket of sockets) socket.destroy();
        }, shutdownTimeoutMs).unref();
        server.close(() => {
          clearTimeout(timer);
          resolve();
        });
        server.closeIdleConnections();
        listener.stop();
      }),
  };
}
