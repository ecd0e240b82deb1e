import { exitCodes } from '../../model/error.ts';
import { dateForms, rejectedForms } from '../../model/time/typed/forms.ts';
import { alignColumns } from '../terminal/align.ts';
import type { TopicName } from './examples.ts';

const exits: Record<keyof typeof exitCodes, string> = {
  ok: 'Success',
  unexpected: 'A bug in this program; for diff, there are differences',
  invalid: 'Invalid usage or invalid values',
  missing: 'Not found',
  forbidden: 'Not signed in, or not allowed',
  unreachable: 'The server is unreachable, busy, or not a calendar',
  conflict: 'A conflict, or another process has the file open',
  server: 'The server or the file failed',
  partial: 'Partial failure; stderr names what failed',
};

const exitRows = Object.entries(exitCodes).map(([name, code]) => [`  ${code}`, exits[name as keyof typeof exitCodes]]);

/** Texts with commas between, in lines of at most 58 characters. */
const fill = (texts: readonly string[]): string[] =>
  texts.reduce<string[]>((lines, text) => {
    const line = [...lines.slice(-1), text].join(', ');
    return lines.length > 0 && line.length > 58 ? [...lines.slice(0, -1), `${lines.at(-1)},`, text] : [...lines.slice(0, -1), line];
  }, []);

const formRows = alignColumns(
  dateForms.flatMap(({ examples: [first, ...others], about }) =>
    fill(about === undefined ? others : [about, ...others]).map((line, at) => [at ? '' : `  ${first}`, line]),
  ),
);
const rejectedRows = alignColumns(rejectedForms.map(({ examples, about }) => [`  ${examples.join(', ')}`, about]));

/** The texts of `calendar help TOPIC`. */
export const topics: Record<Exclude<TopicName, 'agents'>, string> = {
  'exit-codes': `Exit codes

${alignColumns([...exitRows, ['  129', 'Stopped by SIGHUP'], ['  130', 'Stopped by SIGINT (Ctrl-C)'], ['  143', 'Stopped by SIGTERM']])}
serve exits with 0 when a signal stops it. With --no-fail, request exits with 0
for any response.

An error has the same code, message and exit code on a file, through a server
and on a remote calendar. With --json, it is one line of JSON on stderr:
{"code", "message", "data": {"status"}, "hint"}.
`,
  environment: `Environment

A command uses the first calendar that is set:
${alignColumns([
  ['  --url URL', 'A server, with or without the namespace in its address'],
  ['  --db FILE', 'A file'],
  ['  CALENDAR_URL', 'A server'],
  ['  CALENDAR_WORLD', 'A world of that server'],
  ['  CALENDAR_DB', 'A file'],
  ['  profile', 'In calendar.config.json in this folder or above it, or in'],
  ['', '~/.config/calendar/config.json (XDG_CONFIG_HOME)'],
  ['  calendar.db', 'In this folder'],
])}
You can omit http:// for this machine, as in localhost:8787 or :8787, and
https:// for all others. If a server has the file open, the command uses that
server. calendar status shows which calendar is in use, and why; calendar config
list shows the environment and the profiles.

A profile file:
  {"profile": "staging",
   "profiles": {"staging": {"url": "https://example.org/wp-json", "user": "ada"},
                "mine": {"db": "calendar.db"}}}
A file with a "password" must be readable by its owner only (chmod 600). Files
of other users are ignored. CALENDAR_USER, CALENDAR_PASSWORD and
CALENDAR_CONTROL_TOKEN are not sent to an address from a calendar.config.json.

"serve" in a project's calendar.config.json contains options of calendar serve:
  {"serve": {"seed": "fixtures/town.json", "basePath": "/wp-json"}}
calendar config detect URL writes those that make it look like a site.

Variables:
${alignColumns([
  ['  CALENDAR_URL, CALENDAR_DB', 'Calendar'],
  ['  CALENDAR_PROFILE', 'Profile'],
  ['  CALENDAR_NAMESPACE', 'Path of the API below the base path'],
  ['  CALENDAR_USER, CALENDAR_PASSWORD', 'Credentials'],
  ['  CALENDAR_CONTROL_TOKEN', 'Token for the control API'],
  ['  CALENDAR_NOW', 'Current time, on a file'],
  ['  CALENDAR_TIMEZONE', 'Time zone of a new calendar file'],
  ['  CALENDAR_ARTIFACTS', 'Folder for the requests of failed tests'],
  ['  HTTP_PROXY, HTTPS_PROXY, NO_PROXY', 'Proxies for remote servers'],
  ['  NO_COLOR, FORCE_COLOR, CLICOLOR, TERM=dumb', 'Colors'],
  ['  PORT', 'Port of calendar serve'],
])}`,
  formats: `Formats (--format)

${alignColumns([
  ['  table', 'For people; cut to the width of a terminal, complete in a pipe'],
  ['  json', 'Records as the API returns them; short form: --json'],
  ['  ndjson', 'One record per line, streamed'],
  ['  csv', 'RFC 4180, texts without markup; cells that a spreadsheet would run as a formula get a leading apostrophe'],
  ['  tsv', 'Like csv, but tab-separated; tabs, line breaks and backslashes are escaped as \\t, \\n, \\r and \\\\'],
  ['  ids', 'One ID per line, for - of get, update and delete'],
  ['  count', 'Number of matching records, on all pages'],
  ['  ics', 'Events as an iCalendar file'],
])}
--fields id,title,venue.city selects fields; --json=id,title does both at once.
--json=title.text is the plain text of a title, or of any other text with HTML.
--template '{{title}}\\t{{start_date}}' prints one line per record.
create, update and delete with --quiet print IDs only.
`,
  dates: `Dates

${formRows}
Words such as today use the calendar's clock and time zone, not the terminal's.

A date without a year is the next one, for an end the first after the start,
and the output names it. Two numbers with a dot are a date if they can't be a
time (24.12), and a time if they can't be a date (19.30). Short names of months
and weekdays in other languages count beside a day (Fr 04.12.). JSON in --data
is read as the API does.

Rejected are days that don't exist (2027-02-30), and
${rejectedRows}
An end that is only a time or an offset is relative to the start: 11:15, 11pm,
'45 minutes'; a time earlier than the start is on the next day. Or pass
--duration: 45m, 1h30m, 1:30, 7d, 1w, 1mo or ISO 8601 (P7D). A new event
without an end lasts one hour, and one whose dates have no times lasts all
day. An end on a day before the start is rejected. An update that only moves
the start moves the end with it.

update adds signed steps to the record's own dates: --start-date '+1 hour' or
+1h30m, --end-date '-2 days', --date '+1 week'. Days and longer keep the time of
day, hours and shorter are elapsed time. With both dates, each moves from its
own. A start that is only a time stays on its day: --start-date 20:00.
In create, '+1 hour' counts from now for a start, and from the start for an end.
calendar events shift moves all events that match.

In lists:
${alignColumns([
  ['  --from now', 'Current and future events'],
  ['  --from today --to sunday', 'Events on these days, including those that began before'],
  ['  --past', 'Past events, latest first'],
  ['  --start-date today', 'Events that start today or later'],
  ['  --starts-after today', 'Events that start tomorrow or later: the day itself is excluded'],
])}
The last two are parameters of the API: their date covers the whole day, unless
--strict-dates makes the exact time count. Without dates, a list covers two
years. It starts yesterday, or today in zones east of Greenwich.
`,
};

