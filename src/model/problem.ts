import { Failure } from './error.ts';

/** One thing that is wrong with data from outside: where (`line 12`, `events.opening.start_date`), and why, as a half sentence. */
export interface Problem {
  at: string;
  reason: string;
}

const most = 50;

/** Everything that is wrong with a document, as one failure: a line each, the first fifty in full. */
export function dataFailure(name: string, problems: readonly Problem[], hint?: string): Failure {
  const lines = problems.slice(0, most).map(({ at, reason }) => `${at}: ${reason}`);
  if (problems.length > most) lines.push(`… and ${problems.length - most} more`);
  const head = problems.length === 1 ? `${name}: ${lines[0]}` : `${name}: ${problems.length} problems\n  ${lines.join('\n  ')}`;
  return new Failure('rest_invalid_param', head, { problems }, hint);
}

/** A problem that ends the reading, thrown by a reader: what comes after it makes no sense. */
export class DataError extends Error {
  constructor(
    readonly at: string,
    readonly reason: string,
  ) {
    super(`${at}: ${reason}`);
    this.name = 'DataError';
  }
}
