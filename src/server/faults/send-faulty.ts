import type http from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionFault } from '../../model/operations/connection-faults.ts';
import { joinPieces, type ServerResponse } from '../http.ts';

/** Bytes that are not HTTP. */
const garbage = Uint8Array.from({ length: 64 }, (_, i) => (i * 151 + 128) & 255);

/** The socket below one of TLS, which node keeps in a member without documentation; others unchanged. */
export const tcpSocketOf = (socket: Socket): Socket => (socket as Socket & { _parent?: Socket })._parent ?? socket;

type Break = (socket: Socket, response: ServerResponse, outgoing: http.ServerResponse) => void;

/** Functions that break a connection, by fault. */
const breaks: Record<ConnectionFault, Break> = {
  reset: (socket) => tcpSocketOf(socket).resetAndDestroy(),
  empty: (socket) => socket.destroySoon(),
  garbage(socket) {
    socket.write(garbage);
    socket.destroySoon();
  },
  malformed(socket, { status, headers: { 'Content-Length': _, ...headers } }, outgoing) {
    outgoing.writeHead(status || 200, { ...headers, 'Transfer-Encoding': 'chunked' });
    outgoing.flushHeaders();
    socket.write('not a chunk\r\n');
    socket.destroySoon();
  },
  truncate(socket, { status, headers, body }, outgoing) {
    const bytes = joinPieces(body);
    outgoing.writeHead(status, headers);
    outgoing.flushHeaders();
    socket.write(bytes.subarray(0, bytes.length >> 1));
    socket.destroySoon();
  },
  // The client waits until it gives up, or until the next epoch.
  hang: () => {},
};

/** Sends a response with its fault, or slowly. Its connection is in `stalledSockets` until it is closed, and is destroyed when the epoch ends. */
export function sendFaulty(
  response: ServerResponse,
  { socket }: http.IncomingMessage,
  outgoing: http.ServerResponse,
  stalledSockets: Set<Socket>,
  epoch: AbortSignal | undefined,
): void {
  const onReset = () => socket.destroy();
  stalledSockets.add(socket);
  epoch?.addEventListener('abort', onReset);
  outgoing.once('close', () => {
    stalledSockets.delete(socket);
    epoch?.removeEventListener('abort', onReset);
  });
  if (response.fault) breaks[response.fault](socket, response, outgoing);
  else sendSlowly(response, outgoing);
}

/** Time between the pieces of a slow body. */
const pulseMs = 20;

/** Sends a body in small pieces. */
function sendSlowly({ status, headers, body, slowBody = 0 }: ServerResponse, outgoing: http.ServerResponse): void {
  const bytes = joinPieces(body);
  if (!bytes.length) {
    outgoing.writeHead(status, headers).end();
    return;
  }
  outgoing.writeHead(status, headers);
  outgoing.flushHeaders();
  const start = performance.now();
  let sentBytes = 0;
  const timer = setInterval(
    () => {
      const share = Math.min(1, (performance.now() - start) / slowBody);
      const until = Math.floor(bytes.length * share);
      if (until > sentBytes) outgoing.write(bytes.subarray(sentBytes, until));
      sentBytes = until;
      if (share === 1) outgoing.end();
    },
    Math.min(pulseMs, slowBody),
  );
  outgoing.once('close', () => clearInterval(timer));
}
