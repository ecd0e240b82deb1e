import { describe, expect, it } from 'vitest';
import type { EventRecord } from '../../src/model/resources/record-types.ts';
import { createCalendar } from '../../src/testing/create.ts';

const day = (event: EventRecord, name: 'start_date' | 'end_date') => event[name].slice(0, 10);

/** The shapes of events that visitors see. */
const visible: Record<string, (event: EventRecord) => boolean> = {
  'without a venue': ({ venue }) => Array.isArray(venue) && venue.length === 0,
  'without an image': ({ image }) => image === false,
  'without a category': ({ categories }) => categories.length === 0,
  'without a price': ({ cost }) => cost === '',
  'without an organizer': ({ organizer }) => organizer.length === 0,
  'with two organizers': ({ organizer }) => organizer.length === 2,
  'with entities and quotes in the title': ({ title }) => /&#038;.*(&#82\d\d;|&quot;)/.test(title),
  'with HTML in the description': ({ description }) => /<(strong|em|ul|h2)>/.test(description),
  'in another zone': ({ timezone }) => timezone !== 'Europe/Berlin',
  'all day': ({ all_day }) => all_day === true,
  'over midnight': (event) => !event.all_day && day(event, 'start_date') !== day(event, 'end_date'),
};

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
    expect(
      Object.entries(visible)
        .filter(([, is]) => !events.some(is))
        .map(([name]) => name),
    ).toEqual([]);
    const { events: all } = await calendar.events.list({ per_page: 50 });
    expect(
      Object.entries(visible)
        .filter(([, is]) => all.filter(is).length !== 2)
        .map(([name]) => name),
    ).toEqual([]);
    const totalOf = async (status: 'draft' | 'private' | 'future') => (await calendar.events.list({ status })).total;
    expect([await totalOf('draft'), await totalOf('private'), await totalOf('future')]).toEqual([2, 2, 2]);
    expect(events.map(({ start_date }) => start_date)).toEqual(events.map(({ start_date }) => start_date).sort());
  });
});
