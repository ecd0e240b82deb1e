import { mkdirSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { userFile } from '../../../src/cli/connect/config.ts';
import type { Terminal } from '../../../src/cli/terminal/terminal.ts';
import { folder, run, words } from '../../support/transcript.ts';

const { path: cwd, remove } = folder();
let server: http.Server;
let url = '';
let seen: http.IncomingHttpHeaders[] = [];

beforeAll(async () => {
  server = http.createServer((request, response) => {
    seen.push(request.headers);
    response.writeHead(200, { 'Content-Type': 'text/csv' }).end('name\nNew\n');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const file = userFile({ env: { HOME: cwd }, cwd } as unknown as Terminal)!;
  mkdirSync(dirname(file), { recursive: true });
  const profiles = {
    live: { url: `${url}/wp-json`, user: 'ada', password: 'x', headers: { 'X-Key': '${KEY}' } },
    other: { url: 'http://127.0.0.1:1', headers: { 'X-Key': '${KEY}' } },
  };
  writeFileSync(file, JSON.stringify({ profiles }), { mode: 0o600 });
});
beforeEach(() => {
  seen = [];
});
afterAll(() => {
  server.close();
  remove();
});

const command = (line: string) => run(words(line.replaceAll('URL', url)), { cwd, env: { HOME: cwd, KEY: 'secret' } });

describe('user and headers of --profile', () => {
  beforeAll(async () => {
    await command('tags create --name here --db a.db');
  });
  it.each([
    'import URL/tags.csv --only tags --format csv --dry-run --db a.db --profile live',
    'shape --profile live',
    'shape URL/wp-json --profile live',
    'check --profile live',
    'check URL/wp-json --profile live',
    'pull URL/wp-json --profile live --db a.db',
    'diff URL/wp-json --profile live --db a.db',
    'events list --url URL/wp-json --profile live',
  ])('%s', async (line) => {
    await command(line);
    expect(seen.length).toBeGreaterThan(0);
    for (const headers of seen) expect([headers['x-key'], headers.authorization]).toEqual(['secret', `Basic ${btoa('ada:x')}`]);
  });

  it('pull copies to the file of the folder, not to the server of the profile', async () => {
    // The command itself sends requests to the server.
    expect((await command('pull URL/wp-json --profile live')).stderr).toContain('/events returned 200');
  });

  it('are not sent to another server', async () => {
    const imported = await command('import URL/tags.csv --only tags --format csv --dry-run --db a.db --profile other');
    expect(imported.exit).toBe(0);
    const { exit, stderr } = await command('shape URL/wp-json --profile other');
    expect([exit, stderr]).toEqual([2, expect.stringContaining('The profile other is for http://127.0.0.1:1')]);
    expect(seen.map((headers) => headers['x-key'])).toEqual([undefined]);
  });
});