/** The page for coding agents, in Markdown: `calendar help agents`, and docs/agents.md, which `npm run commands` writes. */
export const agentsGuide = `# Agents

\`calendar\` is a local server and command line for an events REST API: \`events\`, \`venues\`, \`organizers\`, \`categories\`, \`tags\`. These are the commands that an agent needs.

## Rules

- Results go to stdout, messages to stderr. Add \`--json\` to get JSON; an error is then one line of JSON on stderr: \`{"code", "message", "data", "hint"}\`.
- No command waits for input when stdin is not a terminal. Deleting several records needs \`--yes\`.
- Use \`--db FILE\` for a file, \`--url URL\` for a server. \`calendar status\` shows which one a command uses.
- Records have an ID, a slug and a name. Commands accept all three.
- Dates can be relative (\`'next friday 19:00'\`). Pass \`--now 2027-03-01T09:00:00Z\` for reproducible results.

## Exit codes

0 success · 1 bug, or differences found by \`diff\` · 2 invalid usage or values · 3 not found · 4 not allowed · 5 server unreachable · 6 conflict · 7 server or file failed · 8 partial failure

## Commands

\`\`\`sh no-run
calendar serve --memory --seed demo --port 0 --json            # start a server; prints {"url", "port", "pid"}
calendar serve --memory --seed demo --detach                   # the same in the background; prints its address when it answers
calendar stop :8787                                            # stop a server
calendar exec --seed demo -- npm test                          # run a command with a temporary server in CALENDAR_URL
calendar wait :8787 --timeout 30s                              # wait for a server
calendar status --json                                         # show which calendar is in use
calendar seed demo --db city.db                                # load minimal, demo, shapes, conference, edge-cases or a file
calendar events list --from now --all --json                   # list events
calendar events list --search jazz --format ids                # print IDs only
calendar events get 26 --json                                  # show one event
calendar events create --title Concert --start-date '2027-06-05 20:00' --duration 2h --json
calendar events update 26 --cost '€12' --json                  # change fields; the rest stays
calendar events delete 26                                      # move to the trash
calendar events restore 26                                     # restore from the trash
calendar venues create --venue 'Town Hall' --city Rotterdam --json
calendar request POST /tags name=outdoors                      # send a raw API request
calendar import program.csv --dry-run --json                   # check an import: CSV, JSON, NDJSON or iCalendar
calendar export > fixture.json                                 # write a fixture
calendar validate fixture.json --json                          # check a file
calendar reset --to start --url :8787                          # restore a server's initial state
calendar undo                                                  # undo the last bulk change of a file
calendar check :8787 --format json                             # test a server against the specification
\`\`\`

\`calendar help COMMAND\` lists every option. A server describes its API at \`/openapi.json\`.
`;
