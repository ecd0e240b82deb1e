import type { Input } from '../../model/calendar.ts';
import { invalidParams } from '../../model/error.ts';
import { dateFault } from '../../model/fields/date.ts';
import { impossibleDay } from '../../model/time/parse-date.ts';
import { type ResolvedSpan, readLength, resolveSpan, spanRules } from '../../model/time/span.ts';
import { isZone } from '../../model/time/zone.ts';

/** Resolves the dates in the row of an event. Also returns the span if the dates are valid. Throws for a day that doesn't exist and for an invalid duration. */
export function withRowDates(row: Input, now: number, zone: string): { input: Input; span?: ResolvedSpan } {
  const { duration, duration_minutes, private: isPrivate, ...input } = row;
  if (isText(isPrivate) && !/^(?:no|false|0|off)$/i.test(isPrivate)) input.status = 'private';
  const [start, end] = ['start_date', 'end_date'].map((name) => dateIn(name, input[name], now));
  if (start === undefined || [start, end].some((date) => date !== undefined && dateFault(date, { now }))) return { input };
  const length = isText(duration) ? duration : isText(duration_minutes) ? `PT${duration_minutes}M` : undefined;
  const span = resolveSpan(
    {
      start,
      end,
      duration: end === undefined && length !== undefined ? readLength(length) : undefined,
      allDay: typeof input.all_day === 'boolean' ? input.all_day : undefined,
    },
    undefined,
    spanRules.people,
    { now, zone: isText(input.timezone) && isZone(input.timezone) ? input.timezone : zone },
  );
  if (!span) return { input };
  const dates = { start_date: span.start.wall, end_date: span.end.wall, ...(span.allDay ? { all_day: true } : {}) };
  return { input: { ...input, ...dates }, span };
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Returns the date in a cell; undefined for an empty cell. */
function dateIn(name: string, value: unknown, now: number): string | undefined {
  if (!isText(value)) return undefined;
  const missing = impossibleDay(value, now);
  if (missing) throw invalidParams({ [name]: { reason: `the day ${missing} doesn't exist` } });
  return value;
}
