import { describe, expect, it } from 'vitest';
import { variants } from '../../src/model/variants.ts';
import { createCalendar } from '../../src/testing/create.ts';

/** The shapes of events that visitors see, with how many events have each, as a report of coverage tells them. */
const visible = Object.entries(variants.event).map(([name, { is, how }]) => ({
  name,
  count: name === 'several-days' ? 1 : 2,
  title: how.replace('seed shapes: ', ''),
  is: (event: Parameters<typeof is>[0]) => is(event, 'Europe/Berlin'),
}));

describe('the seed shapes', () => {
  it.each([
    '2027-03-01T09:00Z',
    '2027-03-06T23:59:59Z',
    '2027-03-27T22:30Z',
    '2027-10-30T00:00Z',
    '2027-12-31T23:30Z',
    '2028-02-28T12:00Z',
  ])('has the same totals, and each shape among the first ten, at %s', async (now) => {
    await using calendar = await createCalendar({ seed: 'shapes', now, listen: false });
    const { events, total } = await calendar.events.list();
    expect([total, events.length]).toEqual([20, 10]);
    const missing = visible.filter(({ name, is }) => name !== 'several-days' && !events.some(is));
    expect(missing).toEqual([]);
    const { events: all } = await calendar.events.list({ per_page: 50 });
    for (const { name, count, title, is } of visible) {
      const same = all.filter(is);
      expect([name, same.length]).toEqual([name, count]);
      expect([name, same[0]?.title.replace('&#038;', '&').startsWith(title)]).toEqual([name, true]);
    }
    const totalOf = async (status: 'draft' | 'private' | 'future') => (await calendar.events.list({ status })).total;
    expect([await totalOf('draft'), await totalOf('private'), await totalOf('future')]).toEqual([2, 2, 2]);
    expect(events.map(({ start_date }) => start_date)).toEqual(events.map(({ start_date }) => start_date).sort());
  });
});
