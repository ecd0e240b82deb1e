import { afterEach, describe, expect, it, vi } from 'vitest';
import { createCalendar, type SharedCalendarOptions } from '../../bin/library.ts';
import { isReportedLater } from '../../src/testing/hint-report.ts';
import { worldSource } from '../../src/testing/world-source.ts';
import { collectHooks } from '../support/test-hooks.ts';

afterEach(() => vi.unstubAllEnvs());

const title = 'calendar: Requests that a site would handle differently:';
const anonymous = 'no-credentials: A site answers 401 to this without credentials. Add users, or allow it with --anonymous';

/** Runs tests with these names, each of which creates a number of venues over HTTP, and returns what is printed after the last one. */
async function reportsOf(options: SharedCalendarOptions, tests: Record<string, number>): Promise<string[]> {
  const { start, next, endTest, end, calendar, reports } = collectHooks(options);
  await start();
  for (const [name, count] of Object.entries(tests)) {
    await next();
    for (let i = 0; i < count; i += 1)
      await calendar.fetch('venues', { method: 'POST', body: new URLSearchParams({ venue: `${name} ${i}` }) });
    await endTest({ name });
  }
  await end();
  return reports;
}

describe('after the tests of a file', () => {
  it('each mistake is printed once, with its number and its first test', async () => {
    expect(await reportsOf({ listen: false }, { 'reads only': 0, 'adds halls': 2, 'adds a hall': 1 })).toEqual([
      `${title}\n  ${anonymous} (3 requests, first POST /calendar/events/v1/venues in "adds halls")`,
    ]);
  });

  it('nothing is printed without any', async () => {
    expect(await reportsOf({ listen: false }, { 'reads only': 0 })).toEqual([]);
    expect(await reportsOf({ listen: false, anonymous: true }, { 'adds halls': 2 })).toEqual([]);
  });

  it('those on a running server are printed, unless calendar exec has started it', async () => {
    await using server = await createCalendar();
    const options = { server: server.root };
    expect(await reportsOf(options, { 'adds a hall': 1 })).toHaveLength(1);
    vi.stubEnv('CALENDAR_URL', server.url);
    expect(await reportsOf(options, { 'adds a hall': 1 })).toEqual([]);
    expect([isReportedLater('http://127.0.0.1:1/'), isReportedLater(server.url)]).toEqual([false, true]);
  });
});

it('those of a world for each test are printed once, when the last one is closed', async () => {
  const reports: string[] = [];
  const source = worldSource({ listen: false }, undefined, (text) => reports.push(text));
  for (const name of ['one', 'two']) {
    const { calendar, close } = await source.open(name);
    await calendar.fetch('venues', { method: 'POST', body: new URLSearchParams({ venue: 'Hall' }) });
    await close();
  }
  await source.close();
  expect(reports).toEqual([`${title}\n  ${anonymous} (2 requests, first POST /calendar/events/v1/venues in "one")`]);
});
