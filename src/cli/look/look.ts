import { Failure } from '../../model/error.ts';
import { type DateTime, isZone, wallOf } from '../../model/time.ts';
import { type Day, dayOf, type Weekday } from './day.ts';
import { localeOf, weekStartOf } from './locale.ts';

/** How somebody looks at a calendar: from where, when, and on what. */
export interface Look {
  /** The zone to show times in; undefined for each event's own. */
  tz?: string;
  /** The zone that says what today is. */
  here: string;
  /** Epoch milliseconds. */
  now: number;
  locale: string;
  weekStart: Weekday;
  /** Columns of the terminal; undefined in a pipe. */
  width?: number;
  colour: boolean;
}

/** A look from an environment; `tz` is a zone's name, or 'event' for each event's own. Fails on a zone that is unknown. */
export function lookOf(env: Record<string, string | undefined>, now: number, tz = 'event', zone = zoneHere()): Look {
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

/** The wall time of a look. */
export const wallNow = (look: Look): DateTime => wallOf(look.now, look.here);
/** The day of a look. */
export const today = (look: Look): Day => dayOf(wallNow(look));
