import { describe, expect, it } from 'vitest';
import { typedDateFault } from '../../../src/model/time/typed/faults.ts';
import { dateForms, rejectedForms } from '../../../src/model/time/typed/forms.ts';
import { readMoment, typedDate } from '../../../src/model/time/typed/typed-date.ts';
import { withYear } from '../../../src/model/time/typed/years.ts';

describe('typedDate', () => {
  it.each([
    ['20270305', '2027-03-05'],
    [' 19991231 ', '1999-12-31'],
    ['20271305', '20271305'],
    ['+1h', '+3600 seconds'],
    ['+1h30m', '+5400 seconds'],
    ['-90m', '-5400 seconds'],
    ['+7d', '+7 days'],
    ['-1mo +2w', '-1 months +14 days'],
    ['+1.5 hours', '+5400 seconds'],
    ['tomorrow +2h', 'tomorrow +7200 seconds'],
    ['+1 day', '+1 day'],
    ['+2 weekdays', '+2 weekdays'],
    ['2027-03-01T19:00+01:00', '2027-03-01T19:00+01:00'],
    ['2027-03-01 19:00 +0100', '2027-03-01 19:00 +0100'],
    ['1803896400', '1803896400'],
    ['in 2 hours', 'now +2 hours'],
    ['In two days', 'now +2 days'],
    ['in a week 20:00', 'now +1 week 20:00'],
    ['in 1h30m', 'now +5400 seconds'],
    ['in an hour and 15 minutes', 'now +1 hour   15 minutes'],
    ['in half an hour', 'now +30 minutes'],
    ['an hour from now', 'now +1 hour'],
    ['friday at 20:00', 'friday 20:00'],
    ['in 2 weeks at 8pm', 'now +2 weeks 8pm'],
    ['in march', 'in march'],
    ['look at 12', 'look at 12'],
  ])('%s → %s', (text, date) => expect(typedDate(text)).toBe(date));
});

describe('the forms of the help topic', () => {
  const now = Date.UTC(2026, 11, 1, 11);
  it.each(dateForms.flatMap(({ examples }) => examples))('%s is read', (text) => {
    expect(readMoment(text, now, 'Europe/Berlin')).toMatchObject({ instant: expect.any(Number) });
  });
  it.each(rejectedForms.flatMap(({ examples }) => examples))('%s is rejected with a reason and a hint', (text) => {
    expect(typedDateFault(typedDate(text))).toMatchObject({ reason: expect.any(String), hint: expect.stringMatching(/./) });
  });
});

describe('readMoment', () => {
  const now = Date.UTC(2027, 2, 1, 11);
  it.each([
    ['+2 days', '2027-03-03 12:00:00'],
    ['2 hours', '2027-03-01 14:00:00'],
    ['1h30m', '2027-03-01 13:30:00'],
    ['in 2 hours', '2027-03-01 14:00:00'],
    ['in an hour and 15 minutes', '2027-03-01 13:15:00'],
    ['2 weeks from now', '2027-03-15 12:00:00'],
    ['2 hours ago', '2027-03-01 10:00:00'],
    ['in a month', '2027-04-01 12:00:00'],
    ['in 4 weeks', '2027-03-29 12:00:00'],
    ['tomorrow at 8pm', '2027-03-02 20:00:00'],
    ['friday 20:00', '2027-03-05 20:00:00'],
    ['2027-03-01T09:00:00Z', '2027-03-01 10:00:00'],
    ['24.12.', '2027-12-24 00:00:00'],
    ['Freitag 20 Uhr', '2027-03-05 20:00:00'],
    ['5.12', undefined],
    ['5/6', undefined],
    ['Sa 05.03.', undefined],
    ['2027', undefined],
    ['soon', undefined],
    ['in', undefined],
    [' ', undefined],
  ])('%s → %s', (text, wall) => expect(readMoment(text, now, 'Europe/Amsterdam')?.wall).toBe(wall));
});

describe('typedDateFault', () => {
  it.each([
    ['2027', 'is a number, not a date'],
    ['46451', 'is a number, not a date'],
    ['46451.75', 'is a number, not a date'],
    ['-5', 'is a number, not a date'],
    ['20271305', 'is a number, not a date'],
    ['+1.5 days', 'is not a valid date'],
    ['2027-03-05 19:00-21:00', 'a range of times or a UTC offset'],
    ['19.30 - 21.00', 'a range of times or a UTC offset'],
    ['05/06/2027', 'May 6, 2027 or June 5, 2027'],
    ['1803896400', undefined],
    ['@86400', undefined],
    ['13/06/2027', undefined],
    ['2027-03-05T19:00-05:00', undefined],
    ['2027-03-05 19:00:00-05:00', undefined],
    ['2027-03-05 19:00 -0500', undefined],
    ['19.30', undefined],
    ['7.30pm', undefined],
  ])('%s: %s', (text, reason) => expect(typedDateFault(text)?.reason).toBe(reason));
});

