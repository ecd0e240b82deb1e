import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Calendar, connectCalendar, createCalendar } from '../../bin/library.ts';
import { mountCalendar } from '../../src/testing/mount.ts';
import { folder, run } from '../support/transcript.ts';

const event = '"title": "Concert", "start_date": "2027-03-05 20:00:00", "end_date": "2027-03-05 22:00:00"';
const files: Record<string, string> = {
  'town.json': `{"events": {"concert": {${event}}}}`,
  'list.json': `[{${event}}]`,
  'town.ndjson': `{"resource": "events", ${event}}\n`,
  'town.csv': 'title,start_date,end_date\nConcert,2027-03-05 20:00,2027-03-05 22:00\n',
  'town.tsv': 'title\tstart_date\tend_date\nConcert\t2027-03-05 20:00\t2027-03-05 22:00\n',
  'town.ics':
    'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:1@example.org\r\nSUMMARY:Concert\r\nDTSTART:20270305T200000\r\nDTEND:20270305T220000\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n',
};

const { path, remove } = folder();
const at = (name: string) => join(path, name);
const now = '2027-03-01T09:00Z';
let server: Calendar;
let connection: Calendar;
beforeAll(async () => {
  for (const [name, text] of Object.entries(files)) writeFileSync(at(name), text);
  server = await createCalendar({ now });
  connection = await connectCalendar(server.url);
});
afterAll(async () => {
  await connection.close();
  await server.close();
  remove();
});

const post = async (operation: string, body: object, world = ''): Promise<{ url?: string }> => {
  const headers = { 'Content-Type': 'application/json', ...(world === '' ? {} : { 'X-Calendar-World': world }) };
  const response = await fetch(`${server.root}/_calendar/${operation}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await response.json()) as { url?: string };
};
const onServer = {
  cwd: path,
  env: {
    get CALENDAR_URL() {
      return server.url;
    },
  },
};

const eventsAt = async (url: string): Promise<unknown> =>
  ((await (await fetch(`${url}/events?starts_after=2027-01-01`)).json()) as { events: unknown }).events;

/** Loads a file in each place that takes a seed, and returns the events of the calendar. */
const places: Record<string, (name: string) => Promise<unknown>> = {
  createCalendar: async (name) => {
    await using calendar = await createCalendar({ seed: at(name), now, listen: false });
    return (await calendar.events.list()).events;
  },
  'the server of an app': async (name) => {
    const { calendar, close } = await mountCalendar(
      { seed: name, now, config: false },
      path,
      () => {},
      () => {},
    );
    const { events } = await calendar.events.list();
    await close();
    return events;
  },
  'worlds.create': async (name) => eventsAt((await server.worlds.create({ from: at(name) })).url),
  'worlds.create of another process': async (name) => eventsAt((await connection.worlds.create({ from: at(name) })).url),
  'POST /_calendar/worlds': async (name) => eventsAt((await post('worlds', { from: { name, text: files[name] } })).url!),
  'POST /_calendar/seed': async (name) => {
    const { id, url } = await server.worlds.create({ from: 'empty' });
    const base64 = Buffer.from(files[name]!).toString('base64');
    expect(await post('seed', { seed: { name, base64 } }, id)).toMatchObject({ created: 1 });
    return eventsAt(url);
  },
  'data.seed': async (name) => {
    const world = await connection.worlds.create({ from: 'minimal' });
    await world.data.seed(at(name), { replace: true });
    return eventsAt(world.url);
  },
  'calendar world create': async (name) => {
    const { stdout } = await run(['world', 'create', '--from', name], onServer);
    return eventsAt(`${server.root}/_worlds/${stdout.trim()}/calendar/events/v1`);
  },
  'calendar seed': async (name) => {
    const { id, url } = await server.worlds.create({ from: 'minimal' });
    await run(['seed', name, '--replace', '--yes', '--world', id], onServer);
    return eventsAt(url);
  },
};

const concert = [{ title: 'Concert', start_date: '2027-03-05 20:00:00' }];
it.each(Object.keys(files))('a seed is any file that an import reads: %s', async (name) =>
  expect(await places['worlds.create']!(name)).toMatchObject(concert),
);
it.each(Object.keys(places))('a seed is a file in each place that takes one: %s', async (place) =>
  expect(await places[place]!('town.csv')).toMatchObject(concert),
);

it.each(['serve', 'exec'])('%s takes a table as a seed, with its notes', async (command) => {
  writeFileSync(at('notes.csv'), 'Title,Start date,End date\nConcert,March 5 2027 8pm,March 5 2027 10pm\n,,\n');
  const stop = AbortSignal.abort();
  const args =
    command === 'exec' ? ['exec', '--seed', 'notes.csv', '--', 'true'] : ['serve', '--memory', '--port', '0', '--seed', 'notes.csv'];
  const { stderr } = await run(args, { cwd: path, ...(command === 'serve' ? { interrupted: stop } : {}) });
  expect(stderr).toContain('skipped an empty row');
});

it.each([
  [
    'an invalid date',
    'bad.csv',
    'title,start_date,end_date\nConcert,2027-23-05,2027-03-05\n',
    'bad.csv: line 2: start_date: "2027-23-05" is not a valid date',
  ],
  ['another text', 'bad.txt', 'hello\n', 'bad.txt: line 1: not the headings of a table of events: "hello"'],
  ['a broken fixture', 'bad.json', '{"events": ', 'bad.json: invalid JSON at line 1'],
  ['an SQL dump', 'bad.sql', 'PRAGMA foreign_keys=OFF;\n', 'An SQL dump cannot be imported'],
])('a seed with %s is rejected, and options of an import are not named', async (_, name, text, message) => {
  writeFileSync(at(name), text);
  const { exit, stdout, stderr } = await run(['exec', '--seed', name, '--', 'true'], { cwd: path });
  expect([exit, stdout]).toEqual([2, '']);
  expect(stderr).toContain(message);
  expect(stderr).not.toContain('--lenient');
});

it.each([
  { text: 'a', base64: 'YQ==' },
  { text: 'a', nmae: 'a.csv' },
])('a seed with %j is a bad request', async (seed) =>
  expect(await post('seed', { seed, replace: true })).toMatchObject({ data: { status: 400 } }),
);

const ada = { role: 'editor', password: 'lovelace' } as const;
const creates = async (url: string, headers: Record<string, string>) =>
  (await fetch(`${url}/tags`, { method: 'POST', headers, body: new URLSearchParams({ name: 'x' }) })).status;
const signsIn = (url: string) => creates(url, { Authorization: `Basic ${btoa('ada:lovelace')}` });
describe.each<[string, object]>([
  ['a list', [{ name: 'ada', ...ada }]],
  ['a map', { ada }],
])('users are %s', (_, users) => {
  it.each<[string, () => Promise<{ url: string; close?: () => Promise<void> }>]>([
    ['of createCalendar', () => createCalendar({ users: users as never })],
    ['of worlds.create', () => server.worlds.create({ users: users as never })],
    ['of worlds.create of another process', () => connection.worlds.create({ users: users as never })],
    ['of POST /_calendar/worlds', async () => ({ url: (await post('worlds', { users })).url! })],
    ['of a fixture', () => createCalendar({ seed: { users: users as never } })],
    [
      'of a file',
      async () => {
        writeFileSync(at('users.json'), JSON.stringify(users));
        return createCalendar({ users: at('users.json') });
      },
    ],
  ])('%s', async (_, create) => {
    const { url, close } = await create();
    expect([await creates(url, {}), await signsIn(url)]).toEqual([401, 201]);
    await close?.();
  });
});
