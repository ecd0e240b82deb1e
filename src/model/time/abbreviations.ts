import { abbreviationTable } from './abbreviation-table.ts';
import { type DateTime, epochOf, instantOf } from './datetime.ts';
import { fixedZone, isManual, offsetAt, offsetMark, zoneOf } from './zone.ts';

/** The abbreviations of an offset over time. `until` is in epoch milliseconds; the last one has no end. */
interface OffsetNames {
  /** UTC offset in seconds. */
  offset: number;
  runs: { abbreviation: string; until: number }[];
}

/**
 * The abbreviation of a time zone at a UTC time, as PHP formats `T` (`create.timezone.*`): 'EST', 'EDT'. For a zone without one at that time, returns its
 * alphabetically first abbreviation ever, else its offset ('-03'). A manual offset is its own abbreviation; an unknown zone has ''.
 */
export function zoneAbbreviation(text: string, utc: DateTime): string {
  if (isManual(text)) return text;
  const zone = zoneOf(text);
  if (!zone) return '';
  if ('abbreviation' in zone) return zone.abbreviation;
  const instant = instantOf(utc);
  return nameAt(zone.name, instant, offsetAt(zone, instant));
}

/** The same for a known time zone and wall time, without creating a formatter, the first of which takes 10 ms. */
export function zoneAbbreviationAt(text: string, utc: DateTime, wall: DateTime): string {
  if (isManual(text)) return text;
  const instant = instantOf(utc);
  return fixedZone(text)?.abbreviation ?? nameAt(text, instant, (instantOf(wall) - instant) / 1000);
}

function nameAt(zone: string, instant: number, offset: number): string {
  const names = namesOf(zone);
  const current = names.find((each) => each.offset === offset)?.runs.find((run) => instant < run.until)?.abbreviation;
  const isLocalMeanTime = offset % 900 !== 0 && (!current || instant < epochOf(1870, 1, 1));
  if (isLocalMeanTime) return 'LMT';
  if (current) return current;
  const ever = names.flatMap(({ runs }) => runs.map(({ abbreviation }) => abbreviation)).filter((name) => name && name !== 'LMT');
  return ever.sort()[0] ?? offsetMark(offset, '').replace(/00$/, '');
}

let byZone: Map<string, OffsetNames[]> | undefined;

function namesOf(zone: string): OffsetNames[] {
  byZone ??= new Map(
    abbreviationTable
      .trim()
      .split('\n')
      .flatMap((line) => {
        const [offsets = '', zones = ''] = line.split('|');
        const names = offsets.split(',').map(parseOffset);
        return zones.split(' ').map((each) => [each.toLowerCase(), names] as const);
      }),
  );
  return byZone.get(zone.toLowerCase()) ?? [];
}

function parseOffset(text: string): OffsetNames {
  const [offset = '', runs = ''] = text.split(' ');
  return {
    offset: offset.startsWith('s') ? Number(offset.slice(1)) : Number(offset) * 3600,
    runs: runs.split('/').map((run) => {
      const [abbreviation = '', day] = run.split('<');
      return { abbreviation, until: day ? Number(day) * 86_400_000 : Number.POSITIVE_INFINITY };
    }),
  };
}
