import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Calendar } from '../../model/calendar.ts';
import type { Query } from '../../model/fields/filter.ts';
import { event } from '../../model/resources/event.ts';
import { isZone } from '../../model/time/zone.ts';
import { addOptions, optionsOf, queryFrom } from '../options.ts';
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
const filters = event.filters.filter(({ name }) =>
  ['search', 'categories', 'tags', 'venue', 'organizer', 'featured', 'status'].includes(name),
);

/** Adds the options of the display (zone, start of the week) and filters to a command, and examples to its help. */
export function addDisplayOptions(command: Command, examples: readonly string[]): Command {
  command
    .addHelpText('before', `Examples:\n${examples.map((line) => `  ${line}`).join('\n')}\n`)
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
  const display = displayOf(env, now, options.tz as string | undefined, env.TZ && isZone(env.TZ) ? env.TZ : undefined);
  return {
    ...display,
    weekStart: (options.weekStart as Weekday | undefined) ?? display.weekStart,
    width: columnsOf(stdout),
    colour: hasColour(stdout, env, session.globals.color),
  };
}

/** The query that the options of {@link addDisplayOptions} give. */
export const eventQuery = (options: Record<string, unknown>): Query => queryFrom(filters, options);

/** Prints what `view` draws of the calendar. Arguments are checked before the calendar is opened. */
export async function showDays(
  session: Session,
  options: Record<string, unknown>,
  view: (display: Display) => (calendar: Calendar, query: Query) => AsyncIterable<string>,
): Promise<undefined> {
  const display = displayFor(session, options);
  view(display);
  const { calendar, now } = await session.connect('read');
  // The clock of a server that owns the file may be fixed.
  const pieces = view({ ...display, now: now() });
  for await (const piece of pieces(calendar, eventQuery(options))) await write(session.terminal.stdout, piece);
}
