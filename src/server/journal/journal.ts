import type { RequestSummary } from '../../model/journal.ts';
import type { AnsweredRequest } from '../listen.ts';
import { credentialsOf } from '../token.ts';

/** Counts the requests that were answered, and says each in short. */
export class Journal {
  readonly #now: () => number;
  #total = 0;

  /** `now` is the clock of the system, in epoch milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Takes a request in. */
  add({ method, path, status, took, headers }: AnsweredRequest): RequestSummary {
    this.#total += 1;
    const mark = path.indexOf('?');
    return {
      id: this.#total,
      time: new Date(this.#now() - took).toISOString(),
      method,
      path: mark < 0 ? path : path.slice(0, mark),
      query: mark < 0 ? '' : path.slice(mark + 1),
      status,
      took,
      user: userOf(headers),
    };
  }
}

/** The name in the credentials of a request. */
function userOf(headers: AnsweredRequest['headers']): string | null {
  if (headers.authorization === undefined) return null;
  const [scheme, credentials] = credentialsOf({ headers });
  return scheme === 'basic' ? Buffer.from(credentials, 'base64').toString('utf8').split(':')[0]! : null;
}
