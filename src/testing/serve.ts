import type { OpenSource } from '../data/ingest/source.ts';
import { fill, putSettings } from '../data/initial-state.ts';
import { nodeFor } from '../data/operations/context.ts';
import { readOnlyService } from '../data/serving/controlled-world.ts';
import { defaultServing, plainBasePath, plainNamespace, type ServingOptions } from '../data/serving/options.ts';
import { type RunningServer, serveCalendar } from '../data/serving/serve.ts';
import { isEmpty } from '../data/transaction.ts';
import { checkRoles, putUsers, usersOf } from '../data/users.ts';
import { folderOf, isProxied, serverUrl, urlInWorld, worldHeader, worldPrefixOf, worldsPath } from '../model/addresses.ts';
import { Failure } from '../model/error.ts';
import { concatBytes } from '../model/formats/bytes.ts';
import type { FaultInput, WorldInput } from '../model/operation-types.ts';
import { type CalendarControl, type OperationName, operations } from '../model/operations/all.ts';
import type { checkInput } from '../model/operations/check-input.ts';
import type { Operation } from '../model/operations/operation.ts';
import { namespaceIn, taxonomyOf } from '../model/routes.ts';
import { serverOptionRows } from '../model/server-options.ts';
import { readInstant } from '../model/time/time.ts';
import { owner } from '../model/viewer.ts';
import { tooLarge } from '../server/body.ts';
import { noBody, type ServerRequest } from '../server/http.ts';
import { serviceOf } from '../store/service.ts';
import { imageOf } from '../store/snapshots.ts';
import type { ControlledCalendar } from './calendar.ts';
import { faceOf } from './face.ts';
import { fetchOver } from './fetch.ts';
import { shown } from './guarded.ts';
import { type CalendarOptions, calendarChecks, checkedOptions, defined, instantText, readSeedOption, settingTexts } from './options.ts';
import { fetchResponse } from './response.ts';

/** Reads the body of a web request, and adds its length to the headers. Firefox has no streams of requests, and Safari can't iterate over a stream. */
async function readBody(request: Request, headers: Record<string, string>, maxBytes: number): Promise<Uint8Array> {
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const reader: ReadableStreamDefaultReader<Uint8Array> = (request.body ?? (await request.blob()).stream()).getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    chunks.push(read.value);
    size += read.value.length;
    if (size <= maxBytes) continue;
    await reader.cancel().catch(() => {});
    throw tooLarge(maxBytes);
  }
  if (size > 0) headers['content-length'] = String(size);
  return concatBytes(chunks);
}

/** Returns a function that handles web requests with the checks of a server. `isTrusted` is true if its callers may use the control API. `url` may be that of a world. `folder` is the start of every path. */
function handlerOver(handle: RunningServer['handleForeign'], url: string, isTrusted: boolean, folder = ''): ControlledCalendar['handler'] {
  const world = worldPrefixOf(new URL(url).pathname).slice(worldsPath.length + 1);
  return async (incoming) => {
    const { protocol, host, pathname, search } = new URL(incoming.url);
    const headers: Record<string, string> = {};
    for (const [name, value] of incoming.headers) headers[name.toLowerCase()] = value;
    const { host: sentHost } = headers;
    headers.host = host;
    const request: ServerRequest = {
      method: incoming.method,
      path: pathname.slice(folder.length),
      prefix: folder,
      query: search.slice(1),
      headers,
      body: noBody,
      protocol: protocol === 'https:' ? 'https' : 'http',
      sentHost,
      isRemote: !isTrusted || isProxied(headers),
    };
    if (world !== '' && worldPrefixOf(pathname) === '') headers[worldHeader.toLowerCase()] = world;
    const read = incoming.body === null ? undefined : (maxBytes: number) => readBody(incoming, headers, maxBytes);
    const handled = await handle(request, read, () => incoming.signal);
    try {
      return await fetchResponse(handled, incoming.method, incoming.signal);
    } catch (error) {
      if (handled.fault === undefined) throw error;
      return Response.error();
    }
  };
}

/** The parts of a calendar that depend on where it runs. */
export interface Surroundings extends Pick<ServingOptions, 'node' | 'page'> {
  /** Opens the files of seeds and users. */
  open: OpenSource;
  /** The folder of its origin that everything is in, with its control API and its page, like `/preview`; none by default. */
  folder?: string;
  /** Resolves when the requests have arrived at the server of a calendar that this process started to send before. Absent where no calendar listens. */
  arrivalAt?(url: string): Promise<void>;
}

