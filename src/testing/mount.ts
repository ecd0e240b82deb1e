import type http from 'node:http';
import { resolve } from 'node:path';
import { serveCalendar } from '../data/serving/serve.ts';
import { watchPath } from '../data/serving/watch.ts';
import { controlPath, feedPath, folderOf, isLoopback, isProxied, pathInFolder, worldsPath } from '../model/addresses.ts';
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
  /** True for a feed of the site, whose other pages in the root are those of the app. */
  isFeed(incoming: http.IncomingMessage): boolean;
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
  { config, ...given }: MountOptions,
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
  return {
    calendar,
    paths: [
      ...[controlPath, worldsPath, `${basePath}/${namespace}`, basePath + feedPath, ...(basePath === '' ? [] : [basePath])],
      // Below the folder of a site, its pages are not those of the app.
      ...(siteFolder === ''
        ? []
        : [...siteFolders(served.store.settings.slugs).map(([name]) => name), 'feed'].map((name) => `${siteFolder}/${name}`)),
    ],
    handle(incoming, outgoing) {
      // HTTP/2 has another header for it.
      incoming.headers.host ??= incoming.headers[':authority'] as string | undefined;
      const [path = '', query] = ((incoming as { originalUrl?: string }).originalUrl ?? incoming.url ?? '/').split('?');
      if (incoming.method === 'GET' && isToolPath(path)) {
        outgoing.writeHead(302, { Location: `${pagePath}${path}${query === undefined ? '' : `?${query}`}` }).end();
      } else listener.onRequest(incoming, outgoing);
    },
    isFeed(incoming) {
      const [path = '', query = ''] = (incoming.url ?? '/').split('?');
      const { slugs } = served.store.settings;
      const place = siteAddressOf(pathInFolder(path, basePath), slugs);
      return place !== undefined && (place.ending !== undefined || isFeedAddress('/', parseQuery(query), slugs));
    },
    async close() {
      await unwatch?.();
      listener.stop();
      await calendar.close();
    },
  };
}
