import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Served, served } from '../support/served.ts';
import { folder, run, words } from '../support/transcript.ts';

const place = folder();
let server: Served;
beforeAll(async () => {
  server = await served();
  for (const where of ['--db wrong.db', `--url ${server.url}`]) {
    const at = (line: string) => run([...words(line), ...words(where)], { cwd: place.path });
    await at("venues create --venue 'Main Hall' --quiet");
    await at('tags create --name jazz --quiet');
    await at("events create --title Concert --start-date '2027-03-01 20:00' --end-date 23:00 --quiet");
    await at("events create --title Fair --start-date '2027-04-01' --quiet");
  }
});
afterAll(async () => {
  await server.close();
  place.remove();
});

// Each line is wrong; none may end with exit code 0, or print anything on stdout.
const table: [line: string, exit: number, message: string, hint?: string][] = [
  // Commands and arguments
  ['list', 2, 'Unknown command "list"', 'Did you mean calendar events list?'],
  ['creat', 2, 'Unknown command "creat"', 'Did you mean calendar events create?'],
  ['evnts list', 2, 'Unknown command "evnts"', 'Did you mean events?'],
  ['events lst', 2, 'Unknown command "lst"', 'Did you mean list'],
  ['events get', 2, 'Missing argument <id>', 'See: calendar events get --help'],
  ['events list extra', 2, 'Unexpected argument "extra": calendar events list takes no arguments'],
  ['requests list', 2, 'Unexpected argument "list": calendar requests takes no arguments'],
  ['completion', 2, 'Missing argument <shell>', 'Expected one of bash, zsh, fish'],
  ['completion bsh', 2, 'Invalid shell "bsh"', 'Did you mean bash'],
  ['next soon', 2, 'Invalid n "soon"', 'Expected a whole number of at least 1.'],
  ['help evnts', 2, 'Unknown help topic "evnts"', 'Did you mean events?'],
  // Options
  ['events list --titel x', 2, 'Unknown option --titel'],
  ['events list --serch x', 2, 'Unknown option --serch', 'Did you mean --search?'],
  ['--featured events list', 2, 'Unknown option --featured', 'Pass it after the command: calendar '],
  ['events list --search', 2, '--search <text> requires a value', 'See: calendar events list --help'],
  ['events list --start_date today', 2, 'Unknown option --start_date', 'Did you mean --start-date?'],
  ['events list --no-featurd', 2, 'Unknown option --no-featurd', 'Did you mean --no-featured?'],
  [
    'events list --featured=false',
    2,
    'Unknown option --featured=false',
    "--featured doesn't take a value. Use --featured or --no-featured.",
  ],
  ['events create --set titel=x', 2, 'Unknown field "titel" of events', 'Did you mean title?'],
  ['events list --limit 0', 2, 'Invalid value "0" for --limit', 'Expected a whole number of at least 1.'],
  ['events list --format jsn', 2, 'Invalid value "jsn" for --format', 'Did you mean json?'],
  ['events list --featured yes', 2, '--featured doesn\'t take a value, got "yes"', 'Use --featured or --no-featured.'],
  ['events list --all --page 2', 2, 'Use either --all or --page, not both'],
  ['events list --past --starts-after today', 2, 'Use either --past or --starts-after, not both'],
  ['events shift', 2, 'Missing required option --by <duration>'],
  ['events shift --by soon', 2, 'Invalid value "soon" for --by', 'Expected a duration'],
  ['shift --by 1h --serch x', 2, 'Unknown option --serch', 'Did you mean --search?'],
  [
    'events list --timeout x',
    2,
    'Invalid value "x" for --timeout',
    'Expected a number of seconds, or a time with a unit, like 500ms or 2m, up to 24d.',
  ],
  // Fields to print and to sort by
  ['events list --fields title,strat_date', 2, 'Unknown field "strat_date" of events', 'Did you mean start_date?'],
  ['events list --fields venue.ctiy', 2, 'Unknown field "venue.ctiy" of events', 'Did you mean venue.city'],
  ['events list --fields title.rendered', 2, 'Unknown field "title.rendered" of events', 'title has no fields.'],
  ['events list --fields ,', 2, 'Invalid value "," for --fields', 'Expected names of fields'],
  ["events list --template '{{titel}}'", 2, 'Unknown field "titel" of events', 'Did you mean title?'],
  ["events list --template '{{title'", 2, 'Unmatched braces in template', 'Write fields as {{title}}'],
  ["events list --template '{{id}}' --format csv", 2, 'Use either --template or --format, not both'],
  ["events list --template ''", 2, 'Invalid value "" for --template'],
  ['events list --sort strat_date', 2, 'Unknown field "strat_date" of events', 'Did you mean start_date?'],
  ['events get concert --fields titel', 2, 'Unknown field "titel" of events', 'Did you mean title?'],
  ['events delete concert --fields titel', 2, 'Unknown field "titel" of events', 'Did you mean title?'],
  ['agenda --format json --fields titel', 2, 'Unknown field "titel" of events', 'Did you mean title?'],
  ['agenda --format mrkdown', 2, 'Invalid value "mrkdown" for --format', 'Did you mean markdown?'],
  ['venues list --format ics', 2, 'Format ics is only available for events', 'Use --format json or csv.'],
  // Dates
  ['events create --title x', 2, 'Missing required fields: start_date, end_date', 'Pass --start-date and --end-date (or --duration).'],
  ['events create --title x --duration 1h', 2, 'Missing required fields', 'Pass --start-date.'],
  [
    'events create --title x --start-date 05/06/2027',
    2,
    'Ambiguous start_date "05/06/2027": May 6, 2027 or June 5, 2027',
    'Write 2027-05-06 or 2027-06-05.',
  ],
  ["events create --title x --start-date '5/6/27 8pm'", 2, 'Ambiguous start_date', 'Write 2027-05-06 or 2027-06-05.'],
  ['events update concert --set end_date=5/6/2027', 2, 'Ambiguous end_date', 'Write 2027-05-06 or 2027-06-05.'],
  ['events list --from 5/6', 2, 'Ambiguous from "5/6": May 6 or June 5'],
  ['events list --start-date 05/06/2027', 2, 'Ambiguous start_date'],
  ['agenda 05/06/2027', 2, 'Ambiguous date'],
  ['generate --events 1 --from 05/06/2027', 2, 'Ambiguous from'],
  ['generate --events 1 --from 2027-03-02 --until 2027-03-01', 2, 'is before --from 2027-03-02'],
  ['export --format csv --only venues,tags', 2, 'A CSV file can contain only one resource', 'Select one, e.g. --only venues.'],
  ['export --format ics --only venues', 2, 'An iCalendar file can contain only events'],
  ['export --format json --fields title', 2, '--fields requires the format csv'],
  ['export --format csv --fields titel', 2, 'Unknown field "titel" of events', 'Did you mean title?'],
  ['serve --until-stdin-closes --detach', 2, 'Use either --until-stdin-closes or --detach, not both'],
  ['serve --until-stdin-closes --seed -', 2, 'Use either --until-stdin-closes or --seed -, not both'],
  ['serve --until-stdin-closes --user ada --password-stdin', 2, 'Use either --until-stdin-closes or --password-stdin, not both'],
  ['import missing.ics --from 05/06/2027', 2, 'Ambiguous from'],
  [
    'serve --upstream https://example.org',
    2,
    '--upstream is gone: serve --pull URL --every 5m copies a site and serves the copy',
    'docs/live-site.md lists what replaces it.',
  ],
  ['serve --no-upstream-pull', 2, '--no-upstream-pull is gone', 'docs/live-site.md lists what replaces it.'],
  ['events create --title x --start-date 2027-02-30', 2, "the day 2027-02-30 doesn't exist", 'See: calendar help dates'],
  ["events create --title x --start-date '2027-03-02 10:00' --end-date '2027-03-01 10:00'", 2, 'is before the start'],
  ['events update concert --end-date 2027-02-01', 2, 'is before the start'],
  ['events update concert --start-date nonsense', 2, 'Invalid start_date: "nonsense" is not a valid date'],
  ['events update concert --duration soon', 2, '"soon" is not a duration'],
  ['agenda nonsense', 2, 'Invalid range of days "nonsense"'],
  ['events list --from 2027-05-01 --to 2027-04-01', 2, 'Invalid to: "2027-04-01" is before "2027-05-01"'],
  ['events shift --by 1h --from 2027-05-01 --to 2027-04-01', 2, 'Invalid to: "2027-04-01" is before "2027-05-01"'],
  ["events list --status ''", 2, 'Invalid status: must not be empty'],
  ['events list --from 2027', 2, 'Invalid from: "2027" is a number, not a date', 'Write 2027-03-01.'],
  ['events list --starts-after 2027', 2, 'Invalid starts_after: "2027" is a number, not a date'],
  ['events create --title x --start-date 2027', 2, '"2027" is a number, not a date'],
  ["events create --title x --start-date '2027-03-05 19:00-21:00'", 2, 'a range of times or a UTC offset', 'Give the end separately.'],
  ["events update concert --start-date '+1.5 days'", 2, 'is not a valid date'],
  ['generate --events 1 --from 2027', 2, 'is a number, not a date'],
  // Names and values
  ["events update concert --venue 'New Hall'", 2, 'No venue has the slug or name "New Hall"', "--set venue.venue='New Hall'"],
  ['events update concert --venue main-hal', 2, 'No venue has the slug or name "main-hal"', 'Did you mean main-hall'],
  ['events list --tags jaz', 2, 'No tag has the slug or name "jaz"', 'Did you mean jazz'],
  ['events get concrt', 3, 'No event has the slug or name "concrt"', 'Did you mean concert'],
  ['events restore concert', 6, 'is not in the trash'],
  ['events update concert', 2, 'No fields to update'],
  ['events update concert --timezone Europe/Berln', 2, 'is not a time zone', 'Did you mean Europe/Berlin?'],
  ['events update concert --website nonsense', 2, 'Invalid website: must be an absolute URL'],
  ['events update concert --venue 999', 2, 'Invalid venue: "999" is not the ID of a venue'],
  ...['--website nonsense', '--venue 999', '--organizer 999', '--timezone Europe/Berln', '--status soon'].map(
    (change): (typeof table)[number] => [`events update concert --dry-run ${change}`, 2, 'Invalid '],
  ),
  ['tags update jazz --dry-run --parent 999', 2, ''],
  ['settings set timezone Berlin', 2, 'Invalid timezone "Berlin"', 'Did you mean Europe/Berlin?'],
  ['settings set timezon UTC', 2, 'Invalid setting "timezon"', 'Did you mean timezone?'],
  [`events create --data '{"titel":"x"}'`, 2, 'Unknown field "titel" of events', 'Did you mean title?'],
  ['events create --data {', 2, 'Invalid JSON in --data'],
  ['events list --status publsh', 2, '"publsh" is not one of', 'Did you mean publish?'],
  ['events delete concert fair', 2, 'Confirmation required: Move 2 events to the trash?', 'Pass --yes.'],
  ['events update concert nowhere --title x', 3, 'no records were changed'],
  ['reset --to strat --yes', 3, 'Snapshot "strat" not found', 'Did you mean start?'],
  ['seed dmeo', 3, 'No seed or file has the name "dmeo"', 'Did you mean demo?'],
];

