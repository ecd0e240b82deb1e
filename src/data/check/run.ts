import { type Ask, type Check, CheckedServer, Skipped, Wrong } from './check.ts';
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

/** What came of a run, and the paths of what it could not take away again. */
export interface CheckReport {
  results: CheckResult[];
  left: string[];
}

/** Runs checks against a server, one after the other. What a check made is taken away after it, whatever came of it. Fails where the server is not reachable. */
export async function runChecks(ask: Ask, { only, write, bail, mark, signal, onResult }: CheckOptions): Promise<CheckReport> {
  const server = new CheckedServer(ask, mark);
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
      await check.run(server);
      report.left.push(...(await server.clean()));
      await done('ok');
    } catch (error) {
      report.left.push(...(await server.clean()));
      if (error instanceof Skipped) await done('skipped', error.message);
      else if (error instanceof Wrong) await done('wrong', error.message);
      // An answer of another form than anybody thought of.
      else if (error instanceof TypeError) await done('wrong', `the answer has another form: ${error.message}`);
      else throw error;
      if (bail && report.results.at(-1)!.outcome === 'wrong') break;
    }
  }
  return report;
}
