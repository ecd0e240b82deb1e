import { Failure } from '../model/error.ts';
import { namespaceIn, namespace as specified } from '../model/routes.ts';
import { isZone } from '../model/time/zone.ts';
import { calendarContentOf, contentOf, type RemoteResponse } from './response.ts';
import { baseOf, findSite, routeUrl } from './site.ts';
import { type TransportOptions, transportOf } from './transport.ts';

/** Title and time zone of a calendar; empty if unknown. */
export interface About {
  name: string;
  timezone: string;
  /** Its clock at the time of the request, in epoch milliseconds, from the `Date` header (RFC 9110, 6.6.1). */
  now?: number;
}

/** Options of a connection to a site. */
export interface SiteOptions extends TransportOptions {
  /** False to use just the root, and not look for the API at its site (default true). */
  finds?: boolean;
}

/** True if a failure means that no calendar is at an address: not a rejection, and not a page in place of one. */
const isElsewhere = (error: unknown): error is Failure =>
  error instanceof Failure && error.code === 'not-a-calendar' && error.data.unknown_status !== undefined;

/** Throws if a response shows that no calendar is at an address. */
export function assertHere(response: RemoteResponse, address: string): void {
  try {
    calendarContentOf(response, address);
  } catch (error) {
    if (isElsewhere(error)) throw error;
  }
}

/** The API of a site, whose address may change: if no calendar is where it was typed, it is looked for at the site once. */
export class LocatedSite {
  /** Root URL of the API before redirects to another origin. */
  #root: string;
  /** The headers of a user. */
  readonly credentials: Record<string, string>;
  readonly transport: ReturnType<typeof transportOf>;
  /** True after the first response of a calendar. */
  #isKnown: boolean;
  #finding?: Promise<boolean>;
  #about: Promise<About> | undefined;

  constructor(
    readonly typed: string,
    authorization: string | undefined,
    private readonly options: SiteOptions,
    private readonly namespace?: string,
  ) {
    this.#root = typed;
    this.credentials = authorization === undefined ? {} : { authorization };
    this.transport = transportOf(options);
    this.#isKnown = options.finds === false;
  }

  /** Root URL of the API. */
  get root(): string {
    return this.transport.gate.located(this.#root);
  }

  /** Looks for the API at the site of the typed address, once. Returns true if it has another address, which later requests use. */
  find(): Promise<boolean> {
    this.#finding ??= this.#find();
    return this.#finding;
  }

  /** Runs work; once more if the site was looked for and found elsewhere. */
  async located<T>(work: () => Promise<T>, isWrite = false): Promise<T> {
    const before = this.root;
    try {
      const result = await work();
      this.#isKnown = true;
      return result;
    } catch (error) {
      this.#isKnown ||= !isElsewhere(error);
      if (!isElsewhere(error) || this.#isKnown || (isWrite && ![404, 405].includes(Number(error.data.unknown_status)))) throw error;
      this.#finding ??= this.#find().catch((failure) => {
        throw failure.code === 'not-a-calendar' ? error.with({ hint: failure.hint }) : failure;
      });
      if (!(await this.#finding) && this.root === before) throw error;
      return work();
    }
  }

  /** The address of a route of the site itself, which has the index and the routes of WordPress. */
  siteUrl(route: string, query?: string): string | undefined {
    const base = baseOf(this.root, this.#root === this.typed ? this.namespace : undefined);
    return base === undefined ? undefined : routeUrl(base, route, query);
  }

  /** Reads an address with the credentials. */
  readUrl(url: string, staysOnHost = false): Promise<RemoteResponse> {
    const headers = { accept: 'application/json', ...this.credentials };
    return this.transport.send({ method: 'GET', url, skipsText: true, staysOnHost, headers });
  }

  /** Reads a path below the root. */
  read(path: string, query: string): Promise<RemoteResponse> {
    return this.located(async () => {
      const address = routeUrl(this.root, path);
      const response = await this.readUrl(routeUrl(this.root, path, query));
      if (!this.#isKnown) assertHere(response, address);
      return response;
    });
  }

  /** Title, time zone and clock of the site, as far as its discovery root contains them. */
  about(): Promise<About> {
    this.#about ??= this.#readAbout();
    return this.#about;
  }

  async #find(): Promise<boolean> {
    const { typed, namespace } = this;
    const page = baseOf(typed, namespace) ?? typed;
    const wish = namespace ?? namespaceIn(typed);
    const address = await findSite((url) => this.readUrl(url, true), page, wish === specified ? undefined : wish);
    if (address === this.root) return false;
    this.#root = address;
    this.#about = undefined;
    this.options.notice?.(`The API is at ${address}. To use it without a search: calendar config detect ${address} --profile NAME`);
    return true;
  }

  async #readAbout(): Promise<About> {
    const unknown = { name: new URL(this.typed).host, timezone: '' };
    const url = this.siteUrl('/', '_fields=name,timezone_string,gmt_offset');
    if (url === undefined) return unknown;
    try {
      const response = await this.readUrl(url);
      const { decodeEntities } = await import('../model/html/plain-text.ts');
      const discovery = contentOf(response, url) as Record<string, unknown>;
      const name = typeof discovery.name === 'string' && discovery.name ? decodeEntities(discovery.name) : unknown.name;
      const now = Date.parse(response.headers.date ?? '');
      return { name, timezone: zoneIn(discovery), now: Number.isNaN(now) ? undefined : now };
    } catch {
      // Sites need not have a discovery root.
      return unknown;
    }
  }
}

/** The time zone in a discovery root: a name or a UTC offset; empty if it has none. */
export function zoneIn({ timezone_string: name, gmt_offset: hours }: Record<string, unknown>): string {
  const zone = name || hours === undefined ? name : `UTC${Number(hours) < 0 ? '' : '+'}${Number(hours)}`;
  return typeof zone === 'string' && isZone(zone) ? zone : '';
}
