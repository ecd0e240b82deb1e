import type { Entry, ResourceName } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import { isObject } from '../../model/fields/coerce.ts';
import { isTerms } from '../../model/resources/relations.ts';
import { anonymous, type Viewer } from '../../model/viewer.ts';
import { type ActionCall, runAction, totals } from '../../server/actions.ts';
import type { HandlerOptions, Result } from '../../server/http.ts';
import { asFailure, failureResult } from '../../server/response.ts';
import { hasToken } from '../../server/token.ts';
import type { ServedWorld } from '../world/world.ts';
import { likeSite } from './copied-service.ts';
import { type Covered, coveredBy, coversAll, type Selection, selectionOf } from './coverage.ts';
import { withLinks } from './links.ts';
import { ListPages } from './lists.ts';
import type { UpstreamWrites } from './modes.ts';
import type { UpstreamOptions } from './options.ts';
import { type SiteAnswer, SiteReads } from './site-answer.ts';
import type { Learned, SiteCopy } from './site-copy.ts';

interface AnswerOptions {
  /** Absent if nothing is requested. */
  upstream: UpstreamOptions | undefined;
  writes: UpstreamWrites;
  /** Returns the time of the system, in epoch ms. */
  system(): number;
}

/** Answers requests for records of a copy of a live site: from the site, from the copy, or with an error where the copy doesn't know. */
export class Answers {
  readonly #reads: SiteReads | undefined;
  readonly #lists = new ListPages();

  constructor(
    private readonly copy: SiteCopy,
    private readonly world: ServedWorld,
    private readonly options: AnswerOptions,
    private readonly handling: HandlerOptions,
  ) {
    const { upstream } = options;
    if (upstream && upstream.mode !== 'offline') this.#reads = new SiteReads(() => upstream.connect());
  }

