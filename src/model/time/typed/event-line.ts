import { type Duration, readDuration } from '../duration.ts';
import { isDayOnly, isEventDate } from '../parse-date.ts';
import { isTimeOnly, type ResolvedSpan, resolveSpan, spanRules } from '../span.ts';
import { wallOf } from '../time.ts';
import { digitDateIn } from './digit-date.ts';
import { typedDateFault } from './faults.ts';
import { atTime, typedDate } from './typed-date.ts';
import { isYearless, nextDate } from './years.ts';

/** An event described in one line, such as `Jazz friday 20:00-22:00 at Cellar Club #music`. */
export interface EventLine {
  title: string;
  /** Undefined without a date. */
  span?: ResolvedSpan;
  /** Name of the venue. */
  venue?: string;
  /** Words after `#`. */
  labels: string[];
  /** Parts of the title that look like dates, times or prices, but were not read as such. */
  leftover: string[];
  /** The words that were read as the date and time. */
  words?: string;
  /** True if the day is the one that was clicked, not one in the line. */
  isClicked?: boolean;
}

/** A day that a user clicked, as `2027-03-05`, and perhaps a time of it, as `13:00`. */
export interface ClickedTime {
  day: string;
  time?: string;
}

const maxPhraseWords = 7;
const clock = String.raw`\d{1,2}(?:[:.]\d\d)?\s*(?:[ap]m)?|noon|midnight`;
const dash = String.raw`(?:-|\u2013|\bto\b|\buntil\b|\bbis\b)`;
const timeRange = new RegExp(String.raw`(?:\bfrom\s+)?(?<![\w:.-])(${clock})\s*${dash}\s*(${clock})(?![\w:.-])`, 'i');
const duration = /(?<!\s)\s*\bfor\s+((?:\d+(?:\.\d+)?\s*(?:h|hours?|hrs?|m|min|mins|minutes?|d|days?|weeks?)\s*)+)(?=[\s\u0001]|$)/i;
const weekday = /\b(?:mon|tue|wed|thu|fri|sat|sun)/gi;
/** Words at which no date begins or ends. */
const notFirst = /^(?:at|@|de|of|to|until|-|\u2013)$/i;
const notLast = /^(?:on|at|@|the|in|den|der|dem|le|el|il|op|de|um|\u00e0|alle|ore|to|until|-|\u2013)$/i;
const dayRange = String.raw`\s*(?:-|\u2013|\b(?:to|until|bis)\b)\s*`;
const monthRange = new RegExp(
  String.raw`(\p{L}{3,}\.?)\s+(\d{1,2})(?:st|nd|rd|th)?${dayRange}(\d{1,2})(?:st|nd|rd|th)?(?![\w:.]|\s*[ap]m)`,
  'giu',
);
const rangeMonth = new RegExp(String.raw`(?<![\w:.-])(\d{1,2})\.?${dayRange}(\d{1,2}\.?)\s+(\p{L}{3,})`, 'giu');
const digitRange = new RegExp(String.raw`(?<![\w:.-])(\d{1,2})\.${dayRange}(\d{1,2}\.)(\d{1,2}\.(?:\d{4}|\d\d)?)`, 'giu');

/** A line in which both days of ranges such as `dec 4-6`, `4-6 december` and `4.-6.12.` have their month. */
function withMonths(line: string): string {
  const isMonth = (word: string) => isYearless(typedDate(`4 ${word}`));
  return line
    .replace(monthRange, (whole, month: string, from: string, to: string) =>
      isMonth(month) ? `${from} ${month} to ${to} ${month}` : whole,
    )
    .replace(rangeMonth, (whole, from: string, to: string, month: string) =>
      isMonth(month) ? `${from} ${month} to ${to} ${month}` : whole,
    )
    .replace(digitRange, '$1.$3 to $2$3');
}

const rangeWord = /^(?:to|until|bis|-|\u2013)$/i;

/** Words of a line with a meaning, and the text that they were read as. */
interface Phrase {
  at: number;
  count: number;
  text: string;
  /** The words themselves. */
  words: string;
  end?: string;
  /** Set if the weekday contradicts the date. */
  isFault?: boolean;
}

/** Reads words as a date or a time; undefined for others. */
function readPhrase(marked: readonly string[], first: string): Pick<Phrase, 'text' | 'isFault' | 'words'> | undefined {
  const words = marked.map(unmarked);
  if (notFirst.test(words[0]!) || notLast.test(words.at(-1)!)) return undefined;
  const text = words.join(' ').replace(/^on /i, '').replaceAll(',', '');
  // `1.5` in a title is a version, or a length.
  if ((text.match(weekday) ?? []).length > 1 || /^\d{1,2}\.\d$/.test(text)) return undefined;
  const typed = nextDate(typedDate(text), first);
  if (!isEventDate(typed)) return undefined;
  const fault = typedDateFault(typed);
  return fault && (fault.isAmbiguous || !/^says/.test(fault.reason))
    ? undefined
    : { text: typed, words: words.join(' '), isFault: fault !== undefined };
}

