import { Failure } from '../model/error.ts';
import { controlPath } from '../model/operations/control.ts';
import { pageFolder, pagePrefixOf } from '../model/web-page.ts';
import { worldCookie, worldHeader, worldPrefixOf, worldsPath } from '../model/worlds.ts';
import type { Request } from './http.ts';

/** The parts of a request that select a world. */
export type WorldSelector = Pick<Request, 'path' | 'headers'>;

const header = worldHeader.toLowerCase();
const cookiePattern = new RegExp(`(?:^|;\\s*)${worldCookie}=([^;\\s]*)`);

/** Returns whether a path concerns the server and none of its worlds: the list of worlds, and the files of the page. */
const isOfServer = (path: string) => /^\/worlds(\/|$)/.test(path.slice(controlPath.length)) || path.startsWith(`${pageFolder}/`);

/** The ID of the selected world, and the start of the path that the page and the world have. */
export interface WorldSelection {
  id: string | undefined;
  prefix: string;
}

/** Returns the world that a request selects, by its path, else by its header, else by its cookie, and the start of the path that selected the page or the world. Throws `bad-request` if path and header differ. */
export function selectedWorld({ path, headers }: WorldSelector): WorldSelection {
  const headerId = headers[header];
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
