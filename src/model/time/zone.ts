import { epochOf, modulo } from './datetime.ts';

/** A time zone: an IANA name, or a fixed UTC offset in seconds with its abbreviation. */
export type Zone = { name: string } | { offset: number; abbreviation: string };

/** UTC, the fallback for unknown zones. */
export const utcZone: Zone = { offset: 0, abbreviation: 'UTC' };

const hour = 3600;
const hoursOf = (text: string) => new Map(text.split(' ').map((pair) => pair.split(':') as [string, string]));

/** Offsets of abbreviations in hours. If several zones share one, the first of PHP's table. */
const abbreviations = hoursOf(
  'utc:0 gmt:0 z:0 wet:0 west:1 bst:1 cet:1 cest:2 met:1 mest:2 eet:2 eest:3 msk:3 msd:4 ist:2 idt:3 nst:-3.5 ndt:-2.5 ast:-4 adt:-3 ' +
    'est:-5 edt:-4 cst:-6 cdt:-5 mst:-7 mdt:-6 pst:-8 pdt:-7 akst:-9 akdt:-8 hst:-10 hdt:-9.5 sst:-11 chst:10 jst:9 kst:8.5 hkt:8 pkt:5 ' +
    'wib:7 wita:8 wit:9 sast:2 wat:1 cat:2 eat:3 awst:8 awdt:9 acst:9.5 acdt:10.5 aest:10 aedt:11 nzst:12 nzdt:13 ' +
    'a:1 b:2 c:3 d:4 e:5 f:6 g:7 h:8 i:9 k:10 l:11 m:12 n:-1 o:-2 p:-3 q:-4 r:-5 s:-6 t:-7 u:-8 v:-9 w:-10 x:-11 y:-12',
);

/**
 * The zones used for manual offsets, with their daylight time, as returned by PHP's `timezone_name_from_abbr('', offset)` (`events.create.timezone.utc-minus-4-5`). For
 * other offsets, it is UTC.
 */
const manual = hoursOf(
  '-10:Pacific/Honolulu -9:America/Anchorage -8:America/Los_Angeles -7:America/Denver -6:America/Chicago -5:America/New_York ' +
    '-4.5:America/Caracas -4:America/Halifax -3.5:America/St_Johns -3:America/Sao_Paulo -1:Atlantic/Azores 1:Europe/Paris ' +
    '2:Europe/Helsinki 3:Europe/Moscow 4:Asia/Dubai 5:Asia/Karachi 5.5:Asia/Kolkata 5.75:Asia/Kathmandu 7:Asia/Krasnoyarsk ' +
    '8:Australia/Perth 9:Asia/Tokyo 9.5:Australia/Adelaide 10:Australia/Melbourne 12:Pacific/Auckland',
);

const zones = new Map<string, Zone | undefined>();
const formatters = new Map<string, Intl.DateTimeFormat>();
const spans = new Map<string, Map<number, OffsetSpan>>();

/** Length of a span in ms. No zone changes its offset twice in it. */
const spanMs = 8 * 86_400_000;

/** The offset at the start of a span of a year, and the change of it within the span, if any. */
interface OffsetSpan {
  offset: number;
  change?: ZoneChange;
}

/** The zone of a text, ignoring case: an IANA name, an abbreviation, '+05:30', 'GMT+2', or a manual offset 'UTC-3.5'. */
export function zoneOf(text: string): Zone | undefined {
  const cached = zones.get(text);
  if (cached !== undefined || zones.has(text)) return cached;
  if (zones.size > 2000) zones.clear();
  const zone = readZone(text);
  zones.set(text, zone);
  return zone;
}

export function isZone(text: string): boolean {
  return zoneOf(text) !== undefined;
}

/** True if a text is a manual offset: 'UTC+0', 'UTC-5', 'UTC+5.5', 'UTC+5:30', or 'UTC 3' from a form with an unescaped plus. */
export function isManual(text: string): boolean {
  return /^UTC[ +-]\d{1,2}([.:]\d{1,2})?$/.test(text);
}

/** The offset in seconds that a manual offset says, such as 'UTC-4.5'; undefined for other zones. */
export function plainOffset(text: string): number | undefined {
  if (!isManual(text)) return undefined;
  const [hours = '', minutes = '0'] = text.slice(3).split(':');
  return Number(hours) * hour + (hours.startsWith('-') ? -1 : 1) * Number(minutes) * 60;
}

function readZone(text: string): Zone | undefined {
  if (isManual(text)) {
    const [hours = '', minutes = '0'] = text.slice(3).split(':');
    const name = manual.get(String(Number(hours) + Number(minutes) / 60));
    return name ? { name } : utcZone;
  }
  return fixedZone(text) ?? (zoneName.test(text) && formatterOf(text.toLowerCase()) ? { name: text.toLowerCase() } : undefined);
}

/** The form of a name of a zone, so that other texts, such as dates in words, cost no exception of Intl. */
const zoneName = /^[A-Za-z][\w+-]*(\/[\w+-]+)*$/;

