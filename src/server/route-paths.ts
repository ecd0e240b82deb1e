import { pathInFolder } from '../model/addresses.ts';
import { closestWords } from '../model/did-you-mean.ts';
import { type Fault, invalidParams } from '../model/error.ts';
import type { RequestMatch } from '../model/operation-types.ts';
import type { ServerPaths } from '../model/operations/request-match.ts';
import { resourceNames } from '../model/resources/names.ts';
import { defaultSlugs, isSitePath } from '../model/site-address.ts';

const below = new RegExp(`^/(?:(?:${resourceNames.join('|')})(?:/\\d+)?|(?:events|venues|organizers)/by-slug/[^/]+|doc|openapi\\.json)?$`);
/** Paths outside the API, besides pages of the site: the roots, the feed, WordPress' own routes, files, the control API and worlds. */
const outside =
  /^\/(?:index\.php|calendar\.ics|(?=[\w-]*sitemap)[\w-]*\.xml|openapi\.json|(?:_calendar|_worlds|wp-content)(?:\/.*)?|wp\/v2\/.+)?$/;

/** True if a route of a server can have an exact path. Patterns such as `*` and `/events/:id` can always match. */
function canHaveRoute(path: string, { basePath, namespace, answersAnyPath, slugs = defaultSlugs }: ServerPaths): boolean {
  if (answersAnyPath || /[*:{]/.test(path)) return true;
  const plain = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
  const root = `${basePath}/${namespace}`;
  const isWithin = (start: string) => plain === start || plain.startsWith(`${start}/`);
  if (isWithin(root)) return below.test(plain.slice(root.length) || '/');
  if (below.test(plain) || outside.test(plain) || isSitePath(plain, slugs)) return true;
  const inFolder = pathInFolder(plain, basePath);
  return outside.test(inFolder) || isSitePath(inFolder, slugs) || (isWithin(basePath) && outside.test(plain.slice(basePath.length) || '/'));
}

/** Throws `rest_invalid_param` for a match whose path no request can have: it would match nothing, so that a check such as `never` passes. */
export function checkPath({ path }: Pick<RequestMatch, 'path'>, server: ServerPaths, at: string): void {
  if (path === undefined || canHaveRoute(path, server)) return;
  const [, first = '', rest = ''] = /^\/([^/]*)(.*)$/s.exec(path.replace(`${server.basePath}/${server.namespace}`, '')) ?? [];
  const [name] = closestWords(first, resourceNames);
  const hint =
    name === undefined || name === first
      ? 'Paths are like /events, /events/26 and /events/by-slug/concert'
      : `Did you mean /${name}${rest}`;
  const fault: Fault = { reason: `${JSON.stringify(path)} has no route. ${hint}? A pattern matches any path, e.g. *${path}` };
  throw invalidParams({ [at]: fault });
}
