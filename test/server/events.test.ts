import http from 'node:http';
import { connect } from 'node:net';
import { EventSource } from 'undici';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { controlAt } from '../../src/client/control.ts';
import { transportOf } from '../../src/client/transport.ts';
import type { Message, MessageType } from '../../src/model/operations/messages.ts';
import { MessageLog } from '../../src/server/journal/message-log.ts';
import { listen } from '../../src/server/listen.ts';
import { serverWith } from '../support/server.ts';
import { type WholeServer, wholeServer } from '../support/whole-server.ts';

let served: WholeServer;
let origin: string;

beforeEach(async () => {
  served = await wholeServer();
  origin = served.listening.url;
});
afterEach(() => served.close());

const call: WholeServer['call'] = (...sent) => served.call(...sent);
const made = (path: string, json: unknown) => served.json<{ id: number }>('POST', path, json);
const concert = { title: 'Concert', start_date: '2027-04-01 20:00', end_date: '2027-04-01 22:00' };

/** Reads the stream until it has brought this many messages. */
async function reader(query = '', headers: Record<string, string> = {}) {
  const stop = new AbortController();
  const response = await fetch(`${origin}/_calendar/events${query}`, { headers, signal: stop.signal });
  const chunks = response.body!.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
  let text = '';
  const messages: Message[] = [];
  const more = async () => {
    const next = await chunks.next();
    text += next.value ?? '';
    const blocks = text.split('\n\n');
    text = blocks.pop()!;
    for (const block of blocks) {
      const found = /^id: (.*)\nevent: (.*)\ndata: (.*)$/.exec(block);
      if (found) messages.push({ id: found[1], type: found[2], data: JSON.parse(found[3]!) } as Message);
    }
    return !next.done;
  };
  await more();
  return {
    response,
    async take(count: number) {
      while (messages.length < count && (await more()));
      return messages.splice(0, count);
    },
    /** Messages after everything that happened so far, which a clock message marks. */
    async rest() {
      await call('POST', '/_calendar/clock/freeze');
      while (!messages.some(({ type }) => type === 'clock') && (await more()));
      return messages.splice(0).filter(({ type }) => type !== 'clock');
    },
    stop: () => stop.abort(),
  };
}

const plain = ({ type, data }: Message) => ({ type, ...data });