  async handle(call: ActionCall): Promise<Result> {
    const { action } = call;
    // A reset may have replaced the copy by another calendar.
    if (!this.options.upstream && this.copy.state.site === undefined) return runAction(call);
    if (action !== 'list' && action !== 'get') return this.#write(call);
    const own = { ...call, viewer: this.#viewerOf(call) };
    const { upstream } = this.options;
    // A calendar with another time is a simulation.
    if (!upstream || !this.#reads || this.world.served.clock.isSet) return this.#fromCopy(own);
    if (upstream.mode === 'prefer-local' && this.#isFresh(own, upstream.maxAgeMs)) return this.#fromCopy(own);
    let answer: SiteAnswer;
    try {
      answer = await this.#reads.read(call.route, action, call.ref, call.query);
    } catch (error) {
      const result = await this.#fromCopy(own, asFailure(error).message);
      return { ...result, headers: { ...result.headers, 'Cache-Control': 'no-cache' } };
    }
    // The site may know parameters that this program ignores.
    call.hints.length = 0;
    await this.#learn(own, answer);
    return this.#fromSite(own, this.options.writes === 'local' ? this.#withEdits(own, answer) : answer);
  }

  /** Returns an answer of the site whose records are those of the copy, which may have been edited here. */
  #withEdits({ route, viewer, query }: ActionCall, answer: SiteAnswer): SiteAnswer {
    const { resource } = route;
    const { copy } = this;
    if (query.password !== undefined) return answer;
    const local = copy.store.local(viewer, copy.addresses);
    const edited = (entry: Entry, form: 'list' | 'single'): Entry | undefined => {
      const id = copy.idOf(resource, entry.id);
      if (id === undefined) return entry;
      if (!local.has(resource, id)) return undefined;
      return likeSite(form === 'list' ? local.listed(resource, id)! : local[resource].get({ id }), resource, form, copy);
    };
    const { page, entry, value } = answer;
    if (page) return { ...answer, value: { ...(value as object), [resource]: page.entries.flatMap((each) => edited(each, 'list') ?? []) } };
    return entry ? { ...answer, value: { ...(value as object), ...edited(entry, 'single') } } : answer;
  }

  /** Returns who sees the copy: a visitor, unless the caller signed in. A calendar without users that takes writes belongs to every caller. */
  #viewerOf({ request, viewer, service }: ActionCall): Viewer {
    if (this.options.writes === 'local' || service.hasUsers() || hasToken(request, this.handling.token)) return viewer;
    return anonymous;
  }

  #write(call: ActionCall): Promise<Result> {
    if (this.options.writes === 'local') return runAction(call);
    throw new Failure(
      'read-only',
      `This calendar is a copy of ${this.copy.root}, and writes to it are refused`,
      {},
      'Start the server with --upstream-writes local to change the copy only.',
    );
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

  #fromSite(call: ActionCall, { status, value, page }: SiteAnswer): Result {
    const { route, options, site, query } = call;
    const asOf = new Date(this.options.system()).toISOString();
    const selection = page && this.#selectionOf(call);
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
  async #learn({ request, route, query, ref, hints }: ActionCall, { page, entry, isGone }: SiteAnswer): Promise<void> {
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

  /** Returns the answer of the copy, or 504 where it can't know. `why` is why the site did not answer. */
  async #fromCopy(call: ActionCall, why?: string): Promise<Result> {
    const covered = this.#coveredBy(call);
    const headers = this.#headers('local', covered.complete, covered.asOf);
    try {
      if (call.query.password !== undefined) throw this.#unknown(why, 'The copy has no passwords of records');
      const result = await runAction(call);
      return { ...result, headers: { ...result.headers, ...headers } };
    } catch (error) {
      const failure = asFailure(error);
      const isUnknown = failure.code !== 'upstream-unreachable' && this.#mayBeWrong(call, failure, covered);
      const result = failureResult(isUnknown ? this.#unknown(why, 'The copy does not have the requested record or page') : failure);
      return { ...result, headers: { ...result.headers, ...this.#headers('local', isUnknown ? [] : covered.complete, covered.asOf) } };
    }
  }

  #unknown(why: string | undefined, what: string): Failure {
    return new Failure(
      'upstream-unreachable',
      `${what}, and ${this.copy.root} ${why === undefined ? 'is not requested' : `did not answer: ${why}`}`,
      {},
      this.options.upstream ? 'Try again when the site is reachable.' : 'Start the server with --upstream to request it from the site.',
    );
  }

  /** Returns whether an error is only about records that the copy may lack. */
  #mayBeWrong({ action, route, service }: ActionCall, { code, status, data }: Failure, { isComplete }: Covered): boolean {
    if (status >= 500) return false;
    const rows = this.copy.state.coverage();
    if (code.endsWith('archive-page-not-found')) return !isComplete;
    // Lists of posts contain neither drafts nor hidden events, so only those of terms show that a record doesn't exist.
    const isUnsure = (name: ResourceName) => !isTerms(name) || !coversAll(rows, name);
    if (code === 'rest-event-not-found') return true;
    if (code !== 'rest_invalid_param' || !isObject(data.params)) return false;
    const names = Object.keys(data.params);
    if (action === 'get') return names.some((name) => name === 'id' || name === 'slug') && isUnsure(route.resource);
    const { parameters } = service.resources()[route.resource].list;
    const linked = parameters.filter(({ name, links }) => links && names.includes(name)).map(({ links }) => links as ResourceName);
    return linked.some(isUnsure);
  }

  #isFresh(call: ActionCall, maxAgeMs: number): boolean {
    const { isComplete, asOf } = this.#coveredBy(call);
    return isComplete && asOf !== undefined && this.options.system() - Date.parse(asOf) <= maxAgeMs;
  }

  #selectionOf({ route, query, service, viewer }: ActionCall): Selection | undefined {
    try {
      return selectionOf(service.resources(), route.resource, query, { ...service.requestContext(), viewer });
    } catch {
      // Its parameters are invalid.
      return undefined;
    }
  }

  /** Returns what of a read the copy has. */
  #coveredBy(call: ActionCall): Covered {
    const { route, action, ref } = call;
    const { state } = this.copy;
    const { resource } = route;
    const rows = state.coverage();
    if (action === 'list') {
      const covered = coveredBy(rows, this.#selectionOf(call), (name, id) => state.form(name, id, 'list') !== undefined);
      return { ...covered, asOf: covered.asOf ?? state.oldest(resource) };
    }
    const id = ref && ('id' in ref ? ref.id : this.world.store.local(anonymous, this.copy.addresses).idBy(resource, 'slug', ref.slug));
    if (id === undefined) return { complete: [], isComplete: false };
    const single = state.form(resource, id, 'single');
    const listed = state.form(resource, id, 'list');
    const isComplete =
      single !== undefined ||
      (listed !== undefined && (isTerms(resource) || rows.some((row) => row.resource === resource && row.hasSingles)));
    return { complete: isComplete ? [resource] : [], isComplete, asOf: (single ?? listed)?.asOf };
  }
}