/** Finds the longest phrase of words that is a date or a time. */
function findDate(words: readonly string[], first: string): Phrase | undefined {
  for (let count = Math.min(maxPhraseWords, words.length); count > 0; count--)
    for (let at = words.length - count; at >= 0; at--) {
      const phrase = readPhrase(words.slice(at, at + count), first);
      if (phrase) return { at, count, ...phrase };
    }
  return undefined;
}

/** Finds two dates with a word between that means until. */
function findDays(words: readonly string[], first: string): Phrase | undefined {
  for (const [between, word] of words.entries()) {
    if (!rangeWord.test(word)) continue;
    for (let before = Math.min(maxPhraseWords, between); before > 0; before--) {
      const start = readPhrase(words.slice(between - before, between), first);
      if (!start || start.isFault || isTimeOnly(start.text)) continue;
      for (let after = Math.min(maxPhraseWords, words.length - between - 1); after > 0; after--) {
        const end = readPhrase(words.slice(between + 1, between + 1 + after), start.text.slice(0, 10));
        if (end && !end.isFault && !isTimeOnly(end.text))
          return {
            ...{ at: between - before, count: before + 1 + after, text: start.text, end: end.text },
            words: `${start.words} ${word} ${end.words}`,
          };
      }
    }
  }
  return undefined;
}

/** A range of times, and where it is in a line. */
interface Hours {
  from: string;
  to: string;
  index: number;
  length: number;
  /** True if its numbers could be others: they count only beside a day. */
  isBare: boolean;
}

/** Finds a range such as `8-10pm` or `19-21`. The first time has the half of the day of the second if it has none. */
function findHours(text: string): Hours | undefined {
  const match = timeRange.exec(text);
  if (!match) return undefined;
  const [{ length }, first = '', second = ''] = match;
  if ([first, second].some((time) => digitDateIn(time.trim()))) return undefined;
  const half = /[ap]m$/i.exec(second.trim())?.[0] ?? '';
  const complete = (time: string) => {
    const trimmed = time.trim().replace('.', ':');
    if (/[ap]m$|:|noon|midnight/i.test(trimmed)) return half && /^[\d:]+$/.test(trimmed) ? trimmed + half : trimmed;
    return half ? trimmed + half : `${trimmed}:00`;
  };
  const isBare = !/[:.]|[ap]m|noon|midnight/i.test(first + second);
  if (isBare && Math.max(Number(first), Number(second)) > 24) return undefined;
  return { from: complete(first), to: complete(second), index: match.index, length, isBare };
}

const withHours = (text: string, { index, length }: Hours): string =>
  `${text.slice(0, index)} ${placeholder} ${text.slice(index + length)}`;
/** Stands for a range of times in a list of words. */
const placeholder = '\u0000';

/** Marks a word after which a tag, a date or a duration was: the name of a venue ends there. */
const nameEnd = '\u0001';
const unmarked = (text: string): string => text.replaceAll(nameEnd, '');

const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => unmarked(word) !== '');

/** Finds the date of a line, its range of times, and the other words. */
function findSpan(line: string, first: string): { phrase?: Phrase; end?: string; words: string[]; at: number } {
  const dayWords = wordsOf(withMonths(line));
  const span = findDays(dayWords, first);
  if (span) return { phrase: span, end: span.end, words: without(dayWords, span), at: span.at };
  const hours = findHours(line);
  const plainWords = wordsOf(line);
  if (hours) {
    const words = wordsOf(withHours(line, hours));
    const index = words.indexOf(placeholder);
    words.splice(index, 1);
    const phrase = findDate(words, first);
    const isBeside = phrase !== undefined && (phrase.at === index || phrase.at + phrase.count === index);
    const isWhole = phrase ? isDayOnly(phrase.text) && !phrase.isFault : !hours.isBare;
    if (isWhole && (isBeside || !hours.isBare)) {
      const at = phrase?.at ?? index;
      const text = phrase ? `${phrase.text} ${hours.from}` : hours.from;
      const read = [phrase?.words, line.slice(hours.index, hours.index + hours.length)].filter(Boolean).join(' ');
      const joined = { at, count: phrase?.count ?? 0, text, words: read };
      return { phrase: joined, end: hours.to, words: without(words, joined), at };
    }
  }
  const phrase = findDate(plainWords, first);
  return { phrase, words: phrase && !phrase.isFault ? without(plainWords, phrase) : plainWords, at: phrase?.at ?? 0 };
}

