import { isNumericText } from '../fields/coerce.ts';
import {
  add,
  addWeeks,
  clearTime,
  halfDay,
  monthNumber,
  negate,
  numberIn,
  numberOf,
  type ParsedDate,
  readLogDate,
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
import { moved } from './date-steps.ts';
import { calendarDay, type DateTime, epochIn, epochOf, instantOf, modulo, utcOf } from './datetime.ts';
import { instantIn, offsetAt, type Zone, zoneOf } from './zone.ts';

/** A pattern and the function that applies its parts to the date. */
type DatePattern = [pattern: RegExp, read: (parsed: ParsedDate, ...parts: string[]) => unknown];

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

/** A sticky, case-insensitive pattern with `{name}` replaced by the parts above. */
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
  [time12, (r, hour, minute, second, half) => setTime(r, halfDay(hour, half), numberOf(minute), numberOf(second))],
  ['{h12}:{mm}:{ss}[:.]\\d+{half}', (r, hour, minute, second, half) => setTime(r, halfDay(hour, half), numberOf(minute), numberOf(second))],
  ['t{h24}', (r, hour) => setTime(r, Number(hour))],
  [time24, (r, hour, minute, second) => setTime(r, Number(hour), Number(minute), numberOf(second))],
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
  [`{d}/{abbr}/{YYYY}:{hh}:{mm}:{ss}[ \\t]+${mark}`, readLogDate],
  ['{YYYY}', (r, year) => Object.assign(r, { year: Number(year) })],
  ['ago', negate],
  ['{weekday}', setWeekday],
  ['{ordinal}[ \\t]+week', addWeeks],
  ['{ordinal}[ \\t]+{unit}', (r, word, unit) => add(r, numberIn(word), unit, /this/i.test(word) ? 'from' : 'after', true)],
  ['{name}', (r, month) => setDate(r, undefined, monthNumber(month), undefined)],
  [mark, setZone],
  [zoneName, (r, zone) => setZone(r, zone.replace(/[()]/g, ''))],
  [
    `${monthDay}${minutes12}`,
    (r, month, day, hour, minute, second, half) => [
      setDate(r, undefined, monthNumber(month), Number(day)),
      setTime(r, halfDay(hour, half), numberOf(minute), numberOf(second)),
    ],
  ],
  [
    `${monthDay}${time24}`,
    (r, month, day, hour, minute, second) => [
      setDate(r, undefined, monthNumber(month), Number(day)),
      setTime(r, Number(hour), Number(minute), numberOf(second)),
    ],
  ],
  [
    '([+-]*[ \\t]*)(\\d{1,13})[ \\t]*({unit}|week)',
    (r, signs, count, unit) => add(r, signs.split('-').length % 2 ? Number(count) : -Number(count), unit, 'from', false),
  ],
  ['[ .,\\t]', () => undefined],
];

/** The formats of PHP dates. The longest match wins, and the first of equal length. */
const datePatterns: DatePattern[] = rows.map(([text, read]) => [pattern(text), read]);

const dayLength = 86_400_000;

/**
 * Parses a date like PHP's `strtotime`, relative to `now` (epoch milliseconds) in `zone`. An integer is a Unix timestamp (`events.create.timezone.with-timestamp`). Returns
 * the wall time in the zone of the text (UTC for a timestamp), else in `zone`; the instant in epoch milliseconds; and whether the text contains a zone. Returns
 * undefined for an invalid text.
 */
export function readDate(text: string, now: number, zone: string): { wall: DateTime; instant: number; ownZone: boolean } | undefined {
  const read = readPhpDate(text, now, zone);
  return read && { wall: utcOf(read.instant + offsetAt(read.place, read.instant) * 1000), instant: read.instant, ownZone: read.ownZone };
}

/** Like {@link readDate}, but returns the zone instead of the wall time. */
export function readPhpDate(text: string, now: number, zone: string): { instant: number; place: Zone; ownZone: boolean } | undefined {
  if (text.length > 200) return undefined;
  const wall = plainWall(text);
  if (wall !== undefined) {
    const place = zoneOf(zone);
    return place && { instant: instantIn(place, wall), place, ownZone: false };
  }
  const whole = isNumericText(text) && Number.isInteger(Number(text));
  const parsed = parse(whole ? `@${Number(text)}` : text.trim());
  if (!parsed) return undefined;
  const [place, here] = [zoneOf(parsed.zone ?? zone), zoneOf(zone)];
  if (!place || !here) return undefined;
  const instant = resolve(parsed, now + offsetAt(here, now) * 1000, place);
  if (!Number.isFinite(instant)) return undefined;
  return { instant, place, ownZone: parsed.zone !== undefined };
}

