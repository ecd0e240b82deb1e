import { Failure } from '../../model/error.ts';
import { type Ask, type Check, CheckedServer, codeOf, Skipped, Wrong } from './check.ts';
import { events } from './events.ts';
import { lists } from './lists.ts';
import { others } from './others.ts';
import { writing } from './writes.ts';

/** Every check, those that only read first. The names stay the same from version to version. */
export const checks: readonly Check[] = [...others, ...lists, ...events, ...writing];

/** What came of one check: `reason` says what is wrong, or why it was skipped. */
export interface CheckResult {
  check: Check;
  outcome: 'ok' | 'wrong' | 'skipped';
  reason?: string;
  /** Milliseconds. */
  took: number;
}

/** Which checks are run, and how. */
export interface CheckOptions {
  /** Only checks whose name is one of these, or starts with one and a dot. */
  only?: readonly string[];
  /** Those that write, too. */
  write: boolean;
  /** Stop at the first that does not hold. */
  bail: boolean;
  /** What the names of records start with that checks make. */
  mark: string;
  signal: AbortSignal;
  onResult?(result: CheckResult): Promise<void> | void;
}

/** Whether a check is among those that are asked for. */
export const isAmong = ({ name }: Check, only: readonly string[]): boolean =>
  only.some((part) => name === part || name.startsWith(`${part}.`));

/** What came of a run. */
export interface CheckReport {
  results: CheckResult[];
  /** The paths of what could not be taken away again. */
  left: string[];
  /** Why it ended early: the server stopped answering. */
  failure?: Failure;
}

/** Fails with `not-a-calendar` where nothing of the API is at the address, with `rest_forbidden` where the caller is not let in: then no check can tell anything. */
export async function assertCalendar(ask: Ask, url: string): Promise<void> {
  const { status, json } = await ask('GET', '/events', 'per_page=1');
  const answered = `GET /events is answered with ${status}${codeOf(json)}`;
  if (status === 401)
    throw new Failure(
      'rest_forbidden',
      `${url} does not let the caller in: ${answered}`,
      {},
      'Say who asks with --user, and the password in CALENDAR_PASSWORD.',
    );
  const isNothing = json === undefined || (status === 404 && json.code === 'rest_no_route');
  if (isNothing && (await ask('GET', '')).json?.routes === undefined)
    throw new Failure(
      'not-a-calendar',
      `there is no calendar at ${url}: ${answered}`,
      {},
      'Is the address right? Its base path and --namespace count.',
    );
}

/** Runs checks against a server, one after the other. What a check made is taken away after it, whatever came of it. Fails where the server is not reachable; where it stops answering later, the run ends with the check that was under way. */
export async function runChecks(ask: Ask, { only, write, bail, mark, signal, onResult }: CheckOptions): Promise<CheckReport> {
  let hasAnswered = false;
  const asked: Ask = async (...request) => {
    const answer = await ask(...request);
    hasAnswered = true;
    return answer;
  };
  const server = new CheckedServer(asked, mark);
  const report: CheckReport = { results: [], left: [] };
  for (const check of checks) {
    if (signal.aborted) break;
    if (only && !isAmong(check, only)) continue;
    const start = performance.now();
    const done = async (outcome: CheckResult['outcome'], reason?: string) => {
      const result = { check, outcome, reason, took: Math.round(performance.now() - start) };
      report.results.push(result);
      await onResult?.(result);
    };
    if (check.writes && !write) {
      await done('skipped', 'it writes: give --write');
      continue;
    }
    try {
      await done(...(await outcomeOf(check, server)));
    } catch (error) {
      if (!(error instanceof Failure && hasAnswered)) throw error;
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

/** What comes of a check. Fails where the server does not answer. */
async function outcomeOf(check: Check, server: CheckedServer): Promise<[outcome: CheckResult['outcome'], reason?: string]> {
  try {
    await check.run(server);
    return ['ok'];
  } catch (error) {
    if (error instanceof Skipped) return ['skipped', error.message];
    if (error instanceof Wrong) return ['wrong', error.message];
    if (error instanceof Failure || !(error instanceof Error)) throw error;
    return ['wrong', `the answer has another form than was thought of: ${error.message}`];
  }
}
