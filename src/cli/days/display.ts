import { Failure } from '../../model/error.ts';
import type { DateTime } from '../../model/time/datetime.ts';
import { wallOf } from '../../model/time/time.ts';
import { isZone } from '../../model/time/zone.ts';
import { type Day, dayOf, type Weekday } from './day.ts';
import { localeOf, weekStartOf } from './locale.ts';

/** How events are shown: zone, time, locale, width, colour. */
export interface Display {
  /** The zone to show times in; undefined for each event's own. */
  tz?: string;
  /** The zone of "today". */
  here: string;
  /** Epoch milliseconds. */
  now: number;
  locale: string;
  weekStart: Weekday;
  /** Columns of the terminal; undefined in a pipe. */
  width?: number;
  colour: boolean;
}

/** The display for an environment; `tz` is a zone, or 'event' for each event's own. Fails on an unknown zone. */
export function displayOf(env: Record<string, string | undefined>, now: number, tz = 'event', zone = zoneHere()): Display {
  if (tz !== 'event' && !isZone(tz))
    throw new Failure(
      'bad-request',
      `not a time zone: ${JSON.stringify(tz)}`,
      {},
      "Write it like Europe/Paris or UTC+5.5, or 'event' for each event's own.",
    );
  const locale = localeOf(env);
  const shown = tz === 'event' ? undefined : tz;
  return { tz: shown, here: shown ?? zone, now, locale, weekStart: weekStartOf(locale), colour: false };
}

const zoneHere = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

/** The current wall time of a display. */
export const wallNow = (display: Display): DateTime => wallOf(display.now, display.here);
/** The current day of a display. */
export const today = (display: Display): Day => dayOf(wallNow(display));
