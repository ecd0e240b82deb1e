import type { Entry, ResourceName } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import { routes } from '../../model/routes.ts';
import type { Viewer } from '../../model/viewer.ts';
import { type ActionCall, runAction, totals } from '../../server/actions.ts';
import type { ControlAccess } from '../../server/control/access.ts';
import type { HandlerOptions, Request, Result } from '../../server/http.ts';
import { asFailure, failureResult } from '../../server/response.ts';
import type { World } from '../world/world.ts';
import { likeSite } from './copied-service.ts';
import { CopyCoverage } from './copy-coverage.ts';
import { addressAt, withLinks } from './links.ts';
import { ListPages } from './lists.ts';
import type { UpstreamWrites } from './modes.ts';
import type { UpstreamOptions } from './options.ts';
import type { Learned, SiteCopy } from './site-copy.ts';
import { SiteReads, type SiteResponse } from './site-reads.ts';
import { SiteWrites } from './site-writes.ts';

interface CopyOptions {
  /** Absent if nothing is requested. */
  upstream: UpstreamOptions | undefined;
  writes: UpstreamWrites;
  /** Returns the time of the system, in epoch ms. */
  system(): number;
}

/** Handles requests for records of a copy of a live site: from the site, from the copy, or with an error where the copy doesn't know. */
export class CopyActions {
  readonly #reads: SiteReads | undefined;
  readonly #writes: SiteWrites | undefined;
  readonly #coverage: CopyCoverage;
  readonly #lists = new ListPages();

  constructor(
    private readonly copy: SiteCopy,
    private readonly world: World,
    private readonly options: CopyOptions,
    private readonly handling: HandlerOptions,
    access: ControlAccess,
  ) {
    const { upstream, system } = options;
    this.#coverage = new CopyCoverage(copy, system);
    if (!upstream || upstream.mode === 'offline') return;
    this.#reads = new SiteReads(() => upstream.connect());
    const { connectAsUser } = upstream;
    if (options.writes === 'through' && connectAsUser) this.#writes = new SiteWrites(copy.root, connectAsUser, access);
  }

