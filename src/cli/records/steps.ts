import type { Entry, Input } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import type { Field } from '../../model/fields/field.ts';
import { stepped } from '../../model/time/parse-date.ts';

const stepsIn = (fields: readonly Field[], input: Input): [string, string][] =>
  fields.flatMap(({ name, topic }): [string, string][] => {
    const value = input[name];
    return topic === 'dates' && typeof value === 'string' && stepped(value, '2000-01-03 00:00:00', 'UTC') !== undefined
      ? [[name, value]]
      : [];
  });

/** Returns whether an update moves dates from their own values, such as `+1 hour`. */
export const hasSteps = (fields: readonly Field[], input: Input): boolean => stepsIn(fields, input).length > 0;

/** Returns an input with the dates that signed steps lead to from the record's own values. `zone` is the calendar's time zone. */
export async function takeSteps(fields: readonly Field[], input: Input, before: Entry, zone: () => Promise<string>): Promise<Input> {
  const moved: Input = { ...input };
  for (const [name, text] of stepsIn(fields, input)) {
    const own = before[name];
    if (typeof own !== 'string' || own === '')
      throw new Failure('bad-request', `${name} has no value to which ${JSON.stringify(text)} can be added`, {}, 'Pass a whole date.');
    const place = /^(start|end)_date$/.test(name) ? String(before.timezone) : name.endsWith('_utc') ? 'UTC' : await zone();
    moved[name] = stepped(text, own, place);
  }
  return moved;
}
