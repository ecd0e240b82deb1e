import { PassThrough } from 'node:stream';
import { afterAll, describe, expect, it } from 'vitest';
import { servers } from '../../support/serving.ts';
import { limit } from '../../support/timeouts.ts';
import { folder, type Given, run, words } from '../../support/transcript.ts';

const place = folder();
afterAll(place.remove);
const start = servers(place.path);
const serve = async (line = '--memory') => {
  const server = await start(line);
  const { url } = server.said;
  const on = (command: string, given: Given = {}) => run(words(`${command} --url ${url}`), { cwd: place.path, ...given });
  return { url, on, stop: () => server.stop(), origin: new URL(url).origin };
};
const concert = { title: 'Concert', start_date: '2027-04-01 20:00', end_date: '2027-04-01 22:00' };
const post = (url: string) =>
  fetch(`${url}/events`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(concert) });

const patience = { timeout: limit(10_000) };
/** A command that goes on, and what it has printed so far. */
function going(on: (command: string, given: Given) => ReturnType<typeof run>, command: string) {
  const stdout = new PassThrough();
  const stop = new AbortController();
  let text = '';
  stdout.on('data', (chunk) => {
    text += chunk;
  });
  const done = on(command, { stdout, interrupted: stop.signal });
  return {
    done,
    stop: () => stop.abort('SIGINT'),
    lines: () => text.split('\n').slice(0, -1),
    async printed(lines: number) {
      await expect.poll(() => text.split('\n').length, patience).toBeGreaterThan(lines);
      return text;
    },
  };
}

describe('requests', () => {
  it('lists, narrows, counts and forgets', async () => {
    const { url, on } = await serve();
    await post(url);
    await fetch(`${url}/events/999?password=secret`);
    await fetch(`${url}/tags`, { headers: { authorization: `Basic ${btoa('ann:x')}` } });
    const { stdout, stderr, exit } = await on('requests');
    expect([stderr, exit]).toEqual(['', 0]);
    expect(stdout.replace(/\d{4}-\d\d-\d\d [\d:.]+Z/g, 'TIME').replace(/ +[\d.]+ ms/g, '  1 ms')).toBe(
      [
        'TIME  POST    201  1 ms  /calendar/events/v1/events\n',
        'TIME  GET     404  1 ms  /calendar/events/v1/events/999?password=[redacted]  rest-event-not-found: Event 999 not found\n',
        'TIME  GET     200  1 ms  /calendar/events/v1/tags  ann\n',
      ].join(''),
    );
    const [full] = JSON.parse((await on('requests --json --path /events')).stdout);
    expect(JSON.parse(full.request.body)).toEqual(concert);
    expect((await on('requests -X POST,PUT --count')).stdout).toBe('1\n');
    expect((await on('requests --status 4xx --count --json')).stdout).toBe('{"count":1}\n');
    expect((await on('requests -n 1')).stdout.split('\n')).toHaveLength(2);
    expect((await on('requests --clear --path /venues/999')).stdout).toBe('Deleted 0 requests\n');
    expect((await on('requests --clear')).stdout).toBe('Deleted 3 requests\n');
    expect(await on('requests')).toEqual({ stdout: '', stderr: '', exit: 0 });
  });

  it('verifies', async () => {
    const { url, on } = await serve();
    await post(url);
    expect(await on('requests -X POST --exactly 1')).toEqual({ stdout: '1\n', stderr: '', exit: 0 });
    const failed = await on('requests -X DELETE --path /events --at-least 1');
    expect([failed.stdout, failed.exit]).toEqual(['', 6]);
    expect(failed.stderr).toMatch(/at least 1 request .* POST .*\/events 201 \(method is POST, not DELETE\)/);
    expect((await on('requests -X POST --never')).exit).toBe(6);
  });

  it('lists as an HTTP Archive, without secrets', async () => {
    const { url, on, origin } = await serve();
    await post(url);
    await fetch(`${url}/tags?password=secret&search=a`, {
      headers: { authorization: `Basic ${btoa('ann:hidden')}`, cookie: 'session=hidden' },
    });
    const { stdout } = await on('requests --format har');
    const { log } = JSON.parse(stdout);
    expect(log).toMatchObject({
      version: '1.2',
      creator: { name: 'local-calendar', version: expect.stringMatching(/^\d/) },
      entries: [
        {
          startedDateTime: expect.stringMatching(/^\d{4}-.*Z$/),
          request: { method: 'POST', url: `${url}/events`, postData: { mimeType: 'application/json', text: JSON.stringify(concert) } },
          response: { status: 201, content: { mimeType: 'application/json; charset=UTF-8', text: expect.stringContaining('Concert') } },
          timings: { send: 0, receive: 0 },
        },
        { request: { method: 'GET', queryString: [{ name: 'password' }, { name: 'search', value: 'a' }] }, response: { status: 200 } },
      ],
    });
    expect(stdout).not.toMatch(/secret|hidden|YW5u/);
    const served = JSON.parse(await (await fetch(`${origin}/_calendar/requests?format=har&path=/events`)).text());
    expect(served.log.entries).toEqual(log.entries.slice(0, 1));
    expect((await fetch(`${origin}/_calendar/requests?format=pcap`)).status).toBe(400);
  });

  it('marks requests whose client went away, and selects them', async () => {
    const { url, on } = await serve();
    await on('fault add hold --path /tags');
    const client = new AbortController();
    const held = fetch(`${url}/tags`, { signal: client.signal });
    await on('fault wait 1');
    expect((await on('requests')).stdout).toMatch(/GET {5}pending {10} /);
    client.abort();
    await expect(held).rejects.toThrow();
    await expect.poll(async () => (await on('requests --aborted --count')).stdout, patience).toBe('1\n');
    await fetch(`${url}/venues`);
    expect((await on('requests --aborted')).stdout).toMatch(/^\S+ \S+ {2}GET {5}aborted .* ms {2}\S+\/tags\n$/);
  });

  it('waits', async () => {
    const { url, on } = await serve();
    const waiting = on('requests --wait 2 -X POST');
    await post(url);
    await post(url);
    expect((await waiting).stdout.match(/POST/g)).toHaveLength(2);
    const late = await on('requests --wait 1 --after 2 --wait-for PT0.1S --path /events');
    expect([late.stdout, late.exit]).toEqual(['', 6]);
    expect(JSON.parse((await on('requests --wait 1 --after 1 --json')).stdout)).toMatchObject([{ id: 2 }]);
  });

  it.each([
    ['requests --follow --count', /Use only one of --follow, --wait and a count/],
    ['requests --wait 1 --count', /Use only one of --follow, --wait and a count/],
    ['requests --wait 1 -n 1', /--limit can only be used with a list/],
    ['requests --format har --count', /--format can only be used with a list/],
    ['requests --after 1', /--after can only be used with --wait/],
    ['requests --wait 1 --wait-for banana', /banana/],
    ['requests --count -n 5', /--limit can only be used with a list/],
    ['requests --clear --limit 1', /Use either --clear or --limit, not both/],
    ['requests --status 99', /is not a status such as 404 or 4xx/],
    ['requests --path events', /path: must be a path like/],
    ['requests --exactly 1 --never', /exactly, never, or atLeast/],
  ])('refuses %s', async (line, message) => {
    const { on } = await serve();
    const { stdout, stderr, exit } = await on(line);
    expect([stdout, exit]).toEqual(['', 2]);
    expect(stderr).toMatch(message);
  });

  it('fails for a file without a server', async () => {
    await run(words('tags create --name x --db alone.db'), { cwd: place.path });
    for (const line of ['requests', 'requests --follow']) {
      const { stdout, stderr, exit } = await run(words(`${line} --db alone.db`), { cwd: place.path });
      expect([stdout, exit]).toEqual(['', 2]);
      expect(stderr).toMatch(/^calendar: No server is running for .*alone\.db/);
    }
  });

  it('of a file that is served are all there for its owner', async () => {
    const { url } = await serve('--db served.db');
    await post(url);
    const given = { cwd: place.path };
    expect((await run(words('requests --db served.db --json'), given)).stdout).toContain('Concert');
    expect((await run(words(`requests --url ${url} --json`), given)).stdout).not.toContain('Concert');
    expect((await run(words(`requests --url ${url} --clear`), given)).exit).toBe(4);
    expect((await run(words('requests --db served.db --clear'), given)).stdout).toBe('Deleted 1 requests\n');
  });
});

