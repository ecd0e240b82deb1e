import { Failure } from '../model/error.ts';
import { isObject } from '../model/fields/coerce.ts';
import { namespaceIn, postTypeOf, taxonomyOf } from '../model/routes.ts';
import type { Send } from './collection.ts';
import { assertHere, type LocatedSite } from './located-site.ts';
import { contentOf, parsedJson, type RemoteResponse, withUser } from './response.ts';

/** Maximum number of pages of 100 events that are read to find hidden ones. */
const maxEventPages = 1000;

/** True if a site confirms the user of the credentials, and if the user may publish, as far as it tells. Throws the site's failure if it rejects them. */
export async function confirmUser(site: LocatedSite, send: Send): Promise<{ isConfirmed: boolean; mayPublish?: boolean }> {
  const url = site.siteUrl('/wp/v2/users/me', 'context=edit');
  const me = url === undefined ? undefined : await site.readUrl(url);
  if (me?.status === 401) rejectUser(site, me, url!);
  const content = me?.status === 200 ? parsedJson(me.body) : undefined;
  if (isObject(content)) return { isConfirmed: true, mayPublish: mayPublish(content) };
  const { response, address } = await send('GET', '/events', { query: { status: 'draft', per_page: '1' } });
  assertHere(response, address);
  // The first page of an empty list is 404.
  return { isConfirmed: response.status === 200 || response.status === 404 };
}

/** Every event that the user may know, also those that lists don't show. */
export async function allEvents(site: LocatedSite): Promise<{ id: number; title: string }[]> {
  const titles = new Map<number, string>();
  const type = await typeOfEvents(site);
  const url = (page: number) => site.siteUrl(`/wp/v2/${type}`, `per_page=100&page=${page}&_fields=id,title`)!;
  const statuses = '&status=publish,future,draft,pending,private';
  let isAny = true;
  for (let page = 1; type && page <= maxEventPages; page++) {
    let response = await site.readUrl(url(page) + (isAny ? statuses : ''));
    if (isAny && page === 1 && [400, 401, 403].includes(response.status)) {
      // Users who may not read drafts may not request them.
      isAny = false;
      response = await site.readUrl(url(page));
    }
    const content = response.status === 200 ? parsedJson(response.body) : undefined;
    // Sites need not have this route, and a page after the last one is an error.
    if (!Array.isArray(content) || content.some((each) => !Number.isInteger(each?.id))) break;
    const before = titles.size;
    for (const { id, title } of content) titles.set(id, String(title?.rendered ?? id));
    // Some sites ignore the number of the page.
    if (content.length > 0 && titles.size === before) break;
    // Pages lack the records that the user may not read, so that a short one may have others after it.
    const pages = Number(response.headers['x-wp-totalpages']);
    if (pages > 0 ? page >= pages : content.length < 100) break;
  }
  return [...titles].map(([id, title]) => ({ id, title }));
}

/** Throws that a site rejects the user, by name. */
function rejectUser({ typed, credentials }: LocatedSite, response: RemoteResponse, url: string): void {
  try {
    contentOf(response, url);
  } catch (error) {
    const [, encoded = ''] = /^Basic (\S+)$/.exec(credentials.authorization ?? '') ?? [];
    const name = Buffer.from(encoded, 'base64').toString().split(':')[0];
    throw name && error instanceof Failure ? withUser(error, new URL(typed).host, name) : error;
  }
}

/** The post type of the events, by the namespace or, if that is another one than usual, by the list of types. */
async function typeOfEvents(site: LocatedSite): Promise<string | undefined> {
  const carried = namespaceIn(site.root);
  if (carried !== undefined) return postTypeOf(taxonomyOf(carried));
  const url = site.siteUrl('/wp/v2/types', '_fields=slug');
  if (url === undefined) return undefined;
  const { status, body } = await site.readUrl(url);
  const types = status === 200 ? parsedJson(body) : undefined;
  return isObject(types) ? Object.keys(types).find((name) => name.endsWith('_events')) : undefined;
}

/** True if a user may publish, from the capabilities that a site shows; undefined if it shows none. */
function mayPublish({ capabilities }: Record<string, unknown>): boolean | undefined {
  if (!isObject(capabilities)) return undefined;
  return Object.entries(capabilities).some(
    ([name, isGranted]) => isGranted === true && /^publish_.*(events|posts)$|^administrator$/.test(name),
  );
}
