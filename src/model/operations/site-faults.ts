import type { FaultFields } from '../operation-types.ts';
import { redirectedName } from '../unknown-names.ts';
import type { SiteFault } from './connection-faults.ts';

/** Effects that only faults of sites have: a redirect to the same address, and updates that reset what they omit. */
export type SiteEffect = { redirect: number } | { resetsOmitted: true };

/** A fault that live sites show to their clients: the requests it affects unless others are given, and its effect. */
interface SiteFaultRow extends Pick<FaultFields, 'match' | 'at'> {
  then: NonNullable<FaultFields['then']> | SiteEffect;
  /** Paths of the requests it affects, unless another one is given. */
  paths?: readonly string[];
  /** True to affect the feeds among these only. */
  isForFeeds?: true;
}

/** Returns the row of a redirect, which its target doesn't meet. */
const redirect = (status: number): SiteFaultRow => ({ match: { query: { [redirectedName]: null } }, then: { redirect: status } });

const html = { 'Content-Type': 'text/html; charset=UTF-8' };
/** A page as servers in front of a site send it. */
export const htmlPage = (title: string, body: string): string =>
  `<!DOCTYPE html><html lang="en"><head><title>${title}</title></head><body>${body}</body></html>`;

/** Faults that live sites show to their clients, by name. */
export const siteFaults: Readonly<Record<SiteFault, SiteFaultRow>> = {
  /** A firewall sends a page with a script instead of the response. */
  'site:challenge': {
    then: {
      status: 403,
      headers: { ...html, Server: 'cloudflare', 'CF-Mitigated': 'challenge' },
      body: htmlPage('Just a moment...', '<noscript>Enable JavaScript and cookies to continue</noscript>'),
    },
  },
  /** PHP prints a notice before the JSON. */
  'site:notice': {
    then: {
      preamble: '<br />\n<b>Notice</b>:  Undefined index: view in <b>/srv/wp-content/plugins/example.php</b> on line <b>3</b><br />\n',
    },
  },
  /** A plugin turns the REST API off for visitors. */
  'site:rest-off': {
    match: { headers: { authorization: null } },
    then: {
      status: 401,
      body: { code: 'rest_login_required', message: 'The REST API is restricted to signed-in users.', data: { status: 401 } },
    },
  },
  /** The site is being updated. */
  'site:maintenance': {
    then: {
      status: 503,
      headers: { ...html, 'Retry-After': '600' },
      body: htmlPage('Maintenance', 'Briefly unavailable for scheduled maintenance. Check back in a minute.'),
    },
  },
  /** The addresses of feeds give the page of the site. */
  'site:html-feed': {
    paths: ['*'],
    isForFeeds: true,
    then: { status: 200, headers: html, body: htmlPage('Events', '<h1>Events</h1>') },
  },
  /** Each page of a list is the first one, so that paging never ends. */
  'site:same-page': { match: { method: 'GET' }, then: { query: { page: null } } },
  /** Updates reset what they omit, as those of the reference do. */
  'site:resets-omitted': {
    match: { method: ['POST', 'PUT', 'PATCH'] },
    paths: ['events', 'venues', 'organizers'].flatMap((name) => [`/${name}/:id`, `/${name}/by-slug/:slug`]),
    then: { resetsOmitted: true },
  },
  /** The site has moved, for example to another scheme or host. */
  'site:redirect': redirect(301),
  'site:redirect-302': redirect(302),
  'site:redirect-303': redirect(303),
  'site:redirect-307': redirect(307),
  'site:redirect-308': redirect(308),
};

/** A fault with the requests and the effect of its name, if it has one. Its own requests add to those. */
export function withSiteFault<Fault extends FaultFields>(
  fault: Fault,
): Omit<Fault, 'then'> & Pick<SiteFaultRow, 'paths' | 'isForFeeds'> & { then?: SiteFaultRow['then'] | Fault['then'] } {
  const { then, match } = fault;
  if (typeof then !== 'string' || !Object.hasOwn(siteFaults, then)) return fault;
  const row = siteFaults[then as SiteFault];
  const { query, headers } = row.match ?? {};
  const joined = { ...row.match, ...match, query: { ...query, ...match?.query }, headers: { ...headers, ...match?.headers } };
  const paths = match?.path === undefined ? row.paths : undefined;
  return { ...row, ...fault, paths, match: row.match || match ? joined : undefined, then: row.then };
}