describe('requests --follow', () => {
  it('prints a line for each until the server stops', async () => {
    const { url, on, stop } = await serve();
    await fetch(`${url}/venues`);
    await fetch(`${url}/tags`);
    const { done, printed } = going(on, 'requests --follow --limit 1');
    expect(await printed(1)).toMatch(/^\S+ \S+ {2}GET {5}200 .* \S+\/tags\n$/);
    await post(url);
    expect(await printed(2)).toMatch(/POST {4}201 .*\/events\n$/);
    await stop();
    expect(await done).toMatchObject({ exit: 0, stderr: 'calendar: The server has stopped\n' });
  });

  it('prints a line of JSON for each matching request, also after the log is cleared, until it is interrupted', async () => {
    const { url, on, origin } = await serve();
    const { done, lines, stop } = going(on, 'requests --follow --json --status 201');
    const seen = () => lines().map((line) => JSON.parse(line));
    await fetch(`${url}/tags`);
    // No event marks the start of following.
    await expect
      .poll(async () => {
        await post(url);
        return lines().length;
      }, patience)
      .toBeGreaterThan(0);
    await fetch(`${url}/tags`);
    await fetch(`${origin}/_calendar/requests`, { method: 'DELETE' });
    await post(url);
    await post(url);
    await expect
      .poll(
        () =>
          seen()
            .slice(-2)
            .map(({ id }) => id),
        patience,
      )
      .toEqual([1, 2]);
    expect(seen().slice(-2)).toMatchObject([{ id: 1 }, { id: 2, status: 201, request: { bytes: expect.any(Number) } }]);
    expect(seen().every(({ status }) => status === 201)).toBe(true);
    stop();
    expect(await done).toMatchObject({ exit: 0, stderr: '' });
  });

  it.each([
    ['', [/GET {5}pending {10} .*\/tags$/, /GET {5}503 .* ms .*\/tags/]],
    [' --status 5xx', [/GET {5}503 .*\/tags/]],
  ])('prints a request that takes long when it arrives and when it ends; with%s', async (filter, expected) => {
    const { url, on } = await serve();
    await on('fault add hold --path /tags');
    const { printed, lines, stop, done } = going(on, `requests --follow --limit 1${filter}`);
    await fetch(`${url}/venues`);
    if (filter === '') await printed(1);
    const held = fetch(`${url}/tags`);
    await on('fault wait 1');
    if (filter === '') await printed(2);
    await on('fault release 1 --status 503');
    await held;
    const tags = () => lines().filter((line) => line.includes('/tags'));
    await expect.poll(() => tags().length, patience).toBe(expected.length);
    tags().forEach((line, i) => void expect(line).toMatch(expected[i]!));
    stop();
    await done;
  });

  it('fails where there is no server', async () => {
    const { url, stop } = await serve();
    await stop();
    expect((await run(words(`requests --follow --url ${url}`), { cwd: place.path })).exit).toBe(5);
  });
});
