import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Calendar } from '../../model/calendar.ts';
import type { Query } from '../../model/fields/list.ts';
import { event } from '../../model/resources/event.ts';
import { addOptions, optionsOf, queryFrom } from '../options.ts';
import { meantQuery, type Surroundings } from '../records/meaning.ts';
import type { Session } from '../session.ts';
import { clockOf, columnsOf, hasColour, write } from '../terminal/terminal.ts';
import type { Weekday } from './day.ts';
import { type Display, displayOf } from './display.ts';

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

function weekday(text: string): Weekday {
  const found = weekdays.findIndex((name) => text.length > 1 && name.startsWith(text.toLowerCase()));
  if (found < 0) throw new InvalidArgumentError(`It must be one of ${weekdays.join(', ')}.`);
  return (found + 1) as Weekday;
}

/** The filters of these commands; they have dates of their own. */
const filters = event.list.parameters.filter(({ name }) =>
  ['search', 'categories', 'tags', 'venue', 'organizer', 'featured', 'status'].includes(name),
);

/** Adds the options of the display (zone, start of the week) and filters to a command. */
export function addDisplayOptions(command: Command): Command {
  command
    .addOption(new Option('--tz <zone>', "show times in this zone; 'event' for each event's own (event)").helpGroup('Time:'))
    .addOption(new Option('--week-start <day>', 'the day on which weeks start (as the locale says)').argParser(weekday).helpGroup('Time:'));
  return addOptions(
    command,
    optionsOf(filters, () => 'Which events:'),
  );
}

/** The display that a command's options and terminal ask for. */
export function displayFor(session: Session, options: Record<string, unknown>): Display {
  const { env, stdout } = session.terminal;
  const now = clockOf(session.terminal, session.globals.now)();
  const display = displayOf(env, now, options.tz as string | undefined);
  return {
    ...display,
    weekStart: (options.weekStart as Weekday | undefined) ?? display.weekStart,
    width: columnsOf(stdout),
    colour: hasColour(stdout, env, session.globals.color),
  };
}

/** The query that the options of {@link addDisplayOptions} give, as a calendar takes it. */
export const eventQuery = (options: Record<string, unknown>, calendar: Surroundings): Promise<Query> =>
  meantQuery(filters, queryFrom(filters, options), calendar);

/** Says on a terminal in which zone times and "today" are, where that is not the terminal's own. */
async function tellZone({ terminal, tell }: Session, { tz, here, own }: Display): Promise<void> {
  const text = zoneNote({ tz, here, own });
  if (text && terminal.stdout.isTTY) await tell(text, true);
}

/** What a display whose zones are not the terminal's says of them; undefined where all are one. */
export function zoneNote({ tz, here, own }: Pick<Display, 'tz' | 'here' | 'own'>): string | undefined {
  if (tz !== undefined && tz !== here) return `times are in ${tz}; today is that of ${here}, the calendar's zone`;
  return here === own ? undefined : `today is that of ${here}, the calendar's zone`;
}

/** Prints what `view` draws of the calendar. Arguments are checked before the calendar is opened. */
export async function showDays(
  session: Session,
  options: Record<string, unknown>,
  view: (display: Display) => (calendar: Calendar, query: Query) => AsyncIterable<string>,
): Promise<undefined> {
  const display = displayFor(session, options);
  view(display);
  const connection = await session.connect('read');
  const { calendar, clock, zone } = connection;
  const query = await eventQuery(options, connection);
  // The clock of a server may be another than that of this machine.
  const [here, now] = [await zone(), (await clock())()];
  const pieces = view({ ...display, now, here });
  await tellZone(session, { ...display, here });
  for await (const piece of pieces(calendar, query)) await write(session.terminal.stdout, piece);
}