/** True if a text means the same wall time in every zone and at any time, as `2027-03-01 10:00` does and `friday` doesn't. */
export function isFixed(text: string): boolean {
  // Offsets need no formatter of node, the first of which takes 10 ms.
  const [west, east] = [readDate(text, 0, '-10:00'), readDate(text, Date.UTC(2000, 6, 4, 5, 6, 7), '+09:00')];
  return west !== undefined && !west.ownZone && west.wall === east?.wall;
}

/** True if a text is a day without a time, not even `now` or `midnight`. */
export function isDayOnly(text: string): boolean {
  const parsed = /midnight/i.test(text) ? undefined : parse(text.trim());
  if (!parsed || parsed.hasTime || parsed.add.hour || parsed.add.minute || parsed.add.second) return false;
  return parsed.hasDate || parsed.hour === 0;
}

const unitCount = new RegExp(`(?<![+-]\\s*)\\b\\d+\\s*${part.unit}(?![a-z])(?!.*\\bago$)`, 'i');
const ordinalUnit =
  /\b(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|last|previous)\s+(?:(?:sec|min|hour|day|week|fort|month|year)\w*|second)(?!\s+of\b)/i;
const roman = /(?<!\p{L})[ivx]+(?!\p{L})/iu;

/** True if a text is the date or time of an event, rather than words of a title that {@link readDate} reads too: `March`, `10 minutes`, `last days`, `V 5`, a zone. */
export function isEventDate(text: string): boolean {
  if (unitCount.test(text) || ordinalUnit.test(text) || roman.test(text)) return false;
  const parsed = text.length > 200 ? undefined : parse(text.trim());
  if (!parsed || parsed.zones > 0 || /^\s*\d+\s*$/.test(text)) return false;
  if (parsed.hasDate) return parsed.day !== undefined;
  return (
    parsed.hasTime || parsed.weekday !== undefined || parsed.hour !== undefined || Object.values(parsed.add).some((step) => step !== 0)
  );
}

/** True if a text refers to a day: a date or a weekday. */
export function hasDay(text: string): boolean {
  const parsed = parse(text.trim());
  return parsed !== undefined && (parsed.hasDate || parsed.weekday !== undefined);
}

