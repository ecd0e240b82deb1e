import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { parse } from 'csv-parse/sync';
import ICAL from 'ical.js';
import stringWidth from 'string-width';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { folder, type Given, run, words } from '../../support/transcript.ts';

const place = folder();
const at = (line: string, given: Given = {}) => run(words(line), { cwd: place.path, ...given });
afterAll(place.remove);

const titles = ['Plain', 'Comma, "quoted"', '=1+1', '日本語の題名がとても長い場合でも幅に収まる', 'Émile 🎉'];
beforeAll(async () => {
  const input = titles.map((title, at) => ({ title, start_date: `2027-01-0${at + 1} 10:00`, end_date: `2027-01-0${at + 1} 11:00` }));
  await at('events create --data - --quiet', { stdin: JSON.stringify(input) });
});

describe('formats', () => {
  it('is JSON that parses, whole or in part', async () => {
    const all = JSON.parse((await at('events list --format json')).stdout);
    expect(all).toHaveLength(titles.length);
    expect(JSON.parse((await at('events list --json=id,start_date')).stdout)[0]).toEqual({
      id: all[0].id,
      start_date: '2027-01-01 10:00:00',
    });
    expect(JSON.parse((await at(`events get ${all[0].id} --json`)).stdout).title).toBe('Plain');
    expect(JSON.parse((await at(`events get ${all[0].id} --json=title.text,venue.city.text`)).stdout)).toEqual({
      title: { text: 'Plain' },
      venue: [],
    });
    expect(JSON.parse((await at(`request /events/${all[0].id} --fields title.text`)).stdout)).toEqual({ title: { text: 'Plain' } });
    for (const path of ['id.text', 'title.texts', 'venue.text', 'text'])
      expect(await at(`events list --json=${path}`)).toMatchObject({
        exit: 2,
        stderr: expect.stringContaining(`Unknown field \\"${path}\\"`),
      });
    expect((await at('events list --search nothing --json')).stdout).toBe('[]\n');
  });

  it('is a JSON object on each line', async () => {
    const lines = (await at('events list --format ndjson --fields title')).stdout.trimEnd().split('\n');
    expect(lines.map((line) => Object.keys(JSON.parse(line)))).toEqual(titles.map(() => ['title']));
  });

  it('is CSV that another parser reads, guarded against formulas', async () => {
    const rows = parse((await at('events list --format csv --fields id,title')).stdout, { columns: true }) as { title: string }[];
    expect(rows[2]!.title).toBe("'=1+1");
    expect(rows).toHaveLength(titles.length);
  });

  it('is TSV that another parser reads', async () => {
    const { stdout } = await at('events list --format tsv --fields id,slug');
    expect(parse(stdout, { columns: true, delimiter: '\t', quote: null })).toHaveLength(titles.length);
  });

  it('is an iCalendar file that another parser reads', async () => {
    const { stdout } = await at('events list --format ics --fields id');
    const events = new ICAL.Component(ICAL.parse(stdout)).getAllSubcomponents('vevent');
    expect(events.map((event) => String(event.getFirstPropertyValue('summary')).replace(/[“”]/g, '"'))).toEqual(titles);
    expect(await at('tags list --format ics')).toMatchObject({
      stdout: '',
      exit: 2,
      stderr: expect.stringContaining('only available for events'),
    });
  });

  it('counts all matches on every page', async () => {
    for (const options of ['', '--per-page 2', '--page 9', '--all', '--limit 1'])
      expect((await at(`events list --format count ${options}`)).stdout).toBe(`${titles.length}\n`);
  });

  it('follows a template', async () => {
    expect((await at("events list --limit 1 --template '{{title}}\\t{{start_date}}'")).stdout).toBe('Plain\t2027-01-01 10:00:00\n');
    expect(await at("events list --template '{{title'")).toMatchObject({ stdout: '', exit: 2 });
  });
});

