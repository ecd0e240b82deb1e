import {
  add,
  addWeeks,
  clearTime,
  countOf,
  halfDay,
  monthNumber,
  negate,
  number,
  type ParsedDate,
  readLog,
  setAround,
  setDate,
  setDigits,
  setFull,
  setStamp,
  setTime,
  setWeek,
  setWeekday,
  setWeekdayOf,
  setZone,
  yearOf,
} from './date-parts.ts';

/** A pattern and the function that applies its parts to the date. */
export type DatePattern = [pattern: RegExp, read: (parsed: ParsedDate, ...parts: string[]) => unknown];

const part = {
  h24: '(2[0-4]|[01]?\\d)',
  hh: '(2[0-4]|[01]\\d)',
  h12: '(1[0-2]|0?[1-9])',
  min: '([0-5]?\\d)',
  mm: '([0-5]\\d)',
  sec: '(60|[0-5]?\\d)',
  ss: '(60|[0-5]\\d)',
  frac: '\\.(\\d+)',
  half: '([ap])\\.?m\\.?(?:[\\t ]|$)',
  month: '(1[0-2]|0?\\d)',
  MM: '(1[0-2]|0\\d)',
  day: '(3[01]|[0-2]?\\d)(?:st|nd|rd|th)?',
  d: '(3[01]|[0-2]?\\d)',
  DD: '(3[01]|[0-2]\\d)',
  year: '(\\d{1,4})',
  YYYY: '(\\d{4})',
  abbr: '(jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)',
  name: '(january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)',
  text: '(january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|viii|vii|vi|iv|ix|iii|ii|i|v|xii|xi|x)',
  weekday: '(sundays?|mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|weekdays?|sun|mon|tue|wed|thu|fri|sat)',
  dayname: '((?:sun|mon|tues|wednes|thurs|fri|satur)days?|sun|mon|tue|wed|thu|fri|sat)',
  ordinal: '(first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|next|last|previous|this)',
  unit: '(msecs?|milliseconds?|ms|µs|microseconds?|µsecs?|usecs?|seconds?|secs?|minutes?|mins?|hours?|days?|fort(?:h)?nights?|months?|years?|weekdays?|(?:sun|mon|tues|wednes|thurs|fri|satur)days?|sun|mon|tue|wed|thu|fri|sat|weeks)',
};

/** Returns a sticky, case-insensitive pattern with `{name}` replaced by the parts above. */
function pattern(text: string): RegExp {
  return new RegExp(
    text.replace(/\{(\w+)\}/g, (_, name: keyof typeof part) => part[name]),
    'iy',
  );
}

const time12 = '{h12}(?:[:.]{mm}(?:[:.]{ss})?)?[ \\t]*{half}';
/** Minutes are required, because after a month and day, a number without them is the year. */
const minutes12 = '{h12}[:.]{mm}(?:[:.]{ss})?[ \\t]*{half}';
const time24 = 't?{h24}[:.]{min}(?:[:.]{sec}(?:{frac})?)?';
const monthDay = '{text}[ .\\t-]*{day}(?:[,.stndrh\\t ]+|$)';
const mark = '((?:GMT)?[+-](?:(?:2[0-4]|[01]\\d):?[0-5]\\d:?[0-5]\\d|(?:2[0-4]|[01]?\\d)(?::?[0-5]?\\d)?))';
const zoneName = '([a-z]+(?:[_/-][a-z]+)+|\\(?[a-z]{1,6}\\)?)';

