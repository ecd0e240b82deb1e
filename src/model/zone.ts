import { type DateTime, dayOf, epochOf, instantOf, modulo } from './wall.ts';
import { letterTable } from './zone-letters.ts';

/** A zone that is understood: a name of the tz database, or one offset for ever, in seconds east of Greenwich, with its letters. */
export type Zone = { name: string } | { offset: number; letters: string };

const hour = 3600;
const hoursOf = (text: string) => new Map(text.split(' ').map((pair) => pair.split(':') as [string, string]));

/** Abbreviations and their hours; where several zones share the letters, the ones PHP takes first. */
const abbreviations = hoursOf(
  'utc:0 gmt:0 z:0 wet:0 west:1 bst:1 cet:1 cest:2 met:1 mest:2 eet:2 eest:3 msk:3 msd:4 ist:2 idt:3 nst:-3.5 ndt:-2.5 ast:-4 adt:-3 ' +
    'est:-5 edt:-4 cst:-6 cdt:-5 mst:-7 mdt:-6 pst:-8 pdt:-7 akst:-9 akdt:-8 hst:-10 hdt:-9.5 sst:-11 chst:10 jst:9 kst:8.5 hkt:8 pkt:5 ' +
    'wib:7 wita:8 wit:9 sast:2 wat:1 cat:2 eat:3 awst:8 awdt:9 acst:9.5 acdt:10.5 aest:10 aedt:11 nzst:12 nzdt:13 ' +
    'a:1 b:2 c:3 d:4 e:5 f:6 g:7 h:8 i:9 k:10 l:11 m:12 n:-1 o:-2 p:-3 q:-4 r:-5 s:-6 t:-7 u:-8 v:-9 w:-10 x:-11 y:-12',
);

/** The zones that the reference takes for manual offsets, with their daylight time and later changes; for any other offset it takes UTC. */
const manual = hoursOf(
  '-10:Pacific/Honolulu -9:America/Anchorage -8:America/Los_Angeles -7:America/Denver -6:America/Chicago -5:America/New_York ' +
    '-4.5:America/Caracas -4:America/Halifax -3.5:America/St_Johns -3:America/Sao_Paulo -1:Atlantic/Azores 1:Europe/Paris ' +
    '2:Europe/Helsinki 3:Europe/Moscow 4:Asia/Dubai 5:Asia/Karachi 5.5:Asia/Kolkata 5.75:Asia/Kathmandu 7:Asia/Krasnoyarsk ' +
    '8:Australia/Perth 9:Asia/Tokyo 9.5:Australia/Adelaide 10:Australia/Melbourne 12:Pacific/Auckland',
);

const zones = new Map<string, Zone | undefined>();
const clocks = new Map<string, Intl.DateTimeFormat>();
const years = new Map<string, Map<number, { from: number; offset: number }[]>>();

/** The zone that a text names, in any case: a tz name, an abbreviation, '+05:30', 'GMT+2', or a manual 'UTC-3.5'. Undefined when unknown. */
export function zoneOf(text: string): Zone | undefined {
  if (!zones.has(text)) {
    if (zones.size > 2000) zones.clear();
    zones.set(text, readZone(text));
  }
  return zones.get(text);
}

/** Whether a text names a zone. */
export function isZone(text: string): boolean {
  return zoneOf(text) !== undefined;
}

/** Whether a text is an offset counted from UTC by hand, as 'UTC+0', 'UTC-5', 'UTC+5.5', 'UTC+5:30'. */
function isManual(text: string): boolean {
  return /^UTC[+-]\d{1,2}([.:]\d{1,2})?$/.test(text);
}

function readZone(text: string): Zone | undefined {
  if (isManual(text)) {
    const [hours = '', minutes = '0'] = text.slice(3).split(':');
    const name = manual.get(String(Number(hours) + Number(minutes) / 60));
    return name ? { name } : { offset: 0, letters: 'UTC' };
  }
  return fixedZone(text) ?? (/^[A-Za-z]/.test(text) && clockOf(text) ? { name: text.toLowerCase() } : undefined);
}

/** The zone that an offset or an abbreviation names. */
function fixedZone(text: string): Extract<Zone, { offset: number }> | undefined {
  const offset = offsetOf(text);
  if (offset !== undefined) return { offset, letters: `GMT${offsetMark(offset, '')}` };
  const hours = abbreviations.get(text.toLowerCase());
  return hours === undefined ? undefined : { offset: Number(hours) * hour, letters: text.toUpperCase() };
}

/** The seconds east of Greenwich of '+2', '-0530', '+05:30', '+053015' or 'GMT+2'. Undefined for anything else. */
export function offsetOf(text: string): number | undefined {
  const found = /^(?:GMT)?([+-])(?:(\d{1,2})|(\d{1,2}):?(\d{2})|(\d{1,2}):(\d)|(\d\d):?(\d\d):?(\d\d))$/i.exec(text);
  if (!found) return undefined;
  const [, sign, ...parts] = found;
  const [hours = 0, minutes = 0, seconds = 0] = parts.filter((part) => part !== undefined).map(Number);
  return (sign === '-' ? -1 : 1) * (hours * hour + minutes * 60 + seconds);
}

/** An offset in seconds as '-05:00', with `between` between hours and minutes. */
export function offsetMark(offset: number, between: string): string {
  const minutes = Math.floor(Math.abs(offset) / 60);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0'));
  return `${offset < 0 ? '-' : '+'}${hours}${between}${rest}`;
}

