import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Summary } from '../../../src/data/summary.ts';
import { type Input, type ResourceName, resourceNames } from '../../../src/model/calendar.ts';
import { owner } from '../../../src/model/viewer.ts';
import type { Store } from '../../../src/store/calendar.ts';
import { calendars, calendarWith, exported, imported, memory } from '../../support/calendars.ts';
import { cases } from '../../support/cases.ts';

const site = { home: 'http://x', root: 'http://x/v1' };
const sources = (store: Store, name: ResourceName) => [...store.local(owner, site).sources(name)];
const posts = ['venues', 'organizers', 'events'] as const;
/** Every event, venue and organizer of a calendar by its UID, without links, whose IDs differ between calendars. */
const byUid = (store: Store) =>
  new Map(
    posts.flatMap((name) =>
      sources(store, name).map(({ venue, ...each }): [string, Input] => [String(each.uid), name === 'venues' ? { ...each, venue } : each]),
    ),
  );

const formats = ['json', 'ndjson', 'csv', 'ics'] as const;

/** Takes everything of one calendar that a format can say into another. */
async function copy(from: Store, to: Store, format: (typeof formats)[number]): Promise<Summary[]> {
  if (format !== 'csv') return [await imported(to, format, exported(from, format))];
  const summaries: Summary[] = [];
  for (const name of ['venues', 'organizers', 'categories', 'tags', 'events'] as const)
    summaries.push(await imported(to, 'csv', exported(from, 'csv', [name]), [name]));
  return summaries;
}

describe('records of different calendars', () => {
  const steps = fc.array(fc.record({ from: fc.nat(1), format: fc.constantFrom(...formats) }), { minLength: 1, maxLength: 4 });

  it('stay separate: no export and import between them loses or overwrites one', () =>
    fc.assert(
      fc.asyncProperty(calendars, calendars, steps, async (one, other, order) => {
        const stores = [await calendarWith(one), await calendarWith(other)] as const;
        for (const { from, format } of order) {
          const [source, target] = [stores[from]!, stores[1 - from]!];
          const [there, before] = [byUid(source), byUid(target)];
          await copy(source, target, format);
          const after = byUid(target);
          for (const [uid, record] of before) {
            expect(after.has(uid)).toBe(true);
            if (!there.has(uid)) expect(after.get(uid)).toEqual(record);
          }
          if (format !== 'ics') for (const uid of there.keys()) expect(after.has(uid)).toBe(true);
          else for (const { uid, status } of sources(source, 'events')) expect(after.has(String(uid)) || status === 'trash').toBe(true);
          const text = exported(target, 'ndjson');
          for (const { counts, total } of await copy(source, target, format)) expect(counts.unchanged + counts.skipped).toBe(total);
          expect(exported(target, 'ndjson')).toBe(text);
        }
        await Promise.all(stores.map((store) => store.close()));
      }),
      { numRuns: cases(3) },
    ));

  it.each(formats)('are not taken for each other because they have the same number, slug and day: %s', async (format) => {
    const calendarOf = (title: string, venue: string) =>
      calendarWith({
        venues: { hall: { venue, city: venue } },
        events: { party: { title, start_date: '2027-01-01', end_date: '2027-01-02', venue: '@hall', description: title } },
      });
    const [one, other] = [await calendarOf('Party of one', 'Hall A'), await calendarOf('Party of the other', 'Hall B')];
    await copy(one, other, format);
    const titles = (name: ResourceName, field: string) => sources(other, name).map((each) => each[field]);
    expect(titles('events', 'title').sort()).toEqual(['Party of one', 'Party of the other']);
    expect(titles('venues', 'city')).toContain('Hall B');
    const [own] = sources(other, 'events').filter(({ title }) => title === 'Party of the other');
    expect(own!.description).toBe('Party of the other');
  });

  it.each(['json', 'ndjson'] as const)('are found again after they got other numbers, and their links with them: %s', async (format) => {
    const one = await calendarWith({
      venues: { a: { venue: 'A' } },
      events: { e: { title: 'E', start_date: '2027-01-01', end_date: '2027-01-01', venue: '@a' } },
    });
    const other = await calendarWith({ organizers: { o: { organizer: 'O' } }, venues: { z: { venue: 'Z' } } });
    await copy(one, other, format);
    await one.change((local) => local.venues.update({ slug: 'a' }, { city: 'Paris' }));
    const [{ counts }] = (await copy(one, other, format)) as [Summary];
    expect(counts).toMatchObject({ created: 0, updated: 1, unchanged: 1 });
    const [event] = sources(other, 'events');
    const [venue] = (event!.venue as number[]).map((id) => sources(other, 'venues').find((each) => each.id === id));
    expect(venue).toMatchObject({ venue: 'A', city: 'Paris' });
  });

  it('keep the slug 0, which requests may not name', async () => {
    const [one, other] = [await memory(), await memory()];
    await imported(
      one,
      'ics',
      'BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:x\nBEGIN:VEVENT\nUID:a\nDTSTART:20270401T200000Z\nSUMMARY:x\nCATEGORIES:... 0\nEND:VEVENT\nEND:VCALENDAR\n',
    );
    expect(sources(one, 'categories')).toMatchObject([{ name: '... 0', slug: '0' }]);
    await imported(other, 'json', exported(one, 'json'));
    expect(sources(other, 'categories')).toMatchObject([{ name: '... 0', slug: '0' }]);
  });

  it('of a part of a calendar are not linked to records with the same number', async () => {
    const one = await calendarWith({
      venues: { a: { venue: 'A' } },
      events: { e: { title: 'E', start_date: '2027-01-01', end_date: '2027-01-01', venue: '@a' } },
    });
    const other = await calendarWith({ venues: { z: { venue: 'Z' } } });
    const summary = await imported(other, 'ndjson', exported(one, 'ndjson', ['events']));
    expect(sources(other, 'events')[0]).not.toHaveProperty('venue');
    expect(summary.notes).toEqual([{ at: 'line 2', reason: 'omitted venue 8, which is not in the file' }]);
    // In the calendar itself the number means what it meant.
    expect((await imported(one, 'ndjson', exported(one, 'ndjson', ['events']))).counts).toMatchObject({ unchanged: 1 });
  });
});

