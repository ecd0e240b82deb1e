import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCalendar } from '../../../bin/library.ts';
import type { FaultInput } from '../../../src/model/operation-types.ts';
import { type WholeServer, wholeServer } from '../../support/whole-server.ts';

let server: WholeServer;
beforeEach(async () => {
  server = await wholeServer();
});
afterEach(() => server.close());

const long = 60_000;
const tags = async () => (await server.json<{ tags: { name: string }[] }>('GET', '/tags?hide_empty=false')).tags.map(({ name }) => name);
const journal = async () => (await server.control.requests({ brief: true })).requests.map(({ method, status }) => `${method} ${status}`);
const post = (name: string) => server.call('POST', '/tags', { name });

/** Sends a request, and waits until a fault has met it. */
async function faulted(fault: FaultInput, send: () => Promise<Response>): Promise<{ response: Promise<Response> }> {
  const { id } = await server.control.addFault(fault);
  const response = send();
  response.catch(() => {});
  await expect.poll(async () => (await server.control.fault({ id })).hits).toBe(1);
  return { response };
}

describe.each<[string, () => Promise<unknown>, string[]]>([
  ['a reset', () => server.control.reset({}), []],
  ['a reset to empty', () => server.control.reset({ to: 'empty' }), []],
  ['a reset of the records', () => server.control.reset({ to: 'empty', keep: ['users', 'settings', 'ids'] }), []],
  ['a reset to a snapshot', () => server.control.reset({ to: 'saved' }), ['Early']],
  ['restoring a snapshot', () => server.control.restoreSnapshot({ name: 'saved' }), ['Early']],
])('%s', (_name, start, expected) => {
  beforeEach(async () => {
    await post('Early');
    await server.control.saveSnapshot({ name: 'saved' });
    await server.control.clearRequests({});
  });

  it('ends a delayed write: it gets 503, changes nothing and is not in the journal', async () => {
    const { response } = await faulted({ delay: long, match: { method: 'POST' } }, () => post('Late'));
    await start();
    expect(await tags()).toEqual(expected);
    const { status, headers } = await response;
    expect([status, headers.get('connection')]).toEqual([503, 'close']);
    expect(await (await response).json()).toMatchObject({ code: 'world-reset', data: { status: 503 } });
    expect(await tags()).toEqual(expected);
    expect(await journal()).toEqual(['GET 200', 'GET 200']);
  });

  it('closes the connection of a request that hangs', async () => {
    const { response } = await faulted({ then: 'hang', match: { method: 'POST' } }, () => post('Late'));
    await start();
    await expect(response).rejects.toThrow('fetch failed');
  });

  it('breaks off a slow body', async () => {
    const { response } = await faulted({ slow_body: long }, () => server.call('GET', '/tags?hide_empty=false'));
    const body = (await response).text();
    await start();
    await expect(body).rejects.toThrow('terminated');
  });
});

it('an undo ends a delayed write, too', async () => {
  await post('Early');
  await server.control.keepSnapshot({ what: 'test' });
  const { response } = await faulted({ delay: long, match: { method: 'POST' } }, () => post('Late'));
  await server.control.undo({});
  expect((await response).status).toBe(503);
  expect(await tags()).toEqual(['Early']);
});

it.each<[string, () => Promise<unknown>]>([
  ['a dry run', () => server.control.reset({ dry_run: true })],
  ['a reset of generated records', () => server.control.reset({ generated: true })],
  ['a reset that fails', () => server.control.reset({ to: 'missing' }).catch(() => {})],
])('%s leaves requests in progress alone', async (_name, work) => {
  const { response } = await faulted({ delay: 100 }, () => post('Late'));
  await work();
  expect((await response).status).toBe(201);
  expect(await tags()).toEqual(['Late']);
});

it('a request whose body is still being sent belongs to the epoch in which its head arrived', async () => {
  const { port } = server.listening;
  const body = JSON.stringify({ name: 'Late' });
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  socket.write(
    `POST ${new URL(server.root).pathname}/tags HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
  );
  await sleep(100);
  await server.control.reset({});
  socket.write(body.slice(5));
  await new Promise((resolve) => socket.once('close', resolve));
  expect(received).toMatch(/^HTTP\/1\.1 503 /);
  expect(received).toContain('world-reset');
  expect(await tags()).toEqual([]);
  expect(await journal()).toEqual(['GET 200']);
});

it('streams of the control API go on', async () => {
  const stop = new AbortController();
  const messages = (await server.control.events({ types: ['reset'] }, stop.signal))[Symbol.asyncIterator]();
  await messages.next();
  await server.control.reset({});
  expect((await messages.next()).value.messages).toMatchObject([{ type: 'reset', data: { reason: 'replaced' } }]);
  stop.abort();
});

it('a hanging request through fetch in this process ends', async () => {
  await using calendar = await createCalendar();
  await calendar.faults.add({ then: 'hang' });
  const response = calendar.fetch('tags');
  response.catch(() => {});
  await expect.poll(async () => (await calendar.faults.get(1)).hits).toBe(1);
  await calendar.reset();
  await expect(response).rejects.toThrow('fetch failed');
});

it('a delayed write through fetch in this process changes nothing after a reset', async () => {
  await using calendar = await createCalendar({ faults: [{ match: { method: 'POST' }, delay: long, times: 1 }] });
  const response = calendar.fetch('tags', { method: 'POST', body: new URLSearchParams({ name: 'Late' }) });
  await expect.poll(async () => (await calendar.faults.get(1)).hits).toBe(1);
  await calendar.reset();
  expect((await response).status).toBe(503);
  expect(await calendar.tags.list({ hide_empty: false })).toMatchObject({ total: 0 });
  expect(await calendar.requests.list()).toEqual({ requests: [], total: 0, dropped: 0 });
});
