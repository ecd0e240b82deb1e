import fc from 'fast-check';
import { expect } from 'vitest';
import { createCalendar } from '../../bin/library.ts';
import { type Entry, resourceNames } from '../../src/model/calendar.ts';
import { embedded } from '../../src/model/fields/link.ts';
import { fuzz } from '../support/fuzz.ts';
import { leavesOf, recordedSite, recordings } from '../support/recorded-site.ts';

const odd = fc.oneof(
  fc.constantFrom(null, '', 0, 1, -5, true, false, [], {}, { a: 1 }, ['x'], undefined),
  fc.constantFrom('text', '<b>bold</b> & more', '12', ' a ', 'Live-Music', '%d0%bc%d1%83', '[gallery]', '<p>a</p>\n<p>b</p>'),
  fc.constantFrom('www.example.org', 'http://example.org/ü?a=1&b=2', '8€ – 12€', 'Suggested donation: 10', '10,50 EUR', 'Eintritt5'),
  fc.constantFrom('2027-02-30 25:00:00', '0000-00-00 00:00:00', '2027-03-28 02:30:00', 'UTC+5:30', 'Europe/Kiev'),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
);
const change = fc.record({ record: fc.nat(), member: fc.nat(), inner: fc.option(fc.nat()), form: fc.option(fc.nat()), value: odd });

/** Members of which a calendar counts or lists its own: of events with another status, and of links that aren't a list. */
const own = new Set(['id', 'count', 'status', 'categories', 'tags']);
const parts = new Set(['image', 'cost_details', 'json_ld', 'start_date_details']);
const linkedBy = { events: undefined, venues: 'venue', organizers: 'organizer', categories: 'categories', tags: 'tags' } as const;

fuzz(
  'a copy answers as its site for any members of records',
  fc.tuple(fc.nat(recordings.length - 1), fc.array(change, { minLength: 1, maxLength: 4 })),
  async ([which, changes]) => {
    const recording = structuredClone(recordings[which]!);
    const all = resourceNames.flatMap((name) => recording.records[name].map(([, forms]) => ({ name, forms })));
    for (const { record, member, inner, form, value } of changes) {
      const { name, forms } = all[record % all.length]!;
      const shown = Object.values(forms) as Entry[];
      const names = Object.keys(shown[0]!).filter((each) => !own.has(each));
      const changed = names[member % names.length]!;
      // A name that is an empty list, and switches without a value, are what a password leaves of a record.
      if (name !== 'events' && (value === null || (Array.isArray(value) && !value.length))) continue;
      const part = shown[0]![changed];
      const isPart = inner !== null && parts.has(changed) && typeof part === 'object' && part !== null && Object.keys(part).length > 0;
      const below = isPart ? Object.keys(part)[inner % Object.keys(part).length]! : undefined;
      // A record is the same wherever it is embedded. The forms of an event may differ.
      const field = linkedBy[name];
      const events = recording.records.events.flatMap(([, each]) => Object.values(each) as Entry[]);
      const copies = field ? events.flatMap((event) => embedded(event[field])).filter(({ id }) => Number(id) === Number(shown[0]!.id)) : [];
      const targets = field === undefined && form !== null ? [shown[form % shown.length]!] : [...shown, ...copies];
      for (const target of targets) {
        const object = (below === undefined ? target : target[changed]) as Record<string, unknown> | null;
        if (typeof object !== 'object' || object === null) continue;
        if (value === undefined) delete object[below ?? changed];
        else object[below ?? changed] = value;
      }
    }
    const site = await recordedSite(recording);
    const copy = await createCalendar({ listen: false, basePath: `${site.folder}/wp-json` });
    try {
      const root = `${site.address}/wp-json/calendar/events/v1`;
      await copy.data.pull({ root });
      const home = copy.url.replace(/\/wp-json\/.*$/, '');
      const differing: string[] = [];
      for (const resource of resourceNames)
        for (const [id, { single }] of site.records.get(resource)!) {
          const text = await (await copy.fetch(`${copy.url}/${resource}/${id}`)).text();
          const [there, here] = [single, JSON.parse(text.replaceAll(home, site.address)) as Entry].map((each) => leavesOf(each));
          // Not every single record was recorded: lists have neither schema.org data nor links.
          const isUnknown = (path: string) =>
            (path.includes('json_ld') && single.json_ld === undefined) || (path.startsWith('_links') && !single._links);
          for (const path of new Set([...Object.keys(there!), ...Object.keys(here!)]))
            if (there![path] !== here![path] && !isUnknown(path))
              differing.push(`${resource} ${id} ${path}: ${there![path]} there, ${here![path]} here`);
        }
      expect(differing).toEqual([]);
      expect(await copy.data.pull({ root })).toMatchObject({ updated: 0, created: 0 });
      expect(await copy.data.push({ root, authorization: `Basic ${btoa('ada:x')}`, yes: true })).toMatchObject({ updated: 0, created: 0 });
      expect(site.bodies).toEqual([]);
    } finally {
      await copy.close();
      await site.close();
    }
  },
);
