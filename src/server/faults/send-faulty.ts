import type http from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionFault } from '../../model/operations/faults.ts';
import type { Response } from '../http.ts';
import { piecesOf } from '../response.ts';

/** Bytes that begin no answer. */
const garbage = Uint8Array.from({ length: 64 }, (_, i) => (i * 151 + 128) & 255);

type Spoil = (socket: Socket, answer: Response, outgoing: http.ServerResponse) => void;

/** What is done in the place of an answer, or of its rest. */
const spoilers: Record<ConnectionFault, Spoil> = {
  reset: (socket) => socket.resetAndDestroy(),
  empty: (socket) => socket.destroySoon(),
  garbage(socket) {
    socket.write(garbage);
    socket.destroySoon();
  },
  malformed(socket, { status, headers }, outgoing) {
    outgoing.writeHead(status || 200, { ...headers, 'Transfer-Encoding': 'chunked' });
    outgoing.flushHeaders();
    socket.write('this is no chunk\r\n');
    socket.destroySoon();
  },
  truncate(socket, answer, outgoing) {
    const bytes = bytesOf(answer);
    outgoing.writeHead(answer.status, { ...answer.headers, 'Content-Length': bytes.length });
    outgoing.flushHeaders();
    socket.write(bytes.subarray(0, bytes.length >> 1));
    socket.destroySoon();
  },
  // The client may wait as long as it likes.
  hang: () => {},
};

const bytesOf = (answer: Response): Uint8Array => Buffer.concat(piecesOf(answer));

/** Writes an answer as its fault wants it, or slowly. `held` has its connection for so long: nobody is to wait for that when the server closes. */
export function sendFaulty(
  answer: Response,
  { socket, method }: http.IncomingMessage,
  outgoing: http.ServerResponse,
  held: Set<Socket>,
): void {
  held.add(socket);
  outgoing.once('close', () => held.delete(socket));
  if (answer.fault) spoilers[answer.fault](socket, answer, outgoing);
  else dribble(answer, method === 'HEAD', outgoing);
}

/** Milliseconds between the pieces of a slow body. */
const pulse = 20;

/** Sends a body in small pieces over its time. */
function dribble(answer: Response, isHead: boolean, outgoing: http.ServerResponse): void {
  const { status, headers, slowBody = 0 } = answer;
  const bytes = bytesOf(answer);
  if (isHead || !bytes.length) {
    outgoing.writeHead(status, headers).end();
    return;
  }
  outgoing.writeHead(status, { ...headers, 'Content-Length': bytes.length });
  outgoing.flushHeaders();
  const begun = performance.now();
  let sent = 0;
  const timer = setInterval(
    () => {
      const share = Math.min(1, (performance.now() - begun) / slowBody);
      const until = Math.floor(bytes.length * share);
      if (until > sent) outgoing.write(bytes.subarray(sent, until));
      sent = until;
      if (share === 1) outgoing.end();
    },
    Math.min(pulse, slowBody),
  );
  outgoing.once('close', () => clearInterval(timer));
}
