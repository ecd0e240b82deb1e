import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { defaultServing, type ServingOptions } from '../../../src/data/serving/options.ts';
import { serveCalendar } from '../../../src/data/serving/serve.ts';
import { owner } from '../../../src/model/viewer.ts';
import type { Store } from '../../../src/store/calendar.ts';
import { limit } from '../../support/timeouts.ts';
import { run } from '../../support/transcript.ts';
import { unconnected } from '../../support/unconnected.ts';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Serves a calendar in memory that is filled as `prepare` does it. */
const serve = (port: number, prepare: (store: Store) => Promise<void>) => serveCalendar({ ...servingOf(port), prepare });

const servingOf = (port: number): ServingOptions => ({
  ...defaultServing,
  port,
  timeout: 1000,
  open: true,
  system: () => Date.parse('2027-03-01T09:00:00Z'),
  node: unconnected,
});

describe('a calendar that is being filled', () => {
  it('responds with 503 until all data is loaded', async () => {
    const port = await freePort();
    const [origin, api] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${port}/calendar/events/v1`];
    let fill = () => {};
    const filled = new Promise<void>((resolve) => {
      fill = resolve;
    });
    const serving = serve(port, async (store) => {
      await store.calendarFor(owner, { home: '', root: '' }).tags.create({ name: 'one' });
      await filled;
      await store.calendarFor(owner, { home: '', root: '' }).tags.create({ name: 'two' });
    });
    const asked = async (url: string, init?: RequestInit) => {
      const answer = await fetch(url, init);
      return [answer.status, ((await answer.json()) as { code?: string }).code, answer.headers.get('retry-after')];
    };
    await expect
      .poll(
        () =>
          fetch(origin).then(
            ({ status }) => status,
            () => 0,
          ),
        { timeout: limit(10_000) },
      )
      .toBe(503);
    for (const url of [`${origin}/_calendar/ready`, `${origin}/_calendar/reset`, `${api}/tags`])
      expect(await asked(url, { method: url.endsWith('reset') ? 'POST' : 'GET' })).toEqual([503, 'not-ready', '1']);
    const waiting = run(['wait', api, '--timeout', '20']);
    expect(await Promise.race([waiting, new Promise((resolve) => setTimeout(resolve, 300, 'waits'))])).toBe('waits');
    fill();
    const served = await serving;
    expect(await waiting).toMatchObject({ exit: 0, stdout: `${api}\n` });
    expect((await asked(`${origin}/_calendar/ready`))[0]).toBe(200);
    // The start is what it was filled with.
    await fetch(`${origin}/_calendar/reset`, { method: 'POST' });
    expect((await served.control.health({})).records).toMatchObject({ tags: 2 });
    await served.close();
  });

  it('that cannot be filled lets go of its port', async () => {
    const port = await freePort();
    await expect(serve(port, () => Promise.reject(new Error('no such seed')))).rejects.toThrow('no such seed');
    const next = await serve(port, async () => {});
    await next.close();
  });
});

it.each([
  ['/_calendar', 'calendar/events/v1'],
  ['', '_calendar/v1'],
])('an API that control would hide is refused: %j %j', async (basePath, namespace) => {
  const serving = serveCalendar({ ...servingOf(0), basePath, namespace });
  await expect(serving).rejects.toMatchObject({ code: 'bad-request', message: expect.stringContaining('/_calendar is the control API') });
});

describe('a control token', () => {
  it.each(['', 'two words', 'naïve', 'a\nb'])('that no header can bring is refused: %j', async (controlToken) => {
    const serving = serveCalendar({ ...servingOf(0), controlToken });
    await expect(serving).rejects.toMatchObject({ code: 'bad-request', message: expect.stringContaining('control token') });
  });
});