describe('tables', () => {
  it.each([
    [40, 40, 1],
    [60, 60, 1],
    [80, 80, 0],
    [0, 80, 0],
  ])('fit a terminal of %i columns, wide characters counted', async (columns, most, notes) => {
    const { stdout } = await at('events list --no-color', { columns });
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(titles.length + 1 + notes);
    for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(most);
    for (const line of lines.slice(1, titles.length + 1)) expect(line).toContain('2027-01-0');
  });

  it('are whole in a pipe', async () => {
    const { stdout } = await at('events list');
    expect(stdout).toContain(titles[3]);
    expect(stdout).not.toContain('\x1b');
  });

  it('say how much there is besides, on a terminal', async () => {
    expect((await at('events list --per-page 2 --no-color', { columns: 80 })).stdout).toContain(
      '2 of 5. Use --page for others, or --limit 5 for all.',
    );
    expect((await at('events list --per-page 2')).stdout).not.toContain('--limit');
  });

  it('report an empty list on a terminal', async () => {
    for (const output of ['--format csv', '--format ids', "--template '{{id}}'"])
      expect((await at(`events list --per-page 2 ${output}`, { columns: 80 })).stderr).toContain('2 of ');
    for (const output of ['--json --format csv', "--json --template '{{id}}'"])
      expect(await at(`events list ${output}`)).toMatchObject({ stdout: '', exit: 2, stderr: expect.stringContaining('Use either --') });
    expect(await at('events list --search nothing', { columns: 80 })).toMatchObject({
      stdout: '',
      stderr: expect.stringContaining('No matching events.'),
    });
    expect(await at('events list --search nothing')).toEqual({ stdout: '', stderr: '', exit: 0 });
  });
});

describe('colors', () => {
  const colorful = async (line: string, given: Given) => {
    const { stdout, stderr } = await at(line, given);
    return (stdout + stderr).includes('\x1b[');
  };
  it.each([
    ['a terminal', '', { columns: 80 }, true],
    ['a pipe', '', {}, false],
    ['NO_COLOR', '', { columns: 80, env: { NO_COLOR: '1' } }, false],
    ['an empty NO_COLOR', '', { columns: 80, env: { NO_COLOR: '' } }, true],
    ['TERM=dumb', '', { columns: 80, env: { TERM: 'dumb' } }, false],
    ['FORCE_COLOR', '', { env: { FORCE_COLOR: '1' } }, true],
    ['FORCE_COLOR=0', '', { columns: 80, env: { FORCE_COLOR: '0' } }, false],
    ['NO_COLOR before FORCE_COLOR', '', { env: { NO_COLOR: '1', FORCE_COLOR: '1' } }, false],
    ['--no-color', '--no-color', { columns: 80, env: { FORCE_COLOR: '1' } }, false],
    ['CLICOLOR=0', '', { columns: 80, env: { CLICOLOR: '0' } }, false],
    ['CLICOLOR=1', '', { columns: 80, env: { CLICOLOR: '1' } }, true],
    ['CLICOLOR_FORCE', '', { env: { CLICOLOR_FORCE: '1' } }, true],
    ['NO_COLOR before CLICOLOR_FORCE', '', { env: { NO_COLOR: '1', CLICOLOR_FORCE: '1' } }, false],
    ['--color', '--color', { env: { NO_COLOR: '1' } }, true],
  ] as [string, string, Given, boolean][])('with %s', async (_, options, given, expected) => {
    expect(await colorful(`events list ${options}`, given)).toBe(expected);
    expect(await colorful(`events get 99999 ${options}`, given)).toBe(expected);
  });
});

it('completes its work after the reader has closed the pipe', async () => {
  const stdout = new PassThrough();
  stdout.on('error', () => {});
  stdout.destroy();
  const tags = Array.from({ length: 5 }, (_, at) => ({ name: `Unread ${at}` }));
  await at('tags create --data - --quiet', { stdin: JSON.stringify(tags), stdout });
  expect((await at('tags list --no-hide-empty --search unread --format count')).stdout).toBe('5\n');
  await at('tags delete unread-0 unread-1 unread-2 --yes', { stdout });
  expect((await at('tags list --no-hide-empty --search unread --format count')).stdout).toBe('2\n');
});

