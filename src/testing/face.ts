import { operationCalls } from '../client/operation-calls.ts';
import type { OpenSource } from '../data/ingest/source.ts';
import { machine } from '../machine.ts';
import { addressesOf } from '../model/addresses.ts';
import { type Calendar, type Entry, type Input, type ResourceName, resourceNames } from '../model/calendar.ts';
import { Failure } from '../model/error.ts';
import type { Done, FaultInfo, WorldInput } from '../model/operation-types.ts';
import type { CalendarControl } from '../model/operations/all.ts';
import { everyRecord } from '../model/paging.ts';
import { isTerms } from '../model/resources/names.ts';
import type { Time } from '../model/time/duration.ts';
import { adaptersOf, followed } from './adapters.ts';
import type { CalendarWorld, ControlledCalendar, RecordRef } from './calendar.ts';
import { rememberWatch, type Watch, watchOf } from './changes.ts';
import { closedFailure, guarded } from './guarded.ts';
import { checkObject, defined, type NewWorld, worldInput } from './options.ts';
import { checkMembers, References } from './references.ts';

/** Turns of the event loop in which calls without a socket reach the calendar. */
const turns = 5;

async function arrivalOfCalls(): Promise<void> {
  for (let i = 0; i < turns; i++) await machine.nextTurn();
}

/** The parts of a controlled calendar. */
interface FaceParts extends Pick<ControlledCalendar, 'url' | 'fetch' | 'handler' | 'fork' | 'close'> {
  /** Creates a world of the same server. */
  openWorld(input: WorldInput): Promise<CalendarWorld>;
  calendar: Calendar;
  /** For calls of this program, whose input is right. */
  control: CalendarControl;
  /** For calls of a test; the same where the server checks the input. */
  checkedControl?: CalendarControl;
  /** Opens the files of seeds and users. */
  open: OpenSource;
  /** Resolves when the requests have arrived that this process started to send before: a reset after it ends them. Absent without a socket. */
  arrival?(): Promise<void>;
  /** The calls between two tests where each waits itself for the arrival of what this process has sent. */
  between?: Pick<CalendarControl, 'beginTest' | 'endTest'>;
}

/** Combines the parts of a calendar into the TypeScript API. */
export function faceOf({
  url,
  fetch,
  handler,
  fork,
  close,
  openWorld,
  calendar,
  control,
  checkedControl = control,
  open: openSource,
  arrival = arrivalOfCalls,
  between,
}: FaceParts): ControlledCalendar {
  const own = between ?? { beginTest: after(arrival, control.beginTest), endTest: after(arrival, control.endTest) };
  const watch: Watch = { control: { ...control, ...own }, waits: new Set() };
  const collections = Object.fromEntries(resourceNames.map((name) => [name, collectionFace(name, calendar, watch)])) as unknown as Pick<
    ControlledCalendar,
    (typeof resourceNames)[number]
  >;
  let closing: Promise<void> | undefined;
  const end = (): Promise<void> => {
    closing ??= close();
    return closing;
  };
  const methods = operationMethods(watched(afterArrival(checkedControl, arrival), watch), openSource);
  const openWatched = async (options?: NewWorld) => {
    const world = await openWorld(await worldInput(options, openSource));
    watchOf(world).waitMs = () => watch.waitMs?.();
    return world;
  };
  const whileOpen = {
    fork,
    ...collections,
    ...methods,
    reset: methods.data.reset,
    worlds: { ...methods.worlds, create: (options?: NewWorld) => openWatched(options) },
  };
  const open = guarded(whileOpen, () => closing === undefined);
  const face: ControlledCalendar = {
    ...addressesOf(url),
    ...open,
    follow: (options) => followed(open.follow(options)),
    async fetch(input, init) {
      // Like the `fetch` of a browser for a server that is gone.
      if (closing) throw new TypeError('fetch failed', { cause: closedFailure() });
      return fetch(input, init);
    },
    async handler(request) {
      if (closing) throw closedFailure();
      return handler(request);
    },
    close: end,
    [Symbol.asyncDispose]: end,
  };
  rememberWatch(face, watch);
  return face;
}

