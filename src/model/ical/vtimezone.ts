import { zoneAbbreviation } from '../time/abbreviations.ts';
import { type DateTime, instantOf, utcOf } from '../time/datetime.ts';
import { changesIn, offsetAt, offsetMark, utcZone, type Zone, type ZoneChange, zoneOf } from '../time/zone.ts';
import { escapeText, foldLine } from './lines.ts';

const day = 86_400_000;
/** Rules are checked up to this year. A rule that still applies then has no UNTIL. */
const horizon = 2040;

/** A yearly rule: month and `BYDAY=2SU`, `BYDAY=-1SU` or `BYMONTHDAY=1`. */
type ZoneRule = { month: number; on: string };

/** The local time of a change before it, as in DTSTART of an observance. */
const onset = ({ instant, from }: ZoneChange): Date => new Date(instant + from * 1000);

const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

function rulesFor(transition: ZoneChange): ZoneRule[] {
  const date = onset(transition);
  const [month, number, weekday] = [date.getUTCMonth() + 1, date.getUTCDate(), weekdays[date.getUTCDay()]!];
  const length = new Date(Date.UTC(date.getUTCFullYear(), month, 0)).getUTCDate();
  const nth = Math.ceil(number / 7);
  return [
    ...(number > length - 7 ? [{ month, on: `BYDAY=-1${weekday}` }] : []),
    ...(nth < 5 ? [{ month, on: `BYDAY=${nth}${weekday}` }] : []),
    { month, on: `BYMONTHDAY=${number}` },
  ];
}

const clockTime = (transition: ZoneChange) => utcOf(onset(transition).getTime()).slice(11);

/** A series of equal changes and the rules that match all of them. */
interface Run {
  transitions: ZoneChange[];
  rules: ZoneRule[];
}

/** Groups equal changes that follow one rule from year to year. */
function runsOf(transitions: readonly ZoneChange[]): Run[] {
  const runs: Run[] = [];
  for (const next of transitions) {
    const year = onset(next).getUTCFullYear();
    const run = runs.findLast(({ transitions: [first], transitions: all, rules }) => {
      const before = all.at(-1)!;
      const same = first!.from === next.from && first!.to === next.to && clockTime(first!) === clockTime(next);
      return same && onset(before).getUTCFullYear() === year - 1 && common(rules, rulesFor(next)).length > 0;
    });
    if (run) {
      run.transitions.push(next);
      run.rules = common(run.rules, rulesFor(next));
    } else runs.push({ transitions: [next], rules: rulesFor(next) });
  }
  return runs;
}

const common = (a: readonly ZoneRule[], b: readonly ZoneRule[]) =>
  a.filter((one) => b.some((other) => other.month === one.month && other.on === one.on));

/** Formats a date and time (RFC 5545, 3.3.5). */
export const icalDate = (wall: DateTime): string => wall.replace(/[-:]/g, '').replace(' ', 'T');

function observance(name: string, zone: Zone, { transitions, rules }: Run, standard: number): string[] {
  const [first, last] = [transitions[0]!, transitions.at(-1)!];
  const kind = first.to > standard ? 'DAYLIGHT' : 'STANDARD';
  const start = (transition: ZoneChange) => icalDate(utcOf(onset(transition).getTime()));
  const lasting = onset(last).getUTCFullYear() >= horizon && offsetAt(zone, last.instant) === last.to;
  const rule = transitions.length > 1 ? rules[0] : undefined;
  return [
    `BEGIN:${kind}`,
    `DTSTART:${start(first)}`,
    ...(rule ? [`RRULE:FREQ=YEARLY;BYMONTH=${rule.month};${rule.on}${lasting ? '' : `;UNTIL=${icalDate(utcOf(last.instant))}Z`}`] : []),
    `TZNAME:${escapeText(zoneAbbreviation(name, utcOf(first.instant)))}`,
    `TZOFFSETFROM:${mark(first.from)}`,
    `TZOFFSETTO:${mark(first.to)}`,
    `END:${kind}`,
  ];
}

/** An offset in the form of RFC 5545, 3.3.14: seconds only where there are any. */
function mark(offset: number): string {
  const seconds = Math.abs(offset) % 60;
  return offsetMark(offset, '') + (seconds ? String(seconds).padStart(2, '0') : '');
}

/** The VTIMEZONE of a zone (RFC 5545, 3.6.5), right from the start of a year onwards, made of the changes of its clocks. Undefined for an unknown zone. */
export function timezoneComponent(name: string, since: number): string | undefined {
  const zone = zoneOf(name);
  if (!zone) return undefined;
  const transitions = changesIn(zone, since, horizon);
  const start = Date.UTC(since, 0, 1);
  const initial = offsetAt(zone, start);
  const standard = (instant: number) => {
    const year = new Date(instant).getUTCFullYear();
    return Math.min(offsetAt(zone, Date.UTC(year, 0, 1)), offsetAt(zone, Date.UTC(year, 6, 1)));
  };
  const before: Run = { transitions: [{ instant: start - initial * 1000, from: initial, to: initial }], rules: [] };
  // Two changes are written separately, because some programs ignore RDATE and a rule for two changes would be a guess.
  const runs = runsOf(transitions).flatMap((run) =>
    run.transitions.length > 2 ? [run] : run.transitions.map((each): Run => ({ transitions: [each], rules: [] })),
  );
  const lines = [before, ...runs].flatMap((run) => observance(name, zone, run, standard(run.transitions[0]!.instant)));
  const location = 'name' in zone && name.includes('/') ? [`X-LIC-LOCATION:${name}`] : [];
  return ['BEGIN:VTIMEZONE', `TZID:${escapeText(name)}`, ...location, ...lines, 'END:VTIMEZONE'].map(foldLine).join('');
}

/** True if a wall time occurs exactly once in a time zone. Programs disagree about skipped and repeated times. */
export function isUnambiguous(wall: DateTime, name: string): boolean {
  const zone = zoneOf(name) ?? utcZone;
  const at = instantOf(wall);
  const offsets = new Set([offsetAt(zone, at - day), offsetAt(zone, at + day)]);
  return [...offsets].filter((offset) => offsetAt(zone, at - offset * 1000) === offset).length === 1;
}

/** The epoch milliseconds of a wall time in a time zone; see {@link instantOn}. */
export function icalInstant(wall: DateTime, name: string): number {
  const zone = zoneOf(name) ?? utcZone;
  return instantOn((instant) => offsetAt(zone, instant), wall);
}

/**
 * The epoch milliseconds of a wall time (RFC 5545, 3.3.5) for a UTC offset function in seconds. A repeated time is the earlier one; a skipped time uses the
 * offset before the gap.
 */
export function instantOn(secondsAt: (instant: number) => number, wall: DateTime): number {
  const at = instantOf(wall);
  const [before, after] = [secondsAt(at - day), secondsAt(at + day)];
  const candidates = [before, after].map((offset) => at - offset * 1000).filter((instant) => instant + secondsAt(instant) * 1000 === at);
  if (candidates.length) return Math.min(...candidates);
  const near = at - secondsAt(at - secondsAt(at) * 1000) * 1000;
  return near + secondsAt(near) * 1000 === at ? near : at - before * 1000;
}
