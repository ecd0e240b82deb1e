import { feedPath, pathInFolder } from '../../model/addresses.ts';
import { Failure, type Fault, invalidParams } from '../../model/error.ts';
import { createRandom, fraction, type Random } from '../../model/generate/random.ts';
import type { Delay, FaultAnswer, FaultInfo, FaultInput, PatchStep } from '../../model/operation-types.ts';
import type { SiteFault } from '../../model/operations/connection-faults.ts';
import { faultAnswerOf, type PatchFunction, type QueryChange } from '../../model/operations/faults.ts';
import { type MatchedRequest, matcherOf, type ServerPaths } from '../../model/operations/request-match.ts';
import { type SiteEffect, withSiteFault } from '../../model/operations/site-faults.ts';
import { defaultSlugs, isFeedAddress } from '../../model/site-address.ts';
import { maxDelayMs, millisecondsIn, readTime, type Time, timeForms } from '../../model/time/duration.ts';
import { framingHeaders } from '../headers.ts';
import { isEmptyStatus } from '../http.ts';
import { checkPath } from '../route-paths.ts';

/** The effect of a fault on one request, with its random delays in ms. */
export interface Hit {
  id: number;
  at: 'before' | 'after';
  delay: number;
  slowBody: number;
  then: Then;
  /** The requests that the fault holds, and for how long in ms; only for `hold`. */
  hold?: { requests: Hold; timeoutMs: number };
}

/** Time after which a held request gets its response. */
const defaultHold = '30s';

type Then = Exclude<FaultInfo['then'], SiteFault> | SiteEffect;
/** The input of a fault, in which a status is a response, and names of faults of sites are what they stand for. */
type PlainInput = Omit<FaultInput, 'then'> & { then?: Then; paths?: readonly string[]; isForFeeds?: true };

/** A JSON merge patch, a JSON Patch, or a function of this process. */
export type Patch = Record<string, unknown> | PatchStep[] | PatchFunction;

const isPatch = (then: Then): then is Extract<Then, { patch: unknown }> => typeof then === 'object' && 'patch' in then;
const isPreamble = (then: Then): then is Extract<Then, { preamble: unknown }> => typeof then === 'object' && 'preamble' in then;
/** True if a fault changes the true response. */
export const isChange = (then: Then): then is Extract<Then, { patch: unknown } | { preamble: unknown }> =>
  isPatch(then) || isPreamble(then);
/** True if a fault changes the request. */
export const isQuery = (then: Then): then is QueryChange => typeof then === 'object' && 'query' in then;
export const isReset = (then: Then): then is Extract<SiteEffect, { resetsOmitted: true }> =>
  typeof then === 'object' && 'resetsOmitted' in then;
export const isRedirect = (then: Then): then is Extract<SiteEffect, { redirect: number }> => typeof then === 'object' && 'redirect' in then;

/** Returns what is wrong with a delay; undefined if it is valid. */
function delayFault(delay: Delay): string | undefined {
  const times = typeof delay !== 'object' ? [delay] : 'lognormal' in delay ? [delay.lognormal.median] : delay;
  const [from, to] = times.map((time) => readTime(time, 'delay'));
  if (from === undefined || (times.length > 1 && to === undefined)) return `must be ${timeForms('delay')}`;
  return to !== undefined && from > to ? 'must be in ascending order' : undefined;
}

