import { expect, it } from 'vitest';
import { createCalendar, defineFixture } from '../../bin/library.ts';

declare module '../../src/model/resources/declared-values.ts' {
  interface DeclaredValues {
    events: { age_group: string; seats: number };
  }
}

const fixture = defineFixture({
  fields: {
    events: { age_group: { type: 'string', filter: true }, seats: { type: 'integer', filter: true } },
  },
  events: {
    kids: { title: 'Kids', start_date: '2027-01-01', end_date: '2027-01-01', age_group: '6-10', seats: 20 },
  },
});

it('create, update and list accept declared fields, at run time and in types', async () => {
  await using calendar = await createCalendar({ seed: fixture, now: '2026-12-01' });
  const { age_group, seats }: { age_group: string | null; seats: number | null } = await calendar.events.get('kids');
  expect([age_group, seats]).toEqual(['6-10', 20]);
  const { id } = await calendar.events.create({
    title: 'Adults',
    start_date: '2027-01-02',
    end_date: '2027-01-02',
    age_group: '18+',
    seats: 300,
  });
  expect(await calendar.events.update(id, { age_group: '21+' })).toMatchObject({ age_group: '21+', seats: 300 });
  const titles = async (parameters: Parameters<typeof calendar.events.list>[0]) =>
    (await calendar.events.list(parameters)).events.map(({ title }) => title);
  expect(await titles({ age_group: ['6-10', '11-15'] })).toEqual(['Kids']);
  expect(await titles({ seats_min: 100 })).toEqual(['Adults']);
  expect(await calendar.events.update(id, { seats: null })).toMatchObject({ seats: null });
  // @ts-expect-error seats is a number
  await expect(calendar.events.update(id, { seats: 'many' })).rejects.toThrow('seats');
  // @ts-expect-error venues declare no such field
  await expect(calendar.venues.create({ venue: 'Hall', age_group: '6' })).rejects.toThrow('age_group');
  // @ts-expect-error there is no such field
  await expect(calendar.events.create({ title: 'x', start_date: '2027-01-01', end_date: '2027-01-01', age_groups: '6' })).rejects.toThrow(
    'Did you mean age_group',
  );
});
