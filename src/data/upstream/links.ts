import { isObject } from '../../model/fields/coerce.ts';

/** Members whose values are addresses of the API. */
const linkNames = new Set(['rest_url', 'next_rest_url', 'previous_rest_url', 'href', 'self', 'collection', 'up']);

/** Returns a response whose links into the API name another root. Addresses of pages and images stay. */
export function withLinks(value: unknown, namespace: string, root: string): unknown {
  if (Array.isArray(value)) return value.map((each) => withLinks(each, namespace, root));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      typeof each === 'string' && linkNames.has(name) ? addressAt(each, namespace, root) : withLinks(each, namespace, root),
    ]),
  );
}

/** Returns an address below the namespace as one below another root; other texts unchanged. Sites without rewriting have the path in `rest_route`. */
export function addressAt(text: string, namespace: string, root: string): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  const route = url.searchParams.get('rest_route');
  const path = route ?? url.pathname;
  const at = path.indexOf(`/${namespace}`);
  const rest = path.slice(at + namespace.length + 1);
  if (at < 0 || (rest !== '' && !rest.startsWith('/'))) return text;
  if (route === null) return `${root}${rest}${url.search}`;
  url.searchParams.delete('rest_route');
  return `${root}${rest}${url.search}`;
}
