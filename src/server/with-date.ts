import type { Handle, Response } from './http.ts';

/** A clock in epoch milliseconds, and whether it differs from the system's. */
interface Clock {
  readonly isSet: boolean;
  now(): number;
}

/** Adds the time of the calendar's clock as `Date` (RFC 9110, 6.6.1) to every response while that clock is set: clients resolve words like `tomorrow` by it. */
export function withDate(handle: Handle, clock: Clock): Handle {
  // Responses may be cached: theirs is not changed.
  const dated = (response: Response): Response => ({
    ...response,
    headers: { ...response.headers, Date: new Date(clock.now()).toUTCString() },
  });
  return (request) => {
    const response = handle(request);
    if (!clock.isSet) return response;
    return response instanceof Promise ? response.then(dated) : dated(response);
  };
}
