import type http from 'node:http';
import type { Socket } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { isLoopback, isProxied } from '../model/addresses.ts';
import { Failure } from '../model/error.ts';
import { tooLarge } from './body.ts';
import type { Arrival, Coding, Server } from './context.ts';
import { sendFaulty } from './faults/send-faulty.ts';
import { abort, arrive, completeEntry, endsLater, handle } from './handle.ts';
import { type BodyStream, joinPieces, noBody, type ServerRequest, type ServerResponse } from './http.ts';

export interface ListenerOptions extends Pick<Arrival, 'hosts'> {
  /** Idle timeout of a streaming response, in ms. Default 60 000. */
  stallTimeoutMs?: number;
  /** Override of {@link maxBufferedBytes}. */
  maxBufferedBytes?: number;
  /** Returns what the socket adds to a request, such as whether its client may be on another machine. */
  originOf?(incoming: http.IncomingMessage): Pick<ServerRequest, 'protocol' | 'isRemote'>;
}

/** Handles the requests of a server of node. */
export interface Listener {
  /** `isWaiting`: the client sends the body after 100 Continue. */
  onRequest(incoming: http.IncomingMessage, outgoing: http.ServerResponse, isWaiting?: boolean): void;
  /** Ends streams and stalled connections, and closes the connections of further responses. */
  stop(): void;
}

/** Compresses at a level that takes little time. */
export const encode = (coding: Coding, bytes: Uint8Array): Promise<Uint8Array> =>
  coding === 'br'
    ? promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })
    : promisify(gzip)(bytes, { level: 4 });

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

/** Reads a request body, calling `onRead` if its announced size is allowed. Rejects with `body-too-large` past the limit, and with `busy` past the server's limit for all bodies. */
function readBody(
  incoming: http.IncomingMessage,
  { maxBytes, maxBuffered = maxBufferedBytes }: { maxBytes: number; maxBuffered: number | undefined },
  buffered: { bytes: number },
  onRead: () => void,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let isRejected = false;
    const release = (): void => {
      buffered.bytes -= size;
      size = 0;
    };
    /** The rest of a rejected body is not kept. Node emits no `close` for it if its client goes away after the response. */
    const refuse = (failure: Failure): void => {
      isRejected = true;
      release();
      reject(failure);
    };
    incoming.on('data', (chunk: Buffer) => {
      if (isRejected) return;
      size += chunk.length;
      buffered.bytes += chunk.length;
      if (size > maxBytes) refuse(tooLarge(maxBytes));
      else if (buffered.bytes > maxBuffered) refuse(new Failure('busy', 'The server is receiving too much data at the same time'));
      else chunks.push(chunk);
    });
    incoming.on('close', release);
    incoming.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    incoming.on('error', reject);
    if (Number(incoming.headers['content-length'] ?? 0) > maxBytes) refuse(tooLarge(maxBytes));
    else onRead();
  });
}

