import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Calendar, createCalendar } from '../../bin/library.ts';
import { responseExamples } from '../../scripts/response-examples.ts';
import { compareResponse, isResponse } from '../../src/data/response-check.ts';
import { resourceNames } from '../../src/model/calendar.ts';
import { readExchanges } from '../reference/exchange.ts';
import { folder, type Given, run, words } from '../support/transcript.ts';

const place = folder();
afterAll(place.remove);
const at = (line: string, given: Given = {}) => run(words(line), { cwd: place.path, ...given });
const example = (name: string) => JSON.parse(readFileSync(`examples/responses/${name}`, 'utf8'));
const write = (name: string, json: unknown) => writeFileSync(join(place.path, name), JSON.stringify(json));

it('the examples are up to date', async () => {
  const files = await responseExamples();
  expect(readdirSync('examples/responses').sort()).toEqual(
    Object.keys(files)
      .map((path) => path.split('/').at(-1)!)
      .sort(),
  );
  for (const [path, text] of Object.entries(files)) expect(readFileSync(path, 'utf8')).toBe(text);
});

describe.each(['demo', 'shapes', 'edge-cases', 'conference'])('every response of the seed %s', (seed) => {
  let calendar: Calendar;
  beforeAll(async () => {
    calendar = await createCalendar({ seed, now: '2027-03-01T09:00Z', listen: false, posters: seed === 'conference' });
  });
  afterAll(() => calendar.close());
  it.each(resourceNames)('%s', async (name) => {
    const get = async (path: string) => (await calendar.fetch(path)).json() as Promise<Record<string, unknown>>;
    const query = name === 'events' ? '&start_date=1900-01-01&end_date=2900-01-01&status=publish,draft,private,pending,future' : '';
    const page = await get(`${name}?per_page=50${query}`);
    const records = await Promise.all((page[name] as { id: number }[]).map(({ id }) => get(`${name}/${id}`)));
    const errors = await Promise.all(
      ['999999', '?per_page=x', '?page=999'].map((path) => get(`${name}${path.startsWith('?') ? '' : '/'}${path}`)),
    );
    for (const response of [page, ...records, ...errors])
      expect([response, compareResponse(response)]).toEqual([response, { kind: expect.any(String), problems: [], missing: [] }]);
    expect(isResponse(page)).toBe(true);
  });
});

it('no response of the recordings has a value that the API never sends', () => {
  const recorded = ['exchanges.ndjson', 'random.ndjson'].flatMap(readExchanges).flatMap(({ expect: recording }) => recording?.body ?? []);
  const reports = recorded.flatMap((body) => compareResponse(body) ?? []);
  expect(reports.length).toBeGreaterThan(1000);
  // `*` stands for any value.
  expect(reports.flatMap(({ problems }) => problems).filter(({ reason }) => !reason.startsWith('"*"') && !reason.startsWith('"{'))).toEqual(
    [],
  );
});

describe('what a response of other people’s tests contains', () => {
  const page = example('events.json');
  const event = example('event.json');
  const venue = example('venue.json');
  it.each<[unknown, string]>([
    [{ ...page, next_rest_url: null }, 'next_rest_url: null; the API leaves it out on the last page'],
    [{ ...page, previous_rest_url: null }, 'previous_rest_url: null; the API leaves it out on the first page'],
    [{ ...page, events: [page.events[0], { ...page.events[1], image: null }] }, 'events[1].image: null; the API sends false or an image'],
    [{ ...page, total: '12 of 20' }, 'total: "12 of 20"; the API sends an integer'],
    [{ ...event, venue: null }, 'venue: null; the API sends a venue or a list of venues'],
    [{ ...event, venue: { ...event.venue, geo_lat: '41.08' } }, 'venue.geo_lat: "41.08"; the API sends a number'],
    [{ ...event, venue: { ...event.venue, city: null } }, 'venue.city: null; the API leaves it out'],
    [{ ...event, organizer: {} }, 'organizer: an object; the API sends a list of organizers'],
    [{ ...event, cost_details: { ...event.cost_details, values: [15] } }, 'cost_details.values[0]: 15; the API sends a string'],
    [
      { ...event, start_date: '2027-03-01T19:00:00Z' },
      'start_date: "2027-03-01T19:00:00Z"; the API sends a string like 2027-03-01 19:00:00',
    ],
    [{ ...event, status: 'published' }, 'status: "published"; the API sends one of "publish", '],
    [{ ...event, id: 'event 27' }, 'id: "event 27"; the API sends an integer'],
    [{ ...event, all_day: 0 }, 'all_day: 0; the API sends true or false or null'],
    [
      { ...event, image: { ...event.image, sizes: { medium: { width: '300' } } } },
      'image.sizes.medium.width: "300"; the API sends an integer',
    ],
    [{ ...event, custom_fields: 'a' }, 'custom_fields: "a"; the API sends [] or an object'],
    [{ ...venue, image: null }, 'image: null; the API leaves it out'],
    [{ code: 404, message: 'x', data: { status: 404 } }, 'code: 404; the API sends a string'],
    [{ code: 'x', message: 'x', data: null }, 'data: null; the API sends an object'],
  ])('%#', (json, expected) => {
    const { problems = [] } = compareResponse(json) ?? {};
    expect(problems.map(({ at, reason }) => `${at}: ${reason}`)).toEqual([expect.stringContaining(expected)]);
  });

  it('reports missing members once, and ignores unknown ones', () => {
    const { id, title, start_date } = event;
    expect(
      compareResponse({ events: [{ id, title, start_date, extra: null }, event], rest_url: 'x', total: 2, total_pages: 1, more: 1 }),
    ).toEqual({
      kind: 'a page of events',
      problems: [],
      missing: expect.arrayContaining(['events[].author', 'events[].image']),
    });
  });

  it.each([[1], [[]], [{ name: 'x' }], [{}]])('%j is none', (json) => expect(compareResponse(json)).toBeUndefined());
});

