import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { fixtureForm, fixtureSchema } from '../../../src/model/formats/fixture.ts';
import { resources } from '../../../src/model/resources/all.ts';
import { expectSeededOnce } from '../../support/seeded-once.ts';
import { folder, run } from '../../support/transcript.ts';

const { path: cwd, remove } = folder();
afterAll(remove);
const file = (name: string, text: string | Uint8Array) => {
  writeFileSync(join(cwd, name), text);
  return name;
};
const calendar = (line: string, stdin?: string) => run(line.split(' '), { cwd, stdin });
/** The export of a calendar. */
const content = async (db: string) => (await calendar(`export --format ndjson --db ${db}`)).stdout;

it('an empty parent of a category takes it out of its parent', async () => {
  const source = (parent: string) => JSON.stringify({ categories: { top: { name: 'Top' }, below: { name: 'Below', parent } } });
  for (const [parent, hasParent] of [
    ['@top', true],
    ['', false],
  ] as const) {
    expect(await calendar('import - --format json --db parents.db', source(parent))).toMatchObject({ exit: 0 });
    const { categories } = JSON.parse((await calendar('export --db parents.db')).stdout) as {
      categories: { slug: string; parent?: string }[];
    };
    expect(categories.find(({ slug }) => slug === 'below')!.parent !== undefined).toBe(hasParent);
  }
});

describe('seed', () => {
  it.each(['minimal', 'edge-cases'])('%s fills an empty calendar, and is rejected the second time', (name) => expectSeededOnce(name, cwd));

  it.each(['start_date', 'end_date'])('an empty %s is an error, and changes nothing', async (name) => {
    const event = { title: 'Empty', start_date: '2027-03-01', end_date: '2027-03-01', [name]: '' };
    const input = file('empty.json', JSON.stringify({ events: { opening: event } }));
    for (const command of ['seed', 'import']) {
      const { exit, stdout, stderr } = await calendar(`${command} ${input} --db empty.db`);
      expect([exit, stdout]).toEqual([2, '']);
      expect(stderr).toContain(`events.opening.${name}: "" is not a valid date`);
    }
  });

  it('an object without a text form in a link is an error, and changes nothing', async () => {
    const venue = { title: 'V', toString: 1, valueOf: 1 };
    const event = { title: 'Linked', start_date: '2027-03-01', end_date: '2027-03-01', venue };
    const { exit, stdout, stderr } = await calendar(`import ${file('link.json', JSON.stringify({ events: { a: event } }))} --db link.db`);
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/events\.a\.venue/);
  });

  it('reports all problems at once, and changes nothing', async () => {
    await calendar('seed minimal --db bad.db');
    const before = await content('bad.db');
    const bad = {
      venus: {},
      settings: { timezone: 'Mars/Base' },
      venues: { hall: { venue: '', adress: 'x', geo_lat: 999 } },
      categories: { a: { name: 'A', parent: '@b' }, b: { name: 'B', parent: '@a' } },
      events: {
        opening: { title: 'O', start_date: 'never', end_date: 'next monday', venue: '@hal', organizer: ['@unknown'], status: 'publsh' },
        empty: { start_date: 'today' },
        none: 5,
      },
      users: [{ name: 'x' }],
    };
    const { exit, stderr, stdout } = await calendar(`seed ${file('bad.json', JSON.stringify(bad))} --append --db bad.db`);
    expect([exit, stdout]).toEqual([2, '']);
    const printed = stderr.trim().split('\n');
    const expected = [
      'calendar: bad.json: 14 problems; nothing was changed',
      'categories.a.parent: circular reference: @a -> @b -> @a',
      'events.empty.end_date: is required',
      'events.empty.title: is required',
      'events.none: must be an object',
      'events.opening.organizer[0]: unknown key @unknown in organizers',
      'events.opening.start_date: "never" is not a valid date',
      expect.stringMatching(/^events\.opening\.status: must be one of publish/),
      'events.opening.venue: unknown key @hal in venues. Did you mean hall?',
      expect.stringMatching(/^settings\.timezone: Invalid timezone/),
      'users[0].password: is required',
      'users[0].role: is required',
      'venues.hall.adress: unknown field. Did you mean address?',
      'venues.hall.geo_lat: must be a number from -90 to 90',
      expect.stringMatching(/^venus: unknown field/),
    ];
    expect(printed).toHaveLength(expected.length);
    expect(printed).toEqual(expect.arrayContaining(expected));
    expect(await content('bad.db')).toBe(before);
  });

  it('rehearses with --dry-run, and lists with --json', async () => {
    const { stdout, exit } = await calendar('seed minimal --dry-run --json --db dry.db');
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      created: 5,
      dry_run: true,
      records: expect.arrayContaining([expect.objectContaining({ resource: 'events', name: 'Summer Concert' })]),
    });
    expect(await content('dry.db')).not.toContain('Summer Concert');
  });

  it('takes every field that can be set, references and relative dates', async () => {
    const text = JSON.stringify({
      settings: { timezone: 'America/New_York' },
      images: { poster: 'https://x.test/a.png' },
      users: [{ name: 'ed', role: 'editor', password: 'secret' }],
      venues: { hall: { venue: 'Hall', geo_lat: 1, geo_lng: 2 } },
      categories: { below: { name: 'Below', parent: '@above' }, above: { name: 'Above' } },
      events: {
        part: {
          title: 'Part',
          start_date: 'next monday 18:00',
          end_date: 'next monday 19:00',
          timezone: 'Asia/Tokyo',
          post_parent: '@whole',
          venue: '@hall',
          image: '@poster',
          categories: ['@below', 'New one'],
        },
        whole: { title: 'Whole', start_date: '2027-01-01', end_date: '2027-01-02', all_day: true },
      },
    });
    expect((await run(['seed', '-', '--db', 'all.db'], { cwd, stdin: text })).exit).toBe(0);
    const { stdout } = await calendar('events get part --json --db all.db');
    expect(JSON.parse(stdout)).toMatchObject({
      ...{
        start_date: '2026-11-23 18:00:00',
        timezone: 'Asia/Tokyo',
        venue: { venue: 'Hall', geo_lat: 1 },
        image: { url: 'https://x.test/a.png' },
      },
      categories: [{ name: 'Below' }, { name: 'New one' }],
    });
    expect((await calendar('users list --db all.db')).stdout).toContain('ed');
    expect((await calendar('settings get timezone --db all.db')).stdout).toBe('America/New_York\n');
  });

  it.each(['minimal', 'demo', 'shapes', 'conference', 'edge-cases'])('%s conforms to the schema', (name) => {
    expect(fixtureForm(z).safeParse(JSON.parse(readFileSync(`fixtures/${name}.json`, 'utf8'))).error).toBe(undefined);
  });
  it('has a schema with every field of every resource', () => {
    const { $defs } = fixtureSchema(z) as { $defs: Record<string, { properties: object }> };
    for (const { name, fields } of Object.values(resources))
      expect(Object.keys($defs[name]!.properties)).toEqual(expect.arrayContaining(fields.map((field) => field.name)));
  });
});

