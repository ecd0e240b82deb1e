/**
 * Writes src/model/time/abbreviation-table.ts from a compiled tz database: `npm run abbreviations [folder]`, /usr/share/zoneinfo by default.
 * Debian's package `tzdata` compiles it with its "backzone", as PHP's own copy is.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** An offset in seconds east of Greenwich and its abbreviation, from an instant in seconds of Unix time. */
interface Change {
  from: number;
  offset: number;
  abbreviation: string;
}

/** Reads the offsets of a zone from a TZif file (RFC 8536). Returns undefined for other files. */
export function readTzif(bytes: Buffer): Change[] | undefined {
  if (bytes.toString('latin1', 0, 4) !== 'TZif') return undefined;
  const countsAt = (at: number) => [20, 24, 28, 32, 36, 40].map((field) => bytes.readUInt32BE(at + field)) as Counts;
  type Counts = [utc: number, standard: number, leaps: number, times: number, types: number, letters: number];
  // The first block has 32-bit times; the second repeats all of it with 64-bit ones.
  const [utc, standard, leaps, oldTimes, oldTypes, oldLetters] = countsAt(0);
  const header = 44 + oldTimes * 5 + oldTypes * 6 + oldLetters + leaps * 8 + standard + utc;
  const [, , , times, types, letters] = countsAt(header);
  const [timesAt, indexAt] = [header + 44, header + 44 + times * 8];
  const [typesAt, lettersAt] = [indexAt + times, indexAt + times + types * 6];
  const typeFrom = (index: number, from: number): Change => {
    const at = typesAt + index * 6;
    const start = lettersAt + bytes[at + 5]!;
    const end = bytes.indexOf(0, start);
    return { from, offset: bytes.readInt32BE(at), abbreviation: bytes.toString('latin1', start, Math.min(end, lettersAt + letters)) };
  };
  const changes = Array.from({ length: times }, (_, at) => typeFrom(bytes[indexAt + at]!, Number(bytes.readBigInt64BE(timesAt + at * 8))));
  return [typeFrom(0, Number.NEGATIVE_INFINITY), ...changes];
}

/** The row of a zone: each offset with the abbreviations it had since 1970. Empty where it never had any. */
export function rowOf(changes: readonly Change[]): string {
  const runs = new Map<number, { name: string; until: number }[]>();
  for (const { from, offset, abbreviation } of changes) {
    const name = /^[A-Za-z]/.test(abbreviation) ? abbreviation : '';
    const known = runs.get(offset) ?? [];
    runs.set(offset, known);
    const last = known.at(-1);
    if (last?.name === name) continue;
    if (last) last.until = from;
    known.push({ name, until: Number.POSITIVE_INFINITY });
  }
  return [...runs]
    .map(([offset, all]) => [offset, all.filter(({ until }) => until > 0)] as const)
    .filter(([, recent]) => recent.some(({ name }) => name !== '' && name !== 'LMT'))
    .map(([offset, recent]) => {
      const names = recent.map(({ name, until }) => (Number.isFinite(until) ? `${name}<${Math.ceil(until / 86_400)}` : name));
      return `${offset % 900 === 0 ? offset / 3600 : `s${offset}`} ${names.join('/')}`;
    })
    .join(',');
}

/** The rows of all zones under a folder, those of equal ones together. */
function tableOf(folder: string): string {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /^[A-Z]/.test(name));
  const zones = new Map<string, string[]>();
  for (const name of names.sort()) {
    let bytes: Buffer;
    try {
      bytes = readFileSync(join(folder, name));
    } catch {
      continue; // a folder
    }
    const row = rowOf(readTzif(bytes) ?? []);
    if (row) zones.set(row, [...(zones.get(row) ?? []), name]);
  }
  return [...zones].map(([row, names]) => `${row}|${names.join(' ')}`).join('\n');
}

const head = (version: string) => `/**
 * The abbreviations of every zone, from the tz database ${version} (public domain). Written by \`npm run abbreviations\`.
 *
 * A row is \`offset names,…|zones\`. An offset is in hours, or in seconds after an \`s\`. \`MSD<15060/MSK\` says MSD until day 15060 of Unix
 * time, MSK from then on; nothing before or after \`<\` or \`/\` says that the offset had no abbreviation then. Names that ended before 1970
 * and offsets that never had one are left out.
 */
`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = process.argv[2] ?? '/usr/share/zoneinfo';
  const [, version = 'unknown'] = /^# version (\S+)/.exec(readFileSync(join(folder, 'tzdata.zi'), 'utf8')) ?? [];
  const file = fileURLToPath(new URL('../src/model/time/abbreviation-table.ts', import.meta.url));
  writeFileSync(file, `${head(version)}export const abbreviationTable = \`\n${tableOf(folder)}\n\`;\n`);
}
