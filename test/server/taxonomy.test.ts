import { expect, it } from 'vitest';
import { createCalendar } from '../../bin/library.ts';

it.each([
  [{}, 'calendar_events_cat'],
  [{ namespace: 'brand/events/v1' }, 'brand_events_cat'],
  [{ namespace: 'brand/events/v1', taxonomy: 'other_cat' }, 'other_cat'],
])('the taxonomy of categories with %j is %s', async (options, taxonomy) => {
  await using calendar = await createCalendar(options);
  const dates = { start_date: '2027-04-01 20:00', end_date: '2027-04-01 22:00' };
  const created = await calendar.events.create({ title: 'Concert', ...dates, categories: ['Music'], tags: ['free'] });
  expect([created.categories, created.tags]).toMatchObject([[{ taxonomy }], [{ taxonomy: 'post_tag' }]]);
  for (let i = 0; i < 2; i += 1) {
    const { categories } = (await (await calendar.fetch('categories')).json()) as { categories: unknown[] };
    expect(categories).toMatchObject([{ slug: 'music', taxonomy }]);
    expect(await (await calendar.fetch(`events/${created.id}`)).json()).toMatchObject({
      categories: [{ taxonomy }],
      tags: [{ taxonomy: 'post_tag' }],
    });
  }
});