describe('identities in a file', () => {
  it('a slug that a later record gives up is assigned to an earlier one', async () => {
    const add = (title: string) => calendar(`events create --title ${title} --start-date 2027-03-01 --end-date 2027-03-01 --db slugs.db`);
    for (const title of ['Bach', 'Liszt']) await add(title);
    const names: Record<string, string> = { bach: 'liszt', liszt: 'brahms' };
    const renamed = (await content('slugs.db')).replace(/"slug":"(bach|liszt)"/g, (_, slug) => `"slug":"${names[slug]}"`);
    const { stderr } = await calendar('import - --format ndjson --db slugs.db', renamed);
    expect(stderr).toContain('2 updated');
    const { stdout } = await calendar('events list --fields title,slug --format csv --db slugs.db');
    expect(stdout.trim().split('\r\n').slice(1).sort()).toEqual(['Bach,liszt', 'Liszt,brahms']);
  });

  it.each([
    ['two', { bach: 'liszt', liszt: 'bach' }],
    ['three', { bach: 'liszt', liszt: 'ravel', ravel: 'bach' }],
  ])('%s records exchange their slugs', async (count, names: Record<string, string>) => {
    const db = `exchange-${count}.db`;
    for (const title of ['Bach', 'Liszt', 'Ravel'])
      await calendar(`events create --title ${title} --start-date 2027-03-01 --end-date 2027-03-01 --db ${db}`);
    const renamed = (await content(db)).replace(/"slug":"(bach|liszt|ravel)"/g, (_, slug) => `"slug":"${names[slug] ?? slug}"`);
    const { stderr } = await calendar(`import - --format ndjson --db ${db}`, renamed);
    expect(stderr).toContain(`${Object.keys(names).length} updated`);
    const { stdout } = await calendar(`events list --fields title,slug --format csv --db ${db}`);
    const expected = ['bach', 'liszt', 'ravel'].map((slug) => `${slug[0]!.toUpperCase()}${slug.slice(1)},${names[slug] ?? slug}`);
    expect(stdout.trim().split('\r\n').slice(1).sort()).toEqual(expected);
  });

  it('a record whose slug another one keeps has its own, and so does one that waits for that', async () => {
    for (const title of ['Bach', 'Liszt', 'Ravel'])
      await calendar(`events create --title ${title} --start-date 2027-03-01 --end-date 2027-03-01 --db waits.db`);
    const names: Record<string, string> = { bach: 'liszt', liszt: 'ravel' };
    const lines = (await content('waits.db')).split('\n').filter((line) => !line.includes('"slug":"ravel"'));
    const renamed = lines.join('\n').replace(/"slug":"(bach|liszt)"/g, (_, slug) => `"slug":"${names[slug]}"`);
    const { stderr } = await calendar('import - --format ndjson --db waits.db', renamed);
    expect(stderr).toContain('2 unchanged');
    const { stdout } = await calendar('events list --fields title,slug --format csv --db waits.db');
    expect(stdout.trim().split('\r\n').slice(1).sort()).toEqual(['Bach,bach', 'Liszt,liszt', 'Ravel,ravel']);
  });

  it('equal rows are two events, also the second time', async () => {
    file('equal.csv', 'title,start_date,end_date\nYoga,2027-03-01 10:00,2027-03-01 11:00\nYoga,2027-03-01 10:00,2027-03-01 11:00\n');
    expect((await calendar('import equal.csv --db equal.db')).stderr).toContain('2 created');
    file('equal.csv', `${readFileSync(join(cwd, 'equal.csv'), 'utf8')}Yoga,2027-03-01 10:00,2027-03-01 11:00\n`);
    expect((await calendar('import equal.csv --db equal.db')).stderr).toMatch(/1 created, 2 unchanged/);
  });
});

