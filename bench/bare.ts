import { closeSync, fdatasync, openSync, write } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/*
 * A bare node:http server for comparison: sends the same bytes as the calendar from prepared buffers. A POST first appends the same number of bytes as the
 * calendar to a file and syncs it.
 */

/** Configuration of the bare server: the responses to fetch before it listens, and the cost and response of a POST. */
export interface Prepared {
  from: number;
  paths: string[];
  post?: { file: string; bytes: number; body: string };
}

/** A prepared response. */
export interface Fetched {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** Fetches a response with its raw body. */
export function fetched(port: number, path: string, post?: string): Promise<Fetched> {
  return new Promise((resolve, reject) => {
    const headers = post === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(post) };
    const method = post === undefined ? 'GET' : 'POST';
    const request = http.request({ port, host: '127.0.0.1', path, method, headers, agent: false }, (incoming) => {
      const parts: Buffer[] = [];
      incoming.on('data', (part) => parts.push(part));
      incoming.on('end', () => {
        const headers: Record<string, string> = {};
        for (let i = 0; i < incoming.rawHeaders.length; i += 2) headers[incoming.rawHeaders[i]!] = incoming.rawHeaders[i + 1]!;
        for (const own of ['Date', 'Connection', 'Keep-Alive']) delete headers[own];
        resolve({ status: incoming.statusCode!, headers, body: Buffer.concat(parts) });
      });
    });
    request.on('error', reject);
    request.end(post);
  });
}

process.on('message', async ({ from, paths, post }: Prepared) => {
  const ready = new Map<string, Fetched>();
  for (const path of paths) {
    const answer = await fetched(from, path);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.body}`);
    ready.set(path, answer);
  }
  const posted = post && (await fetched(from, paths[0] ?? '/', post.body));
  const log = post && { fd: openSync(post.file, 'a'), bytes: Buffer.alloc(post.bytes, 'x') };
  const server = http.createServer({ keepAliveTimeout: 65_000 }, (incoming, outgoing) => {
    if (incoming.method === 'POST' && log && posted) {
      incoming.resume().on('end', () => {
        write(log.fd, log.bytes, () =>
          fdatasync(log.fd, () => {
            outgoing.writeHead(posted.status, posted.headers);
            outgoing.end(posted.body);
          }),
        );
      });
      return;
    }
    const { status, headers, body } = ready.get(incoming.url!)!;
    outgoing.writeHead(status, headers);
    outgoing.end(body);
  });
  server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port));
  process.on('disconnect', () => {
    if (log) closeSync(log.fd);
    process.exit();
  });
});
