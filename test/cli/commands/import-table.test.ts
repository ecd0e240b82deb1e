import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { serving } from '../../support/serving.ts';
import { folder, run, words } from '../../support/transcript.ts';

const { path: cwd, remove } = folder();
afterAll(remove);
const file = (name: string, text: string) => writeFileSync(join(cwd, name), text);
const calendar = (line: string, env: Record<string, string> = {}) => run(words(line), { cwd, env, withNotices: true });

file('program.csv', 'Titel;Datum;Von;Bis\nKonzert;7.6.27;19.30 Uhr;21h\nMesse;8.6.27;;\nFest;9.6.27;22.00;02.00\n');

describe('a dry run', () => {
  it('prints what would be created with its dates, and creates no file', async () => {
    const { stdout, stderr, exit } = await calendar('import program.csv --dry-run --timezone Europe/Berlin --db dry.db');
    expect([exit, stderr]).toEqual([
      0,
      'calendar: program.csv: 3 created, rewritten dates: 3, rewritten times: 4 (dry run, nothing was written)\n',
    ]);
    expect(stdout.split('\n').map((line) => line.trimEnd())).toEqual([
      'ACTION   RESOURCE  NAME     DATES',
      'created  events    Konzert  Mon 7 Jun 2027, 19:30–21:00 Europe/Berlin',
      'created  events    Messe    Tue 8 Jun 2027, all day',
      'created  events    Fest     Wed 9 Jun 2027, 22:00 – Thu 10 Jun 2027, 02:00 Europe/Berlin',
      '',
    ]);
    expect(readdirSync(cwd).filter((name) => name.startsWith('dry.db'))).toEqual([]);
  });

  it('has the dates in its JSON', async () => {
    const { stdout } = await calendar('import program.csv --dry-run --json --db dry.db');
    expect(JSON.parse(stdout).records[0]).toMatchObject({
      name: 'Konzert',
      start_date: '2027-06-07 19:30:00',
      timezone: 'UTC',
      all_day: false,
    });
  });

  it.each(['seed demo', 'generate --events 3', 'import program.csv'])('of %s creates no file', async (command) => {
    expect((await calendar(`${command} --dry-run --db none.db`)).exit).toBe(0);
    expect(existsSync(join(cwd, 'none.db'))).toBe(false);
  });
});

it('skips a title, empty rows and a sum with a notice, and lists rewritten cells with --verbose', async () => {
  file('sheet.csv', 'Program 2027\nTitel;Datum;Eintritt\nKonzert;7.6.27;5 €\n;;\n;;5 €\n');
  const notices = [
    'line 2: read the headings from here; skipped a row above: "Program 2027"',
    'line 5: skipped the last row, which has neither title nor date: "5 €"',
    'line 4: skipped an empty row',
  ];
  const { stderr, exit } = await calendar('import sheet.csv --db sheet.db');
  expect([exit, stderr.split('\n').slice(1)]).toEqual([0, [...notices, 'calendar: sheet.csv: 1 created, rewritten dates: 1', '']]);
  const verbose = await calendar('import sheet.csv --db sheet.db --verbose');
  expect(verbose.stderr).toContain('line 3: start_date "7.6.27" was read as "2027-06-07"\n');
  expect((await calendar('validate sheet.csv --verbose')).stderr).toContain('line 3: start_date "7.6.27" was read as "2027-06-07"\n');
  expect((await calendar('import sheet.csv --db sheet.db --skip-rows 1')).stderr).not.toContain('headings');
  const { stderr: lenient, exit: partial } = await calendar('import sheet.csv --db sheet.db --skip-rows 2');
  expect([partial, lenient]).toEqual([2, expect.stringContaining('line 3: not the headings of a table of events')]);
});

