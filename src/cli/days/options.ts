import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Calendar } from '../../model/calendar.ts';
import type { Query } from '../../model/fields/list.ts';
import { event } from '../../model/resources/event.ts';
import type { Weekday } from '../../model/time/days.ts';
import type { Connection } from '../connect/connect.ts';
import { addOptions, optionsOf, queryFrom } from '../options.ts';
import { type ArgumentScope, resolveQuery } from '../records/arguments.ts';
import type { Session } from '../session.ts';
import { colorLevelOf } from '../terminal/styled-line.ts';
import { clockOf, hasColor, terminalWidth, write } from '../terminal/terminal.ts';
import { colorsOf, type Display, displayOf } from './display.ts';

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

function parseWeekday(text: string): Weekday {
  const index = weekdays.findIndex((name) => text.length > 1 && name.startsWith(text.toLowerCase()));
  if (index < 0) throw new InvalidArgumentError(`Expected one of ${weekdays.join(', ')}.`);
  return (index + 1) as Weekday;
}

const filters = event.list.parameters.filter(({ name }) =>
  ['search', 'categories', 'tags', 'venue', 'organizer', 'featured', 'status'].includes(name),
);

/** Adds display options and filters to a command. */
export function addDisplayOptions(command: Command): Command {
  command
    .addOption(
      new Option('--tz <zone>', "Time zone of displayed times, or 'event' for each event's own (default event)").helpGroup('Display:'),
    )
    .addOption(
      new Option('--week-start <day>', 'First day of the week (default: from the locale)').argParser(parseWeekday).helpGroup('Display:'),
    );
  return addOptions(
    command,
    optionsOf(filters, () => 'Filters:'),
  );
}

export function displayFor(session: Session, options: Record<string, unknown>): Display {
  const { env, stdout } = session.terminal;
  const now = clockOf(session.terminal, session.globals.now)();
  const display = displayOf(env, now, options.tz as string | undefined);
  const color = hasColor(stdout, env, session.globals.color);
  return {
    ...display,
    weekStart: (options.weekStart as Weekday | undefined) ?? display.weekStart,
    width: terminalWidth(stdout) ?? columnsIn(env),
    whole: !stdout.isTTY,
    color,
    colorLevel: color ? colorLevelOf(env) : 0,
  };
}

function columnsIn({ COLUMNS }: Session['terminal']['env']): number | undefined {
  const columns = Number(COLUMNS);
  return Number.isInteger(columns) && columns > 0 ? columns : undefined;
}

export const eventQuery = (options: Record<string, unknown>, calendar: ArgumentScope): Promise<Query> =>
  resolveQuery(filters, queryFrom(filters, options), calendar);

/** Prints the time zone on a terminal if it differs from the terminal's. */
async function printZone({ terminal, tell }: Session, { tz, here, own }: Display): Promise<void> {
  const text = zoneNote({ tz, here, own });
  if (text && terminal.stdout.isTTY) await tell(text, true);
}

/** A note about time zones that differ from the terminal's. */
export function zoneNote({ tz, here, own }: Pick<Display, 'tz' | 'here' | 'own'>): string | undefined {
  if (tz !== undefined && tz !== here) return `Times are in ${tz}. "Today" is in ${here}, the calendar's time zone.`;
  return here === own ? undefined : `"Today" is in ${here}, the calendar's time zone.`;
}

/** Prints a view of the calendar. Arguments are checked before the calendar is opened. */
export async function showDays(
  session: Session,
  options: Record<string, unknown>,
  view: (display: Display) => (calendar: Calendar, query: Query, connection: Connection) => AsyncIterable<string>,
): Promise<undefined> {
  const display = displayFor(session, options);
  view(display);
  const connection = await session.connect('read');
  const { calendar, clock, zone } = connection;
  const query = await eventQuery(options, connection);
  // A server's clock may differ from the local one.
  const [here, now] = [await zone(), (await clock())()];
  const colorOf = display.color ? await colorsOf(calendar) : undefined;
  const pieces = view({ ...display, now, here, colorOf });
  await printZone(session, { ...display, here });
  for await (const piece of pieces(calendar, query, connection)) await write(session.terminal.stdout, piece);
}
