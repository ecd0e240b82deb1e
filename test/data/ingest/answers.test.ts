import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { owner } from '../../../src/model/viewer.ts';
import { imported, memory } from '../../support/calendars.ts';
import { folder, run } from '../../support/transcript.ts';

const { path: cwd, remove } = folder();
afterAll(remove);
const calendar = (line: string, stdin?: string) => run(line.split(' '), { cwd, stdin });
let count = 0;
/** A calendar with one of everything. */
async function minimal(): Promise<string> {
  const db = `answers-${++count}.db`;
  await calendar(`seed minimal --db ${db}`);
  return db;
}

describe('what commands print', () => {
  it.each([
    ['a list', 'events list --json --start-date 2000-01-01 --end-date 2100-01-01', 4],
    ['lines', 'events list --format ndjson --start-date 2000-01-01 --end-date 2100-01-01', 4],
    ['one record', 'events get summer-concert --json', 4],
    ['an answer of a server', 'request GET /events?start_date=2000-01-01&end_date=2100-01-01', 4],
    ['venues', 'venues list --json', 1],
    ['organizers', 'organizers list --json', 1],
    ['categories', 'categories list --json', 1],
    ['tags', 'tags list --json', 1],
  ])('is imported: %s', async (_, line, least) => {
    const [from, to] = [await minimal(), `into-${count}.db`];
    const { stdout, exit } = await calendar(`${line} --db ${from}`);
    expect(exit).toBe(0);
    // In the calendar that it came from it changes nothing.
    expect((await calendar(`import - --db ${from}`, stdout)).stderr).toMatch(/^calendar: standard input: \d+ unchanged\n$/);
    const first = await calendar(`import - --json --db ${to}`, stdout);
    expect(first.exit).toBe(0);
    expect(JSON.parse(first.stdout)).toMatchObject({ updated: 0, deleted: 0 });
    expect(JSON.parse(first.stdout).created).toBeGreaterThanOrEqual(least);
    expect((await calendar(`import - --db ${to}`, stdout)).stderr).toMatch(/^calendar: standard input: \d+ unchanged\n$/);
  });

  it('updates the calendar that it came from where it was edited, and nothing else', async () => {
    const db = await minimal();
    const { stdout } = await calendar(`venues list --json --db ${db}`);
    const edited = stdout.replace('"Springfield"', '"Shelbyville"');
    expect((await calendar(`import - --db ${db}`, edited)).stderr).toContain('calendar: standard input: 1 updated\n');
    expect((await calendar(`venues list --fields city --format tsv --db ${db}`)).stdout).toContain('Shelbyville');
  });

  it('is imported even from a file that is called a table', async () => {
    const db = await minimal();
    writeFileSync(join(cwd, 'tags.csv'), `\n${(await calendar(`tags list --json --db ${db}`)).stdout}`);
    expect((await calendar(`import tags.csv --db ${db}`)).stderr).toBe('calendar: tags.csv: 1 unchanged\n');
  });

  it.each([
    ['[]', 0, 'no changes'],
    ['[1]', 2, 'must be an object with sections'],
    ['{"a": 1}', 2, 'a: unknown field'],
    ['\u{fffd}\0', 2, 'line 1: '],
  ])('%s gives %s', async (text, exit, message) =>
    expect(await calendar(`import - --db other.db`, text)).toMatchObject({ exit, stderr: expect.stringContaining(message) }),
  );
});

describe('events and venues of one site', () => {
  const site = (host: string) => {
    const own = {
      author: '1',
      status: 'publish',
      date: '2027-01-01 10:00:00',
      date_utc: '2027-01-01 10:00:00',
      modified: '2027-01-01 10:00:00',
      modified_utc: '2027-01-01 10:00:00',
    };
    const venue = {
      ...own,
      id: 9,
      url: `http://${host}/venue/hall/`,
      venue: 'Hall',
      slug: 'hall',
      city: 'Kiel',
      global_id: `${host}?id=9`,
      global_id_lineage: [`${host}?id=9`],
    };
    const event = {
      ...own,
      id: 20,
      title: 'Concert',
      slug: 'concert',
      description: '',
      timezone: 'UTC',
      all_day: false,
      venue,
      ...{
        start_date: '2027-06-07 19:30:00',
        end_date: '2027-06-07 21:00:00',
        rest_url: `http://${host}/wp-json/calendar/events/v1/events/20`,
      },
      global_id: `${host}?id=20`,
      global_id_lineage: [`${host}?id=20`],
    };
    return {
      events: { events: [event], rest_url: `http://${host}/wp-json/calendar/events/v1/events/`, total: 1 },
      venues: { venues: [venue], total: 1 },
    };
  };
  const venuesAfter = async (...documents: unknown[]) => {
    const store = await memory();
    for (const document of documents) await imported(store, 'json', JSON.stringify(document));
    return [...store.local(owner, { home: 'http://x', root: 'http://x/v1' }).sources('venues')].map(({ venue }) => venue);
  };

  it.each(['example.org', 'example.org/blog', '127.0.0.1:8000', 'localhost'])('of %s are one venue, in any order', async (host) => {
    const { events, venues } = site(host);
    expect(await venuesAfter(events, venues, events)).toEqual(['Hall']);
    expect(await venuesAfter(venues, events, venues)).toEqual(['Hall']);
  });

  it('of two servers on one loopback address are different unless slug and name agree', async () => {
    const [one, other] = [site('127.0.0.1:8000'), site('127.0.0.1:9000')];
    expect(await venuesAfter(one.venues, other.events)).toEqual(['Hall']);
    const park = JSON.parse(JSON.stringify(other.venues).replaceAll('Hall', 'Park').replaceAll('hall', 'park'));
    expect(await venuesAfter(one.events, park)).toEqual(['Hall', 'Park']);
  });

  it('of two servers that take turns at one loopback address are created once', async () => {
    const [one, other] = [site('127.0.0.1:8000'), site('127.0.0.1:8000')];
    const [park, parkEvents] = [other.venues, other.events].map((document) =>
      JSON.parse(
        JSON.stringify(document)
          .replaceAll('Hall', 'Park')
          .replaceAll('hall', 'park')
          .replaceAll(/concert/gi, 'Fair'),
      ),
    );
    expect(await venuesAfter(one.venues, parkEvents, park, one.events, park, one.venues, parkEvents)).toEqual(['Hall', 'Park']);
  });
});