  /** True if a reset replaced the copy by another calendar. */
  get #isReplaced(): boolean {
    return !this.options.upstream && this.copy.state.site === undefined;
  }

  /** Returns whether writes of a caller are forwarded to the site. */
  forwards(request: Request): boolean {
    return this.#writes !== undefined && !this.world.served.clock.isSet && this.#writes.isAllowed(request);
  }

  /** Returns whether a viewer may write; undefined if that depends on the record. */
  permits(viewer: Viewer): boolean | undefined {
    if (this.options.writes === 'local' || this.#isReplaced) return undefined;
    return this.#writes !== undefined && !this.world.served.clock.isSet && (viewer.forwards === true || viewer.role === 'owner');
  }

  async handle(call: ActionCall): Promise<Result> {
    const { action } = call;
    if (this.#isReplaced) return runAction(call);
    if (action !== 'list' && action !== 'get') return this.#write(call);
    const { upstream } = this.options;
    // A calendar with another time is a simulation.
    if (!upstream || !this.#reads || this.world.served.clock.isSet) return this.#fromCopy(call);
    if (upstream.mode === 'prefer-local' && this.#coverage.isFresh(call, upstream.maxAgeMs)) return this.#fromCopy(call);
    // The site shows visitors no unpublished records.
    if (this.#coverage.needsUser(call)) return this.#fromCopy(call);
    let response: SiteResponse;
    try {
      response = await this.#reads.read(call.route, action, call.ref, call.query);
    } catch (error) {
      const result = await this.#fromCopy(call, asFailure(error).message);
      return { ...result, headers: { ...result.headers, 'Cache-Control': 'no-cache' } };
    }
    // The site may know parameters that this program ignores.
    call.hints.length = 0;
    await this.#learn(call, response);
    if (response.isGone && this.#coverage.isHiddenFromVisitors(call)) return this.#fromCopy(call);
    return this.#fromSite(call, this.options.writes === 'local' ? this.#withEdits(call, response) : response);
  }

  /** Returns a response of the site whose records are those of the copy, which may have been edited here. */
  #withEdits({ route, viewer, query }: ActionCall, response: SiteResponse): SiteResponse {
    const { resource } = route;
    const { copy } = this;
    if (query.password !== undefined) return response;
    const local = copy.store.local(viewer, copy.addresses);
    const edited = (entry: Entry, form: 'list' | 'single'): Entry | undefined => {
      const id = copy.idOf(resource, entry.id);
      if (id === undefined) return entry;
      if (!local.has(resource, id)) return undefined;
      return likeSite(form === 'list' ? local.listed(resource, id)! : local[resource].get({ id }), resource, form, copy);
    };
    const { page, entry, value } = response;
    if (page)
      return { ...response, value: { ...(value as object), [resource]: page.entries.flatMap((each) => edited(each, 'list') ?? []) } };
    return entry ? { ...response, value: { ...(value as object), ...edited(entry, 'single') } } : response;
  }

  #write(call: ActionCall): Promise<Result> {
    const { writes } = this.options;
    if (writes === 'local') return runAction(call);
    if (this.#writes && !this.world.served.clock.isSet) return this.#through(call, this.#writes);
    throw new Failure(
      'read-only',
      `This calendar is a copy of ${this.copy.root}, and writes to it are refused`,
      writes === 'through'
        ? 'They are not forwarded offline or with another clock.'
        : 'Start the server with --upstream-writes local to change the copy only, or through to change the site.',
    );
  }

  /** Forwards a write, and reads the record again to learn it. */
  async #through(call: ActionCall, writes: SiteWrites): Promise<Result> {
    writes.check(call.request);
    const { route, site, request, hints } = call;
    const { namespace } = this.handling;
    const { status, value, location, retryAfter, id } = await writes.send(call);
    if (id !== undefined && !request.epoch?.aborted)
      try {
        await this.#relearn(route.resource, id);
      } catch (error) {
        hints.push(`The site was changed, but the copy was not: ${asFailure(error).message}`);
      }
    const headers = {
      ...this.#headers('upstream', [], this.#now()),
      ...(location === undefined ? {} : { Location: addressAt(location, namespace, site.root) }),
      ...(retryAfter === undefined ? {} : { 'Retry-After': retryAfter }),
    };
    return { status, headers, value: withLinks(value, namespace, site.root) };
  }

  /** Learns a record as visitors see it now; one that they don't see as the user does. */
  async #relearn(resource: ResourceName, id: number): Promise<void> {
    const { upstream } = this.options;
    const route = routes.find((each) => each.resource === resource && each.by === 'id')!;
    for (const viewer of ['public', 'user'] as const) {
      const connect = viewer === 'user' ? upstream!.connectAsUser! : upstream!.connect;
      const entry = await new SiteReads(connect).find(route, id);
      if (!entry || entry.status === 'trash') continue;
      await this.copy.learn([{ resource, entries: [entry], form: 'single', viewer }], this.#now());
      return;
    }
    await this.copy.forget(resource, { id }, 'user');
  }

  /** Returns the time of the system in ISO 8601. */
  #now(): string {
    return new Date(this.options.system()).toISOString();
  }

  #header(name: string): string {
    return `${this.handling.headerPrefix}-${name}`;
  }

  #headers(source: 'upstream' | 'local', complete: readonly ResourceName[], asOf: string | undefined): Record<string, string> {
    return {
      [this.#header('Source')]: source,
      ...(complete.length ? { [this.#header('Complete')]: complete.join(',') } : {}),
      ...(asOf === undefined ? {} : { [this.#header('As-Of')]: asOf }),
    };
  }

  #fromSite(call: ActionCall, { status, value, page }: SiteResponse): Result {
    const { route, options, site, query } = call;
    const asOf = this.#now();
    const selection = page && this.#coverage.selectionOf(call);
    const complete = status === 200 ? [...new Set([route.resource, ...(selection?.needs.map(({ resource }) => resource) ?? [])])] : [];
    const counts = page ? Object.fromEntries(Object.entries(totals(page, options)).filter(([, count]) => !Number.isNaN(count))) : {};
    const headers = {
      ...counts,
      ...this.#headers('upstream', query.password === undefined ? complete : [], asOf),
      'Cache-Control': 'no-cache',
    };
    return { status, headers, value: withLinks(value, this.handling.namespace, site.root) };
  }

  /** Stores what the site returned. Failures to store it don't fail the request. */
  async #learn({ request, route, query, ref, hints }: ActionCall, { page, entry, isGone }: SiteResponse): Promise<void> {
    if (query.password !== undefined || request.epoch?.aborted) return;
    const { resource } = route;
    const now = this.options.system();
    try {
      if (isGone && ref) await this.copy.forget(resource, ref);
      const learned: Learned[] = [];
      if (entry) learned.push({ resource, entries: [entry], form: 'single' });
      if (page) learned.push({ resource, entries: page.entries, form: 'list' });
      const list = page && this.#lists.add(resource, query, page, now);
      if (learned.length) await this.copy.learn(learned, new Date(now).toISOString(), list ? [list] : []);
    } catch (error) {
      hints.push(`The response was not stored: ${asFailure(error).message}`);
    }
  }

  /** Returns the response of the copy, or 504 where it can't know. `why` is why the site did not respond. */
  async #fromCopy(call: ActionCall, why?: string): Promise<Result> {
    const covered = this.#coverage.of(call);
    const headers = this.#headers('local', covered.complete, covered.asOf);
    try {
      if (call.query.password !== undefined) throw this.#unknown(why, 'The copy has no passwords of records');
      const result = await runAction(call);
      return { ...result, headers: { ...result.headers, ...headers } };
    } catch (error) {
      const failure = asFailure(error);
      const isUnknown = failure.code !== 'upstream-unreachable' && this.#coverage.mayBeWrong(call, failure, covered);
      const result = failureResult(isUnknown ? this.#unknown(why, 'The copy does not have the requested record or page') : failure);
      return { ...result, headers: { ...result.headers, ...this.#headers('local', isUnknown ? [] : covered.complete, covered.asOf) } };
    }
  }

  #unknown(why: string | undefined, what: string): Failure {
    return new Failure(
      'upstream-unreachable',
      `${what}, and ${this.copy.root} ${why === undefined ? 'is not requested' : `did not respond: ${why}`}`,
      this.options.upstream ? 'Try again when the site is reachable.' : 'Start the server with --upstream to request it from the site.',
    );
  }
}