describe('--delete-missing', () => {
  const nightly = 'import nightly.csv --key title --delete-missing --db nightly.db';
  const titles = async () =>
    (await calendar('events list --all --format tsv --fields title --db nightly.db')).stdout.split('\n').slice(1, -1);

  it('asks before it moves events to the trash, and can be undone', async () => {
    file('nightly.csv', 'title,start_date\nA,2027-06-07\nB,2027-06-08\nC,2027-06-09\n');
    expect((await calendar(nightly)).exit).toBe(0);
    file('nightly.csv', 'title,start_date\nA,2027-06-07\nC,2027-06-09\n');
    const { stderr, exit } = await calendar(nightly);
    expect([exit, stderr]).toEqual([
      2,
      expect.stringContaining('1 of 3 events of the source "tables" is not in the table. Move it to the trash?'),
    ]);
    expect(await titles()).toEqual(['A', 'B', 'C']);
    const dry = await calendar(`${nightly} --dry-run`);
    expect([dry.exit, dry.stdout]).toEqual([0, expect.stringMatching(/deleted +events +B/)]);
    const done = await calendar(`${nightly} --yes`);
    expect([done.exit, done.stderr]).toEqual([0, expect.stringContaining('calendar: nightly.csv: 2 unchanged, 1 deleted\n')]);
    expect(done.stderr).toContain('--delete-missing: 1 of 3 events of the source "tables" is not in the table\n');
    expect(await titles()).toEqual(['A', 'C']);
    expect((await calendar('undo --db nightly.db')).exit).toBe(0);
    expect(await titles()).toEqual(['A', 'B', 'C']);
    expect((await calendar(`${nightly} --yes`)).stderr).toContain('1 deleted');
  });

  it('needs --source as well if more than half would go', async () => {
    file('nightly.csv', 'title,start_date\nD,2027-06-07\n');
    const { stderr, exit } = await calendar(`${nightly} --yes`);
    expect([exit, stderr]).toEqual([
      2,
      expect.stringContaining('2 of 2 events of the source "tables" are not in the table, more than half'),
    ]);
    expect(stderr).toContain('If this is the right table, pass --source tables.');
    expect((await calendar(`${nightly} --yes --source tables`)).stderr).toContain('1 created, 2 deleted');
    expect(await titles()).toEqual(['D']);
  });
});

describe('the time zone of a new file', () => {
  it.each([
    ['seed minimal', 'UTC. Change it with: calendar settings set timezone ZONE'],
    ['seed demo', 'Europe/Amsterdam. Change it with: calendar settings set timezone ZONE'],
    ['seed demo --timezone Asia/Tokyo', 'Asia/Tokyo'],
    ['import program.csv --calendar-timezone Asia/Tokyo', 'Asia/Tokyo'],
    ['events create --title A --start-date tomorrow --calendar-timezone Asia/Tokyo', 'Asia/Tokyo'],
  ])('%s: %s', async (command, notice) => {
    const db = `zone-${notice.length}-${command.length}.db`;
    const { stderr, exit } = await calendar(`${command} --db ${db}`);
    expect([exit, stderr]).toEqual([0, expect.stringContaining(`calendar: Created ${db} with the time zone ${notice}\n`)]);
    expect((await calendar(`settings get timezone --db ${db}`)).stdout).toBe(`${notice.split('. ')[0]}\n`);
    expect((await calendar(`events list --db ${db}`)).stderr).not.toContain('Created');
  });
  it.each([
    ['import missing.csv', 3],
    ['import program.csv --date-order ymd --encoding utf-16le', 2],
    ['events create --title A --start-date nonsense', 2],
    ['events update 12 --title B', 3],
    ['seed nothing', 3],
    ['serve --seed nothing --port 0', 3],
    ['pull http://127.0.0.1:9', 5],
  ])('%s fails and leaves no file', async (command, code) => {
    const { stdout, stderr, exit } = await calendar(`${command} --db unused.db`);
    expect([exit, stdout, readdirSync(cwd).filter((name) => name.startsWith('unused'))]).toEqual([code, '', []]);
    expect(stderr).not.toContain('Created');
  });

  it('is suggested for a misspelled one of a fixture', async () => {
    writeFileSync(join(cwd, 'zone.json'), '{"settings": {"timezone": "Europe/Berln"}}');
    const { stderr, exit } = await calendar('seed zone.json --db misspelled.db');
    expect([exit, stderr]).toEqual([2, expect.stringContaining('zone.json: settings.timezone: Invalid timezone "Europe/Berln"')]);
    expect(stderr).toContain('Did you mean Europe/Berlin?');
  });

  it('of CALENDAR_TIMEZONE is stored, and a file with another zone is an error', async () => {
    expect((await calendar('seed minimal --db env.db', { CALENDAR_TIMEZONE: 'Asia/Tokyo' })).exit).toBe(0);
    expect((await calendar('settings get timezone --db env.db')).stdout).toBe('Asia/Tokyo\n');
    for (const [line, env] of [
      ['events list', { CALENDAR_TIMEZONE: 'UTC' }],
      ['import program.csv --timezone UTC', {}],
      ['seed demo --append --calendar-timezone UTC', {}],
    ] as const) {
      const { stdout, stderr, exit } = await calendar(`${line} --db env.db`, env);
      expect([exit, stdout, stderr]).toEqual([6, '', expect.stringContaining('env.db has the time zone Asia/Tokyo, not UTC')]);
    }
  });

  it('is checked by a command on a file that a server has open', async () => {
    const db = join(cwd, 'served.db');
    const server = await serving(`--timezone Asia/Tokyo --db ${db}`, { cwd });
    try {
      for (const line of ['import program.csv --timezone UTC', 'events list --calendar-timezone UTC'])
        expect(await calendar(`${line} --db ${db}`)).toMatchObject({
          exit: 6,
          stdout: '',
          stderr: expect.stringContaining('has the time zone Asia/Tokyo'),
        });
      expect((await calendar(`import program.csv --timezone Asia/Tokyo --db ${db}`)).exit).toBe(0);
    } finally {
      await server.stop();
    }
  });

  it.each([
    ['events list --calendar-timezone Europe/Berln', 'Unknown time zone "Europe/Berln". Did you mean Europe/Berlin'],
    ['serve --timezone Europe/Pariss', 'Did you mean Europe/Paris'],
    ['generate --zones Europe/Pariss', 'Did you mean Europe/Paris'],
    ['events list --url http://127.0.0.1:1 --calendar-timezone UTC', 'The time zone of a server is set by its owner'],
  ])('%s is rejected', async (line, message) => {
    expect(await calendar(line)).toMatchObject({ exit: 2, stdout: '', stderr: expect.stringContaining(message) });
  });
});

