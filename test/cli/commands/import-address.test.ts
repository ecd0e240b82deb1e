import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { folder, run, words } from '../../support/transcript.ts';

const { path: cwd, remove } = folder();
let server: http.Server;
let url = '';
let seen: http.IncomingMessage[] = [];

beforeAll(async () => {
  server = http.createServer((request, response) => {
    seen.push(request);
    if (request.url === '/away') response.writeHead(302, { Location: `${url.replace('127.0.0.1', 'localhost')}/tags.csv` }).end();
    else if (request.url === '/moved') response.writeHead(302, { Location: '/tags.csv' }).end();
    else if (request.url === '/echo')
      response.writeHead(200, { 'Content-Type': 'text/csv' }).end(`name,${request.headers['x-key']}\nNew,1\n`);
    else response.writeHead(200, { 'Content-Type': 'text/csv' }).end('name\nNew\n');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  seen = [];
});
afterAll(() => {
  server.close();
  remove();
});

const imported = (path: string, options: string) =>
  run(words(`import ${url}${path} --only tags --format csv --dry-run ${options}`), { cwd, env: { KEY: 'secret' } });

it.each(['/tags.csv', '/moved'])('headers are sent to the address %s', async (path) => {
  expect((await imported(path, "--db a.db --header 'X-Key: ${KEY}'")).exit).toBe(0);
  expect(seen.map(({ headers }) => headers['x-key'])).toEqual(seen.map(() => 'secret'));
});

it('headers are not sent to another site', async () => {
  expect(await imported('/away', "--db a.db --header 'X-Key: ${KEY}'")).toMatchObject({
    exit: 5,
    stdout: '',
    stderr: expect.stringContaining('redirects to'),
  });
  expect(seen).toHaveLength(1);
});

it.each(['', '--lenient'])('a secret that the data repeats is not printed (%s)', async (option) => {
  const { stdout, stderr } = await imported('/echo', `--db a.db --header 'X-Key: \${KEY}' ${option}`);
  expect([stderr.includes('[redacted]'), `${stdout}${stderr}`.includes('secret')]).toEqual([true, false]);
});

it('headers for the server to import into are not sent to another address', async () => {
  await imported('/tags.csv', "--url http://localhost:1 --header 'X-Key: ${KEY}'");
  expect(seen[0]!.headers['x-key']).toBeUndefined();
});
