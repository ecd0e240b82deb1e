import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { acquire } from '../../../src/store/file/lock.ts';
import { served } from '../../support/served.ts';
import { servers } from '../../support/serving.ts';
import { folder, type Given, run, words } from '../../support/transcript.ts';

const place = folder();
afterAll(place.remove);
const at = (line: string, given: Given = {}) => run(words(line), { cwd: place.path, ...given });

const serve = servers(place.path);

const get = async (url: string, init?: RequestInit) => {
  const answer = await fetch(url, init);
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Record<string, unknown> };
};

describe('serve', () => {
  it('prints its address as a line of JSON, and stops cleanly', async () => {
    const server = await serve('');
    const { url, port } = server.said;
    expect(server.said).toEqual({
      url: `http://127.0.0.1:${port}/calendar/events/v1`,
      control: `http://127.0.0.1:${port}/_calendar`,
      root: `http://127.0.0.1:${port}`,
      host: '127.0.0.1',
      port,
      pid: process.pid,
      file: join(place.path, 'calendar.db'),
    });
    expect((await get(`${url}/events`)).status).toBe(200);
    expect(await server.stop()).toMatchObject({
      exit: 0,
      stderr: expect.stringMatching(/^GET \/calendar\/events\/v1\/events 200 [\d.]+ ms\n$/),
    });
    expect(existsSync(join(place.path, 'calendar.db-owner'))).toBe(false);
    await expect(fetch(`${url}/events`)).rejects.toThrow();
  });

  it('logs why requests failed, and how to improve them', async () => {
    const { said, stop } = await serve('--memory');
    for (const path of ['event?password=secret', 'tags?serch=x', 'tags']) await get(`${said.url}/${path}`);
    expect(
      (await stop()).stderr
        .replace(/[\d.]+ ms/g, '1 ms')
        .split('\n')
        .slice(0, -1),
    ).toEqual([
      'GET /calendar/events/v1/event?password=[redacted] 404 1 ms rest_no_route: No route for GET /calendar/events/v1/event (Did you mean /calendar/events/v1/events?)',
      'GET /calendar/events/v1/tags?serch=x 200 1 ms (Ignored unknown parameter serch. Did you mean search?)',
      'GET /calendar/events/v1/tags 200 1 ms',
    ]);
  });

  it.each([
    ['', String.raw`calendar: Open it in a browser: http://127\.0\.0\.1:\d+/\n`],
    ['--no-page', ''],
  ])('tells people where the API starts, and where there is a page to look at: %j', async (option, page) => {
    const interruption = new AbortController();
    const stderr = new PassThrough({ encoding: 'utf8' });
    const ended = at(`serve --memory --port 0 ${option}`, { interrupted: interruption.signal, stderr });
    let said = '';
    for await (const text of stderr) {
      said += text;
      const [url] = /http:\S+v1(?=\n)/.exec(said) ?? [];
      if (!url) continue;
      // By the time that it answers it has told all.
      expect((await fetch(`${url}/events`)).status).toBe(200);
      interruption.abort('SIGTERM');
      stderr.end();
    }
    expect(await ended).toMatchObject({ exit: 0, stdout: '' });
    const api = String.raw`calendar: Serving an in-memory calendar at http://127\.0\.0\.1:\d+/calendar/events/v1\n`;
    expect(said).toMatch(new RegExp(`^${api}${page}$`));
  });

  describe('the address of the page', () => {
    const lineOf = async (line: string, { isTTY = true, env = {} }: { isTTY?: boolean; env?: Record<string, string> } = {}) => {
      const interruption = new AbortController();
      const stderr = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY });
      const ended = at(`serve --port 0 ${line}`, { interrupted: interruption.signal, stderr, env });
      let said = '';
      for await (const text of stderr) {
        said += text;
        if (!/browser: \S+\n/.test(said)) continue;
        interruption.abort('SIGTERM');
        stderr.end();
      }
      await ended;
      return /browser: http:\/\/[\w.:]+(\S*)\n/.exec(said)![1];
    };

    it.each([
      ['on a file, on a terminal', '--db token.db', {}, /^\/#token=[\w-]{22}$/],
      ['on a file, in a log', '--db token.db', { isTTY: false }, /^\/$/],
      ['in CI', '--db token.db', { env: { CI: 'true' } }, /^\/$/],
      ['in memory', '--memory', {}, /^\/$/],
      ['for everyone on this machine', '--db token.db --control', {}, /^\/$/],
      ['for other machines', '--db token.db --host 0.0.0.0', {}, /^\/$/],
    ] as const)('has a token only for the person who started the server: %s', async (_, line, given, expected) => {
      expect(await lineOf(line, given)).toMatch(expected);
    });

    it.skipIf(process.platform === 'win32')(
      'is opened by a file that only this user can read, without the token in an argument',
      async () => {
        const script = join(place.path, 'browser.sh');
        writeFileSync(
          script,
          `#!/bin/sh\nfile="\${1#file://}"\necho "$1 $(stat -c %a "$file" 2>/dev/null || stat -f %Lp "$file")" > "$0.tmp"\ncat "$file" >> "$0.tmp"\nmv "$0.tmp" "$0.out"\n`,
          { mode: 0o755 },
        );
        const { stop } = await serve('--db token.db --open', { env: { BROWSER: script } });
        await expect.poll(() => existsSync(`${script}.out`)).toBe(true);
        const [first, html] = readFileSync(`${script}.out`, 'utf8').split('\n') as [string, string];
        const file = fileURLToPath(first.split(' ')[0]!);
        expect(first).toMatch(/^file:\/\/\S+ 600$/);
        const token = /url=http:\/\/127\.0\.0\.1:\d+\/#token=([\w-]{22})"/.exec(html)?.[1];
        expect(token).toBeDefined();
        expect(first).not.toContain(token);
        const { stderr, stdout } = await stop();
        expect(stdout + stderr).not.toContain(token);
        expect(existsSync(file)).toBe(false);
      },
    );
  });

  it('listens on the given address, under the given names', async () => {
    const { said } = await serve('--memory --base-path wp-json/ --namespace brand/events/v1 --header-prefix X-Brand');
    expect(said).toMatchObject({ url: expect.stringMatching(/:\d+\/wp-json\/brand\/events\/v1$/), file: null });
    const { headers, body } = await get(`${said.url}/events`);
    expect(headers.get('X-Brand-Total')).toBe('0');
    expect(body.rest_url).toContain('/wp-json/brand/events/v1/events/');
    expect((await at(`events list --format count --url ${said.url}`)).stdout).toBe('0\n');
  });

  it('stops the clock and takes a zone', async () => {
    const { said } = await serve('--memory --now 2027-01-01T03:00:00Z --timezone America/New_York');
    const made = await get(`${said.url}/events`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ title: 'x', start_date: 'tomorrow', end_date: 'tomorrow' }),
    });
    expect(made.body).toMatchObject({ date_utc: '2027-01-01 03:00:00', start_date: '2027-01-01 00:00:00', timezone: 'America/New_York' });
  });

  it('takes users from a file', async () => {
    writeFileSync(join(place.path, 'users.json'), JSON.stringify([{ id: 5, name: 'ada', role: 'editor', password: 'p' }]));
    const { said } = await serve('--memory --users users.json');
    const tag = { method: 'POST', body: new URLSearchParams({ name: 'x' }) };
    expect((await get(`${said.url}/tags`, tag)).status).toBe(401);
    expect((await get(`${said.url}/tags`, { ...tag, headers: { Authorization: `Basic ${btoa('ada:p')}` } })).status).toBe(201);
  });

  it.each([
    ['--port 99999', 2, 'Expected a whole number up to 65535.'],
    ['--host 203.0.113.7', 2, 'is not an address of this machine'],
    ['--users nowhere.json', 3, 'no such file'],
    ['--memory --db x.db', 2, 'Use either'],
    ['--without tikets', 2, 'Did you mean tickets?'],
    ['--durability ful', 2, 'Did you mean full?'],
    ['--timezone Nowhere/Land', 2, 'Unknown time zone'],
    ['--url http://example.org', 2, 'is a server'],
  ])('refuses %s', async (options, exit, message) => {
    const result = await at(`serve --port 0 ${options}`);
    expect(result).toMatchObject({ stdout: '', exit });
    expect(result.stderr).toContain(message);
  });

  it('takes the port of PORT, and --port before it', async () => {
    const { said } = await serve('--memory');
    const env = { PORT: String(said.port) };
    expect(await at('serve --memory', { env })).toMatchObject({
      exit: 6,
      stderr: expect.stringContaining(`Port ${said.port} is already in use`),
    });
    expect(await at('serve --memory', { env: { PORT: 'x' } })).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('Invalid PORT "x"'),
    });
    expect((await serve('--memory', { env })).said.port).not.toBe(said.port);
  });

  it('reports a port that is in use', async () => {
    const { said } = await serve('--memory');
    expect(await at(`serve --memory --port ${said.port}`)).toMatchObject({
      exit: 6,
      stderr: expect.stringContaining(`Port ${said.port} is already in use`),
    });
  });
});

