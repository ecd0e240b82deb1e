import { closeSync, fdatasync, openSync, write } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/*
 * What node:http itself can do: the very bytes that the calendar answered, from buffers prepared beforehand. A POST is appended to a file and
 * synced, as many bytes as the calendar writes for it, before the answer.
 */

/** What the bare server is told: answers by the path and query that ask for them, and what a POST costs. */
export interface Prepared {
  answers: Record<string, { status: number; headers: Record<string, string>; body: string }>;
  post: { file: string; bytes: number } | undefined;
}

process.on('message', ({ answers, post }: Prepared) => {
  const ready = new Map(Object.entries(answers).map(([url, answer]) => [url, { ...answer, body: Buffer.from(answer.body, 'base64') }]));
  const posted = ready.get('POST');
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