describe('records without UIDs', () => {
  const head = 'Title,Start date,End date,Venue\n';
  it('are identified by their content, also equal ones', async () => {
    const store = await calendarWith({ events: { talk: { title: 'Talk', start_date: '2027-01-01 10:00', end_date: '2027-01-01 11:00' } } });
    const text = `${head}Talk,2027-01-01 10:00,2027-01-01 11:00,\nTalk,2027-01-01 10:00,2027-01-01 11:00,\nOther,2027-01-02,2027-01-02,Hall\n`;
    expect((await imported(store, 'csv', text)).counts).toMatchObject({ created: 3 });
    await store.change((local) => local.events.create({ title: 'Talk', start_date: '2027-01-01 10:00', end_date: '2027-01-01 11:00' }));
    expect((await imported(store, 'csv', text)).counts).toMatchObject({ created: 0, unchanged: 3 });
    expect(sources(store, 'events')).toHaveLength(5);
  });

  it('do not update a record of the same slug, but the one that they made', async () => {
    const store = await calendarWith({ events: { talk: { title: 'Mine', start_date: '2027-01-01', end_date: '2027-01-01' } } });
    const document = (excerpt: string) =>
      JSON.stringify({ events: { talk: { title: 'Theirs', start_date: '2027-05-05', end_date: '2027-05-05', excerpt } } });
    expect((await imported(store, 'json', document('one'))).counts).toMatchObject({ created: 1, updated: 0 });
    expect((await imported(store, 'json', document('one'))).counts).toMatchObject({ created: 0, unchanged: 1 });
    expect((await imported(store, 'json', document('two'))).counts).toMatchObject({ created: 0, updated: 1 });
    expect(sources(store, 'events').map(({ title }) => title)).toEqual(['Mine', 'Theirs']);
  });
});

