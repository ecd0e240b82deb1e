import { Failure } from '../../model/error.ts';
import { DataError, dataFailure, type Problem } from '../../model/problem.ts';
import type { Desk, Store } from '../../store/open.ts';
import type { Session } from '../shell.ts';

/** Thrown to undo a transaction that went well. */
class Rehearsed extends Error {
  constructor(readonly result: unknown) {
    super('a dry run');
  }
}

/** Does some work in one transaction; with `dryRun` it is undone at the end. Anything thrown undoes it too. */
export async function together<T>(store: Store, dryRun: boolean, work: (desk: Desk) => T): Promise<T> {
  try {
    return await store.change(
      (desk) => {
        const result = work(desk);
        if (dryRun) throw new Rehearsed(result);
        return result;
      },
      undefined,
      { copying: true },
    );
  } catch (error) {
    if (error instanceof Rehearsed) return error.result as T;
    throw error;
  }
}

/** What a failure of the store finds wrong, each with the place of the record. */
export function problemsOf(error: unknown, at: string): Problem[] {
  if (error instanceof DataError) return [{ at: error.at, reason: error.reason }];
  if (!(error instanceof Failure)) throw error;
  const { params, problems } = error.data;
  if (Array.isArray(problems)) return problems as Problem[];
  const join = at.startsWith('line ') ? ': ' : '.';
  if (Array.isArray(params)) return params.map((name) => ({ at: `${at}${join}${name}`, reason: 'is missing' }));
  if (params && typeof params === 'object')
    return Object.entries(params).map(([name, reason]) => ({ at: `${at}${join}${name}`, reason: String(reason) }));
  return [{ at, reason: error.message }];
}

const most = 50;

/** Ends a command because of what is wrong with its data: all of it on stderr, a line each, unless a program reads. */
export async function refuse(session: Session, name: string, problems: readonly Problem[], json: boolean, hint?: string): Promise<never> {
  if (!json && problems.length > 1) {
    for (const { at, reason } of problems.slice(0, most)) await session.tell(`${at}: ${reason}`);
    if (problems.length > most) await session.tell(`… and ${problems.length - most} more`);
  }
  throw dataFailure(name, problems, hint);
}
