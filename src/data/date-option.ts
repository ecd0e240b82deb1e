import type { RequestContext } from '../model/context.ts';
import { Failure } from '../model/error.ts';
import { readDate } from '../model/time/parse-date.ts';

/** Reads a date that an option gives, in the calendar's zone. Fails with `bad-request`, naming the option. */
export function dateOption(name: string, text: string, { now, zone }: RequestContext): NonNullable<ReturnType<typeof readDate>> {
  const read = readDate(text, now, zone);
  if (read) return read;
  throw new Failure(
    'bad-request',
    `--${name} is not a date that can be read: ${JSON.stringify(text)}`,
    {},
    'Write it like 2027-03-01, today or +3 months.',
  );
}
