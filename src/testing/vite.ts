import type http from 'node:http';
import { relative } from 'node:path';
import { Failure } from '../model/error.ts';
import { atCallSite, callSiteOf, completeText } from './guarded.ts';
import type { Mounted } from './mount.ts';
import type { MountOptions } from './options.ts';

/** The parts of a dev server of Vite that the plugin uses. */
interface DevServer {
  config: { root: string; logger: { info(text: string): void; error(text: string): void } };
  middlewares: {
    use(path: string, handle: (incoming: http.IncomingMessage, outgoing: http.ServerResponse, next: () => void) => void): unknown;
  };
  ws: { send(message: { type: 'full-reload' }): void };
  resolvedUrls: { local: string[]; network: string[] } | null;
  printUrls(): void;
}

/** A calendar and the dev servers that use it: a restart opens the next one before it closes the last. */
interface Shared {
  users: number;
  server: DevServer;
  opening: Promise<Mounted>;
}

const registry: { [key: symbol]: Map<string, Shared> | undefined } = globalThis;
const registryKey = Symbol.for('local-calendar/vite');

/** Opens the calendar of a dev server, or returns that of the server before its restart. */
function sharedFor(key: string, server: DevServer, options: MountOptions): Shared {
  registry[registryKey] ??= new Map();
  const all = registry[registryKey];
  const mounted = all.get(key);
  if (mounted) return Object.assign(mounted, { server });
  const shared: Shared = { users: 0, server, opening: undefined as never };
  const onReload = (file: string, error?: Error) => {
    const { config, ws } = shared.server;
    const text = error instanceof Failure ? completeText(error) : error?.message;
    if (error) config.logger.error(`calendar: ${text}${text?.includes('\n') ? '\n' : '. '}The calendar is unchanged.`);
    else config.logger.info(`calendar: Reloaded ${relative(config.root, file)}`);
    if (!error) ws.send({ type: 'full-reload' });
  };
  const onProblem = (line: string) => shared.server.config.logger.info(`calendar: ${line}`);
  shared.opening = atCallSite(callSiteOf(sharedFor), async () => {
    const { mountCalendar } = await import('./mount.ts');
    return mountCalendar(options, server.config.root, onReload, onProblem);
  });
  all.set(key, shared);
  return shared;
}

async function release(key: string): Promise<void> {
  const shared = registry[registryKey]?.get(key);
  if (!shared) return;
  shared.users -= 1;
  if (shared.users > 0) return;
  registry[registryKey]!.delete(key);
  await (await shared.opening).close();
}

/**
 * Mounts a calendar in the dev server of Vite: API, control API, feeds of the site, and the page below `/_calendar/page/`. It outlives restarts of the server with the same options.
 * @example export default defineConfig({ plugins: [vitePlugin({ seed: 'demo' })] });
 */
export function vitePlugin(options: MountOptions = {}): object {
  let key = '';
  return {
    name: 'local-calendar',
    apply: 'serve' as const,
    async configureServer(server: DevServer): Promise<void> {
      key = JSON.stringify([server.config.root, options], (_, value) => (typeof value === 'function' ? String(value) : value));
      const shared = sharedFor(key, server, options);
      shared.users += 1;
      const mounted = await shared.opening.catch((error) => {
        registry[registryKey]?.delete(key);
        throw error;
      });
      for (const path of mounted.paths) server.middlewares.use(path, mounted.handle);
      server.middlewares.use('/', (incoming, outgoing, next) => (mounted.isSite(incoming) ? mounted.handle(incoming, outgoing) : next()));
      const print = server.printUrls;
      server.printUrls = () => {
        print.call(server);
        const url = server.resolvedUrls?.local[0];
        if (url !== undefined) server.config.logger.info(`  ➜  Calendar: ${new URL('/_calendar/page/', url)}`);
      };
    },
    buildEnd: () => release(key),
  };
}
