import { pageOf } from '../../client/collection.ts';
import { contentOf, jsonOf, type RemoteResponse } from '../../client/response.ts';
import type { Entry, Page, Ref } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import { isObject } from '../../model/fields/coerce.ts';
import type { Query } from '../../model/fields/list.ts';
import type { Action, Route } from '../../model/routes.ts';
import type { Upstream } from './options.ts';
import { type SiteRequest, siteRequest } from './request.ts';

/** A response of the site. */
export interface SiteResponse {
  status: number;
  value: unknown;
  /** The records of a successful list. */
  page?: Page;
  /** A record that was read. */
  entry?: Entry;
  /** True if the site says that the record doesn't exist, or that visitors may not see it. */
  isGone: boolean;
}

/** Reads from the site. Equal reads at the same time share one request. */
export class SiteReads {
  readonly #pending = new Map<string, Promise<RemoteResponse>>();
  /** Until when the site wants no requests, as `performance.now()`. */
  #pausedUntil = 0;

  constructor(private readonly connect: () => Promise<Upstream>) {}

  /** Returns the response of the site. Throws a Failure if it is not reachable, or if its response is not one of the API. */
  async read(route: Route, action: Action, ref: Ref | undefined, query: Query): Promise<SiteResponse> {
    const request = siteRequest(route, ref, query);
    if (performance.now() < this.#pausedUntil) throw new Failure('busy', 'The site limits requests');
    const response = await this.#send(request);
    const pause = Number(response.headers['retry-after']);
    if (response.status === 429) this.#pausedUntil = performance.now() + Math.min(Number.isFinite(pause) ? pause : 60, 600) * 1000;
    return responseOf(response, route, action, request, query);
  }

  /** Returns a record; undefined if the site doesn't show it. */
  async find(route: Route, id: number): Promise<Entry | undefined> {
    try {
      const { entry, isGone, status } = await this.read(route, 'get', { id }, {});
      if (entry || isGone) return entry;
      throw new Failure('not-a-calendar', `${route.resource} ${id}: The site returned ${status}`);
    } catch (error) {
      if (error instanceof Failure && error.status === 401) return undefined;
      throw error;
    }
  }

  #send(request: SiteRequest): Promise<RemoteResponse> {
    const key = `${request.path}?${request.query}`;
    const pending = this.#pending.get(key) ?? this.connect().then((site) => site.read(request.path, request.query));
    this.#pending.set(key, pending);
    const done = () => this.#pending.delete(key);
    pending.then(done, done);
    return pending;
  }
}

function responseOf(response: RemoteResponse, route: Route, action: Action, { path }: SiteRequest, query: Query): SiteResponse {
  const { status } = response;
  try {
    const value = contentOf(response, path);
    if (action === 'list') return { status, value, page: pageOf(value, route.resource, response, path, query), isGone: false };
    if (!isObject(value) || !/^\d+$/.test(String(value.id))) throw new Failure('not-a-calendar', `${path} is not a record`);
    return { status, value, entry: { ...value, id: Number(value.id) }, isGone: false };
  } catch (error) {
    if (!(error instanceof Failure) || status >= 500 || status === 429 || status === 401 || status < 400) throw error;
    const value = jsonOf(response.body);
    // Without its routes, or behind a page of a firewall, the API is not there.
    if (!isObject(value) || typeof value.code !== 'string' || value.code === 'rest_no_route') throw error;
    return { status, value, isGone: action === 'get' && isMissing(route, status, value.code) };
  }
}

/** Returns whether an error means that visitors can't read the record. Of venues, organizers and terms, an unknown ID is an invalid parameter. */
const isMissing = ({ resource }: Route, status: number, code: string): boolean =>
  status === 404 ||
  status === 410 ||
  code === 'event-no-longer-available' ||
  code.endsWith('-not-accessible') ||
  (status === 400 && resource !== 'events');
