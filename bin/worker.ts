/** The single file of the web build, with the service worker of a static site: see `calendar build`. */

import { serveCalendar } from '../src/data/serving/serve.ts';
import { type Shelf, StoredWorld } from '../src/data/serving/stored-world.ts';
import { calendarPaths } from '../src/model/addresses.ts';
import { Failure } from '../src/model/error.ts';
import { siteFilesFolder, siteMark } from '../src/model/web-page.ts';
import { StorageError } from '../src/store/sqlite/sql.ts';
import type { CalendarOptions } from '../src/testing/options.ts';
import { calendarOf, type Surroundings, servedOptions } from '../src/testing/serve.ts';
import { pageOf } from '../src/web/document.ts';
import { loadSqliteFrom } from './machine/web.ts';

export * from './web.ts';

/** The content of the script of a worker, which changes with every file of the site. */
interface SiteConfiguration {
  /** Hash of everything. */
  version: string;
  /** Hash of the calendar. */
  data: string;
  options: CalendarOptions & { basePath: string; namespace: string };
  /** The seed that the site was built with, which is shown. */
  seed?: string;
  /** Names of the files of the page. */
  assets: readonly string[];
  /** Names of the files with SQLite, and with the calendar: its image, or the fixture that fills it. */
  wasm: string;
  calendar?: string;
}

/** The used parts of the platform of a service worker, whose types those of node exclude. */
interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface Fetched extends WorkerEvent {
  request: Request;
  respondWith(response: Promise<Response>): void;
}
interface Cache {
  addAll(addresses: string[]): Promise<void>;
  match(address: string): Promise<Response | undefined>;
}
interface Asked<T> extends EventTarget {
  result: T;
  error: Error | null;
}
interface StoredObjects {
  get(name: string): Asked<unknown>;
  getAll(): Asked<unknown[]>;
  getAllKeys(): Asked<string[]>;
  put(value: unknown, name: string): void;
  delete(name: string): void;
}
interface StoredTransaction extends EventTarget {
  error: Error | null;
  objectStore(name: string): StoredObjects;
  abort(): void;
}
interface ObjectDatabase {
  createObjectStore(name: string): void;
  transaction(name: string, mode: 'readwrite', options: { durability: 'strict' | 'relaxed' }): StoredTransaction;
}
declare const self: EventTarget & {
  location: { href: string; origin: string };
  skipWaiting(): Promise<void>;
  registration: { unregister(): Promise<boolean> };
  clients: { claim(): Promise<void> };
  caches: { open(name: string): Promise<Cache>; keys(): Promise<string[]>; delete(name: string): Promise<boolean> };
  indexedDB: { open(name: string, version: number): Asked<ObjectDatabase> };
};

const resultOf = <T>(request: Asked<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error));
  });

/** The database of a site in a folder. */
function shelfOf(folder: string): Shelf {
  const name = 'calendar';
  const owner = crypto.randomUUID();
  let database: ObjectDatabase | undefined;
  const open = () => {
    const opening = self.indexedDB.open(`calendar ${folder}`, 1);
    opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore(name));
    return resultOf(opening);
  };
  async function within<T>(durability: 'strict' | 'relaxed', work: (objects: StoredObjects) => Promise<T>): Promise<T> {
    let transaction: StoredTransaction | undefined;
    try {
      database ??= await open();
      const begun = database.transaction(name, 'readwrite', { durability });
      transaction = begun;
      const ended = new Promise<void>((resolve, reject) => {
        begun.addEventListener('complete', () => resolve());
        begun.addEventListener('abort', () => reject(begun.error));
      });
      // It is awaited below, unless the work fails.
      ended.catch(() => {});
      const result = await work(begun.objectStore(name));
      await ended;
      return result;
    } catch (error) {
      try {
        transaction?.abort();
      } catch {
        // It has ended.
      }
      throw error instanceof StorageError ? error : new StorageError('io', `The browser could not store the calendar: ${String(error)}`);
    }
  }
  return {
    read: () =>
      within('relaxed', async (objects) => {
        const [names, values] = await Promise.all([resultOf(objects.getAllKeys()), resultOf(objects.getAll())]);
        objects.put(owner, 'owner');
        return new Map(names.map((each, index) => [each, values[index]] as const).filter(([each]) => each !== 'owner'));
      }),
    write: (changes, isDurable) =>
      within(isDurable ? 'strict' : 'relaxed', async (objects) => {
        if ((await resultOf(objects.get('owner'))) !== owner)
          throw new StorageError('conflict', 'Another version of this site has taken over the calendar', 'Send the request again.');
        for (const [each, value] of changes)
          if (value === undefined) objects.delete(each);
          else objects.put(value, each);
      }),
  };
}

