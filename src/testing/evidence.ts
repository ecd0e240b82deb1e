import { keepRequests } from '../data/artifacts.ts';
import { sharedServerAt } from '../data/shared-servers.ts';
import { reportLines } from '../model/operations/test-report.ts';
import type { ControlledCalendar } from './calendar.ts';
import { watchOf } from './changes.ts';

/** The monotonic clock, read before a test installs fake timers. */
const elapsedMs = performance.now.bind(performance);

/** Share of the remaining time of a test after which a wait fails, so that its message is printed before the runner gives up. */
const waitShare = 0.8;

/** Returns how long a wait may last in a test that starts now, in ms; undefined if nothing limits the test. */
export function waitWithin(timeoutMs: number | undefined, elapsed = elapsedMs): () => number | undefined {
  const start = elapsed();
  if (!timeoutMs || !Number.isFinite(timeoutMs)) return () => undefined;
  return () => Math.max(1, Math.floor(waitShare * (timeoutMs - (elapsed() - start))));
}

/**
 * Limits the waits of a calendar by the timeout of a test that starts now.
 * @example limitWaits(calendar, task.timeout);
 */
export function limitWaits(calendar: ControlledCalendar, timeoutMs: number | undefined, elapsed = elapsedMs): void {
  watchOf(calendar).waitMs = waitWithin(timeoutMs, elapsed);
}

/**
 * Returns the report of a failed test, and writes its requests to the folder in CALENDAR_ARTIFACTS, if it is set. Otherwise it says how to get them, unless `isKept`: what called it keeps them.
 * Empty if nothing is to be reported.
 */
export async function failureReport(calendar: ControlledCalendar, name = 'a test', isKept = false): Promise<string> {
  const { control, waits } = watchOf(calendar);
  // A log that lost requests does not know the hints.
  const hintsOf = () => control.hints({}).catch(() => ({ hints: [] }));
  const [{ faults, refused }, { requests }, { hints }] = await Promise.all([control.endTest({}), control.requests({}), hintsOf()]);
  const lines = reportLines({ faults, requests, hints, refused, waits: [...waits] });
  const folder = process.env.CALENDAR_ARTIFACTS;
  if (folder) {
    // Tests of several files may have the same name.
    const file = `${name.replace(/[^\w-]+/g, '-').slice(0, 60)}-${process.pid}-${Math.round(elapsedMs())}.har`;
    lines.push(await keepRequests(folder, file, requests));
  } else if (sharedServerAt(calendar.url)?.isWatched) lines.push(`log: ${calendar.root}/_calendar/traffic`);
  // A server that ends with the run is gone when a person reads this.
  else if (requests.length && !isKept) lines.push(`requests: ${requests.length}; CALENDAR_ARTIFACTS=FOLDER keeps them as an HTTP Archive`);
  return lines.length ? [`The calendar after the failure of "${name}":`, ...lines.map((line) => `  ${line}`)].join('\n') : '';
}
