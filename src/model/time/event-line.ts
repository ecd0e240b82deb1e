import { type Duration, readDuration } from './duration.ts';
import { isDay, readDate } from './parse-date.ts';
import { type ResolvedSpan, resolveSpan, spanRules } from './span.ts';
import { wallOf } from './time.ts';
import { atTime, nextDate, typedDate } from './typed-date.ts';

/** An event described in one line, such as `Jazz friday 20:00-22:00 at Cellar Club #music`. */
export interface EventLine {
  title: string;
  /** Undefined without a date. */
  span?: ResolvedSpan;
  /** Name of the venue. */
  venue?: string;
  /** Words after `#`. */
  labels: string[];
}

/** The words that a date phrase consists of; a number alone isn't one. */
const dateWord =
  /^(?:\d{1,4}(?:[-/.]\d{1,4}){1,2}\.?|\d{1,2}(?:st|nd|rd|th)?,?|\d{4}|(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,?|(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?,?|today|tonight|tomorrow|yesterday|next|this|in|on|an?|minutes?|hours?|weeks?|days?|months?|from|now|noon|midnight|\d{1,2}(?::\d\d)?(?:am|pm)|[01]?\d:\d\d|2[0-4]:\d\d|am|pm|first|second|third|last|of|\+?\d+)$/i;
/** A word without which a phrase isn't a date. */
const strongWord =
  /(?:\d[-/.:]\d|day\b|today|tonight|tomorrow|(?:mon|tue|wed|thu|fri|sat|sun)\b|\d(?:am|pm)|noon|midnight|week|month|\bin (?:an?|\d+) (?:hour|minute)|(?:hours?|minutes?) from now)/i;
const monthDay =
  /(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+\d|\d(?:st|nd|rd|th)?\s+(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i;

const maxPhraseWords = 7;
const clock = String.raw`\d{1,2}(?:[:.]\d\d)?\s*(?:[ap]m)?|noon|midnight`;
const timeRange = new RegExp(String.raw`(?:\bfrom\s+)?(?<![\w:.])(${clock})\s*(?:-|\u2013|\bto\b|\buntil\b)\s*(${clock})(?![\w:.-])`, 'i');
const duration = /\bfor\s+((?:\d+(?:\.\d+)?\s*(?:h|hours?|hrs?|m|min|mins|minutes?|d|days?|weeks?)\s*)+)(?=\s|$)/i;

/** Returns the first and last hour of a range such as `8-10pm`. The first has the half of the day of the second if it has none. */
function hoursOf([, first = '', second = '']: RegExpExecArray): [string, string] | undefined {
  const half = /[ap]m$/i.exec(second.trim())?.[0] ?? '';
  const complete = (text: string) => {
    const trimmed = text.trim().replace('.', ':');
    if (/[ap]m$|:|noon|midnight/i.test(trimmed)) return half && /^[\d:]+$/.test(trimmed) ? trimmed + half : trimmed;
    return half ? trimmed + half : `${trimmed}:00`;
  };
  const hasTime = /[:.]|[ap]m|noon|midnight/i.test(first + second);
  return hasTime ? [complete(first), complete(second)] : undefined;
}

const weekday = /\b(?:mon|tue|wed|thu|fri|sat|sun)/gi;

/** Moves a time before a month and day: `6 march 14:00` would be a day in the year 1400. */
const timeFirst = (text: string): string => (monthDay.test(text) ? withTimeFirst(text) : text);
const withTimeFirst = (text: string): string => text.replace(/^(.*\S)\s+(\d{1,2}:\d\d(?:\s*[ap]m)?|\d{1,2}\s*[ap]m)$/i, '$2 $1');

/** Finds the longest phrase of words that is a date. */
function findDate(words: readonly string[], now: number, zone: string): { at: number; count: number; text: string } | undefined {
  for (let count = Math.min(maxPhraseWords, words.length); count > 0; count--)
    for (let at = words.length - count; at >= 0; at--) {
      const phrase = words.slice(at, at + count);
      const text = timeFirst(
        phrase
          .join(' ')
          .replace(/^on /i, '')
          .replaceAll(',', '')
          .replace(/\btonight\b/i, 'today 20:00'),
      );
      if ((text.match(weekday) ?? []).length > 1 || (/\ban?\b/i.test(text) && !/^in an?\b|\bfrom now$/i.test(text))) continue;
      if (!phrase.every((word) => dateWord.test(word)) || !(strongWord.test(text) || monthDay.test(text))) continue;
      const typed = nextDate(typedDate(text), wallOf(now, zone).slice(0, 10));
      if (readDate(typed, now, zone)) return { at, count, text: typed };
    }
  return undefined;
}

/** Parses an event in one line: its date and time by the rules for people, `at VENUE`, and `#labels`. The rest is the title. */
export function parseLine(line: string, now: number, zone: string): EventLine {
  const labels: string[] = [];
  let rest = line.replace(/(?:^|\s)#([\p{L}\p{N}_-]+)/gu, (_, label: string) => {
    labels.push(label);
    return ' ';
  });
  let length: Duration | undefined;
  rest = rest.replace(duration, (phrase, text: string) => {
    length = readDuration(text.trim().replace(/hrs?\b/g, 'hours'));
    return length ? ' ' : phrase;
  });
  const range = timeRange.exec(rest);
  const hours = range ? hoursOf(range) : undefined;
  if (range && hours) rest = `${rest.slice(0, range.index)} ${hours[0]} ${rest.slice(range.index + range[0].length)}`;
  const words = rest.replace(atTime, ' ').split(/\s+/).filter(Boolean);
  const date = findDate(words, now, zone);
  if (date) words.splice(date.at, date.count);
  const text = words.join(' ');
  const [, title = text, venue] = /^(.*?)(?:^|\s+)(?:at|@)\s+(\S.*)$/i.exec(text) ?? [];
  return { title: title.trim(), venue: venue?.trim(), labels, span: date && spanFrom(date.text, hours?.[1], length, now, zone) };
}

function spanFrom(
  start: string,
  end: string | undefined,
  length: Duration | undefined,
  now: number,
  zone: string,
): ResolvedSpan | undefined {
  try {
    return resolveSpan({ start, end, duration: length, allDay: isDay(start) && !end && !length?.seconds }, undefined, spanRules.people, {
      now,
      zone,
    });
  } catch {
    return undefined;
  }
}