it('exits quietly after the reader has closed the pipe', async () => {
  const stdout = new PassThrough();
  stdout.on('error', () => {});
  stdout.destroy();
  expect(await at('events list --all', { stdout })).toEqual({ stdout: '', stderr: '', exit: 0 });
});

describe('ics', () => {
  it('contains the name and zone of the calendar, and the UIDs of an export', async () => {
    const db = '--db named.db';
    await at(`settings set title 'City & Sea' ${db}`);
    await at(`settings set timezone Europe/Paris ${db}`);
    await at(`events create --title One --start-date '2027-01-01 10:00' --end-date '2027-01-01 11:00' ${db}`);
    const exported = (await at(`export --format ics ${db}`)).stdout;
    const head = /^NAME:City & Sea\r\nX-WR-CALNAME:City & Sea\r\nX-WR-TIMEZONE:Europe\/Paris\r$/m;
    expect(exported).toMatch(head);
    const { id } = JSON.parse((await at(`events list --format ndjson ${db}`)).stdout);
    for (const line of ['events list --format ics', `events get ${id} --format ics`])
      expect((await at(`${line} ${db}`)).stdout).toBe(exported);
  });

  it('contains the name of a server if it has one', async () => {
    const event = { id: 1, title: 'T', start_date: '2027-01-01 10:00:00', end_date: '2027-01-01 11:00:00', timezone: 'UTC' };
    const server = createServer(({ url = '' }, response) => {
      const known = url.startsWith('/events-api/') || url.startsWith('/calendar/');
      const about = url.startsWith('/events-api/?') ? { name: 'Far &amp; wide', timezone_string: 'Asia/Tokyo', gmt_offset: 9 } : undefined;
      response.writeHead(known ? 200 : 404, { 'Content-Type': 'application/json' }).end(JSON.stringify(about ?? { events: [event] }));
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const list = async (path: string) => (await at(`events list --format ics --url http://${host}${path}`)).stdout;
    try {
      expect(await list('/events-api')).toMatch(/^X-WR-CALNAME:Far & wide\r\nX-WR-TIMEZONE:Asia\/Tokyo\r$/m);
      expect(await list('')).toMatch(new RegExp(`^X-WR-CALNAME:${host}\\r\\nBEGIN`, 'm'));
    } finally {
      server.close();
    }
  });
});

describe('control characters in texts', () => {
  const attack = 'a\u001b[2J\u0007\u009b31m\u202egnp';
  const db = '--db attack.db';
  beforeAll(async () => {
    const event = { title: attack, start_date: '2027-01-01 10:00', end_date: '2027-01-01 11:00' };
    await at(`events create --data - ${db}`, { stdin: JSON.stringify(event) });
    await at(`settings set title '${attack}' ${db}`);
  });

  it.each([
    'events list --format csv',
    'events list --format tsv',
    'events list --format ics',
    'events list --format ndjson',
    "events list --template '{{title}}'",
    'events list',
    'events get 8 --json',
    'export --format csv',
    'export --format ics',
    'export',
    'request /events',
    'settings list',
    'settings get title',
    'agenda 2027-01-01',
  ])('%s shows as signs', async (line) => {
    const { stdout, stderr } = await at(`${line} ${db} --no-color`, { columns: 120 });
    expect(stdout).toContain('a');
    expect(stdout + stderr).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
  });

  it.each(['events list --format csv', 'events list --format tsv', 'export --format csv'])('%s is data in a pipe', async (line) => {
    expect((await at(`${line} ${db}`)).stdout).toContain(attack);
  });

  it('messages show it as signs too', async () => {
    const { stderr } = await at(`import - --lenient --format ndjson ${db}`, {
      stdin: JSON.stringify({ resource: 'tags', name: 'x', [attack]: 1 }),
    });
    expect(stderr).toContain('gnp');
    expect(stderr).not.toMatch(/[\u001b\u0007\u009b\u202e]/);
  });
});