/** See {@link createCalendar}. `keepsRunning` overrides whether the process runs until the calendar is closed. */
export async function createServed(options: CalendarOptions, here: Surroundings, keepsRunning?: boolean): Promise<ControlledCalendar> {
  const served = await servedOptions(options, here);
  return serve({ ...served, keepsRunning: keepsRunning ?? served.keepsRunning });
}

/** Returns the options of a server. Throws `bad-request` for invalid ones, and for those that the surroundings lack. */
export async function servedOptions(options: CalendarOptions, here: Surroundings): Promise<ServedOptions> {
  const valid = checkedOptions('createCalendar', options, calendarChecks);
  for (const [name, { needsNode }] of serverOptionRows)
    if (needsNode && (valid[name as keyof CalendarOptions] ?? false) !== false) nodeFor(name, here.node);
  const {
    seed,
    now,
    timezone,
    settings,
    users,
    faults,
    control,
    hooks,
    page = true,
    basePath,
    namespace,
    config: _,
    pull,
    image,
    ...rest
  } = valid;
  for (const name of ['seed', 'file', 'pull'] as const)
    if (image !== undefined && valid[name] !== undefined) throw new Failure('bad-request', `Use either image or ${name}, not both`);
  for (const name of ['port', 'host', 'tlsCert', 'tlsKey'] as const)
    if (rest.listen === false && rest[name] !== undefined)
      throw new Failure('bad-request', `Use either ${name} or listen: false, not both`);
  if (faults?.length) {
    const { checkInput } = await import('../model/operations/check-input.ts');
    for (const fault of faults) checked(operations.addFault, fault, checkInput);
  }
  checkRoles(users, { file: rest.file, host: rest.host ?? defaultServing.host });
  const site = pull === undefined ? undefined : await siteAt(pull, namespace);
  const first = settingTexts({ ...settings, timezone: timezone ?? settings?.timezone });
  return {
    ...fixedOptions,
    ...rest,
    image: image && (await imageOf(image)),
    surroundings: here,
    node: here.node,
    listen: here.node ? rest.listen : false,
    basePath: plainBasePath(basePath ?? defaultServing.basePath),
    namespace: plainNamespace(namespace ?? (site && namespaceIn(site.root)) ?? defaultServing.namespace),
    isDefaultNamespace: site?.namespace !== undefined,
    pull: site,
    faults: faults as readonly FaultInput[] | undefined,
    control,
    keepsRunning: rest.port !== undefined,
    hooks: hooks && { functions: hooks },
    open: control ?? rest.file === undefined,
    seed: seed === undefined ? undefined : typeof seed === 'string' ? seed : 'a fixture',
    now: now === undefined ? undefined : instantOf(now, first.timezone),
    page: page ? here.page : undefined,
    async prepare(store) {
      // A file may have changed since the start.
      const read = seed === undefined ? undefined : await readSeedOption(seed, here.open);
      if (users !== undefined) await putUsers(store, await usersOf(users, here.open));
      if (read && isEmpty(store)) await fill(store, read.seed, first, { name: read.name ?? 'the seed' });
      else await putSettings(store, first);
    },
  };
}

/** Options of every calendar in this process. */
const fixedOptions = {
  ...defaultServing,
  port: 0,
  timeout: 5000,
  keepsStart: true,
  keepsRunning: false,
  system: () => Date.now(),
} as const;

/** An instant; without an offset it is in the calendar's time zone. */
function instantOf(now: string | Date, zone?: string): number {
  const instant = readInstant(instantText(now), zone);
  if (instant !== undefined) return instant;
  throw new Failure('bad-request', `Invalid now ${shown(now)}`, 'Write it like 2027-03-01T09:00:00Z.');
}

/** Options of a calendar in this process, with its explicit `control`. */
type ServedOptions = ServingOptions & Pick<CalendarOptions, 'control'> & { surroundings: Surroundings };

/** Serves a calendar and returns its TypeScript API. */
async function serve(options: ServedOptions): Promise<ControlledCalendar> {
  const served = await serveCalendar(options);
  await ready(served);
  return calendarOf(served, options);
}

/** Waits for the first pull, and closes the server if that fails. */
export async function ready({ followed, close }: RunningServer): Promise<void> {
  await followed?.ready.catch(async (error) => {
    await close();
    throw error;
  });
}

