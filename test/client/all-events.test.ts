import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, it } from 'vitest';
import { connectTo } from '../../src/client/remote.ts';
import { transportHere } from '../../src/testing/here.ts';

/** The IDs on each page, and how a site shows them. */
interface Listing {
  pages: number[][];
  /** False if it has no header with the number of pages. */
  counts?: boolean;
  /** True if it refuses the statuses of unpublished events. */
  refuses?: boolean;
  /** True if it sends the first page for every number. */
  repeats?: boolean;
}
let listing: Listing;
let requests = 0;
const hundred = Array.from({ length: 100 }, (_, at) => at + 1);

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url!, 'http://site.test');
  requests++;
  const send = (status: number, body: unknown, headers = {}) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  if (pathname === '/wp-json/wp/v2/types') return send(200, { post: {}, brand_events: {} });
  if (pathname === '/wp-json/') return send(200, { name: 'Town', timezone_string: 'Europe/Berlin' });
  if (pathname === '/wp-json/wp/v2/users/me') return send(200, { capabilities: { publish_posts: true } });
  if (pathname !== '/wp-json/wp/v2/brand_events') return send(404, { code: 'rest_no_route', message: 'No.' });
  if (listing.refuses && searchParams.has('status')) return send(400, { code: 'rest_invalid_param', message: 'No.' });
  const page = listing.repeats ? 1 : Number(searchParams.get('page'));
  const ids = listing.pages[page - 1];
  if (!ids) return send(400, { code: 'rest_post_invalid_page_number', message: 'No.' });
  return send(
    200,
    ids.map((id) => ({ id, title: { rendered: `Event ${id}` } })),
    listing.counts === false ? {} : { 'X-WP-TotalPages': String(listing.pages.length) },
  );
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
afterAll(() => server.close());
const remoteAt = (namespace: string) =>
  connectTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}/wp-json/${namespace}`, 'Basic x', transportHere());

it.each<[string, Listing, number[]]>([
  ['one page', { pages: [[1, 2]] }, [1, 2]],
  ['short pages of a contributor, who may not read all', { pages: [[1], [], [2, 3]] }, [1, 2, 3]],
  ['a site that ignores the page', { pages: [hundred, [101]], repeats: true }, hundred],
  ['a site without a number of pages', { pages: [hundred, [101, 102]], counts: false }, [...hundred, 101, 102]],
  ['a site that refuses other statuses', { pages: [[1, 2]], refuses: true }, [1, 2]],
])('hidden events are found: %s', async (_, shown, ids) => {
  listing = shown;
  for (const namespace of ['brand/events/v1', 'brand/v2']) {
    const remote = remoteAt(namespace);
    requests = 0;
    expect((await remote.allEvents!()).map(({ id }) => id)).toEqual(ids);
    expect(requests).toBeLessThan(6);
    await remote.close();
  }
});

it('a site with another namespace has its title, its time zone and its user', async () => {
  const remote = remoteAt('brand/v2');
  expect(await Promise.all([remote.about(), remote.user!()])).toMatchObject([
    { name: 'Town', timezone: 'Europe/Berlin' },
    { isConfirmed: true, mayPublish: true },
  ]);
  await remote.close();
});
