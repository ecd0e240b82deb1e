import Negotiator from 'negotiator';
import {
  controlPath,
  feedPath,
  isControl,
  isFrontPath,
  pathInFolder,
  wordpressPath,
  worldCookie,
  worldHeader,
  worldPrefixOf,
  worldsPath,
} from '../model/addresses.ts';
import { Failure } from '../model/error.ts';
import { defaultSlugs, isFeedAddress, type SiteSlugs } from '../model/site-address.ts';
import { pageFolder, pageHeader, pagePrefixOf } from '../model/web-page.ts';
import { parseQuery } from './body.ts';
import type { Exchange, ServedWorld, WorldExchange } from './context.ts';
import { operationsAt } from './control/control.ts';
import type { Handled, HandlerOptions, ServerRequest } from './http.ts';

const header = worldHeader.toLowerCase();
const cookiePattern = new RegExp(`(?:^|;\\s*)${worldCookie}=([^;\\s]*)`);

/** True if a path concerns the server and none of its worlds: the list of worlds, and the files of the page. */
const isOfServer = (path: string) => /^\/worlds(\/|$)/.test(path.slice(controlPath.length)) || path.startsWith(`${pageFolder}/`);

/** The ID of the selected world, and the start of the path that the page and the world have. */
interface Selection {
  id: string | undefined;
  prefix: string;
}

/** The selection of most requests. */
const noWorld: Selection = { id: undefined, prefix: '' };

/** The world that a request selects, by its path, else by its header, else by its cookie, and the start of the path that selected the page or the world. Throws `bad-request` if path and header differ. */
function selectedWorld({ path, headers }: Pick<ServerRequest, 'path' | 'headers'>): Selection {
  const headerId = headers[header];
  if (headerId === undefined && headers.cookie === undefined && !path.startsWith('/_')) return noWorld;
  const cookie = headers.cookie === undefined ? undefined : cookiePattern.exec(headers.cookie)?.[1];
  const page = pagePrefixOf(path);
  const place = worldPrefixOf(path.slice(page.length));
  const prefix = page + place;
  if (prefix === '' && headerId === undefined && cookie === undefined) return { id: undefined, prefix };
  if (isOfServer(path.slice(prefix.length))) return { id: undefined, prefix };
  if (place === '') return { id: headerId ?? cookie, prefix };
  const id = place.slice(worldsPath.length + 1);
  if (headerId !== undefined && headerId !== id)
    throw new Failure('bad-request', `The path selects the world ${JSON.stringify(id)}, but ${worldHeader} is ${JSON.stringify(headerId)}`);
  return { id, prefix };
}

/** Finds the world that a request selects, by default the calendar of the server, and removes from its path what selected the world. */
export function selectWorld(
  request: ServerRequest,
  exchange: Exchange,
  next: (request: ServerRequest, exchange: WorldExchange) => Handled,
): Handled {
  const { server } = exchange;
  let selected = request;
  let world: ServedWorld;
  try {
    const { id, prefix } = selectedWorld(request);
    const { prefix: folder = '' } = request;
    if (prefix !== '' || id !== undefined)
      selected = { ...request, prefix: folder + prefix, world: id, path: request.path.slice(prefix.length) || '/' };
    world = server.worldFor(request, id);
  } catch (error) {
    if (error instanceof Failure && error.code === 'unknown-world' && isForData(selected, server)) server.refuse(request, error);
    return withBody(request, exchange, server.options.maxBody, () => Promise.reject(error));
  }
  const ofWorld = Object.assign(exchange, { world });
  return world.during ? world.during(() => next(selected, ofWorld)) : next(selected, ofWorld);
}

/** Reads the body of a request, if it has one, before its response is made. */
export function withBody(
  request: ServerRequest,
  { arrival: { read } }: Exchange,
  maxBytes: number,
  next: (request: ServerRequest) => Handled,
): Handled {
  return read ? read(maxBytes).then((body) => next({ ...request, body })) : next(request);
}

export const unknownWorld = (id: string): Failure =>
  new Failure('unknown-world', `World ${JSON.stringify(id.slice(0, 100))} does not exist`, 'Create it with POST /_calendar/worlds.');

/**
 * Returns whether a request changes the state of a calendar, or checks its request log. Without a world, a fault, a clock or a reset would affect no request of a test, and each "never" would
 * pass. On the page, a person sees whose state it is.
 */
const isOperation = ({ method, path, headers }: ServerRequest): boolean =>
  method !== 'GET' &&
  headers[pageHeader] === undefined &&
  operationsAt(path).some(({ operation }) => operation.method === method && !operation.ofServer);

/** Returns whether a request gets, changes or checks what each world has: neither what is about the server, the page and its reads, a preflight request, nor a document about the server. */
export function isForData(
  request: ServerRequest,
  {
    options: { basePath, namespace },
    slugs = defaultSlugs,
  }: { options: Pick<HandlerOptions, 'basePath' | 'namespace'>; slugs?: SiteSlugs },
): boolean {
  const { method, headers } = request;
  if (isControl(request.path)) return isOperation(request);
  if (request.ownCall === 'page') return false;
  if (method === 'OPTIONS' && headers['access-control-request-method'] !== undefined) return false;
  if (request.path === '*') return false;
  const path = request.path.replace(/\/$/, '');
  const below = [`${basePath}/${namespace}`, basePath + wordpressPath, basePath + feedPath];
  if (below.some((start) => `${path}/`.startsWith(`${start}/`))) return true;
  const query = parseQuery(request.query);
  const isFeed = isFeedAddress(pathInFolder(request.path, basePath), query, slugs);
  if (isFrontPath(request.path, basePath) || path === basePath || pathInFolder(path, basePath) === '/openapi.json')
    return query.rest_route !== undefined || isFeed;
  // Pages of records are also available as iCalendar and JSON.
  return isFeed || new Negotiator({ headers }).mediaType(['text/html', 'application/json']) === 'application/json';
}