describe('GET /_calendar/events', () => {
  it('tells what becomes of records, which requests arrived, and how they ended', async () => {
    const { response, take, stop } = await reader();
    expect([response.status, response.headers.get('content-type'), response.headers.get('cache-control')]).toEqual([
      200,
      'text/event-stream; charset=UTF-8',
      'no-store',
    ]);
    const { id } = await made('/events', concert);
    expect((await take(3)).map(plain)).toMatchObject([
      { type: 'request', id: 1, method: 'POST', path: '/calendar/events/v1/events', status: null, took: null, aborted: false },
      { type: 'change', resource: 'events', id, action: 'created' },
      {
        type: 'request',
        id: 1,
        method: 'POST',
        path: '/calendar/events/v1/events',
        query: '',
        status: 201,
        user: null,
        time: expect.any(String),
      },
    ]);
    await call('PATCH', `/events/${id}?x=1`, { title: 'Other' }, { authorization: `Basic ${btoa('ann:secret')}` });
    const updated = await take(3);
    expect(updated.map(plain)).toMatchObject([
      { method: 'PATCH', id: 2, status: null },
      { action: 'updated', id },
      { method: 'PATCH', query: 'x=1', id: 2, user: 'ann' },
    ]);
    expect(JSON.stringify(updated)).not.toContain('secret');
    await call('DELETE', `/events/${id}`);
    expect((await take(3)).map(plain)).toMatchObject([{ method: 'DELETE' }, { action: 'deleted', id }, { method: 'DELETE', status: 200 }]);
    stop();
  });

  it('sends only the requested types', async () => {
    const { rest, stop } = await reader('?types=change,clock');
    await call('GET', '/events');
    await call('POST', '/venues', { venue: 'Hall' });
    expect((await rest()).map(plain)).toMatchObject([{ type: 'change', resource: 'venues' }]);
    stop();
  });

  it('reports terms whose counts change, and nothing for a change that fails', async () => {
    const category = await made('/categories', { name: 'Music' });
    const { rest, stop } = await reader('?types=change,clock');
    await call('POST', '/events', { ...concert, categories: [category.id] });
    await call('POST', '/events', { ...concert, end_date: 'never' });
    expect((await rest()).map(plain)).toMatchObject([
      { resource: 'events', action: 'created' },
      { resource: 'categories', id: category.id, action: 'updated' },
    ]);
    stop();
  });

  it('tells a reset, a clock that was set, and a change of very many records as one', async () => {
    const { take, stop } = await reader('?types=reset,clock,change');
    await call('POST', '/_calendar/generate', { events: 150 });
    await call('POST', '/_calendar/reset');
    await call('PUT', '/_calendar/clock', { now: '2030-01-01T00:00:00Z' });
    await call('PATCH', '/_calendar/settings', { timezone: 'Asia/Tokyo' });
    expect((await take(4)).map(plain)).toMatchObject([
      { type: 'reset', reason: 'many' },
      { type: 'reset', reason: 'replaced' },
      { type: 'clock', now: '2030-01-01T00:00:00.000Z', frozen: true },
      { type: 'reset', reason: 'many' },
    ]);
    stop();
  });

  it('reports events that are published on schedule', async () => {
    await call('PUT', '/_calendar/clock', { now: '2027-01-01T00:00:00Z' });
    const later = await made('/events', { ...concert, status: 'future', date: '2027-01-02 00:00' });
    const { take, stop } = await reader('?types=change,clock');
    await call('POST', '/_calendar/clock/advance', { by: 'P2D' });
    expect((await take(2)).map(plain)).toMatchObject([{ id: later.id, action: 'updated' }, { type: 'clock' }]);
    stop();
  });

  it('goes on where a reader was', async () => {
    const first = await reader('?types=change');
    await call('POST', '/tags', { name: 'one' });
    const [{ id }] = (await first.take(1)) as [Message];
    first.stop();
    const ids: number[] = [];
    for (const name of ['two', 'three']) ids.push((await made('/tags', { name })).id);
    for (const again of [await reader('?types=change', { 'last-event-id': id }), await reader(`?types=change&after=${id}`)]) {
      expect((await again.take(2)).map(({ data }) => data)).toMatchObject(ids.map((each) => ({ id: each })));
      again.stop();
    }
  });

  it.each(['gone-5', '5', 'x'])('reports missing messages after %s', async (id) => {
    const { take, stop } = await reader('', { 'last-event-id': id });
    expect((await take(1)).map(plain)).toEqual([{ type: 'reset', reason: 'missed' }]);
    stop();
  });

  it('is read by an EventSource, which reconnects automatically', async () => {
    const seen: string[] = [];
    const source = new EventSource(`${origin}/_calendar/events`);
    await new Promise((resolve) => source.addEventListener('open', resolve));
    const told = new Promise<void>((resolve) =>
      source.addEventListener('change', (event) => {
        const { data, lastEventId } = event as MessageEvent;
        seen.push(`${JSON.parse(data).resource} ${lastEventId !== ''}`);
        resolve();
      }),
    );
    await call('POST', '/organizers', { organizer: 'Ann' });
    await told;
    source.close();
    expect(seen).toEqual(['organizers true']);
  });

  it.each<[string, RequestInit & { query?: string }, number]>([
    ['a page of another origin', { headers: { origin: 'https://evil.example' } }, 403],
    ['another method', { method: 'POST' }, 405],
    ['an unknown type', { query: '?types=change,news' }, 400],
    ['what is not known', { query: '?since=1' }, 400],
  ])('refuses %s', async (_, { query = '', ...init }, status) => {
    expect((await fetch(`${origin}/_calendar/events${query}`, init)).status).toBe(status);
  });

  it('answers HEAD with its headers alone', async () => {
    const answer = await fetch(`${origin}/_calendar/events`, { method: 'HEAD' });
    expect([answer.status, await answer.text()]).toEqual([200, '']);
  });

  it('ends at once when the server does', async () => {
    const { take } = await reader();
    using cut = vi.spyOn(http.Server.prototype, 'closeAllConnections');
    const [left] = await Promise.all([take(1), served.close()]);
    expect(left).toEqual([]);
    expect(cut).not.toHaveBeenCalled();
  });
});

describe('events of another calendar', () => {
  const client = () =>
    transportOf({ userAgent: 'test', timeout: 5000, env: {}, signal: new AbortController().signal, now: Date.now, random: Math.random });

  it('are followed over HTTP until the signal, and until the server ends', async () => {
    const transport = client();
    const stop = new AbortController();
    const control = controlAt(origin, undefined, transport);
    const some = (await control.events({ types: ['change'] }, stop.signal))[Symbol.asyncIterator]();
    await call('POST', '/tags', { name: 'é' });
    let seen: Message[] = [];
    while (seen.length === 0) seen = [...(await some.next()).value!.messages];
    expect(seen).toMatchObject([{ id: expect.stringMatching(/-2$/), type: 'change', data: { resource: 'tags' } }]);
    stop.abort();
    expect((await some.next()).done).toBe(true);
    const all = await control.events({});
    const ended = (async () => {
      for await (const { last } of all) seen = last ? [] : seen;
    })();
    await served.close();
    await ended;
    await expect(control.events({})).rejects.toMatchObject({ code: 'unreachable' });
    await transport.close();
  });

  it('fail with the server’s error', async () => {
    const transport = client();
    const events = controlAt(origin, undefined, transport).events({ types: ['news' as 'change'] });
    await expect(events).rejects.toMatchObject({ code: 'rest_invalid_param' });
    await transport.close();
  });
});