const without = (words: readonly string[], { at, count }: Pick<Phrase, 'at' | 'count'>): string[] =>
  words.toSpliced(at, count).map((word, index) => (index === at - 1 ? word + nameEnd : word));

/** Currencies of a price in words: codes of ISO 4217, and their names. */
const currency = String.raw`(?:EUR|USD|GBP|CHF|CAD|AUD|NZD|JPY|SEK|NOK|DKK|PLN|CZK|HUF|INR|ZAR|BRL|MXN|euros?|dollars?|pounds?|francs?|kroner|kronor|yen|rupees?)\b`;
const amount = String.raw`\d+(?:[.,]\d+)*`;
const price = new RegExp(
  String.raw`(?:^|\s+)(\p{Sc}\s?\d[^\s\u0001]*|${amount}\s?(?:\p{Sc}|${currency})|${currency}\s?${amount})(?=[\s\u0001]|$)`,
  'iu',
);
const repeated = /^(?:every|each|daily|weekly|monthly|yearly)$/i;

/** The words that are dates or times but were not read: numbers beside the date, other times, and words that repeat it. */
function leftoverOf(words: readonly string[], at: number | undefined): string[] {
  return words.filter((word, index) => {
    const isBeside = at !== undefined && (index === at || index === at - 1);
    if (isBeside && (/^\d/.test(word) || repeated.test(word))) return true;
    const typed = typedDate(word);
    return (
      /\d/.test(word) &&
      (typedDateFault(typed)?.isAmbiguous === true || isYearless(typed) || isEventDate(typed) || findHours(word)?.isBare === false)
    );
  });
}

/** The name of a place at the start of a text, which a price or a mark ends, the price, and the text after it. */
function placeIn(text: string): { venue: string; cost?: string; rest: string } {
  const match = price.exec(text);
  const end = Math.min(...[match?.index ?? -1, text.indexOf(nameEnd), text.length].filter((at) => at >= 0));
  const cost = match?.[1];
  const rest = cost === undefined ? text.slice(end) : text.slice(end).replace(cost, ' ');
  return { venue: text.slice(0, end).trim(), cost, rest: wordsOf(unmarked(rest)).join(' ') };
}

/** Parses an event in one line: its date and time by the rules for people, `at VENUE`, and `#labels`. The rest is the title. What the line says of its day counts more than a clicked one. */
export function parseLine(line: string, now: number, zone: string, clicked?: ClickedTime): EventLine {
  const labels: string[] = [];
  let rest = line.replaceAll(nameEnd, ' ').replace(/(?:^|\s)#([\p{L}\p{N}_-]+)/gu, (_, label: string) => {
    labels.push(label);
    return nameEnd;
  });
  let length: Duration | undefined;
  rest = rest.replace(duration, (phrase, text: string) => {
    length = readDuration(text.trim().replace(/hrs?\b/g, 'hours'));
    return length ? `${nameEnd} ` : phrase;
  });
  const { phrase, end, words, at } = findSpan(rest.replace(atTime, ' '), wallOf(now, zone).slice(0, 10));
  const text = words.join(' ');
  const [, named = text, name] = /^(.*?)(?:^|(?<!\s)\s+)(?:at|@)\s+(\S.*)$/is.exec(text) ?? [];
  const place = name === undefined ? undefined : placeIn(name);
  const { venue, cost } = place ?? {};
  const title = wordsOf([unmarked(named), cost, place?.rest].filter(Boolean).join(' ')).join(' ');
  const isRead = phrase !== undefined && !phrase.isFault;
  const isTime = isRead && isTimeOnly(phrase.text);
  const isClicked = clicked !== undefined && (!isRead || isTime);
  const clickedStart = clicked && [clicked.day, isTime ? phrase.text : clicked.time].filter(Boolean).join(' ');
  const start = isClicked ? clickedStart : isRead ? phrase.text : undefined;
  const span = start === undefined ? undefined : spanFrom(start, isRead ? end : undefined, length, now, zone);
  const plain = words.map(unmarked);
  const dated = phrase?.isFault ? [plain.slice(phrase.at, phrase.at + phrase.count).join(' ')] : leftoverOf(plain, isRead ? at : undefined);
  const leftover = [...dated, ...(cost === undefined ? [] : [cost])];
  return { title, venue, labels, leftover, span, ...(isRead && { words: phrase.words }), ...(isClicked && { isClicked }) };
}

function spanFrom(
  start: string,
  end: string | undefined,
  length: Duration | undefined,
  now: number,
  zone: string,
): ResolvedSpan | undefined {
  try {
    return resolveSpan(
      { start, end, duration: length, allDay: isDayOnly(start) && (end === undefined || isDayOnly(end)) && !length?.seconds },
      undefined,
      spanRules.people,
      { now, zone },
    );
  } catch {
    return undefined;
  }
}
