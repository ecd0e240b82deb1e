import fc from 'fast-check';
import { RRule } from 'rrule';
import { describe, expect, it } from 'vitest';
import { propertiesOf } from '../../../src/model/ical/lines.ts';
import { ruleFrom, Steps, timesOf } from '../../../src/model/ical/rule.ts';
import { instantOf, utcOf } from '../../../src/model/time/datetime.ts';
import { rrules } from '../../support/rules.ts';

const parsed = (text: string) =>
  propertiesOf({ name: 'VEVENT', line: 1, lines: [{ text: `RRULE:${text}`, line: 1 }], children: [] }, [])[0]!.values[0] as Record<
    string,
    unknown
  >;

/** The first times of a rule, from its start or from a later moment, up to nine years on. */
function times(text: string, start: string, most = 12, from = start, steps = 1_000_000): string[] {
  const found: string[] = [];
  const rule = ruleFrom(parsed(text), false);
  const stretch = { from: instantOf(from), until: instantOf(from) + 9 * 366 * 86_400_000 };
  for (const time of timesOf(rule, instantOf(start), stretch, new Steps(steps))) {
    if (time < stretch.from) continue;
    if (time > stretch.until) break;
    found.push(utcOf(time));
    if (found.length === Math.min(most, rule.count)) break;
  }
  return found;
}
const days = (text: string, start: string, most = 12) => times(text, `${start} 09:00:00`, most).map((time) => time.slice(0, 10));

describe('rules of RFC 5545', () => {
  it.each([
    ['FREQ=YEARLY;BYDAY=20MO', '1997-05-19', ['1997-05-19', '1998-05-18', '1999-05-17']],
    ['FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO', '1997-05-12', ['1997-05-12', '1998-05-11', '1999-05-17']],
    ['FREQ=YEARLY;BYWEEKNO=20', '1997-05-12', ['1997-05-12', '1998-05-11', '1999-05-17']],
    ['FREQ=YEARLY;BYWEEKNO=1;BYDAY=MO', '2024-01-01', ['2024-01-01', '2024-12-30', '2025-12-29', '2027-01-04']],
    ['FREQ=YEARLY;BYWEEKNO=-1;BYDAY=SU', '2026-01-01', ['2027-01-03', '2028-01-02', '2028-12-31']],
    ['FREQ=YEARLY;INTERVAL=3;BYYEARDAY=1,100,200', '1997-01-01', ['1997-01-01', '1997-04-10', '1997-07-19', '2000-01-01', '2000-04-09']],
    ['FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8', '1996-11-05', ['1996-11-05', '2000-11-07', '2004-11-02']],
    ['FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13', '1998-02-13', ['1998-02-13', '1998-03-13', '1998-11-13', '1999-08-13', '2000-10-13']],
    ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2', '1997-09-29', ['1997-09-29', '1997-10-30', '1997-11-27', '1997-12-30']],
    ['FREQ=MONTHLY;BYMONTHDAY=15,-1', '2007-01-15', ['2007-01-15', '2007-01-31', '2007-02-15', '2007-02-28']],
    ['FREQ=MONTHLY;BYDAY=MO,2TU', '2027-02-01', ['2027-02-01', '2027-02-08', '2027-02-09', '2027-02-15']],
    ['FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO', '1997-08-05', ['1997-08-05', '1997-08-10', '1997-08-19', '1997-08-24']],
    ['FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU', '1997-08-05', ['1997-08-05', '1997-08-17', '1997-08-19', '1997-08-31']],
    // A number is not allowed in a weekly rule, and ignored.
    ['FREQ=WEEKLY;BYDAY=2MO', '2027-03-01', ['2027-03-01', '2027-03-08', '2027-03-15']],
    ['FREQ=DAILY;BYDAY=-1FR', '2027-03-05', ['2027-03-05', '2027-03-12', '2027-03-19']],
    ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29', '2024-02-29', ['2024-02-29', '2028-02-29', '2032-02-29']],
    ['FREQ=MONTHLY', '2027-01-31', ['2027-01-31', '2027-03-31', '2027-05-31']],
    ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30', '2027-01-01', []],
    ['FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30', '2027-01-01', []],
  ])('%s from %s', (text, start, expected) => expect(days(text, start, expected.length || 1)).toEqual(expected));

  it.each([
    ['FREQ=HOURLY;INTERVAL=3;COUNT=3', ['09:00:00', '12:00:00', '15:00:00']],
    ['FREQ=MINUTELY;INTERVAL=90;COUNT=3', ['09:00:00', '10:30:00', '12:00:00']],
    ['FREQ=DAILY;BYHOUR=9,10;BYMINUTE=0,20;COUNT=4', ['09:00:00', '09:20:00', '10:00:00', '10:20:00']],
    ['FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10;COUNT=4', ['09:00:00', '09:20:00', '09:40:00', '10:00:00']],
    ['FREQ=HOURLY;BYMINUTE=0,20,40;BYSETPOS=-1;COUNT=2', ['09:40:00', '10:40:00']],
  ])('%s', (text, expected) => expect(times(text, '1997-09-02 09:00:00').map((time) => time.slice(11))).toEqual(expected));

  it.each([
    ['FREQ=DAILY;BYEASTER=1', 'has the unsupported part BYEASTER'],
    ['FREQ=DAILY;RSCALE=HEBREW', 'has the unsupported part RSCALE'],
    ['INTERVAL=2', 'has no FREQ'],
  ])('%s is refused', (text, message) => expect(() => ruleFrom(parsed(text), false)).toThrow(message));

  it('does not go on for ever', () => {
    const never = () =>
      times('FREQ=YEARLY;BYDAY=MO;BYSETPOS=366;BYHOUR=1,2,3;BYMINUTE=1;BYSECOND=1', '0001-01-01 00:00:00', 1, '2027-01-01 00:00:00');
    expect(never()).toEqual([]);
    expect(() => times('FREQ=SECONDLY;COUNT=100000000', '1970-01-01 00:00:00', 5, '2027-01-01 00:00:00')).toThrow('too many steps');
  });
});

describe('another library', () => {
  it('returns the same times', () =>
    fc.assert(
      fc.property(rrules, ({ text, start }) => {
        const rule = new RRule({ ...RRule.parseString(text), dtstart: new Date(instantOf(start)) });
        const until = instantOf(start) + 9 * 366 * 86_400_000;
        const expected = rule
          .all((date, at) => at < 12 && date.getTime() <= until)
          .slice(0, 12)
          .filter((date) => date.getTime() <= until);
        expect(times(text, start), text).toEqual(expected.map((date) => utcOf(date.getTime())));
      }),
      { numRuns: 400 },
    ));

  it('is followed alike from any moment on', () =>
    fc.assert(
      fc.property(rrules, fc.nat(1000), ({ text, start }, days) => {
        if (text.includes('COUNT')) return;
        const from = utcOf(instantOf(start) + days * 86_400_000);
        const all = times(text, start, 300, start, 20_000_000);
        const later = all.filter((time) => time >= from).slice(0, 12);
        if (later.length) expect(times(text, start, later.length, from), text).toEqual(later);
      }),
      { numRuns: 300 },
    ));
});