describe('a map of headings', () => {
  it('is written by --map-template and read by --map @FILE, as JSON or lines', async () => {
    file('own.csv', 'Ort,Was,Wann genau,"Notiz, intern"\nHall,A,2027-06-07,x\n');
    const failed = await calendar('import own.csv --db map.db');
    expect([failed.exit, failed.stderr]).toEqual([2, expect.stringContaining('unknown headings "Was", "Wann genau", "Notiz, intern"')]);
    const { stdout } = await calendar('import own.csv --map-template');
    expect(JSON.parse(stdout)).toEqual({ Ort: 'venue', Was: '', 'Wann genau': '', 'Notiz, intern': '' });
    file('map.json', JSON.stringify({ Was: 'title', 'Wann genau': 'start_date', 'Notiz, intern': '' }));
    file('map.txt', 'Was=title\nWann genau=start_date\n\nNotiz, intern=\n');
    for (const map of ['map.json', 'map.txt'])
      expect((await calendar(`import own.csv --map @${map} --db ${map}.db`)).stderr).toContain('own.csv: 1 created');
  });

  it.each([
    ['--map @none.json', 'none.json'],
    ['--map Was', 'invalid pair "Was"'],
    ['--map Was=titl', 'unknown field "titl" for the heading "Was"'],
  ])('%s is rejected', async (option, message) => {
    file('own.csv', 'Was,Wann\nA,2027-06-07\n');
    const { exit, stdout, stderr } = await calendar(`import own.csv ${option} --db wrong.db`);
    expect([exit === 0, stdout, stderr]).toEqual([false, '', expect.stringContaining(message)]);
  });
});

describe('--tz', () => {
  const event = (uid: number, start: string) => `BEGIN:VEVENT\nUID:${uid}\nSUMMARY:E${uid}\n${start}\nEND:VEVENT\n`;
  const ics = (...events: string[]) => `BEGIN:VCALENDAR\nVERSION:2.0\n${events.join('')}END:VCALENDAR\n`;

  it('is the zone of times without one and of unknown zones, and is counted', async () => {
    file(
      'zones.ics',
      ics(
        event(1, 'DTSTART;TZID=US-Mountain:20270607T193000'),
        event(2, 'DTSTART:20270607T193000'),
        event(3, 'DTSTART;TZID=Asia/Tokyo:20270607T193000'),
      ),
    );
    const failed = await calendar('import zones.ics --db tz.db');
    expect([failed.exit, failed.stderr]).toEqual([2, expect.stringContaining('unknown time zone "US-Mountain". Pass --tz')]);
    const { stderr } = await calendar('import zones.ics --tz America/Denver --db tz.db');
    expect(stderr).toContain('unknown time zone "US-Mountain"; used America/Denver');
    expect(stderr).toContain('zones.ics: 3 created, events in the zone of --tz: 2');
    const { stdout } = await calendar('events list --all --fields timezone --format tsv --db tz.db');
    expect(stdout.trim().split('\n').slice(1).sort()).toEqual(['America/Denver', 'America/Denver', 'Asia/Tokyo']);
  });

  it('applies to a table, and is an error for JSON', async () => {
    expect((await calendar('import program.csv --tz Asia/Tokyo --dry-run --db t.db')).stdout).toContain('19:30–21:00 Asia/Tokyo');
    file('a.json', '{"events":[]}');
    expect(await calendar('import a.json --tz Asia/Tokyo --db t.db')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('--tz requires'),
    });
  });
});
