import type { Asking } from './asking.ts';
import type { Columns, Input, Row } from './resource.ts';
import { type DateTime, endOfDay, fromUtc, readDate, startOfDay, toUtc } from './time.ts';
import { dateText } from './value.ts';

/** The dates of an event that is written, local and UTC. A lone start or end moves that end; an end before the start becomes the start. */
export function when(input: Input, columns: Columns, before: Row | undefined, asking: Asking): Columns {
  const timezone = String(columns.timezone ?? before?.timezone ?? asking.zone);
  const written = (value: unknown, kept: unknown): DateTime => {
    const read = value === undefined || value === null ? undefined : readDate(dateText(value), asking.now, timezone)!;
    // A wall time that was read by the clock of this zone is one that it shows.
    return read && !read.ownZone ? read.wall : fromUtc(toUtc(read?.wall ?? String(kept), timezone), timezone);
  };
  let start_date = written(input.start_date, before?.start_date);
  let end_date = written(input.end_date, before?.end_date);
  if (end_date < start_date) end_date = start_date;
  const all_day = Number(columns.all_day ?? before?.all_day ?? 0);
  if (all_day) [start_date, end_date] = [startOfDay(start_date), endOfDay(end_date)];
  return {
    timezone,
    all_day,
    start_date,
    end_date,
    utc_start_date: toUtc(start_date, timezone),
    utc_end_date: toUtc(end_date, timezone),
  };
}
