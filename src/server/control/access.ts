import { Failure } from '../../model/error.ts';
import type { ControlReach, Operation } from '../../model/operations/control.ts';
import type { Request } from '../http.ts';
import { bringsToken } from '../token.ts';

/** Who may ask a server for control. */
export interface ControlAccess {
  /** Whether it listens for this machine alone. */
  loopback: boolean;
  /** Whether everybody who may ask may also reset, fill and replace everything: what is served can be made again, or its owner says so. */
  open: boolean;
  /** Whether the calendar is served for reading only. */
  readOnly?: boolean;
  /** The token of the server's owner, who may do everything. */
  ownerToken?: string;
  /** A token for others; where there is one, whoever is not the owner needs it. */
  controlToken?: string;
}

/** Who reaches control besides the owner; undefined where nobody does. */
export const reachOf = ({ loopback, controlToken }: ControlAccess): ControlReach | undefined =>
  controlToken !== undefined ? 'token' : loopback ? 'everyone' : undefined;

/** Whether a browser sends a request for a page that is not this server's own. */
export function isForeign({ headers }: Request): boolean {
  const { origin, host } = headers;
  if (origin !== undefined) return !URL.canParse(origin) || new URL(origin).host !== host;
  return !['none', 'same-origin', undefined].includes(headers['sec-fetch-site']);
}

/**
 * Fails unless a request may have control at all: with `origin-not-allowed` for pages of others, with `rest_no_route` where nothing of it is there: on an address that others reach,
 * unless there is a token for it, and without that token.
 */
export function checkCaller(request: Request, access: ControlAccess): void {
  if (isForeign(request))
    throw new Failure('origin-not-allowed', `pages of ${request.headers.origin ?? 'other sites'} may not control this calendar`);
  if (bringsToken(request, access.ownerToken)) return;
  if (access.controlToken !== undefined ? bringsToken(request, access.controlToken) : access.loopback) return;
  throw new Failure(
    'rest_no_route',
    `there is nothing at ${request.method} ${request.path}`,
    {},
    access.controlToken === undefined ? undefined : 'Give the token of the server in CALENDAR_CONTROL_TOKEN.',
  );
}

/** Whether a request, of somebody who may have control, may ask for an operation. */
export function mayAsk(request: Request, operation: Operation, access: ControlAccess): boolean {
  if (operation.access === 'everyone' || isOwner(request, access)) return true;
  const hasToken = access.controlToken !== undefined && operation.access !== 'owner';
  return hasToken || (operation.access === 'whole' && access.open);
}

/** Fails with `control-not-allowed` unless {@link mayAsk}. */
export function checkOperation(request: Request, operation: Operation, access: ControlAccess): void {
  if (operation.access === 'everyone' || mayAsk(request, operation, access)) return;
  const [message, hint] = refusals[operation.access];
  throw new Failure('control-not-allowed', message, {}, hint);
}

const refusals = {
  whole: ['this server of a file does not let others do this', 'Start it with calendar serve --control.'],
  trusted: ['this server speaks to others only for those who have its token', 'Start it with --control-token TOKEN.'],
  owner: ['only the owner of this server may ask for this', 'Do it with --db FILE on the machine of the server.'],
} as const;

/** Whether a request comes from a command of the user who runs the server. */
const isOwner = (request: Request, access: ControlAccess): boolean => bringsToken(request, access.ownerToken);
