import { type Command, InvalidArgumentError, Option } from 'commander';
import { event } from '../../model/event.ts';
import type { Query } from '../../model/filter.ts';
import type { Calendar } from '../../model/resource.ts';
import { isZone } from '../../model/time.ts';
import { addOptions, optionsOf, queryFrom } from '../options.ts';
import type { Session } from '../shell.ts';
import { clockOf, isColourful, write } from '../terminal.ts';
import type { Weekday } from './day.ts';
import { type Look, lookOf } from './look.ts';

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

function weekday(text: string): Weekday {
  const found = weekdays.findIndex((name) => text.length > 1 && name.startsWith(text.toLowerCase()));
  if (found < 0) throw new InvalidArgumentError(`It must be one of ${weekdays.join(', ')}.`);
  return (found + 1) as Weekday;
}

/** The list parameters that narrow what is looked at; dates are the commands' own. */
const filters = event.filters.filter(({ name }) =>
  ['search', 'categories', 'tags', 'venue', 'organizer', 'featured', 'status'].includes(name),
);

/** Gives a command the options of looking: zone, week start, and which events; its help starts with examples. */
export function addLooking(command: Command, examples: readonly string[]): Command {
  command
    .addHelpText('before', `Examples:\n${examples.map((line) => `  ${line}`).join('\n')}\n`)
    .addOption(new Option('--tz <zone>', "show times in this zone; 'event' for each event's own (event)").helpGroup('Time:'))
    .addOption(new Option('--week-start <day>', 'the day on which weeks start (as the locale says)').argParser(weekday).helpGroup('Time:'));
  return addOptions(
    command,
    optionsOf(filters, () => 'Which events:'),
  );
}

/** The look that the options and the terminal of a command make. */
export function lookFor(session: Session, options: Record<string, unknown>): Look {
  const { env, stdout } = session.terminal;
  const now = clockOf(session.terminal, session.globals.now)();
  const look = lookOf(env, now, options.tz as string | undefined, env.TZ && isZone(env.TZ) ? env.TZ : undefined);
  return {
    ...look,
    weekStart: (options.weekStart as Weekday | undefined) ?? look.weekStart,
    width: stdout.isTTY ? (stdout.columns ?? 80) : undefined,
    colour: isColourful(stdout, env, session.globals.color),
  };
}

/** The list parameters that the options of looking give. */
export const narrowed = (options: Record<string, unknown>): Query => queryFrom(filters, options);

/** Shows the calendar of a command in one of the ways of looking. What is wrong with the arguments is said before a calendar is opened. */
export async function show(
  session: Session,
  options: Record<string, unknown>,
  way: (look: Look) => (calendar: Calendar, query: Query) => AsyncIterable<string>,
): Promise<undefined> {
  const look = lookFor(session, options);
  way(look);
  const { calendar, now } = await session.connect('read');
  // The clock of a server that owns the file may stand still.
  const pieces = way({ ...look, now: now() });
  for await (const piece of pieces(calendar, narrowed(options))) await write(session.terminal.stdout, piece);
}