describe('a command on a file that a server owns', () => {
  it('goes to the server, with its clock and every right', async () => {
    writeFileSync(join(place.path, 'users.json'), JSON.stringify([{ name: 'ada', role: 'editor', password: 'p' }]));
    const { said, stop } = await serve('--db owned.db --now 2030-05-05T00:00:00Z --users users.json --base-path /wp-json');
    const made = await at('tags create --name late --db owned.db -v --quiet');
    expect(made.stderr).toContain(`calendar: ${said.url}, the server of ${join(place.path, 'owned.db')} (process ${process.pid})\n`);
    expect(
      (await at('events create --title x --start-date tomorrow --end-date tomorrow --db owned.db --json=start_date')).stdout,
    ).toContain('2030-05-06');
    expect((await at('tags list --no-hide-empty --fields name --format tsv --db owned.db')).stdout).toBe('name\nlate\n');
    expect((await at('request GET /tags?hide_empty=false --db owned.db')).stdout).toContain('late');
    await stop();
    expect((await at('tags list --no-hide-empty --fields name --format tsv --db owned.db -v')).stderr).toContain('(--db)');
  });

  it('goes to a server that is only starting, once it can be found', async () => {
    await at('tags create --name first --db starting.db');
    const lock = await acquire(join(place.path, 'starting.db'), 1000);
    const other = await served();
    setTimeout(() => lock.announce(`${other.url}/calendar/events/v1`, 'token'), 300);
    expect(await at('tags create --name second --quiet --db starting.db')).toMatchObject({ stderr: '', exit: 0 });
    expect(other.log).toEqual(['POST /calendar/events/v1/tags 201']);
    await lock.release();
    await other.close();
  });

  it('waits its turn, then names the command that has the file', async () => {
    const lock = await acquire(join(place.path, 'starting.db'), 1000);
    const timed = async (options: string) => {
      const start = performance.now();
      const { exit, stderr } = await at(`tags create --name third --db starting.db ${options}`);
      return { exit, stderr, took: performance.now() - start };
    };
    const late = await timed('--timeout 0.5');
    expect(late).toMatchObject({ exit: 6, stderr: expect.stringContaining(`process ${process.pid}`) });
    expect(late.took).toBeGreaterThan(450);
    setTimeout(() => void lock.release(), 300);
    expect(await timed('')).toMatchObject({ exit: 0, stderr: '' });
  });

  it('has it see to settings, users and the file itself', async () => {
    const { said } = await serve('--db held.db');
    const held = (line: string, given: Given = {}) => at(`${line} --db held.db`, given);
    expect(await held('settings set timezone Europe/Paris')).toEqual({ stdout: '', stderr: '', exit: 0 });
    expect((await held('settings get timezone')).stdout).toBe('Europe/Paris\n');
    expect((await held('settings list')).stdout).toMatch(/^timezone +Europe\/Paris/m);
    expect(await held('settings set timezone Nowhere')).toMatchObject({ exit: 2, stderr: expect.stringContaining('must be a time zone') });
    const tag = { method: 'POST', body: new URLSearchParams({ name: 'x' }) };
    expect((await get(`${said.url}/tags`, tag)).status).toBe(201);
    expect((await held('users add ada --role editor', { stdin: 'p' })).stdout).toBe('Added editor ada (ID 2)\n');
    expect((await get(`${said.url}/tags`, tag)).status).toBe(401);
    expect((await held('users list')).stdout).toBe('2  ada  editor\n');
    expect((await held('users remove ada')).exit).toBe(0);
    expect(await held('users remove ada')).toMatchObject({ exit: 3, stderr: expect.stringContaining('User "ada" not found') });
    expect((await held('db info')).stdout).toMatch(/^tags +1$/m);
    expect((await held('db checkpoint')).exit).toBe(0);
    expect((await held('db backup held-copy.db')).exit).toBe(0);
    expect((await at('tags list --no-hide-empty --format count --db held-copy.db')).stdout).toBe('1\n');
  });

  it('refuses control without its token', async () => {
    const { said } = await serve('--db held.db');
    for (const headers of [{}, { Authorization: 'Bearer x' }] as Record<string, string>[])
      expect((await get(`${new URL(said.url).origin}/_calendar/users`, { headers })).status).toBe(403);
  });

  it('is named where only the file itself will do', async () => {
    await serve('--db held.db');
    expect(await at('db restore held-copy.db --yes --db held.db --timeout 0.2')).toMatchObject({
      stdout: '',
      exit: 6,
      stderr: expect.stringContaining(`process ${process.pid}`),
    });
  });
});
