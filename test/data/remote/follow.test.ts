import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Follow } from '../../../src/data/remote/follow.ts';
import { codeFor, Failure } from '../../../src/model/error.ts';
import type { Done } from '../../../src/model/operation-types.ts';

const start = Date.parse('2026-11-20T12:00:00Z');
const failureOf = (status: number, data = {}) => new Failure(codeFor(status), `returned ${status}`, undefined, data, status);
const page = { is_page: true };

/** Follows a site whose pulls have these failures, and then succeed. */
function following(failures: Failure[], { everyMs = 10_000, endsWhenRejected = false } = {}) {
  const stopping = new AbortController();
  const notices: string[] = [];
  let pulls = 0;
  const follow = new Follow({
    ...{ host: 'example.org', everyMs, endsWhenRejected, signal: stopping.signal, keepsRunning: false },
    system: () => start,
    pulled: () => new Date(start).toISOString(),
    notice: (line) => void notices.push(line),
    async pull() {
      const failure = failures[pulls++];
      if (failure) throw failure;
      return { created: 0, updated: 0, unchanged: 0, skipped: 0, deleted: 0, problems: [] } as unknown as Done;
    },
  });
  return { follow, notices, stop: () => stopping.abort(), pulls: () => pulls };
}

it.each([
  [400, {}, ['10 s', '20 s', '40 s']],
  [404, {}, ['10 s', '20 s', '40 s']],
  [410, {}, ['10 s', '20 s', '40 s']],
  [403, page, ['10 s', '20 s', '40 s']],
  [403, {}, ['10 s', '20 s', '40 s']],
  [403, { retry_after: '60' }, ['1 min', '1 min', '1 min']],
  [502, {}, ['10 s', '20 s', '40 s']],
  [429, {}, ['1 h', '1 h', '1 h']],
  [429, { retry_after: '30' }, ['30 s', '30 s', '30 s']],
  [401, {}, ['1 h', '1 h', '1 h']],
])('after %i %j, the next attempts are in %j', async (status, data, times) => {
  const { follow, notices } = following(Array(3).fill(failureOf(status, data)));
  const next: string[] = [];
  for (const _ of times) {
    await expect(follow.pullNow()).rejects.toThrow();
    next.push(/Next attempt in (.*)\.$/.exec(follow.text)![1]!);
  }
  expect([next, notices]).toEqual([times, [expect.stringContaining('Next attempt in')]]);
  await follow.pullNow();
  expect(notices[1]).toContain('responds again');
});

it.each([400, 404, 410, 403, 500])('a pull in the background goes on after %i', async (status) => {
  const { follow, stop, pulls } = following([failureOf(status), failureOf(status)], { everyMs: 1 });
  const running = follow.run();
  while (pulls() < 4) await sleep(1);
  stop();
  await running;
});

it.each([
  [401, {}, true],
  [401, page, true],
  [403, {}, true],
  [403, page, false],
  [429, { retry_after: '0' }, false],
  [404, {}, false],
])('pull --follow after %i %j ends: %s', async (status, data, ends) => {
  const { follow, stop, pulls, notices } = following([failureOf(status, data)], { everyMs: 1, endsWhenRejected: true });
  const running = follow.run();
  if (ends) {
    await expect(running).rejects.toThrow(`returned ${status}`);
    expect(notices.join()).not.toContain('Next attempt');
  } else {
    while (pulls() < 2) await sleep(1);
    stop();
    await running;
  }
});

it('a pull that waits for the site shows until when, and says it once', async () => {
  const { follow, notices } = following([]);
  const until = start + 20 * 60_000;
  for (let time = 0; time < 2; time++) follow.onWait(429, until);
  const text = `example.org limits requests. Serving the copy from ${new Date(start).toTimeString().slice(0, 5)}. Going on at ${new Date(until).toTimeString().slice(0, 5)}.`;
  expect([follow.text, notices]).toEqual([text, [text]]);
  await follow.pullNow();
  expect(follow.text).toBe('Copy of example.org, 0 s old.');
});
