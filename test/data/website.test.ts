import { afterEach, expect, it } from 'vitest';
import { type Calendar, createCalendar } from '../../bin/library.ts';

const calendars: Calendar[] = [];
afterEach(async () => {
  for (const calendar of calendars.splice(0)) await calendar.close();
});
async function create(options: Parameters<typeof createCalendar>[0] = {}): Promise<Calendar> {
  const calendar = await createCalendar({ listen: false, now: '2027-03-01T09:00Z', ...options });
  calendars.push(calendar);
  return calendar;
}
const dates = { start_date: '2027-03-05 20:00', end_date: '2027-03-05 22:00' };
const websites = async (calendar: Calendar) => {
  const { events } = await calendar.events.list({ per_page: 50, start_date: '2000-01-01', end_date: '2099-01-01' });
  return Object.fromEntries(events.map(({ slug, website, url }) => [slug, website === url ? 'own page' : website]));
};

it('an event of the API without a website shows its page, one of a fixture with an empty one shows none', async () => {
  const calendar = await create({
    seed: {
      events: [
        { title: 'None', website: '', ...dates },
        { title: 'Unsaid', ...dates },
      ],
    },
  });
  await calendar.events.create({ title: 'Made', ...dates });
  await calendar.events.create({ title: 'Empty', website: '', ...dates });
  expect(await websites(calendar)).toEqual({ none: '', unsaid: 'own page', made: 'own page', empty: 'own page' });
});

it('an empty website survives export, import, copies of files and worlds', async () => {
  const calendar = await create({
    seed: {
      events: [
        { title: 'None', website: '', ...dates },
        { title: 'Unsaid', ...dates },
      ],
    },
  });
  const expected = await websites(calendar);
  for (const format of ['json', 'ndjson'] as const) {
    const other = await create();
    await other.data.import({ text: await calendar.data.export({ format }), format });
    expect([format, await websites(other)]).toEqual([format, expected]);
    await other.data.import({ text: await calendar.data.export({ format }), format });
    expect([format, await websites(other)]).toEqual([format, expected]);
  }
  await calendar.snapshots.save('now');
  const world = await calendar.worlds.create({ from: 'now' });
  expect(await websites(world as unknown as Calendar)).toEqual(expected);
});

it('generated events have a website or an empty one, and never their page', async () => {
  const calendar = await create();
  await calendar.data.generate({ events: 50, rng_seed: 'x' } as never);
  const values = Object.values(await websites(calendar));
  expect(values).not.toContain('own page');
  expect(values).toContain('');
  expect(values.some((value) => value !== '')).toBe(true);
});
