import { describe, expect, it } from 'vitest';
import { parseMonth } from '../../../src/cli/commands/month.ts';
import { displayOf } from '../../../src/cli/days/display.ts';
import { localeOf, weekStartIn, weekStartOf } from '../../../src/cli/days/locale.ts';
import { readRange } from '../../../src/cli/days/range.ts';
import { weeksOf } from '../../../src/model/time/days.ts';
import { lookWith, now } from '../../support/displayed-days.ts';

describe('ranges, seen from Wednesday 3 March 2027', () => {
  it.each([
    ['today', '2027-03-03', '2027-03-03'],
    ['tomorrow', '2027-03-04', '2027-03-04'],
    ['friday', '2027-03-05', '2027-03-05'],
    ['2027-04-09', '2027-04-09', '2027-04-09'],
    ['9 april 2027', '2027-04-09', '2027-04-09'],
    ['2027-02', '2027-02-01', '2027-02-28'],
    ['2028', '2028-01-01', '2028-12-31'],
    ['2027-W10', '2027-03-08', '2027-03-14'],
    ['week', '2027-03-01', '2027-03-07'],
    ['this week', '2027-03-01', '2027-03-07'],
    ['Next  Week', '2027-03-08', '2027-03-14'],
    ['last week', '2027-02-22', '2027-02-28'],
    ['weekend', '2027-03-06', '2027-03-07'],
    ['next weekend', '2027-03-13', '2027-03-14'],
    ['month', '2027-03-01', '2027-03-31'],
    ['next month', '2027-04-01', '2027-04-30'],
    ['last month', '2027-02-01', '2027-02-28'],
    ['next year', '2028-01-01', '2028-12-31'],
    ['10 days', '2027-03-03', '2027-03-12'],
    ['1 day', '2027-03-03', '2027-03-03'],
    ['2 weeks', '2027-03-03', '2027-03-16'],
    ['next 2 weeks', '2027-03-03', '2027-03-16'],
    ['1 month', '2027-03-03', '2027-04-02'],
    ['2027-03-01..2027-03-05', '2027-03-01', '2027-03-05'],
    ['today..friday', '2027-03-03', '2027-03-05'],
    ['friday to sunday', '2027-03-05', '2027-03-07'],
    ['..friday', '2027-03-03', '2027-03-05'],
    ['2027-03..2027-04', '2027-03-01', '2027-04-30'],
    ['7.3.', '2027-03-07', '2027-03-07'],
    ['1.3. to 5.3.', '2028-03-01', '2028-03-05'],
    ['dec 4 to jan 2', '2027-12-04', '2028-01-02'],
    ['Freitag to 6. März', '2027-03-05', '2027-03-06'],
  ])('%s is %s to %s', (text, from, to) => {
    expect(readRange(text, lookWith())).toEqual({ from, to });
  });

  it.each(['nonsense', 'friday..', '2027-13', 'a..b..c', '2027-03-05..2027-03-01', '', '3', '13..15'])('%j is refused', (text) => {
    expect(() => readRange(text, lookWith())).toThrow(
      expect.objectContaining({ code: 'bad-request', message: expect.stringContaining(JSON.stringify(text)) }),
    );
  });

  it.each(['2027-02-30', '2027-04-01..2027-04-31', '31 june 2027'])('%j names a day that does not exist', (text) => {
    expect(() => readRange(text, lookWith())).toThrow(/^The day 2027-0[246]-3[01] doesn't exist$/);
  });

  it('weeks start on the day of the locale', () => {
    expect(readRange('week', lookWith({ weekStart: 7 }))).toEqual({ from: '2027-02-28', to: '2027-03-06' });
  });
});

it.each([
  [undefined, '2027-03'],
  ['2027-11', '2027-11'],
  ['november 2027', '2027-11'],
  ['next month', '2027-04'],
])('the month of %j is %s', (text, month) => {
  expect(parseMonth(text, lookWith())).toBe(month);
});

it.each(['2027-14', '3', '2027', '13', '2027-02-30'])('%j is not a month', (text) => {
  expect(() => parseMonth(text, lookWith())).toThrow(expect.objectContaining({ code: 'bad-request' }));
});

it.each([
  [{ LANG: 'de_DE.UTF-8' }, 'de-DE', 1],
  [{ LANG: 'en_US.UTF-8' }, 'en-US', 7],
  [{ LANG: 'en_US.UTF-8', LC_TIME: 'fr_FR' }, 'fr-FR', 1],
  [{ LC_ALL: 'ar_EG.UTF-8', LANG: 'fr_FR' }, 'ar-EG', 6],
  [{ LANG: 'C.UTF-8' }, 'en-GB', 1],
  [{ LANG: 'POSIX' }, 'en-GB', 1],
  [{}, 'en-GB', 1],
  [{ LANG: 'sr_RS@latin' }, 'sr-RS', 1],
  [{ LANG: 'xx_nonsense_yy_zz' }, 'en-GB', 1],
])('environment %j means %s, weeks from day %i', (env, locale, start) => {
  expect(localeOf(env)).toBe(locale);
  expect(weekStartOf(locale)).toBe(start);
});

it('the table of week starts agrees with the runtime, where it speaks', () => {
  const regions =
    'AD AE AF AG AR AT AU BE BG BH BR CA CH CN CZ DE DK DZ EG ES ET FI FR GB GR GT HK HU ID IE IL IN IQ IR IS IT JM JO JP KE KR KW LY MA MV MX NL NO NZ OM PE PH PK PL PT QA RO RU SA SE SG SY TH TR TW UA US VE VN ZA ZW'.split(
      ' ',
    );
  for (const region of regions) expect([region, weekStartIn(region)]).toEqual([region, weekStartOf(`und-${region}`)]);
});

it('a zone that is unknown is refused', () => {
  expect(() => displayOf({}, now, 'Mars/Olympus')).toThrow(expect.objectContaining({ code: 'bad-request' }));
  expect(displayOf({}, now, 'Asia/Tokyo', 'Europe/Rome')).toMatchObject({ tz: 'Asia/Tokyo', here: 'Europe/Rome' });
  expect(displayOf({}, now, 'event', 'Europe/Rome')).toMatchObject({ tz: undefined, here: 'Europe/Rome' });
});

it.each([
  ['2027-02', 1, 4, '2027-02-01', '2027-02-28'],
  ['2027-02', 7, 5, '2027-01-31', '2027-03-06'],
  ['2027-05', 1, 6, '2027-04-26', '2027-06-06'],
] as const)('%s with weeks from %i has %i weeks', (month, start, count, first, last) => {
  const weeks = weeksOf(month, start);
  expect([weeks.length, weeks[0]![0], weeks.at(-1)![6]]).toEqual([count, first, last]);
});