function conflictsIn({ then, delay, slow_body, at, probability, times, every, after, timeout }: PlainInput): Record<string, Fault> {
  const faults: Record<string, Fault> = {};
  const wrong = (name: string, reason: string) => {
    faults[name] = { reason };
  };
  if (then === undefined && delay === undefined && slow_body === undefined) wrong('then', 'one of then, delay and slow_body is required');
  for (const [name, value] of Object.entries({ delay, slow_body })) {
    const fault = value === undefined ? undefined : delayFault(value);
    if (fault) wrong(name, fault);
  }
  if (typeof then === 'string') {
    if (slow_body !== undefined) wrong('slow_body', `cannot be combined with then: ${then}, which sends no complete body`);
    if (then === 'truncate' && at === 'before') wrong('at', 'must be after if then is truncate');
  } else if (isChange(then)) {
    if (at === 'before') wrong('at', `must be after if then is a ${isPatch(then) ? 'patch' : 'preamble'}`);
  } else if (isQuery(then) || isReset(then)) {
    if (at === 'after') wrong('at', 'must be before if then changes the request');
  } else if (then && !isRedirect(then)) {
    if (then.body !== undefined && isEmptyStatus(then.status)) wrong('then.body', `cannot be combined with status ${then.status}`);
    const own = Object.keys(then.headers ?? {}).find((name) => framingHeaders.includes(name.toLowerCase()));
    if (own) wrong('then.headers', `must not contain ${own}, which is set by the server`);
  }
  if (timeout !== undefined && then !== 'hold') wrong('timeout', 'requires then: hold');
  if (timeout !== undefined && readTime(timeout, 'timeout') === undefined) wrong('timeout', `must be ${timeForms('timeout')}`);
  if (probability !== undefined && every !== undefined) wrong('probability', 'cannot be combined with every');
  for (const [name, value] of Object.entries({ times, every })) if (value !== undefined && !(value >= 1)) wrong(name, 'must be at least 1');
  if (after !== undefined && !(after >= 0)) wrong('after', 'must be at least 0');
  return faults;
}

/** A fault of a server, which counts the requests it affects. */
export class ActiveFault {
  /** Size in characters. */
  readonly size: number;
  readonly #matches: (request: MatchedRequest) => boolean;
  readonly #random: Random;
  readonly hold = new Hold();
  /** The input that it was added with. */
  readonly input: FaultInput & { then?: FaultInfo['then'] };
  readonly #effective: PlainInput;

  /** Throws `rest_invalid_param` if members are invalid or exclude each other. */
  constructor(
    readonly id: number,
    given: FaultInput,
    place: ServerPaths,
    /** Numbers of requests that matched, and that it affected. */
    readonly counts = { matches: 0, hits: 0 },
  ) {
    const { then } = given;
    this.input = { ...given, ...(typeof then === 'number' ? { then: faultAnswerOf(then) } : {}) } as typeof this.input;
    const input = withSiteFault(this.input) as PlainInput;
    this.#effective = input;
    const conflicts = conflictsIn(input);
    if (Object.keys(conflicts).length) throw invalidParams(conflicts);
    this.size = JSON.stringify(this.input).length;
    // Requests outside of the API, like those for the web page, need an explicit path.
    const { isForFeeds, paths = [`${place.basePath}/${place.namespace}*`] } = input;
    const matchers = paths.map((path) => matcherOf({ path, ...input.match }, place));
    // The feed of all events is not an address of a site, so a fault has to name it.
    const isFeed = ({ path, query }: MatchedRequest) =>
      input.match?.path?.endsWith(feedPath) ||
      isFeedAddress(pathInFolder(path, place.basePath), Object.fromEntries(new URLSearchParams(query)), place.slugs ?? defaultSlugs);
    this.#matches = (request) => matchers.some((matches) => matches(request)) && (!isForFeeds || isFeed(request));
    checkPath(input.match ?? {}, place, 'match.path');
    this.#random = createRandom(String(input.rng_seed ?? id));
  }

