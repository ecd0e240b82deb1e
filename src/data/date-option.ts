import type { RequestContext } from '../model/context.ts';
import { Failure } from '../model/error.ts';
import { readDate } from '../model/time/parse-date.ts';

/** Parses the date of an option in the calendar's zone. Throws `bad-request` with the name of the option. */
export function dateOption(name: string, text: string, { now, zone }: RequestContext): NonNullable<ReturnType<typeof readDate>> {
  const date = readDate(text, now, zone);
  if (date) return date;
  throw new Failure(
    'bad-request',
    `Invalid date ${JSON.stringify(text)} for --${name}`,
    'Examples: 2027-03-01, today, +3 months. See: calendar help dates',
  );
}
