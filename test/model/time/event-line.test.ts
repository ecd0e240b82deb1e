import { describe, expect, it } from 'vitest';
import { parseLine } from '../../../src/model/time/typed/event-line.ts';

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
    ['Jazz at Cellar Club friday late show', 'Jazz late show', '2027-03-05 all day to 2027-03-05', 'Cellar Club', []],
    ['Jazz at Cellar Club #music late show friday', 'Jazz late show', '2027-03-05 all day to 2027-03-05', 'Cellar Club', ['music']],
    ['Jazz at Cellar Club for 2 hours late show friday 8pm', 'Jazz late show', '2027-03-05 20:00 to 2027-03-05 22:00', 'Cellar Club', []],
    ['Jazz friday #music 8pm', 'Jazz', '2027-03-05 20:00 to 2027-03-05 21:00', undefined, ['music']],
    ['#music at Cellar Club friday', '', '2027-03-05 all day to 2027-03-05', 'Cellar Club', ['music']],
    ['Standup in 2 hours', 'Standup', '2027-03-01 14:00 to 2027-03-01 15:00', undefined, []],
    ['Call in an hour for 30 minutes', 'Call', '2027-03-01 13:00 to 2027-03-01 13:30', undefined, []],
    ['Have a week off', 'Have a week off', undefined, undefined, []],
    ['Jazz friday at 20:00 at Cellar Club', 'Jazz', '2027-03-05 20:00 to 2027-03-05 21:00', 'Cellar Club', []],
    ['Meeting 7-9pm friday', 'Meeting', '2027-03-05 19:00 to 2027-03-05 21:00', undefined, []],
    ['Meeting 7-9pm with Bob friday', 'Meeting with Bob', '2027-03-05 19:00 to 2027-03-05 21:00', undefined, []],
    ['Meeting friday 7:30-9pm', 'Meeting', '2027-03-05 19:30 to 2027-03-05 21:00', undefined, []],
    ['Meeting friday 19-21', 'Meeting', '2027-03-05 19:00 to 2027-03-05 21:00', undefined, []],
    ['Meeting 19-21 friday', 'Meeting', '2027-03-05 19:00 to 2027-03-05 21:00', undefined, []],
    ['Score 3-2', 'Score 3-2', undefined, undefined, []],
    ['Gig 8pm friday', 'Gig', '2027-03-05 20:00 to 2027-03-05 21:00', undefined, []],
    ['Lunch noon tomorrow', 'Lunch', '2027-03-02 12:00 to 2027-03-02 13:00', undefined, []],
    ['Lunch tomorrow noon at Cellar Club', 'Lunch', '2027-03-02 12:00 to 2027-03-02 13:00', 'Cellar Club', []],
    ['Trip dec 4 to dec 6', 'Trip', '2027-12-04 all day to 2027-12-06', undefined, []],
    ['Trip dec 4-6', 'Trip', '2027-12-04 all day to 2027-12-06', undefined, []],
    ['Trip dec 4 to 6', 'Trip', '2027-12-04 all day to 2027-12-06', undefined, []],
    ['Trip 4-6 december at Cellar Club', 'Trip', '2027-12-04 all day to 2027-12-06', 'Cellar Club', []],
    ['Trip 30.12. - 2.1.', 'Trip', '2027-12-30 all day to 2028-01-02', undefined, []],
    ['Trip 4.-6.12.', 'Trip', '2027-12-04 all day to 2027-12-06', undefined, []],
    ['Camp friday to sunday', 'Camp', '2027-03-05 all day to 2027-03-07', undefined, []],
    ['Party friday 10pm to saturday 2am', 'Party', '2027-03-05 22:00 to 2027-03-06 02:00', undefined, []],
    ['Gig 24.12. 20:00', 'Gig', '2027-12-24 20:00 to 2027-12-24 21:00', undefined, []],
    ['Lesung am 24.12.', 'Lesung', '2027-12-24 all day to 2027-12-24', undefined, []],
    ['Lesung 5.12. 20 Uhr', 'Lesung', '2027-12-05 20:00 to 2027-12-05 21:00', undefined, []],
    ['Lesung Freitag 20 Uhr', 'Lesung', '2027-03-05 20:00 to 2027-03-05 21:00', undefined, []],
    ['Konzert Fr 05.03. 19h30 #jazz', 'Konzert', '2027-03-05 19:30 to 2027-03-05 20:30', undefined, ['jazz']],
    ['Concierto 4 de diciembre de 2027', 'Concierto', '2027-12-04 all day to 2027-12-04', undefined, []],
    ['Party dec 4 at Cellar Club', 'Party', '2027-12-04 all day to 2027-12-04', 'Cellar Club', []],
    ['Henry V friday 8pm', 'Henry V', '2027-03-05 20:00 to 2027-03-05 21:00', undefined, []],
    ['The last days of summer', 'The last days of summer', undefined, undefined, []],
    ['100 minutes', '100 minutes', undefined, undefined, []],
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
    expect(parsed.leftover).toEqual([]);
  });

  it.each([
    ['Movie friday 8', 'Movie 8', '2027-03-05 00:00', undefined, ['8']],
    ['Yoga every tuesday 7pm', 'Yoga every', '2027-03-02 19:00', undefined, ['every']],
    ['Jazz friday 20:00 at Nowhere Bar €12', 'Jazz €12', '2027-03-05 20:00', 'Nowhere Bar', ['€12']],
    ['Jazz friday 20:00 at Cellar Club #music 15 euro', 'Jazz 15 euro', '2027-03-05 20:00', 'Cellar Club', ['15 euro']],
    ['Jazz friday 20:00 at Cellar Club 15 EUR entry', 'Jazz 15 EUR entry', '2027-03-05 20:00', 'Cellar Club', ['15 EUR']],
    ['Jazz friday 20:00 at Cellar Club USD 15', 'Jazz USD 15', '2027-03-05 20:00', 'Cellar Club', ['USD 15']],
    ['Version 1.5 party', 'Version 1.5 party', undefined, undefined, ['1.5']],
    ['Lesung 5.12', 'Lesung 5.12', undefined, undefined, ['5.12']],
    ['Lesung Sa 05.03. 20 Uhr', 'Lesung Sa 05.03. 20 Uhr', undefined, undefined, ['Sa 05.03. 20 Uhr']],
    ['Gig 8pm with Bob friday', 'Gig 8pm with Bob', '2027-03-05 00:00', undefined, ['8pm']],
    ['Gig friday 8pm 10-11pm', 'Gig 10-11pm', '2027-03-05 20:00', undefined, ['10-11pm']],
  ])('%s has words left over', (line, title, start, venue, leftover) => {
    const parsed = parseLine(line, now, 'Europe/Amsterdam');
    expect(parsed).toMatchObject({ title, leftover });
    expect([parsed.span?.start.wall.slice(0, 16), parsed.venue]).toEqual([start, venue]);
  });

  const clicked = { day: '2027-03-17' };
  const noon = { day: '2027-03-17', time: '13:00' };
  it.each([
    ['Concert', clicked, '2027-03-17 all day', undefined, true],
    ['Concert', noon, '2027-03-17 13:00', undefined, true],
    ['Concert 8pm', clicked, '2027-03-17 20:00', '8pm', true],
    ['Concert 8pm', noon, '2027-03-17 20:00', '8pm', true],
    ['Concert 19-21', clicked, '2027-03-17 all day', undefined, true],
    ['Concert 7-9pm', noon, '2027-03-17 19:00', '7-9pm', true],
    ['Concert friday 8pm', clicked, '2027-03-05 20:00', 'friday 8pm', undefined],
    ['Concert friday', noon, '2027-03-05 all day', 'friday', undefined],
    ['Concert for 2 hours', noon, '2027-03-17 13:00', undefined, true],
    ['Concert dec 4 to 6', noon, '2027-12-04 all day', '4 dec to 6 dec', undefined],
    ['Concert', undefined, undefined, undefined, undefined],
  ] as const)('%s after a click on %j is on %s', (line, click, start, words, isClicked) => {
    const { span, ...parsed } = parseLine(line, now, 'Europe/Amsterdam', click);
    expect([
      span && `${span.start.wall.slice(0, span.allDay ? 10 : 16)}${span.allDay ? ' all day' : ''}`,
      parsed.words,
      parsed.isClicked,
    ]).toEqual([start, words, isClicked]);
  });
});
