import { type Doubt, doubt } from '../mistakes/table.ts';
import { type DateTime, instantOf } from './datetime.ts';
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
  const doubts: Doubt[] = [];
  // The offset of the zone itself is right.
  if (read.ownZone && instantOf(toUtc(read.wall, zone)) !== read.instant) doubts.push(doubt('ignored-zone', quoted, stored, zone));
  const [, first, , second, alone] = twoNumbers.exec(text) ?? [];
  const [one, other] = [Number(first), Number(second ?? alone)];
  if (one !== other && one > 0 && other > 0 && one <= 12 && other <= 12) {
    const [year, month, date] = day.split('-').map(Number) as [number, number, number];
    doubts.push(doubt('two-readings', quoted, day, `${year}-${twoDigits(date)}-${twoDigits(month)}`));
  }
  const missing = impossibleDay(text, now);
  if (missing !== undefined) doubts.push(doubt('missing-day', quoted, missing, day));
  else if (!isDayOnly(text)) {
    // Without its zone, the text is read as it is written.
    const wall = read.ownZone ? read.wall : isFixed(text) ? readDate(text, now, 'UTC')!.wall : stored;
    if (wall !== stored && !wall.endsWith('00:00:00')) doubts.push(doubt('missing-time', quoted, zone, stored));
  }
  return doubts;
}
