import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import { connectCalendar, createCalendar, type SharedCalendarOptions } from '../../bin/library.ts';
import { limitWaits, waitWithin } from '../../src/testing/evidence.ts';
import type { RunningTest } from '../../src/testing/test-hooks.ts';
import { collectHooks } from '../support/test-hooks.ts';

let warn: MockInstance<typeof console.warn>;
beforeEach(() => {
  warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});
const warnings = () => warn.mock.calls.map(([text]) => text as string);

/** Opens the calendar of a file, and runs tests of it. `add` runs where a hook would, `body` in the test. */
async function openFile(options: SharedCalendarOptions = {}) {
  const { start, next, endTest, end, calendar } = collectHooks(options);
  await start();
  const run = async (
    name: string,
    body: () => Promise<unknown>,
    { hook = async () => {}, ...test }: RunningTest & { hook?: () => Promise<unknown> } = {},
  ) => {
    let begin = () => {};
    await next({
      ...test,
      onBody: (listener) => {
        begin = listener;
      },
    });
    await hook();
    begin();
    await body();
    await endTest({ name, ...test });
  };
  return { run, end, calendar };
}

describe('waits of a test', () => {
  it('take 80 % of what the test has left, also in worlds', async () => {
    await using calendar = await createCalendar();
    const world = await calendar.worlds.create();
    // A busy machine must not change what is left.
    const elapsed = () => 0;
    limitWaits(calendar, 50, elapsed);
    await calendar.fetch('events?search=jazz');
    await expect(calendar.requests.waitFor({ path: '/events', query: { search: 'rock' } }, { times: 2 })).rejects.toThrow(
      /^at least 2 requests should match .* within 40 ms, and 0 of 1 did: GET \S+search=jazz 200 \(query.search is "jazz", not "rock"\)$/,
    );
    limitWaits(calendar, 50, elapsed);
    await expect(world.requests.waitFor({})).rejects.toThrow(/within 40 ms, and 0 of 0 did/);
    const held = await calendar.faults.hold({ path: '/venues' }, { times: 2 });
    const one = calendar.fetch('venues');
    limitWaits(calendar, undefined);
    await held.arrived(1);
    limitWaits(calendar, 50, elapsed);
    await expect(held.arrived()).rejects.toThrow(
      /^2 requests should match \{"path":"\/venues"\} and be held by fault 1 within 40 ms, and 1 arrived: GET \S+search=jazz 200 \(path is .*\)$/,
    );
    await held.release();
    await one;
  });

  it('have less the later they begin, and never nothing', () => {
    let now = 5000;
    const wait = waitWithin(1000, () => now);
    const after = (ms: number) => {
      now = 5000 + ms;
      return wait();
    };
    expect([0, 500, 999, 1000, 2000].map(after)).toEqual([800, 400, 1, 1, 1]);
  });

  it('have no limit of their own without a timeout of the test', () => {
    expect([waitWithin(0)(), waitWithin(undefined)(), waitWithin(Number.POSITIVE_INFINITY)()]).toEqual([undefined, undefined, undefined]);
  });
});

describe.each(['in this process', 'on a server'])('a hold that its limit has ended, %s', (where) => {
  it('is an error of release and arrived, which name the limit', async () => {
    await using server = await createCalendar();
    await using calendar = where === 'on a server' ? await connectCalendar(server.url) : await server.fork();
    const held = await calendar.faults.hold({ path: '/tags' }, { timeout: 50 });
    expect((await fetch(`${calendar.url}/tags`)).status).toBe(200);
    const limit = 'the limit of the hold, 0.05 s, ended before the release';
    await expect(held.arrived()).rejects.toThrow(limit);
    await expect(held.release(503)).rejects.toThrow(limit);
  });
});

