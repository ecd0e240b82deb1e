import type { Expectation } from './exchange.ts';

/** A response as it is compared: header names are in lower case, the body is parsed JSON. */
export interface ComparedResponse {
  status: number;
  headers: Record<string, string | undefined>;
  body: unknown;
}

type IdKind = 'post' | 'term' | 'image';
const idKinds: Record<string, IdKind> = { events: 'post', venues: 'post', organizers: 'post', categories: 'term', tags: 'term' };
const idMembers = new Set(['id', 'term_taxonomy_id', 'parent', 'post_parent']);
const idParameters = new Set(['p', 'venue', 'organizer', 'include', 'event', 'post_parent', 'page_id']);
const timestamps = new Set(['date', 'date_utc', 'modified', 'modified_utc']);
const recordingDay = /^2026-11-20 \d\d:\d\d:\d\d$/;
/** Filters that links of the reference lost. */
const keptFilters = new Set(
  `categories tags strict_dates search only_with_upcoming per_page hide_empty order orderby status event has_events include exclude slug
   parent post geoloc geoloc_lat geoloc_lng`.split(/\s+/),
);

const shorten = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 150 ? `${text.slice(0, 150)}…` : text;
};
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Pairs recorded IDs with those of the server, one to one: the first time both occur at the same place. */
class IdPairs {
  readonly #byRecorded = new Map<string, number>();
  readonly #byOurs = new Set<string>();

  match(kind: IdKind, recorded: unknown, ours: unknown): boolean {
    const [expected, actual] = [Number(recorded), Number(ours)];
    if (expected === 0 || actual === 0) return expected === actual;
    const [from, to] = [`${kind} ${expected}`, `${kind} ${actual}`];
    if (!this.#byRecorded.has(from) && !this.#byOurs.has(to)) {
      this.#byRecorded.set(from, actual);
      this.#byOurs.add(to);
    }
    return this.#byRecorded.get(from) === actual;
  }

  matchLists(recorded: string, ours: string): boolean {
    const [expected, actual] = [recorded.split(','), ours.split(',')];
    const areIds = [...expected, ...actual].every((id) => /^\d+$/.test(id));
    return areIds && expected.length === actual.length && expected.every((id, index) => this.match('post', id, actual[index]));
  }
}

/** Compares responses with recorded ones. IDs may differ if they do so consistently; addresses are compared as path and query. */
export class Comparison {
  readonly #ids = new IdPairs();
  readonly #root: string;
  readonly #home: string;
  #subset: Expectation['subset'];

  /** @param root the URL that the API's routes start with */
  constructor(root: string) {
    this.#root = root;
    this.#home = new URL(root).origin;
  }

  /** Returns the differences, one line each; none where the response agrees. */
  differences(expected: Expectation, actual: ComparedResponse): string[] {
    const out: string[] = [];
    if (expected.status !== actual.status) out.push(`status: expected ${expected.status}, got ${actual.status} ${shorten(actual.body)}`);
    for (const [name, value] of Object.entries(expected.headers ?? {})) {
      const header = actual.headers[name.toLowerCase()];
      const isSame = name === 'Allow' ? methodsOf(header) === methodsOf(value) : header !== undefined && this.#isSameText(value, header);
      if (!isSame) out.push(`header ${name}: expected ${value}, got ${header}`);
    }
    this.#subset = expected.subset;
    if ('body' in expected && !out.length)
      this.#compare(expected.body, actual.body, 'body', expected.key ?? '', idKinds[expected.of ?? ''] ?? 'post', out);
    return out;
  }

  #compare(expected: unknown, actual: unknown, path: string, key: string, kind: IdKind, out: string[]): void {
    // The defaults of date filters are computed at the time of the request.
    if (expected === '*' || path.endsWith('_date.default')) return;
    if (timestamps.has(key) && recordingDay.test(String(expected))) {
      if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(String(actual))) out.push(`${path}: expected a timestamp, got ${shorten(actual)}`);
    } else if (typeof expected === 'number' && typeof actual === 'number' && idMembers.has(key)) {
      if (!this.#ids.match(kind, expected, actual)) out.push(`${path}: expected recorded ID ${expected}, got ${actual}`);
    } else if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length) {
      expected.forEach((item, index) => {
        this.#compare(item, actual[index], `${path}[${index}]`, key, idKinds[key] ?? kind, out);
      });
    } else if (isObject(expected) && isObject(actual)) this.#compareMembers(expected, actual, path, kind, out);
    else if (typeof expected === 'string' && typeof actual === 'string' ? !this.#isSameText(expected, actual) : expected !== actual)
      out.push(`${path}: expected ${shorten(expected)}, got ${shorten(actual)}`);
  }

  #compareMembers(expected: Record<string, unknown>, actual: Record<string, unknown>, path: string, kind: IdKind, out: string[]): void {
    for (const [name, value] of Object.entries(expected)) {
      const isLink = name === 'venue' || name === 'organizer';
      if (name in actual)
        this.#compare(
          value,
          actual[name],
          `${path}.${name}`,
          name,
          name === 'image' ? name : isLink ? 'post' : (idKinds[name] ?? kind),
          out,
        );
      else out.push(`${path}.${name}: missing`);
    }
    if (this.#subset === 'deep' || (this.#subset && path === 'body')) return;
    for (const name of Object.keys(actual)) if (!(name in expected) && name !== '_links') out.push(`${path}.${name}: not recorded`);
  }

  #isSameText(expected: string, text: string): boolean {
    const actual = text.replaceAll(this.#root, '{{root}}').replaceAll(this.#home, '{{home}}');
    if (expected === actual) return true;
    const isAddress = (value: string) => /^\{\{(root|home)\}\}/.test(value);
    if (isAddress(expected) && isAddress(actual)) return this.#isSameAddress(expected, actual);
    const [recorded, ours] = [expected, actual].map((value) => /^([^?\s]+)\?id=(\d+)$/.exec(value));
    return recorded?.[1] === '{{host}}' && ours != null && this.#ids.match('post', recorded[2], ours[2]);
  }

  #isSameAddress(expected: string, actual: string): boolean {
    const [expectedPath = '', expectedQuery = ''] = expected.split('?');
    const [actualPath = '', actualQuery = ''] = actual.split('?');
    const [recorded, ours] = [expectedPath, actualPath].map((path) => path.replace(/\/$/, '').split('/')) as [string[], string[]];
    const isSamePart = (part: string, index: number) =>
      part === ours[index] ||
      (/^\d+$/.test(part) &&
        /^\d+$/.test(ours[index]!) &&
        this.#ids.match(idKinds[recorded[index - 1] ?? ''] ?? 'post', part, ours[index]));
    if (recorded.length !== ours.length || !recorded.every(isSamePart)) return false;
    const [from, to] = [new URLSearchParams(expectedQuery), new URLSearchParams(actualQuery)];
    return [...new Set([...from.keys(), ...to.keys()])].every((name) => {
      if (keptFilters.has(name) && !from.has(name)) return true;
      const [value, other] = [from.getAll(name).join(','), to.getAll(name).join(',')];
      return value === other || (idParameters.has(name) && this.#ids.matchLists(value, other));
    });
  }
}

const methodsOf = (allow = '') => allow.split(/,\s*/).filter(Boolean).sort().join(', ');