/** Returns the site at an address that a test pulls from. */
async function siteAt(url: string, namespace: string | undefined): Promise<Required<ServingOptions>['pull']> {
  if (!URL.canParse(url)) throw new Failure('bad-request', `Invalid pull ${shown(url)}: must be a URL`);
  // With a whole address, the option is the path of the copy.
  if (namespace === undefined && namespaceIn(url) === undefined) return { root: url, namespace: defaultServing.namespace };
  return { root: (await import('../client/site.ts')).rootUrl(url, namespaceIn(url) ?? namespace) };
}

export const calendarOf = (served: RunningServer, options: ServedOptions): ControlledCalendar =>
  faceOfWorld(served, options, { ...served, url: served.root }, () => served.close());

function faceOfWorld(
  served: RunningServer,
  options: ServedOptions,
  { world, control, url }: Pick<RunningServer, 'world' | 'control'> & { url: string },
  close: () => Promise<void>,
): ControlledCalendar {
  const service = serviceOf(world.store);
  const { namespace, publicUrl } = served.worlds.options;
  const { surroundings } = options;
  const { taxonomy = taxonomyOf(namespace) } = options;
  const publicAddress = publicUrl === undefined ? url : publicUrl + new URL(url).pathname;
  return faceOf({
    url,
    fetch: fetchOver(served.handle, url),
    handler: handlerOver(served.handleForeign, url, options.control === true || options.controlToken !== undefined, surroundings.folder),
    calendar: (options.readOnly ? readOnlyService(service) : service).calendar(owner, {
      home: serverUrl(publicAddress) + folderOf(options.basePath),
      root: publicAddress,
      taxonomy,
      posters: options.posters,
    }),
    control,
    checkedControl: checkedControl(control),
    open: surroundings.open,
    arrival: options.listen === false ? undefined : () => surroundings.arrivalAt!(url),
    fork: () =>
      serve({
        ...options,
        ...world.copy(),
        namespace,
        prepare: undefined,
        pull: undefined,
        file: undefined,
        readOnly: undefined,
        port: 0,
        keepsRunning: false,
        open: true,
      }),
    async openWorld(input) {
      const { checkInput } = await import('../model/operations/check-input.ts');
      // Its owner closes it, and calling its methods sends no requests.
      const worldInput = { ttl: ownedTtl, ...(checkInput(operations.createWorld, input) as WorldInput) };
      const { id, name, server } = await served.worlds.open(worldInput);
      const parts = { world: server.world, control: server.control, url: urlInWorld(served.root, id) };
      return Object.assign(
        faceOfWorld(served, { ...options, readOnly: false }, parts, () => served.worlds.remove(id)),
        { id, name },
      );
    },
    close,
  });
}

/** Time after which an unused world is deleted whose owner is in this process. */
const ownedTtl = 'P7D';

/** Serves a copy of a calendar from the bytes of its SQLite file. */
export const serveCopy = (
  bytes: Uint8Array,
  surroundings: Surroundings,
  options: Pick<ServingOptions, 'basePath' | 'namespace' | 'now' | 'system'>,
) => {
  const { node, page } = surroundings;
  return serve({ ...fixedOptions, open: true, surroundings, node, page, ...options, image: bytes });
};

/** Checks the input of an operation. The function of a fault has no schema. */
function checked(operation: Operation, input: object, check: typeof checkInput): object {
  const patch = (input as { then?: { patch?: unknown } }).then?.patch;
  if (typeof patch !== 'function') return check(operation, input) as object;
  return { ...(check(operation, { ...input, then: { patch: {} } }) as object), then: { patch } };
}

/** Checks the inputs of operations as a server does. */
function checkedControl(control: CalendarControl): CalendarControl {
  const methods = Object.entries(control as Record<string, (input?: unknown, signal?: AbortSignal) => Promise<unknown>>).map(
    ([name, method]) => {
      const call = async (given?: object, signal?: AbortSignal) => {
        const input = defined(given);
        // An empty input needs no check, or its method throws.
        if (!Object.keys(input).length) return method(input, signal);
        const { checkInput } = await import('../model/operations/check-input.ts');
        return method(checked(operations[name as OperationName], input, checkInput), signal);
      };
      return [name, call];
    },
  );
  return Object.fromEntries(methods);
}
