import { Failure } from './error.ts';

/** One thing that is wrong with data from outside: where (`line 12`, `events.opening.start_date`), and why, as a half sentence. */
export interface Problem {
  at: string;
  reason: string;
}

/** Everything that is wrong with a document, as one failure that carries the list. */
export function dataFailure(name: string, problems: readonly Problem[], hint?: string): Failure {
  const [first] = problems;
  const text = problems.length === 1 ? `${first!.at}: ${first!.reason}` : `${problems.length} problems, nothing was changed`;
  return new Failure('rest_invalid_param', `${name}: ${text}`, { problems }, hint);
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
