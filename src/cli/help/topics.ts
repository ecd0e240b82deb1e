import { exitCodes } from '../../model/error.ts';
import { alignColumns } from '../terminal/align.ts';

const exits: Record<keyof typeof exitCodes, string> = {
  ok: 'done',
  unexpected: 'something that should not happen: a mistake in this program; of diff: there are differences',
  invalid: 'wrong usage, or values that are refused',
  missing: 'what was named is not there',
  forbidden: 'not allowed, or not known who asks',
  unreachable: 'the server is not reachable, is busy, or is no calendar',
  conflict: 'it clashes with what is there, or somebody else holds the file',
  server: 'the server or the file failed',
  partial: 'some of several failed; those are named on stderr',
};

const exitRows = Object.entries(exitCodes).map(([name, code]) => [`  ${code}`, exits[name as keyof typeof exitCodes]]);

/** The text of `calendar help TOPIC`. */
export const topics: Record<string, string> = {
  'exit-codes': `Exit codes

${alignColumns([...exitRows, ['  129', 'stopped by SIGHUP'], ['  130', 'stopped by SIGINT (ctrl-c)'], ['  143', 'stopped by SIGTERM']])}
A server that a signal stops has done what it was asked to: serve ends with 0.
With --no-fail, request ends with 0 whatever the server answers.

The same failure has the same code, message and exit status on a file, through
a server and on a remote calendar. With --json a failure is a line of JSON on
stderr: {"code", "message", "data": {"status"}, "hint"}.
`,
  environment: `Which calendar, in this order

${alignColumns([
  ['  --url URL', 'a server, with or without the namespace in its address'],
  ['  --db FILE', 'a file'],
  ['  CALENDAR_URL', 'a server'],
  ['  CALENDAR_DB', 'a file'],
  ['  profile', 'from calendar.config.json here or above, or from'],
  ['', '~/.config/calendar/config.json (XDG_CONFIG_HOME)'],
  ['  calendar.db', 'in this folder'],
])}
Of an address http:// may be left out for this machine, as in localhost:8787 or
:8787, and https:// for all others.
When a server owns the file that is meant, the command goes to that server.
calendar status says which calendar is used and why, -v the same beside any
command; calendar config list shows what the environment and profiles say.

A file of profiles:
  {"profile": "staging",
   "profiles": {"staging": {"url": "https://example.org/wp-json", "user": "ada"},
                "mine": {"db": "calendar.db"}}}
A file with a "password" in it must be readable by its owner alone (chmod 600).
Files of other users are passed over. CALENDAR_USER, CALENDAR_PASSWORD and
CALENDAR_CONTROL_TOKEN go to no address that a calendar.config.json says.

Variables

${alignColumns([
  ['  CALENDAR_URL, CALENDAR_DB', 'the calendar'],
  ['  CALENDAR_PROFILE', 'the profile'],
  ['  CALENDAR_NAMESPACE', 'where the API stands below the URL'],
  ['  CALENDAR_USER, CALENDAR_PASSWORD', 'who asks'],
  ['  CALENDAR_NOW', 'take this for the present moment, on a file'],
  ['  CALENDAR_TIMEZONE', 'the zone of a calendar in a file'],
  ['  HTTP_PROXY, HTTPS_PROXY, NO_PROXY', 'the way to a remote server'],
  ['  NO_COLOR, FORCE_COLOR, CLICOLOR, TERM=dumb', 'colours'],
  ['  PORT', 'the port of calendar serve'],
])}`,
  formats: `Formats (--format)

${alignColumns([
  ['  table', 'for people; cut to the width of a terminal, whole in a pipe'],
  ['  json', 'the records as the API answers them; --json is short for it'],
  ['  ndjson', 'one record on each line, as it comes'],
  ['  csv', 'RFC 4180; a text that a spreadsheet would run as a formula gets a leading apostrophe'],
  ['  tsv', 'tabs between; \\t, \\n, \\r and \\\\ stand for themselves in texts'],
  ['  ids', 'one ID on each line, for - of get, update and delete'],
  ['  count', 'how many match in all, whatever the page'],
  ['  ics', 'events as an iCalendar file'],
])}
--fields id,title,venue.city takes some fields; --json=id,title is both in one.
--template '{{title}}\\t{{start_date}}' prints a line for each record.
create, update and delete with --quiet print the ID alone.
`,
  dates: `Dates

Wherever a date is taken it can be written as

${alignColumns([
  ['  2027-03-01 10:00', 'a day and a time, in the zone of the event or the calendar'],
  ['  2027-03-01T10:00:00Z', 'ISO 8601; a time with a zone of its own is that moment'],
  ['  tomorrow 9am', 'next friday, +2 weeks, last day of february 2027 noon,'],
  ['', 'first monday of january 2027'],
  ['  1803896400', 'a Unix timestamp'],
])}
Words like today are read by the calendar's clock and zone, whatever the zone
of the terminal. A day that does not exist, like 2027-02-30, is rejected.

An end that is only a time or a distance counts from the start: 11:15, 11pm,
'+45 minutes'; a time earlier than the start is on the next day. Or pass
--duration: 45m, 1h30m, 1:30, 7d, 1w, 1mo or ISO 8601 (P7D). A new event
without an end lasts one hour, and one whose dates have no times lasts all
day. An end on a day before the start is rejected. An update that only moves
the start moves the end along.

In lists:
${alignColumns([
  ['  --from now', 'what is on, and what comes next'],
  ['  --from today --to sunday', 'what is on in these days, also what began before'],
  ['  --past', 'what is over, the latest first'],
  ['  --start-date today', 'what starts today or later'],
  ['  --starts-after today', 'what starts tomorrow or later: the day itself is left out'],
])}
The last two are the API's: there a date means its whole day, whatever time it
has, unless --strict-dates makes the exact time count.
Without any date a list shows two years from yesterday on, of the trash and of
drafts too: --status trash --past shows what was over when it went there.
`,
};
