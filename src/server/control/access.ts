import { type ControlReach, isProxied } from '../../model/addresses.ts';
import { Failure } from '../../model/error.ts';
import type { CalendarControl } from '../../model/operations/all.ts';
import type { Operation, OperationAccess } from '../../model/operations/operation.ts';
import { type Caller, pageHeader } from '../../model/web-page.ts';
import type { ServerRequest } from '../http.ts';
import { hasToken, isToken } from '../token.ts';

/** Access to the control API of a server. */
export interface ControlAccess {
  /** True if it listens on a loopback address. */
  loopback: boolean;
  /** True if every caller has full access: what is served can be created again, or its owner allows it. */
  open: boolean;
  /** Origin by which clients reach the server through a proxy. */
  publicUrl?: string;
  /** True if no file keeps its users. */
  isInMemory?: boolean;
  /** True if operations that change the calendar are rejected. */
  readOnly?: boolean;
  /** Token of the server's owner, who may call every operation. */
  ownerToken?: string;
  /** Token of the page of the person who started the server: full access from this machine. */
  pageToken?: string;
  /** Token for others. If set, everyone but the owner and their page needs it. */
  controlToken?: string;
}

/** The control API of a server and the access to it. */
export interface ControlOptions {
  control(): CalendarControl;
  access: ControlAccess;
}

/** An operation, the members of its input in the path, and all operations on that path. */
export interface OperationMatch {
  operation: Operation;
  members: Record<string, string>;
  others: Operation[];
}

/** Undefined for none. */
export const reachOf = ({ loopback, controlToken }: ControlAccess): ControlReach | undefined =>
  controlToken !== undefined ? 'token' : loopback ? 'everyone' : undefined;

/** True if a browser sends a request for a page of another site. */
function isForeign({ headers }: ServerRequest): boolean {
  const { origin, host } = headers;
  if (origin !== undefined) return !URL.canParse(origin) || new URL(origin).host !== host;
  return !['none', 'same-origin', undefined].includes(headers['sec-fetch-site']);
}

/** True if a caller may use the control API, if it is not a page of another site. */
const isKnown = (
  { isRemote, headers }: ServerRequest,
  { ownerToken, pageToken, controlToken, loopback, publicUrl }: ControlAccess,
  has: (token: string | undefined) => boolean,
): boolean => {
  // A proxy that adds no header is known by the host that it passes on.
  const isPublic = publicUrl !== undefined && headers.host === new URL(publicUrl).host;
  return has(ownerToken) || has(controlToken) || (loopback && !isRemote && !isPublic && (controlToken === undefined || has(pageToken)));
};

/**
 * The sender of a request that the page or the TypeScript API marks; undefined for other requests. The mark is honored only from callers who may use the control API. Faults, hooks and the
 * journal ignore reads of the page and calls of the TypeScript API; what a person sends with a form of the page is a request.
 */
export function callerOf(request: ServerRequest, access: ControlAccess | undefined): Caller | undefined {
  const mark = request.headers[pageHeader];
  if (mark === undefined || !access || isForeign(request)) return undefined;
  const [caller, received = ''] = mark.split(' ');
  if (!isKnown(request, access, (token) => isToken(received, token))) return undefined;
  return caller === 'api' || caller === 'form' ? caller : 'page';
}

/** True if a call of the TypeScript API is the owner's: it names no user, and its caller may use every operation of the control API. */
export function isOwners({ headers }: ServerRequest, caller: Caller | undefined, access: ControlAccess | undefined): boolean {
  if (caller !== 'api' || headers.authorization !== undefined) return false;
  const received = headers[pageHeader]!.split(' ')[1] ?? '';
  return access!.open || isToken(received, access!.ownerToken) || isToken(received, access!.controlToken);
}

/** Throws unless a request may use the control API: `origin-not-allowed` for pages of other sites, `rest_no_route` without the token, or without loopback if there is no token. */
export function checkCaller(request: ServerRequest, access: ControlAccess): void {
  if (isForeign(request))
    throw new Failure('origin-not-allowed', `Pages of ${request.headers.origin ?? 'other sites'} are not allowed to control this calendar`);
  if (isKnown(request, access, (token) => hasToken(request, token))) return;
  throw new Failure(
    'rest_no_route',
    `No route for ${request.method} ${request.path}`,
    access.controlToken !== undefined
      ? 'Set CALENDAR_CONTROL_TOKEN to the token of the server.'
      : access.loopback && isProxied(request.headers)
        ? 'The request comes from a proxy. Start the server with --control-token TOKEN and send the token.'
        : undefined,
  );
}

/** True if a request that may use the control API has an access. */
export function hasAccess(request: ServerRequest, needed: OperationAccess, access: ControlAccess): boolean {
  if (needed === 'everyone' || hasToken(request, access.ownerToken)) return true;
  if (needed === 'owner' || (needed === 'users' && !access.isInMemory)) return false;
  if (hasToken(request, access.controlToken)) return true;
  return needed !== 'trusted' && (access.open || (access.loopback && !request.isRemote && hasToken(request, access.pageToken)));
}

/** Throws `control-not-allowed` unless {@link hasAccess}. */
export function checkAccess(request: ServerRequest, needed: OperationAccess, access: ControlAccess): void {
  if (needed === 'everyone' || hasAccess(request, needed, access)) return;
  const [message, hint] = refusals[needed === 'users' && access.isInMemory ? 'full' : needed];
  throw new Failure('control-not-allowed', message, hint);
}

const refusals = {
  full: [
    'This operation is not allowed on a server with a file',
    'Open the address that calendar serve printed, or start it with --control.',
  ],
  trusted: ['This operation requires the control token', 'Start the server with --control-token TOKEN.'],
  users: ['Only the owner of a file is allowed to manage its users', 'Use --db FILE on the machine of the server.'],
  owner: ['Only the owner of the server is allowed to call this operation', 'Use --db FILE on the machine of the server.'],
} as const;