describe('invalid files don’t change the calendar', () => {
  beforeAll(async () => {
    await calendar('seed minimal --db kept.db');
  });
  const head = 'title,start_date,end_date\n';
  const good = `${head}A,2027-01-01,2027-01-01\n`;
  const event = { title: 'A', start_date: '2027-01-01', end_date: '2027-01-01' };
  const lines = (...records: unknown[]) =>
    records.map((record) => `${typeof record === 'string' ? record : JSON.stringify(record)}\n`).join('');
  const ok = { resource: 'events', ...event };
  it.each<[string, string | Uint8Array, string]>([
    [
      'truncated.json',
      '{"events": [{"title": "A", "start_date": "2027-01-01"',
      'truncated.json: line 1, column 54: invalid JSON: unexpected end of the text',
    ],
    ['comma.json', '{\n  "events": [1,,2]\n}', 'comma.json: line 2, column 16: invalid JSON: '],
    ['list.json', '[1]', '$: must be an object with sections'],
    [
      'cycle.json',
      JSON.stringify({
        categories: [
          { id: 900, name: 'A', parent: 901 },
          { id: 901, name: 'B', parent: 900 },
        ],
      }),
      'circular reference',
    ],
    ['truncated.ndjson', lines(ok, '{"resource": "events", "title'), 'line 2: invalid JSON: '],
    ['unknown.ndjson', lines(ok, { ...ok, titel: 'B' }), 'line 2: titel: unknown field. Did you mean title?'],
    ['resource.ndjson', lines(ok, { resource: 'event' }), 'line 2: "resource" must be one of events'],
    ['date.ndjson', lines(ok, { ...ok, start_date: 'never' }), 'line 2: start_date: "never" is not a valid date'],
    ['long.ndjson', lines(ok, { ...ok, description: 'x'.repeat(10 << 20) }), 'line 2: line is longer than 8 MiB'],
    ['latin.ndjson', Buffer.from(lines(ok, { ...ok, title: 'Grüße' }), 'latin1'), 'line 2: invalid UTF-8'],
    ['latin.csv', Buffer.from(`${good}Grüße,2027-01-01,2027-01-01\n`, 'latin1'), 'line 3: invalid UTF-8'],
    ['heading.csv', 'titl,start_date,end_date\n', 'line 1: unknown heading "titl" (title?)'],
    ['quote.csv', `${good}"B,2027-01-01,2027-01-01\n`, 'line 3: unterminated quoted cell'],
    ['cells.csv', `${good}B,2027-01-01,2027-01-01,4\n`, 'line 3: has 4 cells, but there are 3 headings'],
    ['date.csv', `${good}B,never,2027-01-01\n`, 'line 3: start_date: "never" is not a valid date'],
    ['long.csv', `${good}"${'x'.repeat(10 << 20)}`, 'line 3: row is longer than 8 MiB'],
    ['empty.csv', '', 'the file is empty; expected a heading row'],
    ['broken.ics', readFileSync(new URL('../../support/ics/broken.ics', import.meta.url)), 'line 10: invalid DTSTART "tomorrow"'],
    ['cut.ics', 'BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\n', 'line 2: BEGIN:VEVENT without END; the file may be truncated'],
    ['page.ics', '<html>', 'line 1: expected BEGIN:VCALENDAR'],
  ])('%s', async (name, text, message) => {
    file(name, text);
    const kept = () => readFileSync(join(cwd, 'kept.db'));
    const before = kept();
    const { exit, stderr, stdout } = await calendar(`import ${name} --db kept.db`);
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
    expect(kept().equals(before)).toBe(true);
    const checked = await calendar(`validate ${name}`);
    expect([checked.exit, checked.stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it('take formulas for the texts they are', async () => {
    file('formula.csv', `${head}"=HYPERLINK(""http://x"")",2027-01-01,2027-01-01\n@SUM(A1),2027-01-02,2027-01-02\n`);
    expect((await calendar('import formula.csv --db formula.db')).stderr).toBe('calendar: formula.csv: 2 created\n');
    const { stdout } = await calendar('export --format csv --fields title --db formula.db');
    expect(stdout).toBe(`title\r\n"'=HYPERLINK(""http://x"")"\r\n'@SUM(A1)\r\n`);
  });

  it('can be imported without invalid records', async () => {
    file('broken.ics', readFileSync(new URL('../../support/ics/broken.ics', import.meta.url)));
    const { exit, stderr } = await calendar('import broken.ics --lenient --db lenient.db');
    expect([exit, stderr]).toEqual([8, expect.stringMatching(/calendar: broken\.ics: 3 created, 4 skipped\n$/)]);
  });
});

describe('import --lenient', () => {
  const head = 'title,start_date,end_date,featured\n';
  const good = 'Good,2027-01-01,2027-01-01,no\n';
  const record = (title: string, more = '') =>
    `{"resource":"events","title":"${title}","start_date":"2027-01-01","end_date":"2027-01-01"${more}}\n`;
  it.each([
    [
      'rows with several faults',
      'csv',
      `${head}Bad,x,y,perhaps\n${good}Bad,z,,\nA,B,C,D,E\n`,
      1,
      3,
      ['line 2: start_date: ', 'line 5: has 5 cells'],
    ],
    [
      'lines that are not records',
      'ndjson',
      `${record('Good')}{\n[]\n{"resource":"x"}\n${record('Bad', ',"titel":"x"')}`,
      1,
      4,
      ['line 2: invalid JSON', 'line 3: must be', 'line 4: "resource"', 'line 5: titel'],
    ],
    [
      'records of a document',
      'json',
      `{"events":[{"title":"Good","start_date":"2027-01-01","end_date":"2027-01-01"},{"titel":"x","tilte":"y"},{"title":"Bad","start_date":"x","end_date":"x"}]}`,
      1,
      2,
      ['events[1].titel: ', 'events[2].start_date: '],
    ],
    [
      'an event that is cancelled',
      'ics',
      'BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Good\nDTSTART:20270101T100000Z\nGEO:x\nEND:VEVENT\nBEGIN:VEVENT\nSUMMARY:Gone\nSTATUS:CANCELLED\nDTSTART:20270101T100000Z\nEND:VEVENT\nEND:VCALENDAR\n',
      1,
      1,
      ['line 5: invalid GEO', 'line 7 (Gone): the event is cancelled'],
    ],
  ])('names and counts what it leaves out, and takes the rest: %s', async (_, format, text, created, skipped, lines) => {
    const line = `import - --format ${format} --lenient --db lenient-${format}.db`;
    const { exit, stdout, stderr } = await calendar(line, text);
    for (const expected of lines) expect(stderr).toContain(`\n${expected}`.slice(stderr.startsWith(expected) ? 1 : 0));
    expect([exit, stdout, stderr.split('\n').at(-2)]).toEqual([8, '', `calendar: standard input: ${created} created, ${skipped} skipped`]);
    expect((await calendar(line.replace('--lenient ', ''), text)).stderr).toContain(
      'Use calendar import --lenient to skip invalid records.',
    );
    const json = await calendar(`${line} --json`, text);
    const { records } = JSON.parse(json.stdout);
    expect(records.filter(({ action }: { action: string }) => action === 'skipped')).toHaveLength(skipped);
  });

  it('exits with 0 when nothing is wrong', async () =>
    expect((await calendar('import - --lenient --db lenient-good.db', `${head}${good}`)).exit).toBe(0));

  it('is not what validate does', async () => {
    file('wrong.csv', `${head}Bad,x,y,perhaps\nBad,z,,\n`);
    expect((await calendar('validate wrong.csv --lenient')).exit).toBe(2);
    expect((await calendar('validate wrong.csv')).stderr).toMatch(/calendar import --lenient/);
  });
});

describe('import', () => {
  it('finds out formats, encodings, delimiters and columns', async () => {
    file('sheet.csv', Buffer.from('Name;Begin;End;Notes\r\nGrüße;2027-01-01 10:00;2027-01-01 11:00;x\r\n', 'latin1'));
    const { stderr } = await run(
      [
        'import',
        'sheet.csv',
        '--encoding',
        'windows-1252',
        '--map',
        'Name=title,Begin=start_date',
        '--map',
        'End=end_date,Notes=',
        '--db',
        'sheet.db',
      ],
      { cwd },
    );
    expect(stderr).toBe('calendar: sheet.csv: 1 created\n');
    const exported = (await calendar('export --format ndjson --db sheet.db')).stdout;
    const copied = await run(['import', '-', '--db', 'copy.db'], { cwd, stdin: exported });
    expect(copied.stderr).toBe('calendar: standard input: 1 created\n');
    expect((await calendar('export --format ndjson --db copy.db')).stdout).toBe(exported);
    const ics = await run(['import', '-', '--db', 'ics.db', '--tz', 'Asia/Tokyo', '--json'], {
      cwd,
      stdin: readFileSync(new URL('../../support/ics/mail.ics', import.meta.url), 'utf8'),
    });
    expect(JSON.parse(ics.stdout)).toMatchObject({ created: 2, skipped: 1 });
  });

  it('finds parents by ID, slug and name', async () => {
    file('tree.csv', 'name,slug,parent\nMusic & more,sounds,\nJazz,,sounds\nFolk,,music & MORE\nRock,,3\n');
    expect((await calendar('import tree.csv --only categories --db tree.db')).stderr).toBe(
      'line 5: "3" is not the name of a category; linked "Music & more", which has this ID here\ncalendar: tree.csv: 4 created\n',
    );
    const { stdout } = await calendar('categories list --format tsv --fields name,parent --orderby id --db tree.db');
    expect(
      stdout
        .split('\n')
        .slice(2, -1)
        .map((line) => line.split('\t')[1]),
    ).toEqual(Array(3).fill('"""Music & more"" (sounds)"'));
    file(
      'under.csv',
      'title,start_date,end_date,post_parent,slug\nA: the whole,2027-01-01,2027-01-02,,whole\nB,2027-01-01,2027-01-01,a: The Whole,b\n',
    );
    expect((await calendar('import under.csv --db tree.db')).exit).toBe(0);
    expect((await calendar('events list --post-parent whole --format tsv --fields title --db tree.db')).stdout).toBe('title\nB\n');
  });

  it.each(['web', 'office', 'desktop', 'mail', 'recurring'])('%s.ics twice changes nothing', async (name) => {
    file(`${name}.ics`, readFileSync(new URL(`../../support/ics/${name}.ics`, import.meta.url)));
    const first = await calendar(`import ${name}.ics --db twice.db`);
    expect(first.stderr).toMatch(/created/);
    const before = await content('twice.db');
    const again = await calendar(`import ${name}.ics --db twice.db`);
    expect(again.stderr).toMatch(
      /^calendar: \S+: \d+ unchanged\n$|^line \d+ \(.+\): the event is cancelled\ncalendar: \S+: \d+ unchanged, 1 skipped\n$/,
    );
    expect(await content('twice.db')).toBe(before);
  });
});

describe('generate, shift, reset', () => {
  const withoutUids = (text: string) => text.replaceAll(/"uid":"[^"]+",/g, '');
  const made =
    'generate --events 60 --venues 4 --organizers 3 --categories 9 --tags 5 --zones Europe/Paris,Asia/Tokyo --from 2027-03-01 --until 2027-04-30';
  it('makes the same records for the same seed, and others for another', async () => {
    const [one, two, other] = await Promise.all(
      [`${made} --db g1.db`, `${made} --db g2.db`, `${made} --rng-seed 2 --db g3.db`].map(async (line, at) => {
        expect((await calendar(line)).stderr).toBe('calendar: Generated: 81 created\n');
        return withoutUids(await content(`g${at + 1}.db`));
      }),
    );
    expect(two).toBe(one);
    expect(other).not.toBe(one);
    const events = one!
      .split('\n')
      .filter((text) => text.startsWith('{"resource":"events"'))
      .map((text) => JSON.parse(text));
    expect(events).toHaveLength(60);
    expect(new Set(events.map(({ timezone }) => timezone))).toEqual(new Set(['Europe/Paris', 'Asia/Tokyo']));
    for (const { start_date, end_date } of events) {
      expect(start_date >= '2027-03-01' && start_date < '2027-05-01').toBe(true);
      expect(end_date >= start_date).toBe(true);
    }
  });

  it('deletes only generated records', async () => {
    await calendar('seed demo --db mixed.db');
    const before = await content('mixed.db');
    await calendar(`${made} --db mixed.db`);
    expect((await calendar('reset --generated --db mixed.db')).stderr).toMatch(/^calendar: Reset: 81 deleted\n/);
    expect(await content('mixed.db')).toBe(before);
    expect((await calendar('reset --seed minimal --yes --db mixed.db')).exit).toBe(0);
    expect((await calendar('events list --format count --db mixed.db')).stdout).toBe('1\n');
  });

  it.each([
    ['P7D', '2027-03-27 02:30:00', 'Europe/Paris', '2027-04-03 02:30:00'],
    ['P1D', '2027-03-27 10:00:00', 'Europe/Paris', '2027-03-28 10:00:00'],
    ['P1M', '2027-01-31 10:00:00', 'UTC', '2027-02-28 10:00:00'],
    ['P1Y', '2028-02-29 10:00:00', 'UTC', '2029-02-28 10:00:00'],
    ['-P1W', '2027-11-07 12:00:00', 'America/New_York', '2027-10-31 12:00:00'],
    ['PT90M', '2027-01-31 23:00:00', 'UTC', '2027-02-01 00:30:00'],
  ])('shift --by=%s: %s %s is %s then', async (by, from, timezone, to) => {
    const event = JSON.stringify({ events: { e: { title: 'E', start_date: from, end_date: from, timezone } } });
    await run(['seed', '-', '--replace', '--yes', '--db', 'shift.db'], { cwd, stdin: event });
    expect(await calendar(`shift --by=${by} --db shift.db`)).toMatchObject({
      exit: 0,
      stderr: expect.stringMatching(/^calendar: Shifted: 1 updated\n/),
    });
    expect(JSON.parse((await calendar('events get e --json --db shift.db')).stdout)).toMatchObject({ start_date: to, end_date: to });
  });

  it.each(['7', 'P', 'P1X', 'PT', '1 weak'])('shift --by=%s is refused', async (by) => {
    expect((await run(['shift', `--by=${by}`, '--db', 'shift.db'], { cwd })).exit).toBe(2);
  });
});

it('an export from before the first release is imported', async () => {
  const source = readFileSync(new URL('../../support/files/before-release.json', import.meta.url), 'utf8');
  expect(await calendar('import - --format json --db moved.db', source)).toMatchObject({ exit: 0, stdout: '' });
  const moved = JSON.parse((await calendar('export --db moved.db')).stdout);
  const slugsIn = (records: { slug: string }[]) => records.map(({ slug }) => slug).sort();
  for (const name of Object.keys(resources)) expect(slugsIn(moved[name])).toEqual(slugsIn(JSON.parse(source)[name]));
});
