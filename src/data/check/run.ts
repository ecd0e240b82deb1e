import { Failure } from '../../model/error.ts';
import { type Check, CheckedServer, CheckFailed, codeOf, type SendRequest, Skipped } from './check.ts';
import { events } from './events.ts';
import { lists, others } from './lists.ts';
import { writing } from './writes.ts';

/** All checks, reads before writes. Names are stable across versions. */
export const checks: readonly Check[] = [...others, ...lists, ...events, ...writing];

/** The result of a check. `reason` is the error, or why the check was skipped. */
export interface CheckResult extends Pick<Check, 'name' | 'about' | 'specification'> {
  outcome: 'ok' | 'wrong' | 'skipped';
  reason?: string;
  /** Duration in ms. */
  took: number;
}

interface CheckOptions {
  /** Names or prefixes of the checks to run, e.g. `events.list`. */
  only?: readonly string[];
  /** Include checks that write. */
  write: boolean;
  /** Stop at the first failure. */
  bail: boolean;
  /** Unique prefix of the names of created records. */
  prefix: string;
  signal: AbortSignal;
  onResult?(result: CheckResult): Promise<void> | void;
}

/** True if a check matches one of these names or prefixes. */
export const isAmong = ({ name }: Check, only: readonly string[]): boolean =>
  only.some((part) => name === part || name.startsWith(`${part}.`));

export interface CheckReport {
  results: CheckResult[];
  /** Paths of created records that could not be deleted. */
  left: string[];
  /** Set if the server became unreachable during the run. */
  failure?: Failure;
}

/** Throws `not-a-calendar` if the URL is not that of the API, and `rest_forbidden` if the server requires authentication. */
export async function assertCalendar(send: SendRequest, url: string): Promise<void> {
  const { status, json } = await send('GET', '/events', 'per_page=1');
  const outcome = `GET /events returned ${status}${codeOf(json)}`;
  if (status === 401)
    throw new Failure('rest_forbidden', `${url} requires authentication: ${outcome}`, 'Pass --user, and set CALENDAR_PASSWORD.');
  const isOther = json === undefined || (status === 404 && json.code === 'rest_no_route');
  if (isOther && (await send('GET', '')).json?.routes === undefined)
    throw new Failure('not-a-calendar', `No calendar at ${url}: ${outcome}`, 'Check the base path and --namespace.');
}

/** Runs checks one after the other and deletes the records they created. Throws if the server is unreachable; if it becomes unreachable later, ends the run. */
export async function runChecks(send: SendRequest, { only, write, bail, prefix, signal, onResult }: CheckOptions): Promise<CheckReport> {
  let wasReachable = false;
  const sendTracked: SendRequest = async (...request) => {
    const response = await send(...request);
    wasReachable = true;
    return response;
  };
  const server = new CheckedServer(sendTracked, prefix);
  const report: CheckReport = { results: [], left: [] };
  for (const check of checks) {
    if (signal.aborted) break;
    if (only && !isAmong(check, only)) continue;
    const { name, about, specification } = check;
    const start = performance.now();
    const done = async (outcome: CheckResult['outcome'], reason?: string) => {
      const result = { name, about, specification, outcome, reason, took: Math.round(performance.now() - start) };
      report.results.push(result);
      await onResult?.(result);
    };
    if (check.writes && !write) {
      await done('skipped', 'creates records; pass --write to run it');
      continue;
    }
    try {
      await done(...(await outcomeOf(check, server)));
    } catch (error) {
      if (!(error instanceof Failure && wasReachable)) throw error;
      report.failure = error;
      await done('wrong', error.message);
      break;
    } finally {
      report.left.push(...(await server.clean()));
    }
    if (bail && report.results.at(-1)!.outcome === 'wrong') break;
  }
  return report;
}

/** Throws if the server is unreachable. */
async function outcomeOf(check: Check, server: CheckedServer): Promise<[outcome: CheckResult['outcome'], reason?: string]> {
  try {
    await check.run(server);
    return ['ok'];
  } catch (error) {
    if (error instanceof Skipped) return ['skipped', error.message];
    if (error instanceof CheckFailed) return ['wrong', error.message];
    if (error instanceof Failure || !(error instanceof Error)) throw error;
    return ['wrong', `unexpected response: ${error.message}`];
  }
}
