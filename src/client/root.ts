import { namespace as usual } from '../model/action.ts';

/** How a namespace ends that a URL already carries: two words and a version. */
const carried = /\/[^/]+\/events\/v\d+$/;

/** The address that routes start with: a base URL with the namespace put after it, unless it has it already. Without a slash at the end. */
export function rootOf(url: string, namespace?: string): string {
  const { origin, pathname } = new URL(url);
  const base = pathname.replace(/\/+$/, '');
  const wanted = (namespace ?? usual).replace(/^\/+|\/+$/g, '');
  if (base === `/${wanted}` || base.endsWith(`/${wanted}`)) return origin + base;
  if (namespace === undefined && carried.test(base)) return origin + base;
  return `${origin}${base}/${wanted}`;
}
