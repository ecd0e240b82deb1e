import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Calendar, createCalendar } from '../../bin/library.ts';
import { transportOf } from '../../src/client/transport.ts';
import { Follow } from '../../src/data/remote/follow.ts';
import { Failure } from '../../src/model/error.ts';
import { maxTimerMs, wait } from '../../src/model/time/duration.ts';
import { command } from '../support/command.ts';

// A timer of Node or a browser that is longer than 2^31 - 1 ms ends after 1 ms: what should wait for a month would run without pause.
const dayMs = 86_400_000;
const times = [0, 1000, 24 * dayMs, maxTimerMs + 1, 3650 * dayMs];

const overflows: string[] = [];
const onWarning = ({ name, message }: Error) => name === 'TimeoutOverflowWarning' && overflows.push(message);
let calendar: Calendar;
const site = createServer((request, response) => {
  requests += 1;
  response.writeHead(503, { 'Retry-After': new URL(request.url!, 'http://x').searchParams.get('after')! }).end();
});
let requests = 0;
let siteUrl = '';
beforeAll(async () => {
  process.on('warning', onWarning);
  calendar = await createCalendar();
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});
afterAll(async () => {
  process.off('warning', onWarning);
  await calendar.close();
  site.close();
});

/** Follows a site for some turns of the event loop; returns how often it was pulled. */
async function pullsWith(everyMs: number, failure?: Failure): Promise<number> {
  const stopping = new AbortController();
  let pulls = 0;
  const follow = new Follow({
    ...{
      host: 'example.org',
      everyMs,
      signal: stopping.signal,
      keepsRunning: false,
      notice: () => {},
      system: Date.now,
      pulled: () => null,
    },
    async pull() {
      pulls += 1;
      if (failure) throw failure;
      return { created: 0, updated: 0, unchanged: 0, skipped: 0, deleted: 0, problems: [] } as never;
    },
  });
  const running = follow.run();
  await sleep(20);
  stopping.abort();
  await running;
  return pulls;
}

const retryAfter = (ms: number) => new Failure('unreachable', 'Busy', undefined, { retry_after: String(Math.ceil(ms / 1000)) });

/** Each place that takes a time: "waits" or the error that names the limit. */
const places: [place: string, limitMs: number | undefined, take: (ms: number) => Promise<unknown>][] = [
  ['a pull in the background', undefined, async (ms) => expect(await pullsWith(Math.max(ms, 1000))).toBe(1)],
  ['Retry-After of a site that is pulled', undefined, async (ms) => expect(await pullsWith(1000, retryAfter(ms))).toBe(1)],
  [
    'Retry-After of a response',
    undefined,
    async (ms) => {
      const stopping = new AbortController();
      const options = { userAgent: 'test', env: {}, now: Date.now, random: () => 0, maxWaitMs: Number.POSITIVE_INFINITY, attempts: 2 };
      const transport = transportOf({ ...options, timeout: 5000, signal: stopping.signal });
      requests = 0;
      const sent = transport
        .send({ method: 'GET', url: `${siteUrl}/?after=${Math.ceil(ms / 1000)}`, headers: {} })
        .catch((error: unknown) => error);
      if (ms === 0) await sent;
      else await sleep(50);
      stopping.abort();
      await sent;
      await transport.close();
      expect(requests).toBe(ms === 0 ? 2 : 1);
    },
  ],
  ['a world', undefined, async (ms) => void (await calendar.worlds.create({ ttl: Math.max(ms, 1000) }))],
  ['a hold', 24 * dayMs, async (ms) => void (await calendar.faults.hold({ path: '/tags' }, { timeout: Math.max(ms, 1000) }))],
  ['a delay', 600_000, async (ms) => void (await calendar.faults.add({ delay: ms, times: 1 }))],
  ['a slow body', 600_000, async (ms) => void (await calendar.faults.add({ slow_body: ms, times: 1 }))],
];

describe.each(places)('%s', (_, limitMs, take) => {
  it.each(times)('of %d ms ends after it, or is refused with its limit', async (ms) => {
    overflows.length = 0;
    const error = await take(ms).then(
      () => undefined,
      (failure: Error) => failure,
    );
    if (ms > (limitMs ?? Number.POSITIVE_INFINITY)) expect(error?.message).toMatch(/, up to (24d|10m)/);
    else if (error) throw error;
    await sleep(0);
    expect(overflows).toEqual([]);
  });
});

describe.each([
  ['--timeout', 'events list --timeout', 'up to 24d'],
  ['--every of serve', 'serve --memory --port nowhere --pull http://127.0.0.1:1/ --every', undefined],
  ['--every of pull', 'pull http://127.0.0.1:1/ --dry-run --follow --every', undefined],
  ['--ttl of a world', 'world create --url http://127.0.0.1:1/ --ttl', undefined],
  ['--wait-for of requests', 'requests wait --url http://127.0.0.1:1/ --wait-for', 'up to 24d'],
  ['--wait-for of a fault', 'fault wait 1 --url http://127.0.0.1:1/ --wait-for', 'up to 24d'],
  ['--hold-for of a fault', 'fault add hold --url http://127.0.0.1:1/ --hold-for', 'up to 24d'],
] as const)('%s', (_, line, limit) => {
  it.each(['3650d', '25d'])('of %s is taken, or refused with its limit', async (time) => {
    const { exit, stderr } = await command(...line.split(' '), time);
    expect(exit).not.toBe(0);
    if (limit) expect(stderr).toContain(limit);
    else expect(stderr).not.toContain(time);
  });
});

it.each([
  [2500, 1000, 3],
  [1000, 1000, 1],
  [0, 1000, 0],
])('%d ms with timers of at most %d ms are %d timers', async (ms, timerMs, count) => {
  const lengths: number[] = [];
  const own = globalThis.setTimeout;
  globalThis.setTimeout = ((run: () => void, length: number) => {
    // Shorter ones are those of other tests that end.
    if (length >= 100) lengths.push(length);
    return own(run, 0);
  }) as typeof setTimeout;
  try {
    await wait(ms, { timerMs });
  } finally {
    globalThis.setTimeout = own;
  }
  expect(lengths).toHaveLength(count);
  expect(lengths.reduce((sum, each) => sum + each, 0)).toBe(ms);
  expect(Math.max(0, ...lengths)).toBeLessThanOrEqual(timerMs);
});
