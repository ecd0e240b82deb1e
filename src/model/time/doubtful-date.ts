import { type Doubt, doubt } from '../mistakes/table.ts';
import { type DateTime, instantOf, utcOf } from './datetime.ts';
import { impossibleDay, isDayOnly, isFixed, readDate } from './parse-date.ts';
import { fromUtc, toUtc } from './time.ts';

/** Matches a numeric date whose day and month a person could exchange. */
const twoNumbers = /^\s*(\d{1,2})(?:([/.-])(\d{1,2})\2(?:\d{4}|\d\d)|\/(\d{1,2}))(?![\d/.-])/;

const twoDigits = (part: number) => String(part).padStart(2, '0');

/** A wall time as the clock of a zone shows it: a skipped one becomes later. */
const shownIn = (wall: DateTime, zone: string): DateTime => fromUtc(toUtc(wall, zone), zone);

/** Doubts about a date that is stored as local time of a zone. */
export function dateDoubts(text: string, now: number, zone: string): Doubt[] {
  const read = readDate(text, now, zone);
  if (!read) return [];
  const quoted = JSON.stringify(text.replace(/^@/, ''));
  const stored = shownIn(read.wall, zone);
  const day = stored.slice(0, 10);
  const doubts = dayDoubts(text, now, day);
  // The offset of the zone itself is right.
  if (read.ownZone && instantOf(toUtc(read.wall, zone)) !== read.instant) doubts.unshift(doubt('ignored-zone', quoted, stored, zone));
  if (impossibleDay(text, now) !== undefined || isDayOnly(text)) return doubts;
  // Without its zone, the text is read as it is written.
  const wall = read.ownZone ? read.wall : isFixed(text) ? readDate(text, now, 'UTC')!.wall : stored;
  if (wall !== stored && !wall.endsWith('00:00:00')) doubts.push(doubt('missing-time', quoted, zone, stored));
  return doubts;
}

/** Doubts about a date of a filter, which is read in UTC. Without `isExact`, its whole day is used, and compared with days of a zone. */
export function boundDoubts(text: string, now: number, zone: string, isExact: boolean): Doubt[] {
  const read = readDate(text, now, 'UTC');
  if (!read) return [];
  const used = utcOf(read.instant);
  const [day, local] = [used.slice(0, 10), fromUtc(used, zone).slice(0, 10)];
  const doubts = dayDoubts(text, now, day);
  if (read.ownZone && !isExact && day !== local)
    doubts.unshift(doubt('ignored-zone', JSON.stringify(text.replace(/^@/, '')), day, zone, local));
  return doubts;
}

/** Doubts about the day of a date, which is read as `day`. */
function dayDoubts(text: string, now: number, day: string): Doubt[] {
  const quoted = JSON.stringify(text.replace(/^@/, ''));
  const doubts: Doubt[] = [];
  const [, first, , second, alone] = twoNumbers.exec(text) ?? [];
  const [one, other] = [Number(first), Number(second ?? alone)];
  if (one !== other && one > 0 && other > 0 && one <= 12 && other <= 12) {
    const [year, month, date] = day.split('-').map(Number) as [number, number, number];
    doubts.push(doubt('two-readings', quoted, day, `${year}-${twoDigits(date)}-${twoDigits(month)}`));
  }
  const missing = impossibleDay(text, now);
  if (missing !== undefined) doubts.push(doubt('missing-day', quoted, missing, day));
  return doubts;
}
