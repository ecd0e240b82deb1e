import { contentOf, failureOf, jsonOf, type RemoteResponse } from '../../client/response.ts';
import type { Entry, Input } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import { isObject } from '../../model/fields/coerce.ts';
import { methodsOf } from '../../model/routes.ts';
import type { ActionCall } from '../../server/actions.ts';
import { inputOf } from '../../server/body.ts';
import { type ControlAccess, isForeign } from '../../server/control/access.ts';
import { checkBodyType } from '../../server/hints.ts';
import type { Request } from '../../server/http.ts';
import { checkEpoch } from '../../server/response.ts';
import { hasToken } from '../../server/token.ts';
import { completeUpdate } from '../sync/send.ts';
import type { Upstream } from './options.ts';
import { siteParameters, siteRequest } from './request.ts';

/** The response of the site to a write. */
export interface WriteResponse {
  status: number;
  value: unknown;
  /** The address of a new record on the site. */
  location?: string;
  /** When the site takes requests again. */
  retryAfter?: string;
  /** ID of the record that was written; absent if the site rejected the write. */
  id?: number;
}

/** Sends writes to the site, as the user of the server's options. */
export class SiteWrites {
  constructor(
    private readonly root: string,
    private readonly connect: () => Promise<Upstream>,
    private readonly access: ControlAccess,
  ) {}

  /** Throws unless a request may write to the site: it needs the control token, from this machine and not from a page of another origin. */
  check(request: Request): void {
    const { loopback } = this.access;
    if (isForeign(request))
      throw new Failure(
        'origin-not-allowed',
        `Pages of ${request.headers.origin ?? 'other sites'} are not allowed to write to ${this.root}`,
        'Send the request from a script or from the server of your front end.',
      );
    if (!loopback || request.isRemote)
      throw new Failure('control-not-allowed', `Writes to ${this.root} are accepted from this machine only`, 'Omit --host.');
    if (this.#hasToken(request)) return;
    throw new Failure(
      'control-not-allowed',
      `Writes to ${this.root} require the control token`,
      'Start the server with --control-token TOKEN, and send it as "Authorization: Bearer TOKEN".',
    );
  }

  /** Returns whether {@link check} accepts a request. */
  isAllowed(request: Request): boolean {
    return this.access.loopback && !request.isRemote && !isForeign(request) && this.#hasToken(request);
  }

  #hasToken(request: Request): boolean {
    return hasToken(request, this.access.ownerToken) || hasToken(request, this.access.controlToken);
  }

  /** Forwards a write. Throws `upstream-unreachable` without a response of the site, and the failure in a response that is not of the API. */
  async send(call: ActionCall): Promise<WriteResponse> {
    const { action, route, ref, request, service } = call;
    const body = request.body.length ? await inputOf(request.body, request.headers) : {};
    checkBodyType(call);
    let input: Input | undefined = action === 'delete' ? undefined : { ...siteParameters(call.query), ...body };
    const { path } = siteRequest(route, ref, {});
    const site = await this.#reaching(this.connect());
    const resource = service.resources()[route.resource];
    if (action === 'update' && 'resets' in resource && !(await site.isOurs())) {
      const before = await this.#reaching(site.read(path, ''));
      if (before.status >= 400) return this.#responseOf(before, path);
      input = completeUpdate(resource, contentOf(before, path) as Entry, input!);
    }
    checkEpoch(request);
    const response = await this.#reaching(site.write(methodsOf[action][0]!, path, input), true);
    return this.#responseOf(response, path);
  }

  #responseOf(response: RemoteResponse, path: string): WriteResponse {
    const { status, headers } = response;
    const value = jsonOf(response.body);
    if (status >= 400) {
      if (!isObject(value) || typeof value.code !== 'string') throw failureOf(response, value, `${this.root}${path}`);
      const retryAfter = headers['retry-after'];
      return { status, value, ...(retryAfter === undefined ? {} : { retryAfter }) };
    }
    const entry = contentOf(response, `${this.root}${path}`);
    const id = isObject(entry) && /^\d+$/.test(String(entry.id)) ? Number(entry.id) : undefined;
    return { status, value: entry, ...(id === undefined ? {} : { id }), ...(headers.location ? { location: headers.location } : {}) };
  }

  async #reaching<T>(response: Promise<T>, mayHaveArrived = false): Promise<T> {
    try {
      return await response;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const isSure = !mayHaveArrived || /refused|not found|lookup failed/.test(error.message);
      throw new Failure(
        'upstream-unreachable',
        `${isSure ? 'The site did not receive the write' : 'The site did not confirm the write, and may have applied it'}: ${error.message}`,
        'Nothing was changed here. Try again when the site is reachable.',
      );
    }
  }
}
