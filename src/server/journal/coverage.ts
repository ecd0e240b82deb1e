import { isObject } from '../../model/fields/coerce.ts';
import type { HttpMethod } from '../../model/operation-types.ts';
import { matcherOf, type ServerPaths } from '../../model/operations/request-match.ts';
import { type Action, methodsOf, routePath, routes } from '../../model/routes.ts';
import { type SeenEvent, variants } from '../../model/variants.ts';
import type { JournalEntry } from './entry.ts';
import { sideText } from './journaled.ts';

/** An operation of the API, and the requests that call it. */
interface OperationRow {
  name: string;
  action: Action;
  isOfEvents: boolean;
  matches: ReturnType<typeof matcherOf>;
}

/** Maximum number of places at which the last whole event of a body that was cut may end: an event has lists, too. */
const maxTries = 50;

/** Counts what clients met in logged requests. */
export class Coverage {
  /** Numbers of requests by the name of what they met. */
  readonly counts = new Map<string, number>();
  /** Number of responses of which the log lacks records. */
  truncated = 0;
  #operations: readonly OperationRow[] | undefined;

  /** `zone` returns the time zone of the calendar. The namespace may change before the first request. */
  constructor(
    private readonly server: ServerPaths,
    private readonly zone: () => string,
  ) {}

  /** Adds a request of a client whose response has ended. */
  add(entry: JournalEntry): void {
    const { status, took, isOurs, request, method, path, query } = entry;
    if (isOurs || took === null || method === 'OPTIONS') return;
    this.#operations ??= operationsOf(this.server);
    const operation = this.#operations.find(({ matches }) => matches({ method, path, query, headers: request.headers }));
    if (!operation && !path.startsWith(`${this.server.basePath}/${this.server.namespace}`)) return;
    const names = Object.entries(variants.response).flatMap(([name, { is }]) => (is(entry) ? [`response.${name}`] : []));
    if (operation) names.push(operation.name);
    if (operation && status !== null && status >= 200 && status < 300) names.push(...this.#met(operation, entry));
    for (const name of names) this.#count(name, 1);
  }

  /** Adds what another one has. */
  merge({ counts, truncated }: Pick<Coverage, 'counts' | 'truncated'>): void {
    for (const [name, count] of counts) this.#count(name, count);
    this.truncated += truncated;
  }

  #count(name: string, count: number): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + count);
  }

  #met({ action, isOfEvents }: OperationRow, { query, response }: JournalEntry): string[] {
    const names: string[] = [];
    if (action === 'list') {
      const header = (end: RegExp) => Number(Object.entries(response?.headers ?? {}).find(([name]) => end.test(name))?.[1]);
      const [total, pages] = [header(/-total$/i), header(/-totalpages$/i)];
      const page = Number(new URLSearchParams(query).get('page') ?? 1);
      for (const [name, { is }] of Object.entries(variants.list)) if (is(total, pages, page)) names.push(`list.${name}`);
    }
    if (!isOfEvents) return names;
    const events = this.#eventsIn(sideText(response!), action === 'list');
    const zone = events.length ? this.zone() : '';
    for (const [name, { is }] of Object.entries(variants.event)) if (events.some((event) => is(event, zone))) names.push(`event.${name}`);
    return names;
  }

  /** The events in a body; of one that was cut, those before the cut. */
  #eventsIn(text: string, isList: boolean): SeenEvent[] {
    const whole = parsed(text);
    if (isObject(whole)) return isList ? (Array.isArray(whole.events) ? whole.events.filter(isObject) : []) : [whole];
    this.truncated += 1;
    let end = text.length;
    for (let tries = 0; tries < maxTries && end > 0; tries++) {
      end = text.lastIndexOf('},{', end - 1);
      const start = parsed(`${text.slice(0, end)}}]}`);
      if (isObject(start) && Array.isArray(start.events)) return start.events.filter(isObject);
    }
    return [];
  }
}

const operationsOf = (server: ServerPaths): OperationRow[] =>
  routes.flatMap((route) =>
    route.actions.map((action) => {
      // The site's own pages may have the path of a route.
      const path = `${server.basePath}/${server.namespace}${routePath(route, (name) => `{${name}}`)}`;
      return {
        name: `${route.resource}.${action}`,
        action,
        isOfEvents: route.resource === 'events' && action !== 'delete',
        matches: matcherOf({ method: [...methodsOf[action]] as HttpMethod[], path }, server),
      };
    }),
  );

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
