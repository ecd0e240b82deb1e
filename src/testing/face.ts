import { documentNamed, isSeed } from '../data/seeds.ts';
import { type Calendar, type Collection, type Input, type Ref, type ResourceName, resourceNames } from '../model/calendar.ts';
import { Failure } from '../model/error.ts';
import type { CalendarControl } from '../model/operations/all.ts';
import type { ControlledCalendar, RecordRef } from './calendar.ts';
import { closedFailure, guarded, shown } from './guarded.ts';

/** What a controlled calendar is made of, wherever it is. */
export interface FaceParts extends Pick<ControlledCalendar, 'url' | 'fetch' | 'fork' | 'close'> {
  calendar: Calendar;
  control: CalendarControl;
}

/** Puts the parts of a calendar together as programs use it. Methods take values as people write them, operations one object each. */
export function faceOf({ url, fetch, fork, close, calendar, control }: FaceParts): ControlledCalendar {
  const collections = Object.fromEntries(resourceNames.map((name) => [name, collectionFace(name, calendar[name])])) as Pick<
    ControlledCalendar,
    (typeof resourceNames)[number]
  >;
  let closing: Promise<void> | undefined;
  const end = (): Promise<void> => {
    closing ??= close();
    return closing;
  };
  const whileOpen = {
    fork,
    ...collections,
    clock: {
      get: () => control.clock(),
      set: (now) => control.setClock({ now: instantText(now) }),
      advance(by) {
        if (typeof by === 'string') return control.advanceClock({ by });
        const input = defined(by);
        return control.advanceClock('to' in input ? { ...input, to: instantText(input.to) } : input);
      },
      freeze: () => control.freezeClock(),
      resume: () => control.resumeClock(),
      reset: () => control.resetClock(),
    },
    faults: {
      list: async () => (await control.faults()).faults,
      add: (fault) => control.addFault(fault),
      get: (id) => control.fault({ id }),
      remove: (id) => control.removeFault({ id }),
      async clear() {
        await control.clearFaults();
      },
    },
    requests: {
      list: (input = {}) => control.requests(input),
      count: async (match) => (await control.countRequests({ match })).count,
      verify: async (match, expected) => (await control.verifyRequests({ ...expected, match })).count,
      clear: async () => (await control.clearRequests()).deleted,
    },
    snapshots: {
      list: async () => (await control.snapshots()).snapshots,
      save: (name, options) => control.saveSnapshot({ ...options, name }),
      restore: (name) => control.restoreSnapshot({ name }),
      file: async (name) => (await control.snapshotFile({ name })).slice(),
      delete: (name) => control.deleteSnapshot({ name }),
    },
    settings: {
      list: async () => (await control.settings()).settings,
      change: async (settings) => (await control.changeSettings(settings)).settings,
    },
    users: {
      list: async () => (await control.users()).users,
      add: (user) => control.addUser(user),
      change: (user) => control.changeUser(user),
      async remove(name) {
        await control.removeUser({ name });
      },
    },
    health: () => control.health(),
    reset: (input) => control.reset(defined(input)),
    seed: async (seed, options) => control.seed({ ...defined(options), ...(await seedInput(seed)) }),
    generate: (input) => control.generate(defined(input)),
    import: (input) => control.import(defined(input)),
    export: (input) => control.export(defined(input)),
    shift: (by, options) => control.shift({ ...options, by }),
    undo: () => control.undo(),
    pull: (input) => control.pull(defined(input)),
    push: (input) => control.push(defined(input)),
  } satisfies Partial<ControlledCalendar>;
  return {
    ...{ url, root: new URL(url).origin },
    ...guarded(whileOpen, () => closing === undefined),
    async fetch(input, init) {
      // Nobody answers there any more, as the `fetch` of a browser says it.
      if (closing) throw new TypeError('fetch failed', { cause: closedFailure() });
      return fetch(input, init);
    },
    close: end,
    [Symbol.asyncDispose]: end,
  };
}

/** An instant as operations take it. Fails with `bad-request` for what is neither a text nor a moment. */
export function instantText(instant: unknown): string {
  if (typeof instant === 'string') return instant;
  if (instant instanceof Date && !Number.isNaN(instant.getTime())) return instant.toISOString();
  throw new Failure('bad-request', `not an instant: ${shown(instant)}`, {}, 'Write it like 2027-03-01T09:00:00Z, or give a Date.');
}

/** Fails with `bad-request` for what holds no named values. */
function checkObject(given: unknown): void {
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return;
  throw new Failure('bad-request', `this takes an object with named values: ${shown(given)}`);
}

/** What is undefined is as if it were not there, as in JSON. */
export function defined<T extends object>(given: T = {} as T): T {
  checkObject(given);
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as T;
}

/** Values as JSON would bring them to a server: moments are texts, what is undefined is not there. So a calendar takes the same wherever it is. */
function sent(given: object = {}): Input {
  checkObject(given);
  return JSON.parse(JSON.stringify(given));
}

/** Fails with `bad-request` where a value names no record. */
function refOf(ref: RecordRef): Ref {
  if (typeof ref === 'string') return { slug: ref };
  const named = typeof ref === 'object' && ref !== null ? ref : { id: ref };
  if ('slug' in named && !('id' in named)) return { slug: String(named.slug) };
  const id = 'id' in named ? Number(named.id ?? Number.NaN) : Number.NaN;
  if (Number.isSafeInteger(id) && id >= 0) return { id };
  throw new Failure(
    'bad-request',
    `this names no record: ${shown(ref)}`,
    {},
    'Give its ID as a number, its slug as a text, or the record.',
  );
}

/** The same collection with the references and values that programs have. What it takes and gives has the types of its resource. */
const collectionFace = (name: ResourceName, records: Collection) => ({
  async list(parameters?: object) {
    const { entries, ...page } = await records.list(queryOf(sent(parameters)));
    return { [name]: entries, ...page };
  },
  get: async (ref: RecordRef, parameters?: object) => records.get(refOf(ref), sent(parameters)),
  create: async (record: object) => records.create(sent(record)),
  update: async (ref: RecordRef, changes: object) => records.update(refOf(ref), sent(changes)),
  delete: async (ref: RecordRef) => records.delete(refOf(ref)),
});

/** Parameters as a query brings them, which links to other pages repeat: texts and lists of texts, and nothing for null. */
const queryOf = (parameters: Input): Input =>
  Object.fromEntries(
    Object.entries(parameters)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [name, Array.isArray(value) ? value.map(String) : String(value)]),
  );

/** A seed as operations take it: by its name, or the fixture that is given, or that stands at a path or an address. */
export async function seedInput(seed: string | object): Promise<{ seed: string | object; name?: string }> {
  if (typeof seed !== 'string') {
    checkObject(seed);
    return { seed };
  }
  if (isSeed(seed)) return { seed };
  const { name, document } = await documentNamed(seed, {
    cwd: process.cwd(),
    stdin: nothing(),
    signal: AbortSignal.timeout(30_000),
    timeout: 30_000,
  });
  return { seed: document as object, name };
}

async function* nothing(): AsyncIterable<Uint8Array> {
  yield* [];
}
