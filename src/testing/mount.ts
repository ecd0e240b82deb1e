import type http from 'node:http';
import { resolve } from 'node:path';
import { serveCalendar } from '../data/serving/serve.ts';
import { watchPath } from '../data/serving/watch.ts';
import { calendarPaths, folderOf, isLoopback, isProxied, pathInFolder } from '../model/addresses.ts';
import { postersPath, uploadsPath } from '../model/images/poster-image.ts';
import { isSeed } from '../model/operations/formats.ts';
import { isFeedAddress, siteAddressOf, siteFolders } from '../model/site-address.ts';
import { isToolPath, pagePath } from '../model/web-page.ts';
import { parseQuery } from '../server/body.ts';
import { isLocalHost } from '../server/host.ts';
import type { ServerRequest } from '../server/http.ts';
import { logLine } from '../server/journal/log-line.ts';
import { createListener } from '../server/listener.ts';
import type { ControlledCalendar } from './calendar.ts';
import { configuredShape, here } from './here.ts';
import type { MountOptions } from './options.ts';
import { calendarOf, ready, servedOptions } from './serve.ts';

/** A calendar that the server of an app mounts. */
export interface Mounted {
  calendar: ControlledCalendar;
  /** The paths below which it handles requests. */
  paths: readonly string[];
  handle(incoming: http.IncomingMessage, outgoing: http.ServerResponse): void;
  /** True for a feed of the site in the root, and with `pages` for its pages too. The others are the app's. */
  isSite(incoming: http.IncomingMessage): boolean;
  close(): Promise<void>;
}

/** Returns the path of a fixture file; undefined for other seeds. */
function fixtureIn(seed: MountOptions['seed'], folder: string): string | undefined {
  return typeof seed !== 'string' || isSeed(seed) || /^[a-z]+:\/\//i.test(seed) ? undefined : resolve(folder, seed);
}

/** Returns what a socket says about a client. Only a program on this machine that calls it by its name, without a proxy between, is known not to be remote. */
function originOf({ socket, headers }: http.IncomingMessage): Pick<ServerRequest, 'protocol' | 'isRemote'> {
  const peer = (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  return {
    protocol: 'encrypted' in socket ? 'https' : 'http',
    isRemote: !isLoopback(peer) || !isLocalHost(headers.host) || isProxied(headers),
  };
}

/**
 * Opens a calendar without a port, for the server of an app. A `calendar.config.json` of its project gives it the shape of a site, unless `config` is false. A fixture file is read again
 * when it changes; `onReload` is called after it, with the error if it is invalid and changes nothing. `onProblem` is called with a line for each request that failed or got a hint.
 */
export async function mountCalendar(
  { config, pages = false, ...given }: MountOptions,
  folder: string,
  onReload: (file: string, error?: Error) => void,
  onProblem: (line: string) => void,
): Promise<Mounted> {
  const { seed, ...rest } = config === false ? given : { ...(await configuredShape(config ?? false, folder)), ...given };
  const fixture = fixtureIn(seed, folder);
  const options: Awaited<ReturnType<typeof servedOptions>> = {
    ...(await servedOptions({ ...rest, seed: fixture ?? seed, listen: false }, here)),
    onRequest(event) {
      const { text, hasReason } = logLine(event);
      if (hasReason) onProblem(text);
    },
  };
  const watch = fixture === undefined ? undefined : watchPath(fixture);
  const served = await serveCalendar(options);
  // The paths of an empty copy are known when its site has answered.
  if (options.isDefaultNamespace) await ready(served);
  const calendar = calendarOf(served, options);
  const listener = createListener(served.worlds, { hosts: served.hosts, originOf });
  const unwatch = watch?.(() =>
    served.refill().then(
      () => onReload(fixture!),
      (error) => onReload(fixture!, error),
    ),
  );
  const { basePath, namespace } = served.worlds.options;
  const siteFolder = folderOf(basePath);
  /** Says if a site has a page or a feed at an address. */
  const placeOf = (path: string, query = ''): 'page' | 'feed' | undefined => {
    const { slugs } = served.store.settings;
    const address = siteAddressOf(pathInFolder(path, basePath), slugs);
    if (address) return address.ending !== undefined || isFeedAddress('/', parseQuery(query), slugs) ? 'feed' : 'page';
    return undefined;
  };
  return {
    calendar,
    paths: [
      ...calendarPaths(basePath, namespace),
      siteFolder + (rest.media === undefined ? postersPath : uploadsPath),
      // Below the folder of a site, its pages are not those of the app.
      ...(siteFolder === ''
        ? []
        : [...siteFolders(served.store.settings.slugs).map(([name]) => name), 'feed'].map((name) => `${siteFolder}/${name}`)),
    ],
    handle(incoming, outgoing) {
      // HTTP/2 has another header for it.
      incoming.headers.host ??= incoming.headers[':authority'] as string | undefined;
      const [path = '', query] = ((incoming as { originalUrl?: string }).originalUrl ?? incoming.url ?? '/').split('?');
      // There, the links of a page lead to others of the calendar.
      const isMoved = isToolPath(path) || (siteFolder === '' && placeOf(path, query) === 'page');
      if (incoming.method === 'GET' && isMoved) {
        outgoing.writeHead(302, { Location: `${pagePath}${path}${query === undefined ? '' : `?${query}`}` }).end();
      } else listener.onRequest(incoming, outgoing);
    },
    isSite(incoming) {
      const place = placeOf(...((incoming.url ?? '/').split('?') as [string, string?]));
      return place === 'feed' || (place === 'page' && pages);
    },
    async close() {
      await unwatch?.();
      listener.stop();
      await calendar.close();
    },
  };
}
