import { describe, expect, it } from 'vitest';
import { parseLine } from '../../../src/model/time/event-line.ts';

/** Monday, March 1, 2027, 12:00 in Amsterdam. */
const now = Date.UTC(2027, 2, 1, 11);

describe('an event in one line', () => {
  it.each([
    ['jazz friday 20:00 at Cellar Club #music', 'jazz', '2027-03-05 20:00 to 2027-03-05 21:00', 'Cellar Club', ['music']],
    ['Jazz Thursday friday 20:00-22:30', 'Jazz Thursday', '2027-03-05 20:00 to 2027-03-05 22:30', undefined, []],
    ['Party tomorrow 22:00-02:00', 'Party', '2027-03-02 22:00 to 2027-03-03 02:00', undefined, []],
    ['Lunch tomorrow 12-1pm', 'Lunch', '2027-03-02 12:00 to 2027-03-02 13:00', undefined, []],
    ['Walk 2027-04-03 10:00 for 2 hours at the Old Mill', 'Walk', '2027-04-03 10:00 to 2027-04-03 12:00', 'the Old Mill', []],
    ['Flea market next saturday', 'Flea market', '2027-03-06 all day to 2027-03-06', undefined, []],
    ['March for Science on 6 march 14:00', 'March for Science', '2027-03-06 14:00 to 2027-03-06 15:00', undefined, []],
    ['Concert april 3 8pm #music #free', 'Concert', '2027-04-03 20:00 to 2027-04-03 21:00', undefined, ['music', 'free']],
    ['12 Angry Men', '12 Angry Men', undefined, undefined, []],
    ['Dinner at 8', 'Dinner', undefined, '8', []],
    ['Standup in 2 hours', 'Standup', '2027-03-01 14:00 to 2027-03-01 15:00', undefined, []],
    ['Call in an hour for 30 minutes', 'Call', '2027-03-01 13:00 to 2027-03-01 13:30', undefined, []],
    ['Have a week off', 'Have a week off', undefined, undefined, []],
    ['Jazz friday at 20:00 at Cellar Club', 'Jazz', '2027-03-05 20:00 to 2027-03-05 21:00', 'Cellar Club', []],
    ['', '', undefined, undefined, []],
  ])('%s', (line, title, span, venue, labels) => {
    const parsed = parseLine(line, now, 'Europe/Amsterdam');
    const { start, end, allDay } = parsed.span ?? {};
    const text =
      start &&
      (allDay
        ? `${start.wall.slice(0, 10)} all day to ${end!.wall.slice(0, 10)}`
        : `${start.wall.slice(0, 16)} to ${end!.wall.slice(0, 16)}`);
    expect([parsed.title, text, parsed.venue, parsed.labels]).toEqual([title, span, venue, labels]);
  });
});