describe.each(['on a file', 'through a server'])('%s', (how) => {
  it.each(table)('%s', async (line, exit, message, hint) => {
    const where = how === 'on a file' ? ['--db', 'wrong.db'] : ['--url', server.url];
    const said = await run([...where, ...words(line)], { cwd: place.path });
    expect({ stdout: said.stdout, exit: said.exit }).toEqual({ stdout: '', exit });
    expect(said.stderr).toContain(message);
    if (hint) expect(said.stderr).toContain(hint);
    expect(said.stderr).toMatch(/^calendar: .*\n( {2}.*\n)?$/);
  });
});

it('has at least 60 rows', () => expect(table.length).toBeGreaterThanOrEqual(60));

it.each([
  ['13/06/2027', false],
  ['06/06/2027', false],
  ['2027/05/06', false],
  ['may 6 2027', false],
  ['5/6/2027', true],
])('a date %s is ambiguous: %s', async (text, ambiguous) => {
  const { stderr } = await run(['events', 'list', '--db', 'wrong.db', '--from', text], { cwd: place.path });
  expect(stderr.includes('Ambiguous')).toBe(ambiguous);
});

it('a wrong path of a server leads to its calendar, but for a raw request', async () => {
  for (const [line, exit] of [
    ['events list', 0],
    ['events get 1', 3],
    ['tags create --name found', 0],
    ['request GET /events', 3],
  ] as const) {
    const said = await run([...words(line), '--url', `${server.url}/wrong`], { cwd: place.path });
    expect([line, said.exit]).toEqual([line, exit]);
  }
});

it('JSON and HTTP read slashes as the API does', async () => {
  const data = JSON.stringify({ title: 'Slashes', start_date: '05/06/2027', end_date: '05/06/2027' });
  const { stdout } = await run(['events', 'create', '--db', 'wrong.db', '--data', data, '--json=start_date'], { cwd: place.path });
  expect(JSON.parse(stdout)).toEqual({ start_date: '2027-05-06 00:00:00' });
});

it('an SQL dump is not imported', async () => {
  const { stdout } = await run(['export', '--db', 'wrong.db', '--format', 'sql'], { cwd: place.path });
  const said = await run(['import', '-', '--db', 'wrong.db'], { cwd: place.path, stdin: stdout });
  expect(said).toMatchObject({ stdout: '', exit: 2, stderr: expect.stringContaining('An SQL dump cannot be imported') });
});
