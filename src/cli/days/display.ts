import type { Calendar, Entry } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import { hueColors, hueIndexes } from '../../model/hues.ts';
import { everyRecord } from '../../model/paging.ts';
import type { DateTime } from '../../model/time/datetime.ts';
import { type Day, dayOf, type Weekday } from '../../model/time/days.ts';
import { wallOf } from '../../model/time/time.ts';
import { isZone } from '../../model/time/zone.ts';
import type { ColorLevel, TerminalColor } from '../terminal/styled-line.ts';
import { localeOf, weekStartOf } from './locale.ts';

/** Display settings: time zone, current time, locale, width, color. */
export interface Display {
  /** Time zone of displayed times; undefined for each event's own. */
  tz?: string;
  /** The calendar's time zone, which words such as "today" refer to. */
  here: string;
  /** The terminal's time zone. Times in other zones are marked. */
  own: string;
  /** A note about time zones that differ from the terminal's. */
  note?: string;
  /** Epoch milliseconds. */
  now: number;
  locale: string;
  weekStart: Weekday;
  /** Columns of the output: those of the terminal or of COLUMNS; undefined in a pipe. */
  width?: number;
  /** True in a pipe: every event is printed, however long a day gets. */
  whole?: boolean;
  color: boolean;
  colorLevel?: ColorLevel;
  /** Absent without colors. */
  colorOf?: ColorOf;
}

/** The display for an environment. `tz` is a zone, or 'event' for each event's own. Throws `bad-request` for an unknown zone. */
export function displayOf(env: Record<string, string | undefined>, now: number, tz = 'event', here = zoneHere(env)): Display {
  if (tz !== 'event' && !isZone(tz))
    throw new Failure(
      'bad-request',
      `not a time zone: ${JSON.stringify(tz)}`,
      "Write it like Europe/Paris or UTC+5.5, or 'event' for each event's own.",
    );
  const locale = localeOf(env);
  return { tz: tz === 'event' ? undefined : tz, here, own: zoneHere(env), now, locale, weekStart: weekStartOf(locale), color: false };
}

/** The terminal's time zone: TZ, or the system's. */
export const zoneHere = ({ TZ }: Record<string, string | undefined>): string =>
  TZ && isZone(TZ) ? TZ : Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

export const wallNow = (display: Display): DateTime => wallOf(display.now, display.here);
export const today = (display: Display): Day => dayOf(wallNow(display));

/** The colors of terminals that are next to those of categories: one of 16, and one of 256. */
const terminalCodes: readonly (readonly [basic: number, extended: number])[] = [
  [94, 75],
  [91, 174],
  [32, 72],
  [35, 140],
  [33, 173],
  [36, 38],
  [95, 175],
  [92, 107],
  [34, 105],
  [93, 209],
];
const palette = terminalCodes.map((codes, at): TerminalColor => [...codes, ...hueColors[at]!]);

/** Undefined without categories. */
type ColorOf = (entry: Entry) => TerminalColor | undefined;

export async function colorsOf({ categories }: Calendar): Promise<ColorOf> {
  const all: Entry[] = [];
  for await (const category of everyRecord(categories, { hide_empty: 'false' })) all.push(category);
  const hueOf = hueIndexes(all.map(({ id, parent }) => ({ id, parent: Number(parent ?? 0) })));
  return ({ categories: assigned }) => {
    const hue = Array.isArray(assigned) ? hueOf(assigned as { id: number }[]) : undefined;
    return hue === undefined ? undefined : palette[hue];
  };
}
