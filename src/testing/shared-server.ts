import { belowText, coverageReport, isCi } from '../data/coverage.ts';
import { serversIn, shapeOf, sharedServers, withServer } from '../data/shared-servers.ts';
import { Failure } from '../model/error.ts';
import { watchOf } from './changes.ts';
import { configuredShape, createHere } from './here.ts';
import { reportAll } from './hint-report.ts';
import { type CalendarOptions, defined, sharedOptionNames } from './options.ts';

/** Options of a file that its world on a shared server can have. */
const worldNames = [...sharedOptionNames, 'timeout', 'keep', 'server'];

const hasFunction = (value: unknown): boolean =>
  typeof value === 'function' || (typeof value === 'object' && value !== null && Object.values(value).some(hasFunction));

/** The URL of the shared server that a file with these options uses; undefined if it starts its own, because there is none, or it has an option that a world cannot have. */
export async function sharedServerFor(options: object): Promise<string | undefined> {
  const servers = serversIn(process.env[sharedServers]);
  const { faults, ...others } = defined(options as { faults?: unknown });
  if (!servers.length || hasFunction(faults) || Object.keys(others).some((name) => !worldNames.includes(name))) return undefined;
  const shape = shapeOf(await configuredShape(false));
  return servers.find((server) => server.shape === shape)?.url;
}

/** Options of a server that the files of a run share: those of its shape, of how it listens and of its log. Its worlds have the rest. */
export type SharedServerOptions = Omit<
  CalendarOptions,
  'seed' | 'image' | 'now' | 'timezone' | 'settings' | 'users' | 'faults' | 'file' | 'readOnly' | 'listen' | 'pull'
> & {
  /** Smallest share of the variants of `coverage` that the app has to meet, in percent: the run fails below it. */
  minCoverage?: number;
};

/** The parameter of the set-up of a run: of vitest the project, of jest its configuration. */
interface RunSetup {
  watch?: unknown;
  watchAll?: unknown;
  config?: { watch?: unknown };
}

/**
 * Starts a server for all files of a run, unless one with this shape runs already, and returns what stops it. It ends with its process too.
 * @example export default () => shareServer({ port: 8790 });
 */
export async function shareServer(
  { minCoverage, ...options }: SharedServerOptions = {},
  setup: RunSetup = {},
): Promise<() => Promise<void>> {
  const whole = { ...(await configuredShape(false)), ...options };
  const before = process.env[sharedServers];
  const shape = shapeOf(whole);
  if (serversIn(before).some((server) => server.shape === shape)) return async () => {};
  // What selects no world is a mistake: its test would share it with others.
  const lists = whole.coverage || minCoverage !== undefined;
  const coverage = lists || isCi(process.env);
  const calendar = await createHere({ requireWorld: true, ...whole, coverage }, false);
  const isWatched = Boolean(setup.watch || setup.watchAll || setup.config?.watch);
  process.env[sharedServers] = withServer(before, calendar.url, whole, isWatched);
  if (isWatched) process.stderr.write(`calendar: ${calendar.root}/_calendar/ has the calendars of the tests, as worlds\n`);
  return async () => {
    if (before === undefined) delete process.env[sharedServers];
    else process.env[sharedServers] = before;
    const { control } = watchOf(calendar);
    const print = (text: string) => process.stderr.write(`${text}\n`);
    await reportAll(control, print);
    const met = coverage
      ? await coverageReport(control, lists ? undefined : 'calendarServer({ coverage: true })', process.env.CALENDAR_ARTIFACTS)
      : undefined;
    if (met?.text) print(met.text);
    await calendar.close();
    const below = met && belowText(met.report, minCoverage);
    if (below !== undefined) throw new Failure('verification-failed', below);
  };
}