/** The start of a target that is a whole URL, as clients send it to a proxy (RFC 9112, 3.2.2), with its authority. */
const urlStart = /^https?:\/\/([^/?#]*)/i;

/** Host and port where a request arrived. */
function addressOf({ localAddress = '', localPort }: Socket): string {
  const host = localAddress.replace(/^::ffff:/, '');
  return `${host.includes(':') ? `[${host}]` : host}:${localPort}`;
}

function requestOf(incoming: http.IncomingMessage & { originalUrl?: string }, { originOf }: ListenerOptions): ServerRequest {
  // Node joins repeated headers except cookies, which are not used here.
  const received = incoming.headers as ServerRequest['headers'];
  // Servers that mount others below a path keep the whole one in `originalUrl`.
  const text = incoming.originalUrl ?? incoming.url ?? '/';
  const [start, authority] = (text.startsWith('/') ? undefined : urlStart.exec(text)) ?? [];
  const target = start === undefined ? text : text.slice(start.length).replace(/^(?!\/)/, '/');
  const headers = authority === undefined ? received : { ...received, host: authority };
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  const query = mark < 0 ? '' : target.slice(mark + 1);
  const isRemote = isProxied(headers);
  return {
    method: incoming.method ?? 'GET',
    path,
    query,
    headers,
    body: noBody,
    ownCall: undefined,
    epoch: undefined,
    isRemote,
    address: headers.host === undefined ? addressOf(incoming.socket) : undefined,
    ...originOf?.(incoming),
  };
}

/** Creates a listener for the requests of a server. */
export function createListener(server: Server, options: ListenerOptions): Listener {
  const buffered = { bytes: 0 };
  let stopping = false;
  /** Connections that a fault stalls; closing the server does not wait for them. */
  const stalledSockets = new Set<Socket>();
  const streams = new Map<http.ServerResponse, BodyStream>();
  /** Sends a response with a stream as its body. */
  const sendStream = ({ status, headers }: ServerResponse, stream: BodyStream, outgoing: http.ServerResponse): void => {
    outgoing.writeHead(status, headers);
    streams.set(outgoing, stream);
    outgoing.setTimeout(options.stallTimeoutMs ?? 60_000, () => outgoing.destroy());
    pipeline(Readable.from(stream.texts, { highWaterMark: 1 }), outgoing, () => streams.delete(outgoing));
    outgoing.on('close', () => stream.stop());
  };
  const onRequest: Listener['onRequest'] = (incoming, outgoing, isWaiting = false) => {
    const request = requestOf(incoming, options);
    const { headers } = request;
    const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
    let isBodyUnknown = isWaiting;
    const onRead = (): void => {
      if (isWaiting) outgoing.writeContinue();
      isBodyUnknown = false;
    };
    const read = hasBody
      ? (maxBytes: number) => readBody(incoming, { maxBytes, maxBuffered: options.maxBufferedBytes }, buffered, onRead)
      : undefined;
    let gone: AbortController | undefined;
    const onClose = (): void => {
      gone?.abort();
      if (!stopping) abort(exchange);
    };
    const exchange = arrive({
      server,
      request,
      read,
      hosts: options.hosts,
      hasSeveralHosts: countOf('host', incoming) > 1,
      gone() {
        gone ??= new AbortController();
        return gone.signal;
      },
      connection: {
        isLast: () => stopping || isBodyUnknown,
        isLocal: () => isLoopback(incoming.socket.remoteAddress?.replace('::ffff:', '') ?? ''),
        encode,
      },
      send(response) {
        const { fault, slowBody, stream, status } = response;
        if (outgoing.destroyed || outgoing.headersSent) {
          outgoing.destroy();
          stream?.stop();
          onClose();
          return;
        }
        const isStreamed = stream !== undefined && incoming.method !== 'HEAD' && !stopping;
        // Node would add the time of the machine.
        outgoing.sendDate = false;
        if (fault || slowBody) {
          sendFaulty(response, incoming, outgoing, stalledSockets, exchange.epoch);
          if (stopping) incoming.socket.destroy();
        } else if (isStreamed) sendStream(response, stream, outgoing);
        else {
          stream?.stop();
          outgoing.writeHead(status, response.headers);
          outgoing.end(joinPieces(response.body));
        }
        const isLater = (fault || slowBody) && endsLater(exchange, response);
        if (!isLater && (fault || isStreamed || outgoing.writableLength === 0)) completeEntry(exchange);
        else {
          outgoing.once('finish', () => completeEntry(exchange));
          outgoing.once('close', onClose);
        }
      },
    });
    handle(exchange);
    if (!exchange.response) outgoing.once('close', onClose);
  };
  return {
    onRequest,
    stop() {
      stopping = true;
      for (const socket of stalledSockets) socket.destroy();
      for (const [outgoing, stream] of streams) {
        stream.stop();
        // A client that does not read now will not read the end.
        if (outgoing.writableNeedDrain) outgoing.destroy();
      }
    },
  };
}