const rows: [text: string, read: DatePattern[1]][] = [
  ['yesterday', (r) => [clearTime(r), Object.assign(r.add, { day: -1 })]],
  ['now', () => undefined],
  ['noon', (r) => [clearTime(r), setTime(r, 12)]],
  ['midnight|today', clearTime],
  ['tomorrow', (r) => [clearTime(r), Object.assign(r.add, { day: 1 })]],
  ['@(-?\\d+)', setStamp],
  ['@(-?\\d+\\.\\d{0,6})', setStamp],
  ['(first|last) day of', (r, edge) => Object.assign(r, { edge: edge.toLowerCase() })],
  ['(back|front) of {h24}(?:[ \\t]*{half})?', (r, side, hour, half) => setAround(r, side, halfDay(hour, half))],
  ['{ordinal}[ \\t]+{dayname}[ \\t]+of', setWeekdayOf],
  [time12, (r, hour, minute, second, half) => setTime(r, halfDay(hour, half), number(minute), number(second))],
  ['{h12}:{mm}:{ss}[:.]\\d+{half}', (r, hour, minute, second, half) => setTime(r, halfDay(hour, half), number(minute), number(second))],
  ['t{h24}', (r, hour) => setTime(r, Number(hour))],
  [time24, (r, hour, minute, second) => setTime(r, Number(hour), Number(minute), number(second))],
  ['t?((?:2[0-4]|[01]\\d)[0-5]\\d)', setDigits],
  ['t?{hh}{mm}{ss}', (r, hour, minute, second) => setTime(r, Number(hour), Number(minute), Number(second))],
  ['{month}/{d}', (r, month, day) => setDate(r, undefined, Number(month), Number(day))],
  ['{month}/{d}/{year}', (r, month, day, year) => setDate(r, yearOf(year), Number(month), Number(day))],
  ['([+-]?\\d{4})-{MM}-{DD}', (r, year, month, day) => setDate(r, Number(year), Number(month), Number(day))],
  ['{YYYY}/{MM}/{DD}/?', (r, year, month, day) => setDate(r, Number(year), Number(month), Number(day))],
  ['(\\d\\d)-{MM}-{DD}', (r, year, month, day) => setDate(r, yearOf(year), Number(month), Number(day))],
  ['([+-]\\d{5,19})-{MM}-{DD}', (r, year, month, day) => setDate(r, Number(year), Number(month), Number(day))],
  ['{YYYY}-{month}', (r, year, month) => setDate(r, Number(year), Number(month), 1)],
  ['{year}-{month}-{d}', (r, year, month, day) => setDate(r, yearOf(year), Number(month), Number(day))],
  ['{day}[ \\t.-]*{text}[ \\t.-]*{year}', (r, day, month, year) => setDate(r, yearOf(year), monthNumber(month), Number(day))],
  ['{d}[.\\t-]{month}[.-]{YYYY}', (r, day, month, year) => setDate(r, Number(year), Number(month), Number(day))],
  ['{d}[.\\t]{month}\\.(\\d\\d)', (r, day, month, year) => setDate(r, yearOf(year), Number(month), Number(day))],
  ['{text}[ .\\t-]*{YYYY}', (r, month, year) => setDate(r, Number(year), monthNumber(month), 1)],
  ['{YYYY}[ .\\t-]*{text}', (r, year, month) => setDate(r, Number(year), monthNumber(month), 1)],
  ['{text}[ .\\t-]*{d}[,.stndrh\\t ]+{year}', (r, month, day, year) => setDate(r, yearOf(year), monthNumber(month), Number(day))],
  [monthDay, (r, month, day) => setDate(r, undefined, monthNumber(month), Number(day))],
  ['{day}[ .\\t-]*{text}', (r, day, month) => setDate(r, undefined, monthNumber(month), Number(day))],
  ['{YYYY}{MM}{DD}', (r, year, month, day) => setDate(r, Number(year), Number(month), Number(day))],
  ['{YYYY}{MM}{DD}T{h24}:{mm}:{ss}', setFull],
  ['{YYYY}{MM}{DD}t{h24}{mm}{ss}', setFull],
  ['{YYYY}-{month}-{d}T{h24}:{min}:{sec}(?:{frac})?', setFull],
  ['{YYYY}:{MM}:{DD} {hh}:{mm}:{ss}', setFull],
  ['{YYYY}[.-]?(00[1-9]|0[1-9]\\d|[12]\\d\\d|3[0-5]\\d|36[0-6])', (r, year, day) => setDate(r, Number(year), 1, Number(day))],
  ['{YYYY}-?W(0[1-9]|[1-4]\\d|5[0-3])(?:-?([0-7]))?', setWeek],
  ['{abbr}-{DD}-{year}', (r, month, day, year) => setDate(r, yearOf(year), monthNumber(month), Number(day))],
  ['{year}-{abbr}-{DD}', (r, year, month, day) => setDate(r, yearOf(year), monthNumber(month), Number(day))],
  [`{d}/{abbr}/{YYYY}:{hh}:{mm}:{ss}[ \\t]+${mark}`, readLog],
  ['{YYYY}', (r, year) => Object.assign(r, { year: Number(year) })],
  ['ago', negate],
  ['{weekday}', setWeekday],
  ['{ordinal}[ \\t]+week', addWeeks],
  ['{ordinal}[ \\t]+{unit}', (r, word, unit) => add(r, countOf(word), unit, /this/i.test(word) ? 'from' : 'after', true)],
  ['{name}', (r, month) => setDate(r, undefined, monthNumber(month), undefined)],
  [mark, setZone],
  [zoneName, (r, zone) => setZone(r, zone.replace(/[()]/g, ''))],
  [
    `${monthDay}${minutes12}`,
    (r, month, day, hour, minute, second, half) => [
      setDate(r, undefined, monthNumber(month), Number(day)),
      setTime(r, halfDay(hour, half), number(minute), number(second)),
    ],
  ],
  [
    `${monthDay}${time24}`,
    (r, month, day, hour, minute, second) => [
      setDate(r, undefined, monthNumber(month), Number(day)),
      setTime(r, Number(hour), Number(minute), number(second)),
    ],
  ],
  [
    '([+-]*[ \\t]*)(\\d{1,13})[ \\t]*({unit}|week)',
    (r, signs, count, unit) => add(r, signs.split('-').length % 2 ? Number(count) : -Number(count), unit, 'from', false),
  ],
  ['[ .,\\t]', () => undefined],
];

/** The formats of PHP dates. The longest match wins, and the first of equal length. */
export const datePatterns: DatePattern[] = rows.map(([text, read]) => [pattern(text), read]);