  /** Undefined for none. */
  meet(request: MatchedRequest): Hit | undefined {
    const { times = Infinity, after = 0, every = 1, probability = 1, then, delay, slow_body, at: moment } = this.#effective;
    if (this.counts.hits >= times || !this.#matches(request)) return undefined;
    this.counts.matches += 1;
    const number = this.counts.matches - after;
    if (number < 1 || number % every !== 0) return undefined;
    if (probability < 1 && fraction(this.#random) >= probability) return undefined;
    this.counts.hits += 1;
    const at = moment ?? (then === 'truncate' || isChange(then) ? 'after' : 'before');
    return {
      id: this.id,
      at,
      delay: drawDelay(delay, this.#random),
      slowBody: drawDelay(slow_body, this.#random),
      then,
      ...this.#holdOf(then),
    };
  }

  #holdOf(then: Then): Pick<Hit, 'hold'> {
    return then === 'hold'
      ? { hold: { requests: this.hold, timeoutMs: millisecondsIn(this.input.timeout ?? defaultHold, 'timeout', 'timeout') } }
      : {};
  }

  get info(): FaultInfo {
    const { match = {}, ...rest } = this.input;
    // A function has no form in JSON.
    if (typeof rest.then === 'object' && 'patch' in rest.then && typeof rest.then.patch === 'function') rest.then = { patch: {} };
    const { times } = rest;
    return {
      id: this.id,
      match,
      ...rest,
      hits: this.counts.hits,
      ...(rest.then === 'hold' ? { held: this.hold.count } : {}),
      remaining: times === undefined ? null : times - this.counts.hits,
    };
  }
}

/** A delay in ms. */
function drawDelay(delay: Delay | undefined, random: Random): number {
  if (delay === undefined) return 0;
  const ms = (time: Time) => millisecondsIn(time, 'delay', 'delay');
  if (typeof delay !== 'object') return ms(delay);
  if (!('lognormal' in delay)) return ms(delay[0]) + (ms(delay[1]) - ms(delay[0])) * fraction(random);
  // Box–Muller transform: two uniform numbers give a normal one.
  const normal = Math.sqrt(-2 * Math.log(1 - fraction(random))) * Math.cos(2 * Math.PI * fraction(random));
  return Math.min(maxDelayMs, ms(delay.lognormal.median) * Math.exp(delay.lognormal.sigma * normal));
}

/** The end of a hold: released, perhaps with a response instead of the true one, after its time, or because the client went away. */
export type HoldEnd = { by: 'release'; response?: FaultAnswer } | { by: 'timeout' } | { by: 'abort' };

/** Requests that a fault holds. */
class Hold {
  readonly #waiting = new Set<(end: HoldEnd) => void>();
  readonly #watchers = new Set<() => void>();
  #arrived = 0;
  /** The limit that ended the hold of a request, in ms. */
  #passedLimitMs: number | undefined;
  #end: HoldEnd | undefined;

  /** Number of requests that are held now. */
  get count(): number {
    return this.#waiting.size;
  }

  /** Holds a request until the release, its time in ms is over, {@link interrupt}, or its client goes away. */
  wait(timeoutMs: number, gone: AbortSignal | undefined): Promise<HoldEnd> {
    this.#arrived += 1;
    for (const watcher of this.#watchers) watcher();
    if (gone?.aborted) return Promise.resolve({ by: 'abort' });
    if (this.#end) return Promise.resolve(this.#end);
    return new Promise((resolve) => {
      const end = (how: HoldEnd) => {
        clearTimeout(timer);
        this.#waiting.delete(end);
        gone?.removeEventListener('abort', leave);
        resolve(how);
      };
      const leave = () => end({ by: 'abort' });
      const timer = setTimeout(() => {
        this.#passedLimitMs = timeoutMs;
        end({ by: 'timeout' });
        for (const watcher of this.#watchers) watcher();
      }, timeoutMs);
      this.#waiting.add(end);
      gone?.addEventListener('abort', leave);
    });
  }

  /** Ends the hold of every request that is held. */
  interrupt(): void {
    for (const end of [...this.#waiting]) end({ by: 'release' });
  }

  /** Ends the hold of every request, also of those that are about to be held. */
  release(response?: FaultAnswer): void {
    this.#end = { by: 'release', response };
    for (const end of [...this.#waiting]) end(this.#end);
    for (const watcher of this.#watchers) watcher();
  }

  /** Throws `conflict` if the limit of the hold ended it for a request, which got its true response. */
  checkLimit(): void {
    if (this.#passedLimitMs === undefined) return;
    throw new Failure(
      'conflict',
      `The request is not held any more: the limit of the hold, ${this.#passedLimitMs / 1000} s, ended before the release, and the true response was sent`,
      'Release it earlier, or pass a longer timeout to hold.',
    );
  }

  /** Resolves with the number of requests that arrived when it is reached, after a time in ms, or when the hold ends. Throws like {@link checkLimit}. */
  arrived(count: number, timeoutMs: number): Promise<number> {
    return new Promise((resolve, reject) => {
      const finish = () => {
        clearTimeout(timer);
        this.#watchers.delete(check);
        try {
          this.checkLimit();
          resolve(this.#arrived);
        } catch (error) {
          reject(error);
        }
      };
      const check = () => {
        if (this.#arrived >= count || this.#end || this.#passedLimitMs !== undefined) finish();
      };
      const timer = setTimeout(finish, timeoutMs);
      this.#watchers.add(check);
      check();
    });
  }
}