describe('a part of a change that is undone', () => {
  it('is not notified', async () => {
    const told: unknown[] = [];
    served.store.follow({ changed: (records) => told.push(...records), reset: (reason) => told.push(reason) });
    const kept = await served.store.change(({ tags }) => {
      const record = tags.create({ name: 'kept' });
      try {
        served.store.db.change(() => {
          tags.create({ name: 'undone' });
          throw new Error('no');
        });
      } catch {}
      return record;
    });
    const undone = served.store.change(({ tags }) => {
      tags.create({ name: 'undone' });
      throw new Error('no');
    });
    await expect(undone).rejects.toThrow('no');
    expect(told).toEqual([{ resource: 'tags', id: kept.id, action: 'created' }]);
  });
});

describe('a message log', () => {
  const tell = (log: MessageLog, count: number) => {
    for (let i = 0; i < count; i++) log.publish('reset', { reason: 'many' });
  };

  it('keeps the last thousand for clients that reconnect', async () => {
    const log = new MessageLog('s');
    log.follow();
    tell(log, 1500);
    const first = async (after: string) => (await log.follow({ after }).next()).value!;
    expect((await first('s-500')).messages).toHaveLength(1000);
    expect((await first('s-499')).messages).toMatchObject([{ id: 's-1500', data: { reason: 'missed' } }]);
    expect((await first('s-1501')).messages).toMatchObject([{ data: { reason: 'missed' } }]);
    expect(await first('s-1500')).toEqual({ last: 's-1500', messages: [] });
  });

  it.each(['s--5', 's-', 's-1.5', 's-x', 't-0'])('an ID that the log did not give, %s, has missed what was sent', async (after) => {
    const log = new MessageLog('s');
    log.follow();
    tell(log, 2);
    expect((await log.follow({ after }).next()).value).toMatchObject({ messages: [{ type: 'reset', data: { reason: 'missed' } }] });
  });

  it('drops a reader who is too slow, and keeps nothing for him', async () => {
    const log = new MessageLog('s');
    const messages = log.follow();
    await messages.next();
    tell(log, 1000);
    expect((await messages.next()).value?.messages).toHaveLength(1000);
    tell(log, 1001);
    expect((await messages.next()).done).toBe(true);
  });

  it('ends with its signal, and lets go of it', async () => {
    const stop = new AbortController();
    const messages = new MessageLog('s').follow({}, stop.signal);
    await messages.next();
    const next = messages.next();
    stop.abort();
    expect((await next).done).toBe(true);
  });

  it('sends only requested types, and the position to continue from', async () => {
    const log = new MessageLog('s');
    const types: MessageType[] = ['change'];
    log.follow();
    tell(log, 3);
    expect((await log.follow({ types, after: 's-0' }).next()).value).toEqual({ last: 's-3', messages: [] });
  });
});

describe('a reader who takes nothing', () => {
  const endless = {
    texts: (async function* () {
      for (;;) yield 'x'.repeat(100_000);
    })(),
    stop() {},
  };

  it('is dropped after a while, and held up nothing', async () => {
    let stopped = 0;
    const stream = { ...endless, stop: () => (stopped += 1) };
    const handle = () => ({ status: 200, headers: {}, body: [], stream });
    const server = await listen(serverWith(handle), { host: '127.0.0.1', port: 0, stallTimeoutMs: 300 });
    const socket = connect(server.port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'));
    socket.pause();
    socket.on('error', () => {});
    await expect.poll(() => stopped).toBe(1);
    using cut = vi.spyOn(http.Server.prototype, 'closeAllConnections');
    await server.close();
    expect(cut).not.toHaveBeenCalled();
    socket.destroy();
  });

  it('does not hold up the end of a server', async () => {
    let asked = 0;
    const answer = () => {
      asked += 1;
      return { status: 200, headers: {}, body: [], stream: endless };
    };
    const server = await listen(serverWith(answer), { host: '127.0.0.1', port: 0 });
    const socket = connect(server.port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'));
    socket.pause();
    socket.on('error', () => {});
    await expect.poll(() => asked).toBe(1);
    using cut = vi.spyOn(http.Server.prototype, 'closeAllConnections');
    await server.close();
    expect(cut).not.toHaveBeenCalled();
    socket.destroy();
  });
});
