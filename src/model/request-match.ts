import { type Fault, invalidParams } from './error.ts';

/** Which requests are meant: every part that is given has to hold, and none is given for all requests. */
export interface RequestMatch {
  /** One, or any of several, as it stands in the request. */
  method?: string | readonly string[];
  /**
   * Below the namespace (`/events/*`) or from the start of the address; both are tried. `*` stands for anything, slashes too; `:id` and `{id}` for one part. A slash at the end makes
   * no difference.
   */
  path?: string;
  /** Parameters by name; `*` stands for anything, null for a parameter that is not there. Of several values of one name any may be meant. */
  query?: Readonly<Record<string, string | number | boolean | null>>;
  /** The same of headers, in any case of their names. */
  headers?: Readonly<Record<string, string | null>>;
}

/** What is looked at of a request: its query has no question mark, names of headers are in lower case. */
export interface MatchedRequest {
  method: string;
  path: string;
  query: string;
  headers: Readonly<Record<string, string | undefined>>;
}

const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** A text in which `*` stands for anything. */
const textPattern = (text: string) => new RegExp(`^${text.split('*').map(literal).join('.*')}$`, 's');

const pathPattern = (path: string) => {
  const parts = path.split(/(\*+|:[A-Za-z_]\w*|\{\w+\})/);
  return new RegExp(`^${parts.map((part, i) => (i % 2 === 0 ? literal(part) : part.startsWith('*') ? '.*' : '[^/]+')).join('')}$`, 's');
};

const decoded = (text: string): string => {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const withoutEnd = (path: string) => (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path);

/** The path that a request is for; in the query where paths cannot be rewritten. */
function pathOf({ path, query }: MatchedRequest, base: string): string {
  if (path !== '/' || !query.includes('rest_route=')) return withoutEnd(decoded(path));
  const route = new URLSearchParams(query).get('rest_route');
  return route === null ? path : withoutEnd(`${base}${route}`);
}

/** What is wrong with a match, by the name of the part. */
function faultsOf({ method, path }: RequestMatch): Record<string, Fault> {
  const faults: Record<string, Fault> = {};
  const wrong = [method ?? []].flat().find((each) => !/^[A-Za-z]+$/.test(each));
  if (wrong !== undefined) faults.method = { reason: `must be methods like GET, not ${JSON.stringify(wrong)}` };
  if (path !== undefined && !/^[/*][^?#]*$/.test(path))
    faults.path = {
      reason: path.includes('?')
        ? `must be a path alone: give what follows the question mark as query, not ${JSON.stringify(path)}`
        : `must be a path like /events/*, not ${JSON.stringify(path)}`,
    };
  return faults;
}

/**
 * The test of whether a request is meant. `base` and `namespace` are those of the server, like `/wp-json` and `calendar/events/v1`. Fails with `rest_invalid_param` where the match
 * cannot be read; `at` stands before the names of its parts there.
 */
export function matcherOf(
  match: RequestMatch,
  { basePath, namespace }: { basePath: string; namespace: string },
  at = 'match',
): (request: MatchedRequest) => boolean {
  const faults = Object.entries(faultsOf(match)).map(([name, fault]): [string, Fault] => [`${at}.${name}`, fault]);
  if (faults.length) throw invalidParams(Object.fromEntries(faults));
  const tests: ((request: MatchedRequest) => boolean)[] = [];
  if (match.method !== undefined) {
    const methods = new Set([match.method].flat().map((method) => method.toUpperCase()));
    tests.push(({ method }) => methods.has(method));
  }
  if (match.path !== undefined && !/^\/?\*+$/.test(match.path)) {
    const pattern = pathPattern(withoutEnd(decoded(match.path)));
    const start = `${basePath}/${namespace}`;
    tests.push((request) => {
      const path = pathOf(request, basePath);
      return (
        pattern.test(path) ||
        (path.startsWith(start) && /^(\/|$)/.test(path.slice(start.length)) && pattern.test(path.slice(start.length) || '/'))
      );
    });
  }
  for (const [name, value] of Object.entries(match.headers ?? {})) {
    const key = name.toLowerCase();
    const pattern = value === null ? undefined : textPattern(value);
    tests.push(({ headers }) => (headers[key] === undefined ? !pattern : Boolean(pattern?.test(headers[key]))));
  }
  const query = Object.entries(match.query ?? {}).map(([name, value]) => ({
    name,
    pattern: value === null ? undefined : textPattern(String(value)),
  }));
  if (query.length)
    tests.push((request) => {
      const sent = [...new URLSearchParams(request.query)];
      return query.every(({ name, pattern }) => {
        const values = sent.filter(([key]) => key === name || key.replace(/\[\d*\]$/, '') === name);
        return pattern ? values.some(([, value]) => pattern.test(value)) : !values.length;
      });
    });
  return (request) => tests.every((test) => test(request));
}