describe('dates that people type', () => {
  it.each([
    ['24.12.26', '2026-12-24'],
    ['24.12.', '--12-24'],
    ['24.12', '--12-24'],
    ['7.6.27', '2027-06-07'],
    ['7.6.', '--06-07'],
    ['5. 6. 2028', '2028-06-05'],
    ['24.12. 20 Uhr', '--12-24 20:00'],
    ['24.12. 20:00', '--12-24 20:00'],
    ['24.12. 8pm', '--12-24 20:00'],
    ['5.12. 5.12', '--12-05 05:12'],
    ['5.12 20 Uhr', '--12-05 20:00'],
    ['Fr 04.12.2026', '2026-12-04'],
    ['Fr., 04.12.2026', '2026-12-04'],
    ['Fr 04.12.', 'fri --12-04'],
    ['fri 04.12.', 'fri --12-04'],
    ['Freitag, den 4. Dezember 2026', '2026-12-04'],
    ['4. Dezember 2026', '2026-12-04'],
    ['4. Dezember 2026 um 19.30 Uhr', '2026-12-04 19:30'],
    ['am 4. Dez.', '--12-04'],
    ['3. März', '--03-03'],
    ['4 de diciembre de 2026', '2026-12-04'],
    ['viernes, 4 de diciembre de 2026', '2026-12-04'],
    ['vendredi 4 décembre 2026', '2026-12-04'],
    ['ven. 4 déc. 2026 à 19h30', '2026-12-04 19:30'],
    ['1er janvier 2027', '2027-01-01'],
    ['venerdì 4 dicembre 2026 ore 20', '2026-12-04 20:00'],
    ['vrijdag 4 december 2026 20 uur', '2026-12-04 20:00'],
    ['mar 4', '--03-04'],
    ['mar 4 dic', 'tue --12-04'],
    ['2 weeks ago', '2 weeks ago'],
    ['5 ago 2026', '2026-08-05'],
    ['Samstag', 'sat'],
    ['Samstag 20 Uhr', 'sat 20:00'],
    ['Sa', 'Sa'],
    ['19h30', '19:30'],
    ['19.30', '19:30'],
    ['22.00', '22:00'],
    ['19.30 Uhr', '19:30'],
    ['5.12 Uhr', '05:12'],
    ['5.12h', '05:12'],
    ['friday 19.30', 'friday 19.30'],
    ['5.12', '5.12'],
    ['12.30.45', '12.30.45'],
    ['10.11.12', '2012-11-10'],
    ['6 march 14:00', '--03-06 14:00'],
    ['dec 4', '--12-04'],
    ['8pm dec 4', '--12-04 20:00'],
    ['December 4th, 2026', '2026-12-04'],
    ['fri 2026-12-04 20:00', '2026-12-04 20:00'],
    ['dec 4 +1 week', '--12-04 +1 week'],
    ['8pm friday', 'friday 8pm'],
    ['noon tomorrow', 'tomorrow noon'],
    ['20 Uhr Freitag', 'fri 20:00'],
    ['10:00 UTC', '10:00 UTC'],
    ['24/12/2026', '2026-12-24'],
    ['12/24', '--12-24'],
    ['first monday of december 2026', 'first monday of december 2026'],
    ['december 2026', 'december 2026'],
  ])('%s → %s', (text, date) => {
    expect(typedDate(text)).toBe(date);
    expect(typedDate(date)).toBe(date);
  });

  it.each([
    ['5.12', 'December 5 or 05:12', 'Write "5.12." or "05:12".'],
    ['Fr 5.12', 'December 5 or 05:12', 'Write "5.12." or "05:12".'],
    ['Fr 05.12.2026', 'says Friday, but December 5, 2026 is a Saturday', 'Write 2026-12-05, or 2025-12-05, which is a Friday.'],
    ['friday 2026-12-05', 'says Friday, but December 5, 2026 is a Saturday', 'Write 2026-12-05, or 2025-12-05, which is a Friday.'],
    ['mar 4 dic 2026', 'says Tuesday, but December 4, 2026 is a Friday', 'Write 2026-12-04, or 2029-12-04, which is a Tuesday.'],
  ])('%s is refused: %s', (text, reason, hint) => expect(typedDateFault(typedDate(text))).toMatchObject({ reason, hint }));

  it.each([
    ['24.12.', '2026-12-24'],
    ['24.12. 20 Uhr', '2026-12-24 20:00'],
    ['26.11.', '2026-11-26'],
    ['25.11.', '2027-11-25'],
    ['29.2.', '2028-02-29'],
    ['31.11.', '2026-11-31'],
    ['Fr 04.12.', '2026-12-04'],
    ['dec 4', '2026-12-04'],
    ['march 5 8pm', '2027-03-05 20:00'],
    ['tomorrow', 'tomorrow'],
  ])('%s is the next one: %s', (text, date) => expect(withYear('date', typedDate(text), '2026-11-26')).toBe(date));

  it('names the year in which the day has the weekday', () => {
    expect(() => withYear('date', typedDate('Sa 04.12.'), '2026-11-26')).toThrow(
      expect.objectContaining({
        message: expect.stringContaining('says Saturday, but December 4, 2026 is a Friday'),
        hint: 'Write 2026-12-04, or 2027-12-04, which is a Saturday.',
      }),
    );
  });
});