/** Runs the service worker of a static site in the folder of its script. Everything is called while that script is evaluated for the first time, as browsers require. */
export function serveSite(site: SiteConfiguration): void {
  const { options, version, assets, wasm, calendar } = site;
  const { basePath, namespace } = options;
  const folder = new URL('.', self.location.href).pathname.replace(/\/$/, '');
  const addressOf = (name: string) => `${folder}/${siteFilesFolder}/${name}`;
  const files = [wasm, ...(calendar ? [calendar] : []), ...assets].map(addressOf);
  const starts = calendarPaths(basePath, namespace);
  const cacheName = `calendar ${folder} `;
  const news = new BroadcastChannel(cacheName);
  let opening: Promise<StoredWorld> | undefined;

  async function fileAt(path: string): Promise<Response> {
    const cache = await self.caches.open(cacheName + version);
    return (await cache.match(path)) ?? fetch(path);
  }

  /** The options with the calendar in its file. */
  async function completeOptions(): Promise<CalendarOptions> {
    if (calendar === undefined) return options;
    const response = await fileAt(addressOf(calendar));
    if (!response.ok) throw new StorageError('io', `${response.url} returned status ${response.status}`);
    if (calendar.endsWith('.json')) return { ...options, seed: (await response.json()) as object };
    return { ...options, image: new Uint8Array(await response.arrayBuffer()) };
  }

  async function open(): Promise<StoredWorld> {
    loadSqliteFrom(await fileAt(addressOf(wasm)));
    const complete = await completeOptions();
    const page = pageOf(assets.map((name) => ({ name, type: '', bytes: new Uint8Array() })));
    let opened: StoredWorld | undefined;
    const here: Surroundings = {
      folder,
      open: async (name) => {
        throw new Failure('bad-request', `${name}: files are only available in Node`);
      },
      page: async () => ({
        ...page,
        document: (context, _folder, parts) => page.document({ ...context, ownCopy: opened!.foot }, `${folder}/${siteFilesFolder}`, parts),
      }),
    };
    opened = await StoredWorld.open(shelfOf(folder), { data: site.data, hasSeed: complete.seed !== undefined }, async (image) => {
      const from = image ? { ...complete, seed: undefined, image } : complete;
      const served = { ...(await servedOptions({ ...from, control: true }, here)), seed: site.seed };
      const running = await serveCalendar(served);
      const { handler, close } = calendarOf(running, served);
      return { world: running.world, handler, close };
    });
    return opened;
  }

  async function current(): Promise<StoredWorld> {
    const last = opening;
    // Another request may have opened it again meanwhile.
    if (last && (await last).isOver && opening === last) opening = undefined;
    opening ??= open();
    opening.catch(() => {
      opening = undefined;
    });
    return opening;
  }

  async function calendarResponse(event: Fetched): Promise<Response> {
    const { request } = event;
    try {
      const { response, saved } = await (await current()).handle(request);
      if (saved) event.waitUntil(saved.catch(() => {}));
      return response;
    } catch (error) {
      const { code, message, status } = error instanceof Failure ? error : new Failure('unexpected-failure', String(error));
      if (request.mode === 'navigate') return new Response(message, { status, headers: { 'Content-Type': 'text/plain; charset=utf-8' } });
      return Response.json({ code, message, data: { status } }, { status });
    }
  }

  /** Files of the web server come first, such as those of an app. What it lacks is a page of the calendar, and so is the first page, which waits for this worker. */
  async function fileOrPage(event: Fetched): Promise<Response> {
    const response = await fetch(event.request).catch(() => undefined);
    const isFile = response && (response.ok || response.status === 304 || response.type === 'opaqueredirect');
    const isText = response?.headers.get('content-type')?.startsWith('text/html');
    return isFile && !(isText && (await response.clone().text()).includes(siteMark)) ? response : calendarResponse(event);
  }

  /** Ends this worker where its site was removed, such as on a port of this machine that has another project now. Without a connection, it stays. */
  async function leaveIfRemoved(): Promise<void> {
    const response = await fetch(self.location.href, { cache: 'no-store' } as RequestInit).catch(() => undefined);
    if (!response) return;
    const isScript = response.ok && /javascript/.test(response.headers.get('content-type') ?? '');
    if (response.status === 404 || (response.ok && !isScript)) await self.registration.unregister();
  }

  self.addEventListener('install', (event) => {
    const install = async () => {
      await (await self.caches.open(cacheName + version)).addAll(files);
      await self.skipWaiting();
      // The streams of the version before would keep this one waiting.
      news.postMessage(version);
    };
    (event as WorkerEvent).waitUntil(install());
  });
  news.addEventListener('message', async () => (await opening)?.end());
  self.addEventListener('activate', (event) => {
    const activate = async () => {
      const before = (await self.caches.keys()).filter((name) => name.startsWith(cacheName) && name !== cacheName + version);
      await Promise.all(before.map((name) => self.caches.delete(name)));
      await self.clients.claim();
    };
    (event as WorkerEvent).waitUntil(activate());
  });
  self.addEventListener('fetch', (each) => {
    const event = each as Fetched;
    const { origin, pathname } = new URL(event.request.url);
    const { method } = event.request;
    if (origin !== self.location.origin || !pathname.startsWith(`${folder}/`)) return;
    if (event.request.mode === 'navigate') event.waitUntil(leaveIfRemoved());
    const path = pathname.slice(folder.length);
    if (files.includes(pathname)) event.respondWith(fileAt(pathname));
    else if (starts.some((start) => `${path}/`.startsWith(`${start}/`))) event.respondWith(calendarResponse(event));
    else if (method === 'GET' || method === 'HEAD') event.respondWith(fileOrPage(event));
  });
}