function clockOf(name: string): Intl.DateTimeFormat | undefined {
  if (clocks.has(name)) return clocks.get(name);
  try {
    const digits = '2-digit' as const;
    const time = { hour: digits, minute: digits, second: digits, hourCycle: 'h23' as const };
    const clock = new Intl.DateTimeFormat('en-US', { timeZone: name, year: 'numeric', month: digits, day: digits, ...time });
    clocks.set(name, clock);
    return clock;
  } catch {
    return undefined;
  }
}

function askOffset(name: string, instant: number): number {
  const text = clockOf(name)!.format(instant);
  const [month, day, year, hours, minutes, seconds] = text.match(/\d+/g)!.map(Number) as [number, number, number, number, number, number];
  return Math.round((epochOf(year, month, day, hours, minutes, seconds) - Math.floor(instant / 1000) * 1000) / 1000);
}

/** The offsets of one year in order, found once: where two probes differ the change between them is halved down to the second. */
function offsetsOf(name: string, year: number): { from: number; offset: number }[] {
  const known = years.get(name) ?? new Map<number, { from: number; offset: number }[]>();
  years.set(name, known);
  if (known.has(year)) return known.get(year)!;
  const end = epochOf(year + 1, 1, 1);
  let from = epochOf(year, 1, 1);
  let offset = askOffset(name, from);
  const found = [{ from, offset }];
  while (from < end) {
    const to = Math.min(from + 8 * 86_400_000, end);
    const next = askOffset(name, to);
    if (next !== offset) found.push({ from: changeBetween(name, from, to, offset), offset: next });
    from = to;
    offset = next;
  }
  known.set(year, found);
  return found;
}

function changeBetween(name: string, before: number, after: number, offset: number): number {
  let [low, high] = [before / 1000, after / 1000];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (askOffset(name, middle * 1000) === offset) low = middle;
    else high = middle;
  }
  return high * 1000;
}

const cycle = 146_097 * 86_400_000;
const first = epochOf(1800, 1, 1);
const last = epochOf(2500, 1, 1);

/** The seconds east of Greenwich of a zone at epoch milliseconds. Before 1800 that of 1800; after 2500 the rules repeat. */
export function offsetAt(zone: Zone, instant: number): number {
  if ('offset' in zone) return zone.offset;
  const time = instant < first ? first : instant < last ? instant : last - cycle + modulo(instant - last, cycle);
  const offsets = offsetsOf(zone.name, dayOf(time).year);
  let at = offsets.length - 1;
  while (at > 0 && offsets[at]!.from > time) at--;
  return offsets[at]!.offset;
}

/**
 * The instant of a wall time, both in epoch milliseconds. One in a gap gives the later instant; one that comes twice the earlier
 * instant west of Greenwich and the later one east of it.
 */
export function instantIn(zone: Zone, wall: number): number {
  const guess = offsetAt(zone, wall);
  const offset = offsetAt(zone, wall - guess * 1000);
  if (offset === guess) return wall - guess * 1000;
  const settled = offsetAt(zone, wall - offset * 1000) === offset;
  return wall - (settled ? offset : Math.min(offset, guess)) * 1000;
}

let letters: Map<string, { offset: number; runs: { letters: string; until: number }[] }[]> | undefined;

function lettersOf(name: string) {
  letters ??= new Map(
    letterTable
      .trim()
      .split('\n')
      .flatMap((line) => {
        const [offsets = '', names = ''] = line.split('|');
        const row = offsets.split(',').map(readLetters);
        return names.split(' ').map((each) => [each.toLowerCase(), row] as const);
      }),
  );
  return letters.get(name.toLowerCase()) ?? [];
}

function readLetters(text: string) {
  const [key = '', runs = ''] = text.split(' ');
  const offset = key.startsWith('s') ? Number(key.slice(1)) : Number(key) * hour;
  return {
    offset,
    runs: runs.split('/').map((run) => {
      const [name = '', day] = run.split('<');
      return { letters: name, until: day ? Number(day) * 86_400_000 : Number.POSITIVE_INFINITY };
    }),
  };
}

/**
 * The letters of a zone at a UTC time: 'EST', 'EDT'. A zone that has only figures then ('+11') is given the first letters it ever had,
 * as the reference does, and its figures when it never had any ('-03'). A manual offset answers itself, an unknown zone ''.
 */
export function zoneAbbreviation(text: string, utc: DateTime): string {
  if (isManual(text)) return text;
  const zone = zoneOf(text);
  if (!zone) return '';
  if ('letters' in zone) return zone.letters;
  const instant = instantOf(utc);
  return lettersAt(zone.name, instant, offsetAt(zone, instant));
}

/** The same of a known zone at a time of which its wall time is known too: no formatter is made for it, the first of which takes 10 ms. */
export function zoneAbbreviationAt(text: string, utc: DateTime, wall: DateTime): string {
  if (isManual(text)) return text;
  const instant = instantOf(utc);
  return fixedZone(text)?.letters ?? lettersAt(text, instant, (instantOf(wall) - instant) / 1000);
}

function lettersAt(name: string, instant: number, offset: number): string {
  const known = lettersOf(name);
  const named = known.find((entry) => entry.offset === offset)?.runs.find((run) => instant < run.until)?.letters;
  const odd = offset % 900 !== 0;
  if (odd && (!named || instant < epochOf(1870, 1, 1))) return 'LMT';
  if (named) return named;
  const ever = known.flatMap((entry) => entry.runs.map((run) => run.letters)).filter((name) => name && name !== 'LMT');
  return ever.sort()[0] ?? offsetMark(offset, '').replace(/00$/, '');
}
