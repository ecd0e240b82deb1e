import { describe, expect, it } from 'vitest';
import type { RemoteResponse } from '../../src/client/response.ts';
import { findSite, rootUrl, routeUrl } from '../../src/client/site.ts';

const host = 'https://example.org';
const routesOf = (...namespaces: string[]) =>
  Object.fromEntries(namespaces.flatMap((each) => ['events', 'venues', 'organizers'].map((name) => [`/${each}/${name}`, {}])));
const index = (...namespaces: string[]) => ({ namespaces: ['wp/v2', ...namespaces], routes: routesOf(...namespaces) });

/** A kind of site: the path of its index, the headers of its pages, and its namespaces. */
interface Kind {
  api: string;
  headers?: Record<string, string>;
  namespaces?: string[];
  /** Address where all requests are redirected to. */
  to?: string;
}

/** Answers requests as such a site, and counts them. */
function siteOf({ api, headers = {}, namespaces = ['brand/events/v1'], to }: Kind) {
  const requests: string[] = [];
  const get = async (url: string): Promise<RemoteResponse> => {
    requests.push(url);
    const { pathname, search, host: name } = new URL(url);
    const moved = to === undefined ? {} : { url: to + pathname + search };
    const own = name === 'example.org' || name === 'www.example.org';
    const path = `${pathname.replace(/\/$/, '')}${search}`;
    if (own && (path === api || path === api.replace(/\/$/, '')))
      return { status: 200, headers: {}, body: JSON.stringify(index(...namespaces)), ...moved };
    return {
      status: path === '' || !path.includes('wp-json') ? 200 : 404,
      headers: { 'content-type': 'text/html', ...headers },
      body: '<html>',
      ...moved,
    };
  };
  return { get, requests };
}

const link = (href: string) => ({ link: `<${href}>; rel="https://api.w.org/"` });
const root = `${host}/wp-json/brand/events/v1`;
const pages = ['', '/', '/events/', '/event/summer/', '/wp-json', '/wp-json/'];

describe.each<[what: string, kind: Kind, most: number, found: string, typed?: string[]]>([
  ['with a header of the API', { api: '/hidden', headers: { 'x-brand-api-root': `${root}/` } }, 1, root, ['', '/', '/event/summer/']],
  ['with a Link header', { api: '/wp-json', headers: link(`${host}/wp-json/`) }, 2, root],
  ['with a Link header on another host', { api: '/wp-json', headers: link('http://wordpress:8080/wp-json/') }, 2, root],
  ['without a Link header', { api: '/wp-json' }, 5, root],
  ['with plain permalinks', { api: '?rest_route=/' }, 5, `${host}/?rest_route=/brand/events/v1`, ['', '/', '/?rest_route=/']],
  [
    'with index.php',
    { api: '/index.php/wp-json', headers: link('/index.php/wp-json/') },
    2,
    `${host}/index.php/wp-json/brand/events/v1`,
    ['', '/'],
  ],
  ['in a folder', { api: '/blog/wp-json' }, 4, `${host}/blog/wp-json/brand/events/v1`, ['/blog', '/blog/', '/blog/event/summer/']],
  ['that redirects to www', { api: '/wp-json', to: 'https://www.example.org' }, 5, 'https://www.example.org/wp-json/brand/events/v1'],
  ['with a second namespace', { api: '/wp-json', namespaces: ['new/v1', 'brand/events/v1', 'brand/events/v2'] }, 5, root],
  ['with only another namespace', { api: '/wp-json', namespaces: ['new/v1'] }, 5, `${host}/wp-json/new/v1`],
])('a site %s', (_, kind, most, found, typed = pages) => {
  it.each(typed)('is found from %j', async (path) => {
    const { get, requests } = siteOf(kind);
    expect(await findSite(get, host + path)).toBe(found);
    expect(requests.length).toBeLessThanOrEqual(most);
    expect(requests.filter((url) => new URL(url).host !== 'example.org' && new URL(url).host !== 'www.example.org')).toEqual([]);
  });
});

it.each<[what: string, kind: Kind, code: string, message: RegExp]>([
  [
    'two brands',
    { api: '/wp-json', namespaces: ['a/events/v1', 'b/events/v1'] },
    'bad-request',
    /several namespaces with events: a\/events\/v1, b\/events\/v1/,
  ],
  [
    'an API on another host',
    { api: '/none', headers: link('https://api.test/wp-json/') },
    'not-a-calendar',
    /has its API at https:\/\/api.test\/wp-json\/, on another host/,
  ],
  ['no API', { api: '/none' }, 'not-a-calendar', /returned \d+ with text\/html/],
])('%s is an error', async (_, kind, code, message) => {
  await expect(findSite(siteOf(kind).get, host)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
});

it('names what it tried', async () => {
  const hint = `Looked at ${host}/, ${host}/wp-json/, ${host}/?rest_route=/. See: calendar config detect ${host}/`;
  await expect(findSite(siteOf({ api: '/none' }).get, `${host}/`)).rejects.toMatchObject({ hint: expect.stringContaining(hint) });
});

it.each([
  [root, '/events/5', 'a=b', `${root}/events/5?a=b`],
  [root, '', '', root],
  [`${host}/?rest_route=/brand/events/v1`, '/events/5', 'a=b', `${host}/?rest_route=/brand/events/v1/events/5&a=b`],
  [rootUrl(`${host}/blog/index.php?rest_route=/`, 'x/v1'), '/tags', '', `${host}/blog/index.php?rest_route=/x/v1/tags`],
])('below %s, %s with %j is %s', (at, route, query, url) => {
  expect(routeUrl(at, route, query)).toBe(url);
});
