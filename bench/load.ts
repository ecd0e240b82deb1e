import net from 'node:net';
import { percentile } from './figures.ts';

/*
 * The load generator, in a separate process: keep-alive connections that each send a request when the previous response has arrived.
 * It reads sockets directly, because an HTTP client would need more processor time than the servers.
 */

/** The requests to send in a loop, as bytes. */
export interface Task {
  port: number;
  connections: number;
  seconds: number;
  requests: string[];
}

/** The results. */
export interface Outcome {
  requests: number;
  perSecond: number;
  /** Milliseconds. */
  median: number;
  p99: number;
  bytes: number;
  /** Number of responses by status. */
  statuses: Record<string, number>;
}

const lengthMark = /\r\ncontent-length: *(\d+)/i;

/** Returns the length of the first response in bytes; undefined until its head is complete. A chunked response ends with its last chunk. */
function sizeOf(bytes: Buffer): number | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const length = lengthMark.exec(bytes.toString('latin1', 0, end));
  if (length) return end + 4 + Number(length[1]);
  return bytes.toString('latin1', Math.max(end, bytes.length - 7)).endsWith('0\r\n\r\n') || end + 4 === bytes.length
    ? bytes.length
    : undefined;
}

async function run({ port, connections, seconds, requests }: Task): Promise<Outcome> {
  const wire = requests.map((request) => Buffer.from(request));
  const took: number[] = [];
  const statuses: Record<string, number> = {};
  let bytes = 0;
  let next = 0;
  const start = performance.now();
  const end = start + seconds * 1000;
  const connection = () =>
    new Promise<void>((resolve, reject) => {
      const socket = net.connect({ port, host: '127.0.0.1', noDelay: true });
      let sent = 0;
      let parts: Buffer[] = [];
      let got = 0;
      let size: number | undefined;
      const send = (): void => {
        sent = performance.now();
        if (sent >= end) {
          socket.destroy();
          resolve();
          return;
        }
        socket.write(wire[next % wire.length]!);
        next += 1;
      };
      socket.on('connect', send);
      socket.on('error', reject);
      socket.on('close', () => resolve());
      socket.on('data', (chunk: Buffer) => {
        parts.push(chunk);
        got += chunk.length;
        if (size === undefined || size === got) {
          const whole = parts.length === 1 ? chunk : Buffer.concat(parts);
          size ??= sizeOf(whole);
        }
        if (size === undefined || got < size) return;
        took.push(performance.now() - sent);
        bytes += got;
        const status = parts[0]!.toString('latin1', 9, 12);
        statuses[status] = (statuses[status] ?? 0) + 1;
        parts = [];
        got = 0;
        size = undefined;
        send();
      });
    });
  await Promise.all(Array.from({ length: connections }, connection));
  const elapsed = (performance.now() - start) / 1000;
  return {
    requests: took.length,
    perSecond: took.length / elapsed,
    median: percentile(took, 50),
    p99: percentile(took, 99),
    bytes,
    statuses,
  };
}

process.on('message', (task: Task) => {
  run(task).then(
    (outcome) => process.send!(outcome),
    (error) => process.send!({ error: String(error) }),
  );
});
