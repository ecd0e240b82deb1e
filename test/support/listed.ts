import { expect } from 'vitest';
import { editable } from '../../src/cli/records/write.ts';
import { plainText } from '../../src/cli/terminal/safe-text.ts';
import { formFor } from '../../src/cli/ui/form/form.ts';
import { changesOf } from '../../src/cli/ui/form/validate.ts';
import type { Input, ResourceName } from '../../src/model/calendar.ts';
import { isObject } from '../../src/model/fields/coerce.ts';
import { htmlNameKey } from '../../src/model/html/plain-text.ts';
import { renderContent } from '../../src/model/html/render.ts';
import { resources } from '../../src/model/resources/all.ts';
import { owner } from '../../src/model/viewer.ts';
import type { Store } from '../../src/store/calendar.ts';
import { exported, imported, memory } from './calendars.ts';
import { lookWith } from './displayed-days.ts';
import { oddCalendar } from './odd-records.ts';
import { served } from './served.ts';
import { run } from './transcript.ts';

const tables = ['venues', 'organizers', 'categories', 'tags', 'events'] as const;
const site = { home: 'http://x', root: 'http://x/v1' };
const links = ['venue', 'organizer', 'categories', 'tags'] as const;

/** The events of a calendar as a list shows them, by slug and with names. */
function shownEvents(store: Store): Map<string, Input> {
  const events = [...store.local(owner, site).entries('events')];
  return new Map(
    events
      .filter(({ id }) => !store.local(owner, site).source('events', id)!.post_password)
      .map((event) => [
        String(event.slug),
        {
          // A plain text may look like HTML, which tables have.
          title: htmlNameKey(htmlNameKey(event.title)),
          ...Object.fromEntries(['start_date', 'end_date', 'timezone', 'all_day'].map((name) => [name, event[name]])),
          ...Object.fromEntries(
            links.map((name) => {
              const records = [event[name] ?? []].flat() as Input[];
              return [name, records.map((each) => htmlNameKey(each.venue ?? each.organizer ?? each.name)).sort()];
            }),
          ),
        },
      ]),
  );
}

/** Lists the odd calendar of a seed by the command line, and imports what that prints into an empty calendar. Fails unless all rows are read, with the same names. Returns the number of events. */
export async function compareListed(format: 'json' | 'csv' | 'tsv', seed: number): Promise<number> {
  const odd = await oddCalendar(seed);
  const server = await served();
  const copy = await memory();
  try {
    await imported(server.store, 'ndjson', exported(odd, 'ndjson'));
    await copy.change((local) => local.declare({ events: { age_group: { type: 'string' } } }));
    // A list prints plain text, which some titles don't have.
    const local = server.store.local(owner, site);
    const unnamed = [...local.sources('events')].filter(
      ({ title, post_password, status }) => status !== 'trash' && (htmlNameKey(title) === '' || post_password),
    );
    await server.store.change((own) => unnamed.forEach(({ id }) => void own.events.delete({ id })));
    const shown = shownEvents(server.store);
    let count = 0;
    for (const name of tables) {
      const all = name === 'events' ? ['--all'] : [];
      const { stdout, exit } = await run([name, 'list', '--limit', '1000', ...all, '--format', format, '--url', server.url]);
      expect([seed, name, exit]).toEqual([seed, name, 0]);
      const read = () => imported(copy, format === 'json' ? 'json' : 'csv', stdout, [name as ResourceName]);
      const first = await read();
      expect([seed, name, first.counts.skipped]).toEqual([seed, name, 0]);
      const before = exported(copy, 'ndjson');
      const again = await read();
      expect([seed, name, again.counts.unchanged, again.added]).toEqual([seed, name, again.total, {}]);
      expect(exported(copy, 'ndjson')).toBe(before);
      count += first.total;
    }
    for (const [slug, event] of shownEvents(copy)) {
      // A record without a name has that of its slug.
      const original = shown.get(slug) ?? shown.get(slug.replace(/-\d+$/, ''));
      if (slug !== '' && original && !links.some((name) => (original[name] as string[]).includes('')))
        expect([seed, slug, event]).toEqual([seed, slug, original]);
    }
    return count;
  } finally {
    await Promise.all([server.close(), odd.close(), copy.close()]);
  }
}

/** The letters and signs of a text of schema.org data, with quotes and emoticons as a page shows them, without markup and white space. */
const wordsShown = (text: string) =>
  plainText(renderContent(plainText(text.replaceAll('\\n', ' ').replace(/\\(['\\])/g, '$1')))).replace(/\s+/g, '');

/** Fails unless the editor and the forms send nothing for the odd calendar of a seed that is saved as it was shown, and what they show changes nothing when it is sent. Returns the number of records. */
export async function compareEdited(seed: number): Promise<number> {
  const odd = await oddCalendar(seed);
  const server = await served();
  try {
    await imported(server.store, 'ndjson', exported(odd, 'ndjson'));
    const { store } = server;
    const look = lookWith();
    let count = 0;
    for (const name of tables) {
      const calendar = store.calendarFor(owner, site)[name];
      for (const source of [...store.local(owner, site).sources(name)]) {
        if (source.status === 'trash') continue;
        const before = await calendar.get({ id: source.id }, { context: 'edit' });
        const shown = async () => {
          const { modified: _m, modified_utc: _u, ...entry } = await calendar.get({ id: source.id }, { context: 'edit' });
          // Schema.org data has the stored text, which becomes the shown one when that is sent: the same words, as a page would show them.
          if (isObject(entry.json_ld)) entry.json_ld = { ...entry.json_ld, description: wordsShown(String(entry.json_ld.description)) };
          return entry;
        };
        const original = await shown();
        if (name === 'events') expect([seed, source.id, changesOf(formFor(before), look)]).toEqual([seed, source.id, {}]);
        const address = `${server.url}/_calendar/page/records/${name}/${source.id}`;
        const typed = (await (await fetch(address)).json()) as Input;
        const edited: Input = JSON.parse(JSON.stringify(editable(store.resources[name], before)));
        for (const { name: field, links: to } of store.resources[name].fields) {
          // The command line finds posts by slug, dates depend on each other, and prices are sent only if they changed.
          if (
            /_date|_utc$|^date$|^geo_|^website$|^venue$|^organizer$|^image$|^post_parent$|^author$|^cost$/.test(field) &&
            (to || field !== resources[name].label)
          )
            continue;
          const isText = typeof typed[field] === 'string' && typed[field] !== '' && !to && field !== 'cost';
          for (const value of [edited[field], ...(isText ? [typed[field]] : [])]) {
            if (value === undefined || value === '') continue;
            await calendar.update({ id: source.id }, { [field]: value });
            expect([seed, field, await shown()]).toEqual([seed, field, original]);
          }
        }
        count++;
      }
    }
    return count;
  } finally {
    await Promise.all([server.close(), odd.close()]);
  }
}