/** The operations that concern the requests which this process has sent. */
const afterArrivalNames = ['reset', 'requests', 'countRequests', 'verifyRequests', 'hints'] as const;

/** A call that waits for the arrival of what this process has sent. */
const after =
  <Input, Output>(arrival: () => Promise<void>, call: (input: Input) => Promise<Output>) =>
  async (input: Input): Promise<Output> =>
    arrival().then(() => call(input));

/** Returns operations of which some wait for the arrival of what this process has sent. */
function afterArrival(control: CalendarControl, arrival: () => Promise<void>): CalendarControl {
  const waiting = afterArrivalNames.map((name) => [name, after(arrival, control[name] as (input: object) => Promise<unknown>)]);
  return { ...control, ...Object.fromEntries(waiting) };
}

/** The operations that create records. */
const creatingNames = ['seed', 'import', 'generate'] as const;

/** The operations that remove faults without returning them. */
const faultDroppingNames = ['clearFaults', 'reset'] as const;

/** Returns operations of which those that create records, add or remove faults, or wait are watched. */
function watched(control: CalendarControl, watch: Watch): CalendarControl {
  const creating = creatingNames.map((name) => {
    const call = control[name] as (input?: object) => Promise<Done>;
    const watchedCall = (input?: object) => {
      const done = call(input);
      watch.onCreate?.(done.then(({ created }) => created));
      return done;
    };
    return [name, watchedCall];
  });
  const faultDropping = faultDroppingNames.map((name) => {
    const call = control[name] as (input?: object) => Promise<unknown>;
    const watchedCall = async (input?: object) => {
      if (watch.onFaultsRemoved) watch.onFaultsRemoved((await control.faults({})).faults);
      return call(input);
    };
    return [name, watchedCall];
  });
  const wait = async <Output>(label: string, call: () => Promise<Output>): Promise<Output> => {
    watch.waits.add(label);
    return call().finally(() => watch.waits.delete(label));
  };
  const timeoutOf = (timeout?: Time) => timeout ?? watch.waitMs?.();
  const removed = (fault: FaultInfo) => {
    watch.onFaultsRemoved?.([fault]);
    return fault;
  };
  return {
    ...control,
    ...Object.fromEntries([...creating, ...faultDropping]),
    addFault: (input) =>
      control.addFault(input).then((fault) => {
        watch.onFault?.(fault);
        return fault;
      }),
    removeFault: (input) => control.removeFault(input).then(removed),
    releaseFault: (input) => control.releaseFault(input).then(removed),
    awaitRequests: (input) =>
      wait(`requests.waitFor(${JSON.stringify(input?.match)})`, () =>
        control.awaitRequests({ ...input, timeout: timeoutOf(input?.timeout) }),
      ),
    awaitFault: (input) => wait(`arrived of fault ${input.id}`, () => control.awaitFault({ ...input, timeout: timeoutOf(input.timeout) })),
  };
}

/** Converts values as JSON does for a server, so that a calendar in this process accepts the same. */
function asJson(input: object = {}): Input {
  checkObject(input);
  return JSON.parse(JSON.stringify(input));
}

