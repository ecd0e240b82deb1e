import { afterAll, beforeAll, expect, it } from 'vitest';
import { delayAfter } from '../../../src/data/remote/follow.ts';
import { type LiveSite, liveSite, namespace } from '../../support/live-site.ts';
import { folder, run, words } from '../../support/transcript.ts';

const { path: cwd, remove } = folder();
let site: LiveSite;
beforeAll(async () => {
  site = await liveSite('minimal');
});
afterAll(async () => {
  await site.close();
  remove();
});

it.each([
  [300_000, 0, 300_000],
  [300_000, 1, 600_000],
  [300_000, 3, 2_400_000],
  [300_000, 9, 3_600_000],
  [7_200_000, 2, 7_200_000],
])('every %i ms, after %i failures, the next pull is in %i ms', (every, failures, delay) => {
  expect(delayAfter(every, failures)).toBe(delay);
});

it('pull --follow pulls until the site rejects the user: a page of a firewall doesn’t end it', async () => {
  let lists = 0;
  // A pull first requests one record, to see who the site is. A firewall rejects the third pull, and the site the user in the fourth.
  site.quirks.request = ({ path, query }) => {
    if (path.endsWith('/events') && query.per_page !== '1') lists++;
    if (lists === 3) {
      lists++;
      return { status: 403, body: '<html>Forbidden</html>' };
    }
    return lists > 3 ? { status: 403, body: { code: 'rest_forbidden', message: 'No entry', data: { status: 403 } } } : undefined;
  };
  const { exit, stderr } = await run(words(`pull ${site.url} --follow --every PT0.01S --db follow.db`), {
    cwd,
    env: { CALENDAR_NAMESPACE: namespace },
  });
  expect(exit).toBe(4);
  expect(stderr).toMatch(/: 5 created\n.*: 5 unchanged\n.*returned 403.*Next attempt in 0 s\.\ncalendar: \S+ does not allow it: No entry/s);
});

it.each([
  ['--every 5m', '--every requires --follow'],
  ['--follow --every soon', 'Expected a time with a unit, like 90s, 30m or 1d.'],
  ['--follow --dry-run', 'Use either --follow or --dry-run, not both'],
])('rejects %s', async (options, message) => {
  expect(await run(words(`pull ${site.url} ${options} --db follow.db`), { cwd })).toMatchObject({
    exit: 2,
    stdout: '',
    stderr: expect.stringContaining(message),
  });
});