describe('after a failed test', () => {
  it('what explains it is printed, and CALENDAR_ARTIFACTS keeps the requests', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'artifacts-'));
    vi.stubEnv('CALENDAR_ARTIFACTS', folder);
    const { run, end, calendar } = await openFile();
    const late: Promise<unknown>[] = [];
    const body = async () => {
      for (let i = 0; i < 12; i++) await calendar.fetch('event');
      await calendar.fetch('tags', { method: 'POST', body: new URLSearchParams({ titel: 'x' }) });
      const held = await calendar.faults.hold({ path: '/venues' });
      await calendar.faults.add({ match: { path: '/tags' }, then: 503 });
      late.push(
        calendar.fetch('venues'),
        calendar.requests.waitFor({ path: '/tags' }, { times: 5, timeout: '20s' }).catch(() => {}),
      );
      await held.arrived();
    };
    await run('fails', body, { hasFailed: true });
    const [text, ...others] = warnings();
    expect(others).toEqual([]);
    const lines = text!.split('\n');
    expect(lines[0]).toBe('The calendar after the failure of "fails":');
    expect(text).toContain('  held: fault 1 for {"path":"/venues"} holds 1 request\n');
    expect(text).toContain('  waiting: requests.waitFor({"path":"/tags"})\n');
    expect(text).toContain('  unused: fault 2 for {"path":"/tags"} met no request\n');
    expect(text).toMatch(/ {2}in flight: GET \S+\/venues\n/);
    expect(text).toMatch(/ {2}POST \S+\/tags 400 rest_missing_callback_param: Missing .*name.*titel/);
    expect(lines.filter((line) => / 404 rest_no_route/.test(line)).length).toBe(9);
    const [file] = readdirSync(folder);
    expect(text).toContain(`requests: ${join(folder, file!)}`);
    expect(JSON.parse(readFileSync(join(folder, file!), 'utf8')).log.entries.length).toBe(14);
    await end();
    await Promise.all(late);
    expect(warnings()[1]).toMatch(/^1 request from the last test was still in flight: GET /);
  });
});

describe('unused faults', () => {
  const unmet = async (calendar: { faults: Awaited<ReturnType<typeof openFile>>['calendar']['faults'] }) => {
    await calendar.faults.add({ match: { path: '/tags' }, then: 503 });
    await calendar.faults.add({ match: { path: '/events' }, then: 503, times: 2 });
    await calendar.faults.add({ match: { path: '/venues' }, then: 503, probability: 0.5 });
    const held = await calendar.faults.hold({ path: '/organizers' });
    await held.release();
  };
  const text = (name: string) =>
    `Unused faults in ${name}: fault 4 for {"path":"/organizers"} met no request; fault 1 for {"path":"/tags"} met no request; fault 2 for {"path":"/events"} met 1 of 2 requests`;

  it.each(['warn', 'fail', 'ignore'] as const)('of a test are reported in one line: %s', async (unusedFaults) => {
    const { run, end, calendar } = await openFile({ unusedFaults });
    const body = async () => {
      await unmet(calendar);
      await calendar.fetch('events');
    };
    await run('sends too little', body);
    const next = () =>
      run('uses them', async () => {
        await calendar.faults.add({ match: { path: '/tags' }, then: 503, times: 1 });
        await calendar.fetch('tags');
        await calendar.faults.clear();
      });
    // A request of a test may arrive after its last hook, so that the next one decides.
    if (unusedFaults === 'fail') await expect(next()).rejects.toThrow(text('sends too little'));
    await next();
    await end();
    expect(warnings()).toEqual(unusedFaults === 'warn' ? [text('sends too little')] : []);
  });

  it('of options and hooks are reported once for the file, if no test met them', async () => {
    const { run, end, calendar } = await openFile({
      faults: [
        { match: { path: '/venues' }, then: 500 },
        { delay: 1, match: { path: '/tags' } },
      ],
    });
    await calendar.faults.add({ match: { path: '/organizers' }, then: 500 });
    const hook = async () => {
      await calendar.faults.add({ match: { path: '/categories' }, then: 500 });
      await calendar.faults.add({ match: { path: '/events' }, then: 500, times: 3 });
    };
    await run('one', async () => {}, { hook });
    await run('two', () => Promise.all(['tags', 'events'].map((path) => calendar.fetch(path))), { hook });
    await end();
    expect(warnings()).toEqual([
      'Unused faults of options and hooks: fault 1 for {"path":"/venues"} met no request; fault 3 for {"path":"/organizers"} met no request; fault 4 for {"path":"/categories"} met no request',
    ]);
  });

  it('refuses another reaction', () => {
    expect(() => collectHooks({ unusedFaults: 'error' as never })).toThrow('Invalid unusedFaults "error": must be warn, fail or ignore');
  });
});
