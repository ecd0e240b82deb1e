import { describe, expect, it } from 'vitest';
import conference from '../../fixtures/conference.json' with { type: 'json' };
import demo from '../../fixtures/demo.json' with { type: 'json' };
import edgeCases from '../../fixtures/edge-cases.json' with { type: 'json' };
import { calendarWith, exported, imported, memory } from '../support/calendars.ts';
import { expectSameIcal, expectSameJson, expectSameTables } from '../support/round-trip.ts';

const seeds: [string, unknown][] = [
  ['conference', conference],
  ['edge-cases', edgeCases],
];

describe.each(['json', 'ndjson'] as const)('%s', (format) => {
  it.each(seeds)('export, import, export: the same bytes for the seed %s', (_, document) => expectSameJson(document, format));

  it('restores changed and deleted records', async () => {
    const store = await calendarWith(demo);
    const text = exported(store, format);
    const before = JSON.parse(exported(store, 'json'));
    await store.change((local) => {
      const [event] = [...local.sources('events')];
      local.events.update({ id: event!.id }, { title: 'Changed', featured: true, organizer: [], cost: '99' });
      local.venues.update({ slug: 'harbour-hall' }, { phone: '', website: '', city: 'Elsewhere' });
    });
    const summary = await imported(store, format, text);
    expect([summary.counts.updated, summary.counts.created]).toEqual([2, 0]);
    expect(JSON.parse(exported(store, 'json'))).toEqual(before);
  });
});

it('dates that a clock change leaves out, or that are not those of the UTC, are copied as they are', async () => {
  const store = await memory();
  await store.change((local) => local.settings.set('timezone', 'Europe/Paris'));
  const dates = [
    ['2026-03-29 02:30:00', '2026-03-29 01:30:00'],
    ['2026-10-25 02:30:00', '2026-10-25 01:30:00'],
    ['2026-05-01 10:00:00', '2026-05-01 03:00:00'],
    ['2026-05-01 10:00:00', '0000-00-00 00:00:00'],
  ];
  const lines = dates.map(([date, date_utc], at) => JSON.stringify({ resource: 'venues', venue: `Hall ${at}`, date, date_utc }));
  await imported(store, 'ndjson', lines.join('\n'));
  expect(store.db.all<{ date: string; date_utc: string }>('select date, date_utc from venues order by id').map(Object.values)).toEqual(
    dates,
  );
});

describe('ics', () => {
  it.each(seeds.slice(0, 1))('the same events as far as it can say them for the seed %s', (_, document) => expectSameIcal(document));
});

describe('csv', () => {
  it.each(seeds.slice(0, 1))('the same tables for the seed %s', (_, document) => expectSameTables(document));

  it('a table without IDs and slugs is the same one the second time', async () => {
    const store = await memory();
    const text =
      'Title,Start date,End date,Venue,Categories\nA,2027-01-01 10:00,2027-01-01 11:00,"Hall, Main Street","Music, Jazz"\nB,2027-01-02,2027-01-02,,\n';
    expect((await imported(store, 'csv', text)).counts.created).toBe(2);
    expect((await imported(store, 'csv', text)).counts.unchanged).toBe(2);
    expect((await imported(store, 'csv', text.replace('11:00', '12:00'))).counts.updated).toBe(1);
    expect(exported(store, 'csv', ['venues'])).toContain('"Hall, Main Street"');
  });
});
