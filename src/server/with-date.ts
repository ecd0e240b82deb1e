import type { Handle, Response } from './http.ts';

/** A clock in epoch milliseconds, and whether it is another than that of the system. */
interface Clock {
  readonly isSet: boolean;
  now(): number;
}

/** The same handler, whose answers say in `Date` (RFC 9110, 6.6.1) what the calendar's clock says, also where that was set: who asks reads `tomorrow` by it. */
export function withDate(handle: Handle, clock: Clock): Handle {
  const dated = ({ headers, ...answer }: Response): Response => ({
    ...answer,
    headers: { ...headers, Date: new Date(clock.now()).toUTCString() },
  });
  return (request) => (clock.isSet ? Promise.resolve(handle(request)).then(dated) : handle(request));
}