export function fixedZone(text: string): Extract<Zone, { offset: number }> | undefined {
  const offset = offsetOf(text);
  if (offset !== undefined) return { offset, abbreviation: `GMT${offsetMark(offset, '')}` };
  const hours = abbreviations.get(text.toLowerCase());
  return hours === undefined ? undefined : { offset: Number(hours) * hour, abbreviation: text.toUpperCase() };
}

/** Parses a UTC offset to seconds: '+2', '-0530', '+05:30', '+053015' or 'GMT+2'. */
export function offsetOf(text: string): number | undefined {
  const match = /^(?:GMT)?([+-])(?:(\d{1,2})|(\d{1,2}):?(\d{2})|(\d{1,2}):(\d)|(\d\d):?(\d\d):?(\d\d))$/i.exec(text);
  if (!match) return undefined;
  const [, sign, ...parts] = match;
  const [hours = 0, minutes = 0, seconds = 0] = parts.filter((part) => part !== undefined).map(Number);
  return (sign === '-' ? -1 : 1) * (hours * hour + minutes * 60 + seconds);
}

/** Formats an offset in seconds: '-05:00', with `separator` between hours and minutes. */
export function offsetMark(offset: number, separator: string): string {
  const minutes = Math.floor(Math.abs(offset) / 60);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0'));
  return `${offset < 0 ? '-' : '+'}${hours}${separator}${rest}`;
}

function formatterOf(name: string): Intl.DateTimeFormat | undefined {
  if (formatters.has(name)) return formatters.get(name);
  try {
    const digits = '2-digit' as const;
    const time = { hour: digits, minute: digits, second: digits, hourCycle: 'h23' as const };
    const formatter = new Intl.DateTimeFormat('en-US', { timeZone: name, year: 'numeric', month: digits, day: digits, ...time });
    formatters.set(name, formatter);
    return formatter;
  } catch {
    return undefined;
  }
}

function formattedOffset(name: string, instant: number): number {
  const text = formatterOf(name)!.format(instant);
  const [month, day, year, hours, minutes, seconds] = text.match(/\d+/g)!.map(Number) as [number, number, number, number, number, number];
  return Math.round((epochOf(year, month, day, hours, minutes, seconds) - Math.floor(instant / 1000) * 1000) / 1000);
}

/** A span that starts a multiple of {@link spanMs} after the start of a year, cached. Finds a change to the second by bisection. */
function spanAt(name: string, start: number, year: number): OffsetSpan {
  const cached = spans.get(name) ?? new Map<number, OffsetSpan>();
  spans.set(name, cached);
  let span = cached.get(start);
  if (span === undefined) {
    const end = Math.min(start + spanMs, epochOf(year + 1, 1, 1));
    const [from, to] = [formattedOffset(name, start), formattedOffset(name, end)];
    span = from === to ? { offset: from } : { offset: from, change: { instant: changeBetween(name, start, end, from), from, to } };
    cached.set(start, span);
  }
  return span;
}

function changeBetween(name: string, before: number, after: number, offset: number): number {
  let [low, high] = [before / 1000, after / 1000];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (formattedOffset(name, middle * 1000) === offset) low = middle;
    else high = middle;
  }
  return high * 1000;
}

const cycle = 146_097 * 86_400_000;
const first = epochOf(1800, 1, 1);
const last = epochOf(2500, 1, 1);

/** The UTC offset of a zone in seconds at epoch milliseconds. Before 1800, it is that of 1800; after 2500, the rules repeat. */
export function offsetAt(zone: Zone, instant: number): number {
  if ('offset' in zone) return zone.offset;
  const time = instant < first ? first : instant < last ? instant : last - cycle + modulo(instant - last, cycle);
  const year = new Date(time).getUTCFullYear();
  const { offset, change } = spanAt(zone.name, time - modulo(time - epochOf(year, 1, 1), spanMs), year);
  return change === undefined || time < change.instant ? offset : change.to;
}

/**
 * The instant of a wall time, both in epoch milliseconds. A skipped time gives the later instant. A repeated time gives the earlier instant west of Greenwich and
 * the later one east of it.
 */
export function instantIn(zone: Zone, wall: number): number {
  const guess = offsetAt(zone, wall);
  const offset = offsetAt(zone, wall - guess * 1000);
  if (offset === guess) return wall - guess * 1000;
  const settled = offsetAt(zone, wall - offset * 1000) === offset;
  return wall - (settled ? offset : Math.min(offset, guess)) * 1000;
}

/** A change of a zone's offset. `instant` is in epoch ms, offsets are in seconds. */
export interface ZoneChange {
  instant: number;
  from: number;
  to: number;
}

export function changesIn(zone: Zone, firstYear: number, lastYear: number): ZoneChange[] {
  if ('offset' in zone) return [];
  const changes: ZoneChange[] = [];
  for (let year = Math.max(firstYear, 1800); year <= Math.min(lastYear, 2499); year++)
    for (let start = epochOf(year, 1, 1); start < epochOf(year + 1, 1, 1); start += spanMs) {
      const { change } = spanAt(zone.name, start, year);
      if (change !== undefined) changes.push(change);
    }
  return changes;
}