describe('validate', () => {
  it('says what each file is, and checks it', async () => {
    write('data.json', { events: [{ title: 'a', start_date: '2027-03-01', end_date: '2027-03-01' }] });
    write('page.json', example('events.json'));
    write('wrong.json', { ...example('event.json'), venue: null, image: null });
    expect(await at('validate data.json')).toEqual({
      stdout: '',
      exit: 0,
      stderr: 'calendar: data.json is data\ncalendar: data.json is valid (1 records)\n',
    });
    expect(await at('validate page.json')).toEqual({
      stdout: '',
      exit: 0,
      stderr: 'calendar: page.json is a response: a page of events\n',
    });
    expect(await at('validate wrong.json')).toEqual({
      stdout: '',
      exit: 2,
      stderr: [
        'calendar: wrong.json is a response: an event',
        'image: null; the API sends false or an image',
        'venue: null; the API sends a venue or a list of venues',
        'calendar: wrong.json: 2 values that the API never sends',
        '  See docs/responses.md for examples.\n',
      ].join('\n'),
    });
    const all = await at('validate page.json wrong.json data.json none.json');
    expect(all).toMatchObject({
      exit: 2,
      stderr: expect.stringMatching(/none\.json: no such file[\s\S]*\ncalendar: 2 of 4 files are invalid\n$/),
    });
    const json = await at('validate page.json wrong.json data.json --json');
    expect([json.exit, JSON.parse(json.stdout)]).toEqual([
      2,
      [
        { file: 'page.json', as: 'response', valid: true, missing: [] },
        expect.objectContaining({
          file: 'wrong.json',
          valid: false,
          code: 'invalid-data',
          problems: [{ at: 'image', reason: expect.any(String) }, expect.anything()],
        }),
        { file: 'data.json', as: 'data', valid: true, records: 1 },
      ],
    ]);
  });

  it('checks as the option says', async () => {
    write('list.json', { events: [], total: 0 });
    expect((await at('validate list.json')).stderr).toMatch(/^calendar: list\.json is data\n/);
    expect(await at('validate --as response list.json')).toMatchObject({
      exit: 0,
      stderr: 'calendar: list.json is a response: a page of events\ncalendar: list.json: The API also sends rest_url, total_pages\n',
    });
    expect((await at('validate --as data page.json')).stderr).toMatch(/^calendar: page\.json is data\n/);
    expect((await at('validate --as response data.json')).stderr).toContain(
      'events[0].start_date: "2027-03-01"; the API sends a string like 2027-03-01 19:00:00',
    );
    writeFileSync(join(place.path, 'lines.ndjson'), `${JSON.stringify(example('venue.json'))}\n`.repeat(2));
    expect((await at('validate lines.ndjson')).stderr).toMatch(/^calendar: lines\.ndjson is data\n/);
    write('text.json', 'x');
    expect(await at('validate --as response text.json')).toMatchObject({ exit: 2, stderr: expect.stringContaining('is not a response') });
  });
});

it.each([
  ['a term', { id: 13, name: 'x', slug: 'x', taxonomy: 'post_tag', urls: {} }, 'a tag'],
  ['the index of a namespace', { namespace: 'brand/events/v1', routes: {} }, 'an index'],
  ['the index of a site', { name: 'x', namespaces: ['brand/events/v1'], routes: {} }, 'an index'],
])('%s is a response', (_, json, kind) => {
  expect([isResponse(json), compareResponse(json)?.kind]).toEqual([true, kind]);
});

it.each([{ events: [] }, { routes: [] }, { name: 'x', urls: {} }])('%j is data', (json) => {
  expect(isResponse(json)).toBe(false);
});
