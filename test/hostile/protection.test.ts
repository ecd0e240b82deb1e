import { writeFileSync } from 'node:fs';
import http from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createCalendar } from '../../bin/library.ts';
import { servers } from '../support/serving.ts';
import { folder, run, words } from '../support/transcript.ts';

const place = folder();
afterAll(place.remove);
const start = servers(place.path);

const json = { 'content-type': 'application/json' };

describe('a request that a proxy forwards', () => {
  it.each([
    ['Forwarded', 'for=203.0.113.9'],
    ['X-Forwarded-For', '203.0.113.9'],
    ['X-Forwarded-Proto', 'https'],
    ['X-Real-IP', '203.0.113.9'],
    ['Via', '1.1 proxy'],
    ['CF-Connecting-IP', '203.0.113.9'],
  ])('can not use the control API without a token: %s', async (name, value) => {
    const { origin } = new URL((await start('--memory --seed minimal')).said.url);
    const reset = (headers: Record<string, string>) => fetch(`${origin}/_calendar/reset`, { method: 'POST', headers });
    const refused = await reset({ [name]: value });
    expect([refused.status, ((await refused.json()) as { hint: string }).hint]).toEqual([
      404,
      'The request comes from a proxy. Start the server with --control-token TOKEN and send the token.',
    ]);
    expect((await reset({})).status).toBe(200);
    expect((await fetch(`${origin}/calendar/events/v1/events`, { headers: { [name]: value } })).status).toBe(200);
  });

  it('can use it with the token, and not through a handler without', async () => {
    const { origin } = new URL((await start('--memory --control-token secret-token')).said.url);
    const headers = { 'X-Forwarded-For': '203.0.113.9', Authorization: 'Bearer secret-token' };
    expect((await fetch(`${origin}/_calendar/reset`, { method: 'POST', headers })).status).toBe(200);
    await using calendar = await createCalendar({ control: true });
    const handled = (more: Record<string, string>) =>
      calendar.handler(new Request('http://localhost/_calendar/reset', { method: 'POST', headers: more }));
    expect((await handled({})).status).toBe(200);
    expect((await handled({ via: '1.1 proxy' })).status).toBe(404);
  });
});

describe('IDs in a file', () => {
  const event = { title: 'A', start_date: '2027-04-01 20:00', end_date: '2027-04-01 22:00' };
  const largest = 2 ** 52 - 1;
  it.each([
    [0, 'must be at least 1'],
    [-1, 'must be at least 1'],
    [2 ** 53 - 1, `must be at most ${largest}`],
  ])('of %d are refused with the reason', async (id, reason) => {
    const file = join(place.path, `id${id}.json`);
    writeFileSync(file, JSON.stringify({ events: [{ ...event, id }], tags: [{ name: 'x', id }] }));
    for (const command of ['import', 'seed']) {
      const { exit, stderr } = await run(words(`${command} --db ${id}.db ${file}`), { cwd: place.path });
      expect([exit, stderr]).toEqual([2, expect.stringContaining(`events[0].id: ${reason}`)]);
      expect(stderr).toContain(`tags[0].id: ${reason}`);
    }
  });

  it('leave room for those of later records', async () => {
    const file = join(place.path, 'largest.ndjson');
    writeFileSync(file, `${JSON.stringify({ resource: 'events', ...event, id: largest })}\n`);
    const cwd = place.path;
    expect(await run(words(`import --db largest.db ${file}`), { cwd })).toMatchObject({ exit: 0 });
    const created = await run(words('events create --db largest.db --title B --start-date 2027-04-01 --end-date 2027-04-02 --format ids'), {
      cwd,
    });
    expect(created).toMatchObject({ exit: 0, stdout: `${largest + 1}\n` });
  });
});

describe('names of members of JavaScript objects', () => {
  it('can not be declared as fields', async () => {
    const cwd = place.path;
    expect(await run(words('fields add events constructor --db names.db'), { cwd })).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('Invalid field "constructor" of events: the name is reserved'),
    });
  });

  it('are members like others in the records of another site', async () => {
    await using calendar = await createCalendar({ seed: 'minimal' });
    const { events } = (await (await fetch(`${calendar.url}/events?per_page=1`)).json()) as { events: Record<string, unknown>[] };
    const site = 'https://site.example/wp-json/calendar/events/v1';
    const copy = {
      ...events[0],
      id: 86,
      uid: undefined,
      global_id: 'site.example?id=86',
      rest_url: `${site}/events/86`,
      constructor: 'Eiffel',
      valueOf: 1,
    };
    await calendar.data.import({
      text: JSON.stringify({ events: [copy], total: 1, total_pages: 1, rest_url: `${site}/events` }),
      format: 'json',
    });
    expect(await (await fetch(`${calendar.url}/events/86`)).json()).toMatchObject({ constructor: 'Eiffel', valueOf: 1 });
  });
});

describe('the server', () => {
  it('rejects a body that is too large before the client sends it', async () => {
    const { url } = (await start('--memory --max-body 1000')).said;
    const { hostname, port } = new URL(url);
    const send = (length: number, body: string) =>
      new Promise<string>((resolve, reject) => {
        let text = '';
        const socket = connect(Number(port), hostname, () =>
          socket.write(
            `POST /calendar/events/v1/tags HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\nExpect: 100-continue\r\n\r\n`,
          ),
        );
        socket.on('data', (chunk) => {
          text += chunk;
          if (text === 'HTTP/1.1 100 Continue\r\n\r\n') socket.end(body);
        });
        socket.on('end', () => resolve(text));
        socket.on('error', reject);
      });
    const body = '{"name":"late"}';
    expect(await send(body.length, body)).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /);
    expect(await send(5000, '')).toMatch(/^HTTP\/1\.1 413 (.|\r\n)*Connection: close/);
  });

  it('sends 100 Continue once to clients of node', async () => {
    const { url } = (await start('--memory')).said;
    const request = http.request(`${url}/tags`, { method: 'POST', headers: { ...json, Expect: '100-continue' } });
    let asked = 0;
    request.on('continue', () => {
      asked += 1;
      request.end('{"name":"asked"}');
    });
    const status = await new Promise((resolve, reject) => {
      request.on('response', (response) => resolve(response.resume().statusCode));
      request.on('error', reject);
      request.flushHeaders();
    });
    expect([asked, status]).toEqual([1, 201]);
  });

  it('creates worlds on a file with a token', async () => {
    const { url } = (await start('--db token.db --seed minimal --control-token secret-token')).said;
    const headers = { ...json, Authorization: 'Bearer secret-token' };
    const created = await fetch(`${new URL(url).origin}/_calendar/worlds`, { method: 'POST', headers, body: '{}' });
    expect(created.status).toBe(200);
  });

  it('reports a promise that a hook does not await, and goes on', async () => {
    writeFileSync(
      join(place.path, 'unawaited.mjs'),
      `export function request({ query }) {
  if (query.search) globalThis.unawaited(new Error('no idea'));
}`,
    );
    const listeners: ((error: unknown) => void)[] = [];
    const takeRejections = (listener: (error: unknown) => void) => {
      listeners.push(listener);
      return () => listeners.splice(0);
    };
    const server = await start('--memory --require ./unawaited.mjs', { takeRejections });
    Object.assign(globalThis, { unawaited: (error: unknown) => listeners[0]!(error) });
    expect((await fetch(`${server.said.url}/tags?search=x`)).status).toBe(200);
    const { stderr } = await server.stop();
    expect(stderr).toContain('calendar: A promise in ./unawaited.mjs:2 was rejected and not awaited: no idea');
    expect(listeners).toEqual([]);
  });
});
