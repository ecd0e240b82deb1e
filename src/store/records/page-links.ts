import type { LinkParameter } from '../../model/fields/condition.ts';

/** Encodes a text for a query like URLSearchParams, but faster for common texts. */
const encoded = (text: string): string =>
  /^[\w.*: -]*$/.test(text) ? text.replaceAll(' ', '+').replaceAll(':', '%3A') : new URLSearchParams([['', text]]).toString().slice(1);

/** Returns the URLs of a page and its neighbors. With `bare`, the page's own URL has no query. */
export function pageLinks(base: string, parameters: LinkParameter[], page: number, pages: number, bare: boolean) {
  let own = '';
  let others = '';
  for (const [name, value, where] of parameters) {
    const pair = `&${name}=${encoded(value)}`;
    if (where !== 'onward' && !bare) own += pair;
    if (where !== 'here' && name !== 'page') others += pair;
  }
  const address = (query: string) => (query === '' ? base : `${base}?${query.slice(1)}`);
  const at = (number: number) => address(number === 1 ? others : `${others}&page=${number}`);
  return {
    rest_url: address(own),
    ...(page < pages ? { next_rest_url: at(page + 1) } : {}),
    ...(page > 1 ? { previous_rest_url: at(page - 1) } : {}),
  };
}
