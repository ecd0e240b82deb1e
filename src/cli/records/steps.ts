import type { Entry, Input } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import type { Field } from '../../model/fields/field.ts';
import { stepped } from '../../model/time/parse-date.ts';
import { isTimeOnly } from '../../model/time/span.ts';
import { typedDate } from '../../model/time/typed-date.ts';

type Move = (own: string, zone: string) => string | undefined;

const moveOf = (name: string, typed: string): Move | undefined => {
  const text = typedDate(typed);
  if (stepped(text, '2000-01-03 00:00:00', 'UTC') !== undefined) return (own, zone) => stepped(text, own, zone);
  // An end that is only a time is relative to the start.
  return name !== 'end_date' && isTimeOnly(text) ? (own) => `${own.slice(0, 10)} ${text.trim()}` : undefined;
};

const movesIn = (fields: readonly Field[], input: Input): [name: string, text: string, move: Move][] =>
  fields.flatMap(({ name, topic }): [string, string, Move][] => {
    const text = input[name];
    const move = topic === 'dates' && typeof text === 'string' ? moveOf(name, text) : undefined;
    return move ? [[name, text as string, move]] : [];
  });

/** Returns whether an update moves dates from their own values, such as `+1 hour`, or `20:00` on the same day. */
export const hasMoves = (fields: readonly Field[], input: Input): boolean => movesIn(fields, input).length > 0;

/** Returns an input with the dates that signed steps and times of day lead to from the record's own values. `zone` is the calendar's time zone. */
export async function moveDates(fields: readonly Field[], input: Input, before: Entry, zone: () => Promise<string>): Promise<Input> {
  const moved: Input = { ...input };
  for (const [name, text, move] of movesIn(fields, input)) {
    const own = before[name];
    if (typeof own !== 'string' || own === '')
      throw new Failure('bad-request', `${name} has no value to which ${JSON.stringify(text)} can be added`, 'Pass a whole date.');
    const place = /^(start|end)_date$/.test(name) ? String(before.timezone) : name.endsWith('_utc') ? 'UTC' : await zone();
    moved[name] = move(own, place);
  }
  return moved;
}

/** Throws `bad-request` for a start or end that would put all events of a series on one day. */
export function checkSeriesDates(input: Input): void {
  for (const name of ['start_date', 'end_date']) {
    const text = input[name];
    if (text === undefined || (typeof text === 'string' && (isTimeOnly(text) || moveOf(name, text)))) continue;
    throw new Failure(
      'bad-request',
      `With --series, ${name} ${JSON.stringify(text)} would put every event on the same day`,
      "Pass a time or a step, e.g. 20:00 or '+1 day', or leave out --series.",
    );
  }
}
