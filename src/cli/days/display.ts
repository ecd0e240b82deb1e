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
  /** The calendar's zone: the one of "today" and of all words for days, whatever zone times are shown in. */
  here: string;
  /** The terminal's zone: times of other zones are marked. */
  own: string;
  /** What is to be said of zones that are not the terminal's. */
  note?: string;
  /** Epoch milliseconds. */
  now: number;
  locale: string;
  weekStart: Weekday;
  /** Columns of the terminal; undefined in a pipe. */
  width?: number;
  colour: boolean;
}

/** The display for an environment and a calendar in a zone; `tz` is a zone, or 'event' for each event's own. Fails on an unknown zone. */
export function displayOf(env: Record<string, string | undefined>, now: number, tz = 'event', here = zoneHere(env)): Display {
  if (tz !== 'event' && !isZone(tz))
    throw new Failure(
      'bad-request',
      `not a time zone: ${JSON.stringify(tz)}`,
      {},
      "Write it like Europe/Paris or UTC+5.5, or 'event' for each event's own.",
    );
  const locale = localeOf(env);
  return { tz: tz === 'event' ? undefined : tz, here, own: zoneHere(env), now, locale, weekStart: weekStartOf(locale), colour: false };
}

/** The zone of the terminal: that of TZ, else the system's. */
export const zoneHere = ({ TZ }: Record<string, string | undefined>): string =>
  TZ && isZone(TZ) ? TZ : Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

/** The current wall time of a display. */
export const wallNow = (display: Display): DateTime => wallOf(display.now, display.here);
/** The current day of a display. */
export const today = (display: Display): Day => dayOf(wallNow(display));