function collectionFace(name: ResourceName, calendar: Calendar, watch: Watch) {
  const { control } = watch;
  const records = calendar[name];
  const references = new References(calendar);
  const list = async (parameters?: object) => {
    const values = asJson(parameters);
    await checkMembers(control, name, 'list', values);
    return records.list(queryOf(await references.withIds(name, 'list', values)));
  };
  /** Writes the values of an action, and calls `write` with those that the API takes. */
  const inputOf = async (action: 'create' | 'update', values: Input) => {
    await checkMembers(control, name, action, values);
    return references.withIds(name, action, values);
  };
  return {
    async list(parameters?: object) {
      const { entries, ...page } = await list(parameters);
      return { [name]: entries, ...page };
    },
    async *listAll(parameters: object = {}) {
      // All of them before the first one, since the caller may change the list.
      const all: Entry[] = [];
      for await (const record of everyRecord({ list }, { ...parameters })) all.push(record);
      yield* all;
    },
    async get(ref: RecordRef, parameters?: object) {
      const query = asJson(parameters);
      await checkMembers(control, name, 'get', query);
      return references.withRecord(name, ref, {}, (resolved) => records.get(resolved, query));
    },
    async create(record: object) {
      const created = inputOf('create', asJson(record)).then((input) => records.create(input));
      watch.onCreate?.(created.then(() => 1));
      return created;
    },
    async update(ref: RecordRef, changes: object) {
      const input = await inputOf('update', asJson(changes));
      return references.withRecord(name, ref, input, (resolved) => records.update(resolved, input));
    },
    delete: (ref: RecordRef) => references.withRecord(name, ref, {}, (resolved) => records.delete(resolved)),
    ...(isTerms(name) ? {} : { restore: (ref: RecordRef, status = 'publish') => references.restored(name, ref, status) }),
  };
}

/** Converts parameters as a query does: to strings and lists of strings, without null. Links to other pages repeat them. */
const queryOf = (parameters: Input): Input =>
  Object.fromEntries(
    Object.entries(parameters)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [name, Array.isArray(value) ? value.map(String) : String(value)]),
  );

type Methods = Record<string, (...values: never[]) => Promise<unknown>>;

/** Returns a method that throws `bad-request` for more arguments than it has parameters. */
const withoutMore =
  (name: string, method: Methods[string]): Methods[string] =>
  (...values) => {
    if (values.length <= method.length) return method(...values);
    const count = method.length === 1 ? 'one argument' : method.length === 0 ? 'no arguments' : `${method.length} arguments`;
    throw new Failure('bad-request', `${name} takes ${count}, not ${values.length}`);
  };

/** Throws `bad-request` for a member of a match or an expectation that is undefined: without it, every request would match, or any number of them do. */
function checkComplete(value: unknown, above = ''): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) throw new Failure('bad-request', `${above}${name} is undefined`, 'Omit it, or pass a value.');
    checkComplete(member, `${above}${name}.`);
  }
}

/** The methods of operations, except those of `tests`, which hooks call: of `server` at the top, of `data` and `sync` under `data`, of the other groups under their names. */
function operationMethods(control: CalendarControl, open: OpenSource): Omit<ControlledCalendar, keyof FaceParts | 'reset'> {
  const adapters = adaptersOf(control, open) as unknown as Record<string, Methods>;
  const call = control as unknown as Record<string, (input?: object) => Promise<unknown>>;
  const methods = Object.entries(operationCalls).map(([group, operations]): [string, Methods] => {
    const plain = Object.entries(operations).map(([name, { id, arg, unwrap }]) => {
      const run = async (options: object | undefined, first?: object) => {
        const input = options === undefined ? first : { ...defined(options), ...first };
        const output = await call[id]!(input);
        return (unwrap === undefined ? output : (output as Record<string, unknown>)[unwrap]) ?? undefined;
      };
      if (arg === undefined) return [name, (options?: object) => run(options)];
      if (arg !== 'match') return [name, (first: unknown, options?: object) => run(options, { [arg]: first })];
      const matching = async (match: unknown, options?: object) => {
        checkComplete(match);
        checkComplete(options);
        return run(options, { match });
      };
      return [name, matching];
    });
    const all = Object.entries<Methods[string]>({ ...Object.fromEntries(plain), ...adapters[group] });
    return [group, Object.fromEntries(all.map(([name, method]) => [name, withoutMore(name, method)]))];
  });
  const { server, data, sync, tests: _, ...named } = Object.fromEntries(methods);
  return { ...named, ...server, data: { ...data, ...sync } } as unknown as Omit<ControlledCalendar, keyof FaceParts | 'reset'>;
}
