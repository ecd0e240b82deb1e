import { sharedServerAt } from '../data/shared-servers.ts';
import { Failure } from '../model/error.ts';
import { millisecondsIn, type Time } from '../model/time/duration.ts';
import type { ControlledCalendar } from './calendar.ts';
import { watchOf } from './changes.ts';
import { configuredShape, createHere } from './here.ts';
import { HintReport, isReportedLater } from './hint-report.ts';
import type { CalendarOptions, NewWorld } from './options.ts';
import { sharedServerFor } from './shared-server.ts';

/** Options of the calendars of tests. With `server`, only those of a world apply besides these. */
export interface TestCalendarOptions extends CalendarOptions {
  /** URL of a running server, on which a world is created. By default it is the server that the run shares, if there is one and a world can have the other options, else a server in this process, as with `false`. */
  server?: string | URL | false;
  /** Time to open the calendar, in ms or like `90s` (default 60 seconds). */
  timeout?: Time;
  /** `on-failure` keeps the world of a failed test on the server, and prints its URL. Requires `server`. */
  keep?: 'on-failure';
}

/** The part of the options that makes a calendar a world of a running server. */
export interface OnServer {
  /** URL of the server. */
  server: string | URL;
}

/** A calendar that a test opened, with what closes it. */
export interface OpenedCalendar {
  /** The calendar of the test. */
  calendar: ControlledCalendar;
  /** True for one of this process. */
  isOwn: boolean;
  /**
   * Closes the calendar, or keeps it after a failed test with `keep`.
   * @example await close(hasFailed);
   */
  close(hasFailed?: boolean): Promise<void>;
}

/** Called with what is being done, for messages. */
type OnStage = (stage: string) => void;

/** Opens a calendar for the tests of one file: a world of a running server, or a server in this process. */
export async function openForTests(
  options: TestCalendarOptions,
  name: string | undefined,
  onStage: OnStage,
  onKeep?: (text: string) => void,
): Promise<OpenedCalendar> {
  const shared = options.server === undefined ? await sharedServerFor(options) : undefined;
  const { server = shared ?? false, timeout: _, keep, ...rest } = options;
  if (keep !== undefined && keep !== 'on-failure')
    throw new Failure('bad-request', `Invalid keep ${JSON.stringify(keep)}: must be on-failure`);
  if (server === false) {
    if (keep !== undefined) throw new Failure('bad-request', 'keep requires server: the server of this process ends with it');
    onStage('starting a server');
    const shape = rest.config === undefined ? await configuredShape(false) : {};
    const calendar = await createHere({ ...shape, ...rest }, false);
    return { calendar, isOwn: true, close: () => calendar.close() };
  }
  onStage(`connecting to ${server}`);
  const { controlToken, seed, ...world } = rest;
  const remote = await (await import('./connect.ts')).connectCalendar(server, { controlToken });
  onStage(`creating a world on ${server}`);
  const calendar = await remote.worlds
    .create({ name, ...(world as NewWorld), ...(shared ? { from: seed ?? 'empty' } : { from: seed, required: true }) })
    .catch(async (error) => {
      await remote.close();
      throw error;
    });
  return {
    calendar,
    isOwn: false,
    async close(hasFailed = false) {
      const run = sharedServerAt(calendar.url);
      // One on a server that ends with the run would be gone when a person reads its address.
      const keeps = hasFailed && keep === 'on-failure' && (!run || run.isWatched);
      if (keeps) onKeep?.(`The calendar of ${name} is kept: ${calendar.root}/`);
      // The report of the failure has the address of its log. It ends with the server, or after a while without use.
      else if (!hasFailed || !run?.isWatched) await calendar.close();
      await remote.close();
    },
  };
}

/**
 * Opens a calendar for each test, as worlds of one server: that at `server`, or one in this process that is started on first use. `onKeep` prints where a kept world is, `report` the mistakes of clients at the end.
 * @example const source = worldSource({ seed: 'demo' });
 */
export function worldSource(options: TestCalendarOptions = {}, onKeep?: (text: string) => void, report?: (text: string) => void) {
  const hints = new HintReport();
  const noteHints = ({ calendar, isOwn, close }: OpenedCalendar): OpenedCalendar => ({
    calendar,
    isOwn,
    async close(hasFailed) {
      if (!isReportedLater(calendar.url)) await hints.endCalendar(watchOf(calendar).control);
      await close(hasFailed);
    },
  });
  let shared: Promise<ControlledCalendar> | undefined;
  return {
    /**
     * Opens a calendar for the test with this name.
     * @example const { calendar, close } = await source.open('lists events');
     */
    async open(name: string): Promise<OpenedCalendar> {
      if (options.server || (options.server === undefined && (await sharedServerFor(options))))
        return noteHints(await opened(options, name, undefined, onKeep));
      shared ??= opened(options, name).then(({ calendar }) => calendar);
      const calendar = await (await shared).worlds.create({ name, required: true });
      return noteHints({ calendar, isOwn: true, close: () => calendar.close() });
    },
    /**
     * Stops the server of this process.
     * @example await source.close();
     */
    async close(): Promise<void> {
      const text = hints.text();
      if (text) report?.(text);
      await (await shared?.catch(() => undefined))?.close();
    },
  };
}

const defaultTimeoutMs = 60_000;

/** Returns the time to open a calendar, in ms. Throws `bad-request` if it is invalid. */
export function openTimeoutMs({ timeout = defaultTimeoutMs }: TestCalendarOptions): number {
  return millisecondsIn(timeout, 'timeout', 'timeout');
}

/** Opens a calendar within its timeout. Closes it if it opens later, or after `isEnded` returns true. */
export function opened(
  options: TestCalendarOptions,
  name: string | undefined,
  isEnded = (): boolean => false,
  onKeep?: (text: string) => void,
): Promise<OpenedCalendar> {
  const timeoutMs = openTimeoutMs(options);
  let stage = 'loading the package';
  let isLate = false;
  const onStage = (next: string) => {
    stage = next;
  };
  const opening = openForTests(options, name, onStage, onKeep);
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      isLate = true;
      reject(new Failure('request-timeout', `The calendar did not open within ${timeoutMs / 1000} s; it was ${stage}`));
    }, timeoutMs);
    opening
      .then(async (open) => {
        if (isLate || isEnded()) await open.close();
        resolve(open);
      })
      .catch(reject)
      .finally(() => clearTimeout(timer));
  });
}
