import { languages, plainWord } from '../../formats/languages.ts';
import { monthNames, weekdayNames } from '../date-parts.ts';

/** The units of a duration, as a pattern. */
export const units = 'y|years?|mo|months?|w|weeks?|d|days?|h|hrs?|hours?|m|mins?|minutes?|s|secs?|seconds?';

/** A weekday in English, as a pattern. */
export const weekdayName = '(?<![\\p{L}\\d])(sun|mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?)(?:day)?(?!\\p{L})[.,]?';

/** The English weekday of a day, as `fri`; empty for a day that does not exist. */
export const nameOfWeekday = (day: string): string => weekdayNames[new Date(`${day}T00:00Z`).getUTCDay()] ?? '';

/** True for a day that dayExists. */
export const dayExists = (date: string): boolean => {
  const day = new Date(`${date}T00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date);
};

/** The numbers of a month and a weekday with this name; short names can be both. */
interface NameMeaning {
  month?: number;
  weekday?: number;
  isFull: boolean;
}

let names: ReadonlyMap<string, NameMeaning> | undefined;

/** Reads the names from `Intl`, which takes a few ms. */
function readNames(): ReadonlyMap<string, NameMeaning> {
  const meanings = new Map<string, NameMeaning>();
  for (const language of Object.keys(languages))
    for (const length of ['long', 'short'] as const) {
      const isFull = length === 'long';
      // Of a weekday like terça-feira, the second word is often left out.
      const add = (name: string, meaning: { month: number } | { weekday: number }) => {
        const word = plainWord(name.replace(/-.*/, ''));
        meanings.set(word, { isFull, ...meanings.get(word), ...meaning });
      };
      const months = new Intl.DateTimeFormat(language, { day: 'numeric', month: length, timeZone: 'UTC' });
      const monthIn = (date: number) => months.formatToParts(date).find(({ type }) => type === 'month')!.value;
      for (let month = 0; month < 12; month++) add(monthIn(Date.UTC(2027, month, 1)), { month });
      const weekdays = new Intl.DateTimeFormat(language, { weekday: length, timeZone: 'UTC' });
      // August 1, 2027 is a Sunday.
      for (let weekday = 0; weekday < 7; weekday++) add(weekdays.format(Date.UTC(2027, 7, 1 + weekday)), { weekday });
    }
  return meanings;
}

const word = /\p{L}+/gu;
const dayAfter = /^\.?,?\s*\d{1,2}(?!\d|:|\s*(?:h|u|uhr|uur)\b)/iu;
const dayBefore = /(?<!\d)\d{1,2}(?:\.|er|[\u00ba\u00aa])?\s*(?:de\s+)?$/iu;
const digitDate = /\d\s*[./-]\s*\d/;

/** The English words for days from the day before yesterday on. */
const relativeDays = ['yesterday -1 day', 'yesterday', 'today', 'tomorrow', 'tomorrow +1 day'];
let relative: { pattern: RegExp; days: ReadonlyMap<string, string> } | undefined;

/** Words like `demain` and `pasado mañana`, also without accents. */
function readRelativeDays(): NonNullable<typeof relative> {
  const days = new Map<string, string>();
  for (const language of Object.keys(languages)) {
    const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
    relativeDays.forEach((day, at) => {
      const phrase = plainWord(format.format(at - 2, 'day')).replaceAll('\u2019', "'");
      // Some languages have no word for it, but a number.
      if (!/\d/.test(phrase) && !days.has(phrase)) days.set(phrase, day);
    });
  }
  const phrases = [...days.keys()].sort((one, other) => other.length - one.length);
  return { days, pattern: new RegExp(`(?<!\\p{L})(?:${phrases.join('|')})(?!\\p{L})`, 'gu') };
}

/** Replaces relative days by those in English. */
function withRelativeDays(text: string): string {
  relative ??= readRelativeDays();
  const { pattern, days } = relative;
  // Accents are removed first: a text with a month is read with them or without.
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('\u2019', "'").toLowerCase();
  const replaced = plain.replace(pattern, (phrase) => days.get(phrase)!);
  return replaced === plain ? text : replaced;
}

/** A text with the relative days, months and weekdays of other languages in English: full names anywhere, short ones beside the number of a day. Undefined without any. */
export function inEnglish(original: string): string | undefined {
  names ??= readNames();
  const text = withRelativeDays(original).replace(/-feira\b/gi, '');
  const matches = [...text.matchAll(word)].flatMap((match) => {
    const meaning = names!.get(plainWord(match[0]));
    const end = match.index + match[0].length;
    const isName = meaning?.isFull || (meaning && (dayAfter.test(text.slice(end)) || dayBefore.test(text.slice(0, match.index))));
    return isName ? [{ match, meaning, end }] : [];
  });
  if (!matches.length) return text === original ? undefined : text;
  const hasMonth = digitDate.test(text) || matches.some(({ meaning }) => meaning.month !== undefined && meaning.weekday === undefined);
  let result = '';
  let at = 0;
  for (const { match, meaning, end } of matches) {
    const { month, weekday } = meaning;
    const isWeekday = weekday !== undefined && (month === undefined || hasMonth);
    result += text.slice(at, match.index) + (isWeekday ? weekdayNames[weekday] : monthNames[month!]);
    at = end;
  }
  return result + text.slice(at);
}
