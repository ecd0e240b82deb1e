/** Callers that may use the control API besides the owner: everyone, or callers with the control token. */
export type ControlReach = 'everyone' | 'token';

/** The path of the control API, independent of the base path of a server. */
export const controlPath = '/_calendar';

export const isControl = (path: string): boolean => path.startsWith(controlPath) && /^(\/|$)/.test(path.slice(controlPath.length));

/** Path of the iCalendar feed. */
export const feedPath = '/calendar.ics';

/** Path of WordPress' own routes below the base path. */
export const wordpressPath = '/wp/v2';

/** The folder of a site whose API is below `/wp-json`, like `/blog` of `/blog/wp-json`; empty for a site at the root, and for other base paths. */
export const folderOf = (basePath: string): string => /^(.*)\/wp-json$/.exec(basePath)?.[1] ?? '';

/** A path below the folder of a site. The root has the addresses without the folder, too. */
export function pathInFolder(path: string, basePath: string): string {
  const folder = folderOf(basePath);
  return folder !== '' && (path === folder || path.startsWith(`${folder}/`)) ? path.slice(folder.length) || '/' : path;
}

/** True for paths whose parameter `rest_route` contains the route, as on a site without rewriting. */
export const isFrontPath = (path: string, basePath: string): boolean => ['/', '/index.php'].includes(pathInFolder(path, basePath));

/** True if a path is absolute: it starts with `root`, or belongs to the feed or the control API. */
export const isAbsolute = (path: string, root: string): boolean =>
  path === root || path.startsWith(`${root}/`) || path === feedPath || isControl(path);

/** Path before those of a world; its ID follows. */
export const worldsPath = '/_worlds';

/** The paths below which everything is the calendar's, where an app has the rest of its origin: the control API, worlds, the API, its feed, and WordPress' own routes. */
export const calendarPaths = (basePath: string, namespace: string): string[] => [
  ...[controlPath, worldsPath, `${basePath}/${namespace}`, basePath + feedPath],
  basePath === '' ? wordpressPath : basePath,
];
/** Header that selects a world. It doesn't follow the header prefix of a server. */
export const worldHeader = 'X-Calendar-World';
/** Cookie that selects a world. */
export const worldCookie = 'calendar_world';

/** The start of a path that selects a world, like `/_worlds/ID`; empty for other paths. */
export const worldPrefixOf = (path: string): string => /^\/_worlds\/[^/]+/.exec(path)?.[0] ?? '';

/** The address of a server or of one of its worlds, without the rest of the path. */
export function serverUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + worldPrefixOf(pathname);
}

/** The addresses of a calendar, by that of its API: its control API, and its server or world, where its pages are. */
export function addressesOf(url: string): { url: string; control: string; root: string } {
  const root = serverUrl(url);
  return { url, control: `${root}${controlPath}`, root };
}

/** A URL with the prefix of a world, instead of the one that it has. */
export function urlInWorld(url: string, id: string): string {
  const { origin, pathname, search } = new URL(url);
  return `${origin}${worldsPath}/${id}${pathname.slice(worldPrefixOf(pathname).length)}${search}`;
}

/** An address without the prefix of the page and of a world, for identities that are the same everywhere. */
export const withoutWorld = (address: string): string => address.replace(/(\/_calendar\/page)?(\/_worlds\/[^/]+)?$/, '');

/** True for names and addresses of this machine, also for names with the dot of the root at the end. */
export const isLoopback = (host: string): boolean => /^(?:(?:.+\.)?localhost|127(?:\.\d+){3})\.?$|^\[?::1\]?$/.test(host);

/** True for an IPv4 or IPv6 address, without brackets and zone. */
export const isIpAddress = (host: string): boolean =>
  /^(?:(?:\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])(?:\.(?!$)|$)){4}$/.test(host) ||
  (/^[\da-f:.]+$/i.test(host) && host.includes(':') && URL.canParse(`http://[${host}]`));

/** The host, without brackets, and the port that a socket for a URL connects to. */
export const socketAddressOf = ({ hostname, port, protocol }: URL): { host: string; port: number } => ({
  host: hostname.replace(/^\[|\]$/g, ''),
  port: Number(port || (protocol === 'https:' ? 443 : 80)),
});

/** Headers that proxies add, besides those that begin with `x-forwarded-`. */
const proxyHeaders = new Set(['forwarded', 'x-real-ip', 'via', 'cf-connecting-ip']);

/** True if a proxy says that it forwards a request. Header names are in lower case. */
export const isProxied = (headers: Readonly<Record<string, unknown>>): boolean =>
  Object.keys(headers).some((name) => proxyHeaders.has(name) || name.startsWith('x-forwarded-'));
