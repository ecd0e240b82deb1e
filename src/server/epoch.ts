import { Failure } from '../model/error.ts';
import type { Request, Response } from './http.ts';
import { failureResponse } from './response.ts';

const resetFailure = () => new Failure('world-reset', 'The calendar was reset while this request was in progress');

/** Throws `world-reset` if the epoch of a request is over. Called in the same step as a write. */
export function checkEpoch({ epoch }: Request): void {
  if (epoch?.aborted) throw resetFailure();
}

/**
 * Returns the response to a request, or 503 if its epoch is over. The connection is closed after that response and not instead of it: browsers send a request again when its
 * connection closes without a response, and would send it into the next epoch.
 */
export const currentResponse = (epoch: AbortSignal | undefined, response: Response): Response =>
  epoch?.aborted ? failureResponse(resetFailure(), { Connection: 'close' }) : response;
