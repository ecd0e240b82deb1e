import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createCalendar } from '../../src/testing/create.ts';
import { mountCalendar } from '../../src/testing/mount.ts';
import { type LiveSite, liveSite, namespace } from '../support/live-site.ts';

let site: LiveSite;
beforeAll(async () => {
  site = await liveSite('minimal');
});
afterAll(() => site.close());
beforeEach(() => site.reset());
const origin = () => new URL(site.url).origin;

describe('a copy of a site in a test', () => {
  it.each([
    ['of the site', () => ({ pull: origin() }), namespace],
    ['of the address', () => ({ pull: `${site.url}/${namespace}` }), namespace],
    ['of an option beside a whole address', () => ({ pull: `${site.url}/${namespace}`, namespace: 'own/events/v1' }), 'own/events/v1'],
    ['of the default, without a request, if its clock is set', () => ({ pull: origin(), now: '2027-03-01' }), 'calendar/events/v1'],
  ])('has the namespace %s', async (_, options, path) => {
    site.log.length = 0;
    await using calendar = await createCalendar(options());
    const isStopped = 'now' in options();
    expect([new URL(calendar.url).pathname, site.log.length === 0]).toEqual([`/${path}`, isStopped]);
    const { status } = await calendar.fetch('/events?start_date=2000-01-01');
    expect(status).toBe(200);
    expect((await calendar.events.list({ start_date: '2000-01-01' })).total).toBe(isStopped ? 0 : 1);
  });

  it('has forks that request nothing', async () => {
    await using calendar = await createCalendar({ pull: origin() });
    site.log.length = 0;
    await using fork = await calendar.fork();
    expect([new URL(fork.url).pathname, (await fork.health()).copy, site.log]).toEqual([`/${namespace}`, undefined, []]);
  });

  it('is mounted at the paths of the site', async () => {
    const mounted = await mountCalendar(
      { pull: origin(), config: false },
      '.',
      () => {},
      () => {},
    );
    try {
      expect(mounted.paths).toContain(`/${namespace}`);
    } finally {
      await mounted.close();
    }
  });
});
