import { isLoopback } from '../model/addresses.ts';
import { pageHeader, pageMark } from '../model/web-page.ts';
import { mustBePublic, redirectOf } from './redirects.ts';

type Headers = Readonly<Record<string, string>>;

const harmless = new Set(['accept', 'content-type', 'user-agent']);
export const isHarmless = ([name, value]: [string, string]) => harmless.has(name) || (name === pageHeader && value === pageMark('api'));

/** True if headers may contain secrets: any header beyond those of every request. */
export const hasSecrets = (headers: Headers): boolean => !Object.entries(headers).every(isHarmless);

const harmlessIn = (headers: Headers): Record<string, string> => Object.fromEntries(Object.entries(headers).filter(isHarmless));

interface GatedRequest {
  url: string;
  headers: Headers;
  body?: unknown;
}

/** A request that may be sent: the address where the site is now, and the headers that it may get. */
interface Passed {
  url: string;
  headers: Record<string, string>;
  /** True if the host must have a public address. */
  mustBePublic: boolean;
}

/** A response to a request without secrets, as far as the gate reads it. */
interface ProbeResponse {
  status: number;
  headers: Headers;
}

/** Sends a GET request, and follows no redirect. */
type Probe<Response> = (passed: Passed) => Promise<Response>;

const maxProbes = 5;

/**
 * Decides what a request may send, for all requests of a connection. Secrets are all headers beyond those of every request, and bodies. They go only to the site of the
 * first request (the address that was named), and over http to another machine only after a request without them was not redirected. Where reads were
 * redirected to on the same site, later requests go, too, so that callers may use addresses that they made before.
 */
export class Gate {
  #home: URL | undefined;
  /** Origins by those that they take the place of. */
  readonly #moves = new Map<string, string>();
  /** Origins that may get secrets over http. */
  readonly #admitted = new Set<string>();
  readonly #probing = new Map<string, Promise<ProbeResponse | undefined>>();

  /** `onMove` is called when requests go to https in place of http, with both origins. */
  constructor(private readonly onMove: (to: string, from: string) => void = () => {}) {}

  /** An address at the origin where its site is now. */
  located(address: string): string {
    const { origin, pathname, search } = new URL(address);
    let now = origin;
    for (let next = this.#moves.get(now); next !== undefined; next = this.#moves.get(now)) now = next;
    if (now === origin) return address;
    return now + (pathname === '/' && !address.endsWith('/') ? '' : pathname) + search;
  }

  /** Notes where a read was redirected to, if that is the same address at another origin of the site. */
  noteRedirect(sent: string, ended: string): void {
    const [from, to] = [new URL(sent), new URL(ended)];
    if (from.pathname === to.pathname && redirectOf(from, from, ended, true)) this.#move(from, to);
  }

  /** Returns what may be sent of a request; or the response without secrets of a site that redirects elsewhere, in place of that of the request. */
  async pass<Response extends ProbeResponse>(
    { url: address, headers, body }: GatedRequest,
    probe: Probe<Response>,
  ): Promise<Passed | { redirect: Response }> {
    this.#home ??= new URL(address);
    for (;;) {
      const url = this.located(address);
      const { origin } = new URL(url);
      if (!this.#isHome(url)) return this.#passed(url, harmlessIn(headers));
      // A body may contain a password, too.
      if ((!hasSecrets(headers) && body === undefined) || !this.#needsProbe(url)) return this.#passed(url, { ...headers });
      const probing = this.#probing.get(origin) ?? this.#probe(url, headers, probe).finally(() => this.#probing.delete(origin));
      this.#probing.set(origin, probing);
      const redirect = await probing;
      if (redirect) return { redirect: redirect as Response };
    }
  }

  /** Requests an address without secrets, and follows redirects within its site. Returns the redirect of a site that leads elsewhere, or never ends. */
  async #probe(address: string, headers: Headers, probe: Probe<ProbeResponse>): Promise<ProbeResponse | undefined> {
    const first = new URL(address);
    let url = first;
    for (let count = 0; ; count++) {
      const response = await probe(this.#passed(url.href, harmlessIn(headers)));
      const { location } = response.headers;
      if (response.status < 300 || response.status >= 400 || location === undefined) {
        this.#admitted.add(url.origin);
        return undefined;
      }
      const next = redirectOf(this.#home!, url, location, true);
      if (!next || count === maxProbes) return response;
      ({ url } = next);
      if (url.origin !== first.origin) {
        this.#move(first, url);
        return undefined;
      }
    }
  }

  #move(from: URL, to: URL): void {
    if (from.origin === to.origin || this.#moves.get(from.origin) === to.origin || this.located(`${to.origin}/`) === `${from.origin}/`)
      return;
    if (from.protocol === 'http:' && to.protocol === 'https:') this.onMove(to.origin, from.origin);
    this.#moves.set(from.origin, to.origin);
  }

  #needsProbe(url: string): boolean {
    const { protocol, hostname, origin } = new URL(url);
    return protocol === 'http:' && !isLoopback(hostname) && !this.#admitted.has(origin);
  }

  /** True for an address at the site of the first request. */
  #isHome(url: string): boolean {
    const home = this.#home!;
    return new URL(url).origin === home.origin || redirectOf(home, home, url, true) !== undefined;
  }

  #passed(url: string, headers: Record<string, string>): Passed {
    return { url, headers, mustBePublic: mustBePublic(this.#home!, new URL(url)) };
  }
}
