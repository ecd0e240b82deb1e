/*
 * Reads the calendar files in the test data of npm packages, and compares the times of their events with another library.
 *   npx tsx scripts/foreign-calendars.ts [PACKAGE…]
 * The packages are downloaded into a temporary folder. Exits with 1 if reading a file crashes.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataError } from '../src/model/error.ts';
import { timesHere, timesThere } from '../test/support/both-libraries.ts';

const usual = (
  'ical.js node-ical rrule ts-ics ical ical-expander cal-parser ical2json icalendar ics ikalendar ical-toolkit cozy-ical iobroker.ical ics-parser icalts ics-to-json ' +
  'immutable-ics timezones-ical-library @nextcloud/calendar-js @fullcalendar/icalendar'
).split(' ');

const day = 86_400_000;
/** Compared period: 400 days from the first start in a file. */
function windowOf(text: string) {
  const years = [...text.matchAll(/^DTSTART[^:\r\n]*:(\d{4})(\d\d)(\d\d)/gm)].map(
    ([, ...parts]) => parts.map(Number) as [number, number, number],
  );
  const [year = 2000, month = 1, date = 1] =
    years.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]).find(([first]) => first > 1970) ?? [];
  const from = Date.UTC(year, month - 1, date) - day;
  return { from, until: from + 400 * day };
}

/** The result of a file: `equal`, `different`, `refused`, `broken` for both libraries, or `crash`. */
function outcomeOf(text: string): [outcome: string, events: number, more: string[]] {
  const window = windowOf(text);
  let here: ReturnType<typeof timesHere>;
  try {
    here = timesHere(text, window);
  } catch (error) {
    if (error instanceof DataError) return ['refused', 0, [error.message]];
    return ['crash', 0, [String((error as Error).stack)]];
  }
  let there: string[];
  try {
    there = timesThere(text, window);
  } catch (error) {
    return ['read here only', here.times.length, [`the other library says ${String((error as Error).message).slice(0, 120)}`]];
  }
  const count = (times: string[]) => {
    const counts = new Map<string, number>();
    for (const time of times) counts.set(time, (counts.get(time) ?? 0) + 1);
    return counts;
  };
  const [ours, theirs] = [count(here.times), count(there)];
  const lacking = (one: Map<string, number>, other: Map<string, number>) =>
    [...one].filter(([time, times]) => times > (other.get(time) ?? 0)).map(([time]) => time);
  const more = [
    ...here.problems.slice(0, 5),
    ...lacking(ours, theirs).map((time) => `only here: ${time}`),
    ...lacking(theirs, ours).map((time) => `only there: ${time}`),
  ];
  const isEqual = !lacking(ours, theirs).length && !lacking(theirs, ours).length;
  return [isEqual ? (here.problems.length ? 'equal but for problems' : 'equal') : 'different', here.times.length, more];
}

const names = process.argv.length > 2 ? process.argv.slice(2) : usual;
const folder = mkdtempSync(join(tmpdir(), 'foreign-calendars-'));
const totals = new Map<string, number>();
let [files, events] = [0, 0];
try {
  for (const name of names) {
    let tarball: string;
    try {
      const packed = execFileSync('npm', ['pack', name, '--json', '--pack-destination', folder], {
        cwd: folder,
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      tarball = join(folder, (JSON.parse(String(packed)) as { filename: string }[])[0]!.filename.replace('@', '').replace('/', '-'));
    } catch {
      console.log(`${name}: cannot be fetched`);
      continue;
    }
    const place = mkdtempSync(join(folder, 'package-'));
    execFileSync('tar', ['-xzf', tarball, '-C', place]);
    const found = readdirSync(place, { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(?:ics|ical|icalendar)$/i.test(path))
      .sort();
    console.log(`${name}: ${found.length} files`);
    for (const path of found) {
      const text = readFileSync(join(place, path), 'utf8').replace(/^\ufeff/, '');
      const [outcome, count, more] = outcomeOf(text);
      files += 1;
      events += count;
      totals.set(outcome, (totals.get(outcome) ?? 0) + 1);
      if (outcome === 'equal') continue;
      console.log(`  ${outcome}: ${path}`);
      for (const line of more.slice(0, 8)) console.log(`    ${line}`);
      if (more.length > 8) console.log(`    … and ${more.length - 8} more`);
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${files} files, ${events} events: ${[...totals].map(([outcome, count]) => `${count} ${outcome}`).join(', ')}`);
process.exitCode = totals.has('crash') ? 1 : 0;
