import { describe, expect, it } from 'vitest';
import { Names } from '../../src/cli/records/names.ts';
import { namedRecord, RecordNames } from '../../src/model/formats/record-names.ts';
import { nameKey } from '../../src/model/html/name-key.ts';
import { resources } from '../../src/model/resources/all.ts';
import { owner } from '../../src/model/viewer.ts';
import { imported, memory } from '../support/calendars.ts';

const dates = { start_date: '2027-03-01 10:00', end_date: '2027-03-01 11:00' };

describe.each([
  ["Makers' Yard", 'Makers’ Yard', 'makers` yard'],
  ['"The Loft"', '“The Loft”', '„the loft“'],
  ['Wait...', 'Wait…', 'WAIT...'],
  ['A - B', 'A – B', 'a — b'],
  ['10x20', '10×20', '10X20'],
  ['Acme (tm)', 'Acme™', 'ACME ™'],
  ['R & B', 'R &amp; B', 'r & b'],
  ['Café', 'Cafe', 'CAFE\u0301'],
  ['One  Hall', 'One Hall', 'one hall'],
])('a record called %s', (stored, ...others) => {
  it.each(others)('is found as %s by the API, the command line, an import and a form', async (typed) => {
    const store = await memory();
    const calendar = store.calendarFor(owner, { home: 'http://x', root: 'http://x/v1' });
    const [venue, tag] = [await calendar.venues.create({ venue: stored }), await calendar.tags.create({ name: stored })];
    const event = await calendar.events.create({ title: 'T', ...dates, venue: { venue: typed }, tags: [typed] });
    expect([(event.venue as { id: number }).id, (event.tags as { id: number }[]).map(({ id }) => id)]).toEqual([venue.id, [tag.id]]);
    const names = new Names({ calendar, users: async () => [] });
    expect([await names.idOf(typed, 'venues'), await names.idOf(typed, 'tags')]).toEqual([venue.id, tag.id]);
    const text = typed.replace('&amp;', '&');
    const { added } = await imported(
      store,
      'csv',
      `title,start_date,venue,tags\nU,2027-03-02,"${text.replaceAll('"', '""')}","${text.replaceAll('"', '""')}"\n`,
      ['events'],
    );
    expect(added).toEqual({});
    const records = new RecordNames(resources.venues);
    records.add(namedRecord(resources.venues, venue));
    expect(records.find([{ name: text, isQuoted: true }])?.id).toBe(venue.id);
    expect(nameKey(text)).toBe(nameKey(stored));
  });
});

it.each(['Привет', '日本語', 'مرحبا', 'Jazz'])('a tag called %s is found by its slug, as forms send it', async (name) => {
  const store = await memory();
  const calendar = store.calendarFor(owner, { home: 'http://x', root: 'http://x/v1' });
  const tag = await calendar.tags.create({ name });
  const event = await calendar.events.create({ title: 'T', ...dates, tags: [tag.slug] });
  expect((event.tags as { id: number }[]).map(({ id }) => id)).toEqual([tag.id]);
});
