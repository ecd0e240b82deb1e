/** Path before those of a world; its ID follows. */
export const worldsPath = '/_worlds';
/** Header that selects a world. It doesn't follow the header prefix of a server. */
export const worldHeader = 'X-Calendar-World';
/** Cookie that selects a world. */
export const worldCookie = 'calendar_world';

/** Returns the start of a path that selects a world, like `/_worlds/ID`; empty for other paths. */
export const worldPrefixOf = (path: string): string => /^\/_worlds\/[^/]+/.exec(path)?.[0] ?? '';

/** Returns the address of a server or of one of its worlds, without the rest of the path. */
export function serverOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + worldPrefixOf(pathname);
}

/** Returns a URL with the prefix of a world, instead of the one that it has. */
export function urlInWorld(url: string, id: string): string {
  const { origin, pathname, search } = new URL(url);
  return `${origin}${worldsPath}/${id}${pathname.slice(worldPrefixOf(pathname).length)}${search}`;
}

/** Returns an address without the prefix of the page and of a world, for identities that are the same everywhere. */
export const withoutWorld = (address: string): string => address.replace(/(\/_calendar\/page)?(\/_worlds\/[^/]+)?$/, '');