/** The day in a text if it doesn't exist, such as `2027-02-30`, which {@link readDate} carries over into March. */
export function impossibleDay(text: string, now: number): string | undefined {
  const parsed = text.length > 200 ? undefined : parse(text.trim());
  if (!parsed?.hasDate || parsed.month === undefined || parsed.day === undefined) return undefined;
  const { year = calendarDay(now).year, month, day } = parsed;
  // Days of the year count from January 1; without a date, all parts are 0.
  if (day > 31 || (year === 0 && month === 0 && day === 0)) return undefined;
  const two = (part: number) => String(part).padStart(2, '0');
  return month > 0 && day > 0 && day <= new Date(epochOf(year, month + 1, 0)).getUTCDate()
    ? undefined
    : `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
}

/**
 * A wall time moved by a text that consists only of signed steps, such as `+1 week` or `-2 days +3 hours`: days and longer in wall time, hours and shorter in
 * elapsed time. A day that doesn't exist becomes the last of its month. Returns undefined for other text.
 */
export function stepped(text: string, wall: DateTime, zone: string): DateTime | undefined {
  const parsed = /^\s*[+-]/.test(text) && text.length <= 200 ? parse(text.trim()) : undefined;
  if (!parsed) return undefined;
  const { add, weekdays, hasDate, hasTime, hour, weekday, inMonth, edge, zone: own } = parsed;
  if (hasDate || hasTime || [hour, weekday, inMonth, edge, own].some((part) => part !== undefined)) return undefined;
  const start = weekdays ? utcOf(skipWeekends(instantOf(wall), weekdays)) : wall;
  const by = { months: add.year * 12 + add.month, days: add.day, seconds: add.hour * 3600 + add.minute * 60 + add.second };
  return moved(start, by, zone);
}

/** The format of dates in responses, with optional time and seconds. Most dates have it. */
const plainForm = /^(\d{4})-(0\d|1[0-2])-([0-2]\d|3[01])(?:[ T]([01]\d|2[0-4]):([0-5]\d)(?::([0-5]\d))?)?$/;

/** A plain date with a time as if it were in UTC, in epoch milliseconds; undefined for other text. */
function plainWall(text: string): number | undefined {
  return text.length > 10 && plainForm.test(text) ? epochIn(text) : undefined;
}

/** Parses a text. Plain dates skip the grammar, which is 20 times slower. */
function parse(text: string): ParsedDate | undefined {
  const add = { year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0 };
  const plain = plainForm.exec(text);
  if (!plain) return scan(text, add);
  const [year, month, day] = [Number(plain[1]), Number(plain[2]), Number(plain[3])];
  if (plain[4] === undefined) return { year, month, day, hasDate: true, hasTime: false, zones: 0, add, failed: false };
  const [hour, minute, second] = [Number(plain[4]), Number(plain[5]), Number(plain[6] ?? 0)];
  return { year, month, day, hour, minute, second, hasDate: true, hasTime: true, zones: 0, add, failed: false };
}

function scan(text: string, add: ParsedDate['add']): ParsedDate | undefined {
  const parsed: ParsedDate = { hasDate: false, hasTime: false, zones: 0, add, failed: text === '' };
  let at = 0;
  while (at < text.length && !parsed.failed) {
    const form = longest(text, at);
    if (!form) return undefined;
    form.read(parsed, ...form.parts);
    at += form.length;
  }
  return parsed.failed ? undefined : parsed;
}

function longest(text: string, at: number) {
  let best: { length: number; parts: string[]; read: (typeof datePatterns)[number][1] } | undefined;
  for (const [pattern, read] of datePatterns) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match && match[0].length > (best?.length ?? 0)) best = { length: match[0].length, parts: match.slice(1), read };
  }
  return best;
}

/**
 * The instant of a parsed date. Missing parts come from the current local time, even if the text contains another zone. Weekdays are resolved before days, months
 * and years are added; hours are elapsed time.
 */
function resolve(parsed: ParsedDate, wallNow: number, zone: Zone): number {
  const today = calendarDay(wallNow);
  const clear = parsed.hasDate && !parsed.hasTime;
  const seconds = Math.floor(modulo(wallNow, dayLength) / 1000);
  const hour = clear ? 0 : (parsed.hour ?? Math.floor(seconds / 3600));
  const minute = clear ? 0 : (parsed.minute ?? Math.floor(seconds / 60) % 60);
  const second = clear ? 0 : (parsed.second ?? seconds % 60);
  const date = { year: parsed.year ?? today.year, month: parsed.month ?? today.month, day: parsed.day ?? today.day };
  const day = skipWeekends(dayIn(parsed, date), parsed.weekdays ?? 0);
  const wall = day + (hour * 3600 + minute * 60 + second) * 1000;
  return instantIn(zone, wall) + (parsed.add.hour * 3600 + parsed.add.minute * 60 + parsed.add.second) * 1000;
}

function dayIn(parsed: ParsedDate, date: { year: number; month: number; day: number }): number {
  const add = { ...parsed.add };
  let { year, month, day } = date;
  if (parsed.inMonth) {
    day = 1;
    month += add.month + (parsed.inMonth === 'last' ? 1 : 0);
    add.month = 0;
  }
  if (parsed.edge) {
    month += parsed.edge === 'last' ? 1 : 0;
    day = parsed.edge === 'last' ? 0 : 1;
  }
  if (parsed.weekday) day += daysToWeekday(parsed.weekday, add.day, new Date(epochOf(year, month, day)).getUTCDay());
  ({ year, month, day } = calendarDay(epochOf(year, month, day)));
  month += add.month;
  year += add.year;
  day += add.day;
  if (parsed.edge) {
    month += parsed.edge === 'last' ? 1 : 0;
    day = parsed.edge === 'last' ? 0 : 1;
  }
  return epochOf(year, month, day);
}

function daysToWeekday({ day, mode }: NonNullable<ParsedDate['weekday']>, days: number, today: number): number {
  if (mode === 'week') {
    const target = today === 0 && day !== 0 ? day - 7 : day === 0 && today !== 0 ? 7 : day;
    return target - today;
  }
  if (day < 0) return -(7 - (-day - today));
  const away = day - today;
  const behind = days < 0 ? away < 0 : mode === 'from' ? away < 0 : away <= 0;
  return behind ? away + 7 : away;
}

/** Adds workdays to a day, both at midnight in epoch milliseconds. */
function skipWeekends(day: number, count: number): number {
  let at = day;
  let remaining = Math.min(Math.abs(count), 100_000);
  while (remaining > 0) {
    at += Math.sign(count) * dayLength;
    if (new Date(at).getUTCDay() % 6 !== 0) remaining--;
  }
  return at;
}
