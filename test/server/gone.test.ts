import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FaultInput } from '../../src/model/operation-types.ts';
import { UndoLog } from '../../src/server/changes/undo-log.ts';
import type { HookFunctions } from '../../src/server/hooks/functions.ts';
import { type WholeServer, wholeServer } from '../support/whole-server.ts';

const never = () => new Promise<never>(() => {});
const warnings: string[] = [];
const onWarning = ({ message }: Error) => warnings.push(message);
beforeEach(() => {
  warnings.length = 0;
  process.on('warning', onWarning);
});

let server: WholeServer | undefined;
afterEach(async () => {
  process.off('warning', onWarning);
  await server?.close();
});

const post =
  'POST /calendar/events/v1/tags HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 13\r\n\r\n{"name":';
const get = 'GET /calendar/events/v1/tags HTTP/1.1\r\nHost: localhost\r\n\r\n';

const send = (text: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(server!.listening.port, '127.0.0.1', () => socket.write(text, () => resolve(socket)));
    socket.on('error', reject);
  });

/** Waits until something holds. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await setTimeout(5);
}
const entries = () => server!.world.served.journal.exchanges();

describe('a client that goes away is in the journal as aborted', () => {
  const hooks = (functions: HookFunctions) => ({ hooks: { functions } });
  it.each<[string, string, Parameters<typeof wholeServer>[0]]>([
    ['while it sends its body', post, {}],
    ['during a delay', get, { faults: [{ delay: '20s' }] }],
    ['during a delay after the response is made', get, { faults: [{ delay: '20s', at: 'after' }] }],
    ['during a hold', get, { faults: [{ then: 'hold' }] }],
    ['during a hold after the response is made', get, { faults: [{ then: 'hold', at: 'after' }] }],
    ['during a hook of requests', get, hooks({ request: never })],
    ['during a hook of responses', get, hooks({ response: never })],
    ['during a slow body', get, { faults: [{ slow_body: '20s' }] }],
    ['that it waits for in vain', get, { faults: [{ then: 'hang' }] }],
  ])('%s', async (_, text, options) => {
    server = await wholeServer(options);
    const socket = await send(text);
    await until(() => entries().length === 1);
    // The request is in the step that it is named for when other events have been handled.
    await setTimeout(5);
    socket.destroy();
    await until(() => entries()[0]!.took !== null);
    expect(entries()).toMatchObject([{ aborted: true, status: null }]);
  });
});

describe('any number of requests that wait', () => {
  const many = 40;
  const ways: [string, ...FaultInput[]][] = [
    ['a hold', { then: 'hold' }],
    ['a delay', { delay: '20s' }],
    ['a delay before a hold', { delay: '20s' }, { then: 'hold' }],
    ['a delay before another one', { delay: '20s' }, { delay: '20s', at: 'after' }],
    ['a request that hangs', { then: 'hang' }],
    ['a slow body', { slow_body: '20s' }],
  ];
  const ends: [string, (whole: WholeServer) => unknown][] = [
    ['a reset', (whole) => whole.control.reset({})],
    ['the stop of the server', (whole) => whole.close()],
  ];
  it.each(ways.flatMap(([name, ...faults]) => ends.map(([end, how]) => [name, end, faults, how] as const)))(
    'of %s end with %s, without a warning',
    async (name, __, faults, end) => {
      server = await wholeServer({ faults });
      const sockets = await Promise.all(Array.from({ length: many }, () => send(get)));
      const closed = sockets.map(
        (socket) => new Promise<string>((resolve) => socket.on('data', (data) => resolve(String(data))).on('close', () => resolve(''))),
      );
      await until(() => server!.world.served.journal.total === many);
      await setTimeout(5);
      const started = server.world.epoch;
      await end(server);
      const texts = await Promise.all(closed);
      for (const socket of sockets) socket.destroy();
      expect([started.aborted, warnings]).toEqual([true, []]);
      // A connection that stalls is closed; other requests get a response.
      if (/^a (hold|delay)/.test(name)) expect(texts.filter((text) => !/^HTTP\/1\.1 (200|503)/.test(text))).toEqual([]);
    },
  );

  it('are held again by the same fault after a reset that keeps it', async () => {
    server = await wholeServer({ faults: [{ then: 'hold' }] });
    const sockets = [await send(get)];
    const held = () => server!.world.served.faults.list()[0]!.held;
    await until(() => held() === 1);
    await server.control.reset({ keep: ['faults'] });
    await until(() => held() === 0);
    sockets.push(await send(get));
    await until(() => held() === 1);
    for (const socket of sockets) socket.destroy();
  });
});

describe('changes that can be undone', () => {
  const record = (id: number, text = '') => ({ resource: 'tags' as const, id, name: 'x', row: { name: text }, links: [], children: [] });

  it('are forgotten, the oldest first, past a number of records; the last one stays', () => {
    const log = new UndoLog(2);
    const made = [1, 2, 1].map((count) => {
      const { undo, change } = log.begin('owner');
      for (let id = 0; id < count; id++) change.add(record(id), undefined);
      return undo;
    });
    const { undo: last } = log.begin('owner');
    expect(() => log.take(made[0]!, 'owner')).toThrow('no longer');
    expect(() => log.take(made[1]!, 'owner')).toThrow('no longer');
    expect(log.take(made[2]!, 'owner')).toHaveLength(1);
    expect(() => log.take(made[2]!, 'owner')).toThrow('no longer');
    expect(() => log.take(last, 'another')).toThrow('no longer');
    expect(log.take(last, 'owner')).toEqual([]);
  });

  it('count for the size of their world until its epoch ends', async () => {
    server = await wholeServer();
    const { world } = server;
    const change = (body: object) => server!.call('POST', '/_calendar/page/changes', body).then((response) => response.text());
    await server.call('POST', '/tags', { name: 'x'.repeat(500) });
    const { id } = world.store.db.get<{ id: number }>('select id from tags')!;
    const before = world.served.undoLog.bytes;
    const undo = JSON.parse((await change({ changes: [{ resource: 'tags', ids: [id] }] })).split('\n')[0]!).undo as string;
    expect([before, world.served.undoLog.bytes > 1500, world.bytes > world.served.undoLog.bytes]).toEqual([0, true, true]);
    await server.control.reset({});
    expect([world.served.undoLog.bytes, (await server.call('POST', '/_calendar/page/changes', { undo })).status]).toEqual([0, 404]);
  });
});
