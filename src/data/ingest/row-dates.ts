import type { Input } from '../../model/calendar.ts';
import { invalidParams } from '../../model/error.ts';
import { dateFault } from '../../model/fields/date.ts';
import { isNo } from '../../model/fields/switch.ts';
import { impossibleDay, readDate } from '../../model/time/parse-date.ts';
import { isTimeOnly, type ResolvedSpan, readLength, resolveSpan, spanRules } from '../../model/time/span.ts';
import { typedDateFault } from '../../model/time/typed-date.ts';
import { isZone } from '../../model/time/zone.ts';

/** The current time, the time zone of the calendar, and whether all-day events of the table end at the midnight after their last day. */
export interface RowPlace {
  now: number;
  zone: string;
  isEndExclusive: boolean;
}

/** Resolves the dates in the row of an event. Also returns the span if the dates are valid. Throws for a day that doesn't exist and for an invalid duration. */
export function withRowDates(row: Input, { now, zone, isEndExclusive }: RowPlace): { input: Input; span?: ResolvedSpan } {
  const { duration, duration_minutes, private: isPrivate, ...input } = row;
  if (isText(isPrivate) && !isNo(isPrivate)) input.status = 'private';
  const [start, end] = ['start_date', 'end_date'].map((name) => dateIn(name, input[name], now));
  if (start === undefined) return { input };
  for (const [name, date] of Object.entries({ start_date: start, end_date: end })) {
    const reason = date === undefined ? undefined : dateFault(date, { now });
    if (reason) throw invalidParams({ [name]: { reason } });
  }
  const length = isText(duration) ? duration : isText(duration_minutes) ? `PT${duration_minutes}M` : undefined;
  if (isTimeOnly(start)) throw invalidParams({ start_date: { reason: `${JSON.stringify(start)} has no day` } });
  const isLate = isEndExclusive && input.all_day === true && end !== undefined && isMidnightAfter(end, start, now, zone);
  const span = resolveSpan(
    {
      start,
      end,
      duration: end === undefined && length !== undefined ? readLength(length) : undefined,
      allDay: typeof input.all_day === 'boolean' ? input.all_day : undefined,
    },
    undefined,
    isLate ? { ...spanRules.people, lastDay: 'before end' } : spanRules.people,
    { now, zone: isText(input.timezone) && isZone(input.timezone) ? input.timezone : zone },
  );
  if (!span) return { input };
  const dates = { start_date: span.start.wall, end_date: span.end.wall, ...(span.allDay ? { all_day: true } : {}) };
  return { input: { ...input, ...dates }, span };
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Returns whether an end is at midnight of a day after the start. */
function isMidnightAfter(end: string, start: string, now: number, zone: string): boolean {
  const [from, to] = [start, end].map((text) => readDate(text, now, zone)?.wall ?? '');
  return to!.endsWith(' 00:00:00') && to!.slice(0, 10) > from!.slice(0, 10);
}

/** Returns the date in a cell; undefined for an empty cell. */
function dateIn(name: string, value: unknown, now: number): string | undefined {
  if (!isText(value)) return undefined;
  if (/^\d{1,2}(?:\.\d{1,2}\.|\/\d{1,2})(?:\s|$)/.test(value))
    throw invalidParams({ [name]: { reason: `${JSON.stringify(value)} has no year` } });
  const fault = typedDateFault(value);
  if (fault)
    throw invalidParams({ [name]: { reason: `${JSON.stringify(value)} ${fault.isAmbiguous ? 'is ambiguous: ' : ''}${fault.reason}` } });
  const missing = impossibleDay(value, now);
  if (missing) throw invalidParams({ [name]: { reason: `the day ${missing} doesn't exist` } });
  return value;
}