describe('calendar files', () => {
  const file = (...events: string[]) =>
    `BEGIN:VCALENDAR\nVERSION:2.0\n${events.map((event) => `BEGIN:VEVENT\n${event}\nEND:VEVENT\n`).join('')}END:VCALENDAR\n`;
  const event = (uid: string, title: string, more = '') =>
    `${uid ? `UID:${uid}\n` : ''}SUMMARY:${title}\nDTSTART:20270101T100000Z${more && `\n${more}`}`;
  const titles = (store: Store) => sources(store, 'events').map(({ title }) => title);

  it.each([
    ['the highest SEQUENCE, wherever it stands', [event('1', 'New', 'SEQUENCE:2'), event('1', 'Old', 'SEQUENCE:0')], ['New']],
    [
      'the latest stamp of one SEQUENCE',
      [event('1', 'New', 'DTSTAMP:20260102T000000Z'), event('1', 'Old', 'DTSTAMP:20260101T000000Z')],
      ['New'],
    ],
    [
      'one of several revisions, each later than some',
      [
        event('1', 'Second', 'SEQUENCE:1'),
        event('1', 'First', 'SEQUENCE:0'),
        event('1', 'Last', 'SEQUENCE:2'),
        event('1', 'Also', 'SEQUENCE:1'),
      ],
      ['Last'],
    ],
    ['the last where nothing tells', [event('1', 'Old'), event('1', 'New')], ['New']],
    ['every event without a UID', [event('', 'Same'), event('', 'Same')], ['Same', 'Same']],
    ['events whose UIDs look like numbers of this calendar', [event('127.0.0.1:8787?id=8', 'Theirs')], ['Theirs']],
  ])('have %s', async (_, events, expected) => {
    const store = await memory();
    const { counts, notes } = await imported(store, 'ics', file(...events));
    expect(titles(store)).toEqual(expected);
    expect([counts.created, counts.skipped]).toEqual([expected.length, events.length - expected.length]);
    if (counts.skipped) expect(notes[0]!.reason).toMatch(/^line \d+ contains a later revision$/);
    expect((await imported(store, 'ics', file(...events))).counts).toMatchObject({ created: 0, updated: 0, unchanged: expected.length });
  });

  it('do not restore an earlier revision, and are written with the one they had', async () => {
    const store = await memory();
    await imported(store, 'ics', file(event('1', 'New', 'SEQUENCE:2')));
    const { notes } = await imported(store, 'ics', file(event('1', 'Old', 'SEQUENCE:1')));
    expect(notes).toEqual([{ at: 'line 3 (Old)', reason: 'revision 1 is older than revision 2 in this calendar' }]);
    expect(titles(store)).toEqual(['New']);
    expect(exported(store, 'ics')).toMatch(/UID:1\r\n[\s\S]*SEQUENCE:2\r\n/);
  });

  it('say why an event was left out', async () => {
    const store = await memory();
    const text = file(event('1', 'Gone', 'STATUS:CANCELLED'), event('2', 'There'));
    expect((await imported(store, 'ics', text)).notes).toEqual([{ at: 'line 3 (Gone)', reason: 'the event is cancelled' }]);
    await store.change((local) => local.events.delete({ slug: 'there' }));
    expect((await imported(store, 'ics', text)).notes).toContainEqual({
      at: 'line 9 (There)',
      reason: 'the event is in the trash of this calendar',
    });
  });
});

it('every resource is exported with its UIDs', async () => {
  const store = await calendarWith({ venues: { a: { venue: 'A' } }, tags: { t: { name: 'T' } } });
  for (const name of resourceNames) for (const source of sources(store, name)) expect('uid' in source).toBe(name === 'venues');
});
