import { documentNamed, isSeed } from '../data/seeds.ts';
import { type Calendar, type Collection, type Input, type Ref, type ResourceName, resourceNames } from '../model/calendar.ts';
import type { CalendarControl } from '../model/control.ts';
import { Failure } from '../model/error.ts';
import type { ControlledCalendar, RecordRef } from './calendar.ts';

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
  return {
    ...{ url, root: new URL(url).origin, fetch, fork, close },
    ...collections,
    clock: {
      get: () => control.clock(),
      set: (now) => control.setClock({ now: instantText(now) }),
      advance: (by) => control.advanceClock(typeof by === 'string' ? { by } : 'to' in by ? { to: instantText(by.to) } : by),
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
    reset: (input = {}) => control.reset(input),
    seed: async (seed, options) => control.seed({ ...options, ...(await seedInput(seed)) }),
    generate: (input) => control.generate(input),
    import: (input) => control.import(input),
    export: (input = {}) => control.export(input),
    shift: (by, options) => control.shift({ ...options, by }),
    undo: () => control.undo(),
    pull: (input) => control.pull(input),
    push: (input) => control.push(input),
    [Symbol.asyncDispose]: close,
  };
}

/** An instant as operations take it. */
export const instantText = (instant: string | Date): string => (typeof instant === 'string' ? instant : instant.toISOString());

/** What is undefined is as if it were not there, as in JSON. */
export const defined = (given: object = {}): Input => Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));

/** Fails with `bad-request` where a value names no record. */
function refOf(ref: RecordRef): Ref {
  if (typeof ref === 'number') return { id: ref };
  if (typeof ref === 'string') return { slug: ref };
  if (typeof ref === 'object' && ref !== null) {
    if ('id' in ref) return { id: Number(ref.id) };
    if ('slug' in ref) return { slug: String(ref.slug) };
  }
  throw new Failure(
    'bad-request',
    `this names no record: ${JSON.stringify(ref)}`,
    {},
    'Give its ID as a number, its slug as a text, or the record.',
  );
}

/** The same collection with the references and values that programs have. What it takes and gives has the types of its resource. */
const collectionFace = (name: ResourceName, records: Collection) => ({
  async list(parameters?: object) {
    const { entries, ...page } = await records.list(defined(parameters));
    return { [name]: entries, ...page };
  },
  get: async (ref: RecordRef, parameters?: object) => records.get(refOf(ref), defined(parameters)),
  create: async (record: object) => records.create(defined(record)),
  update: async (ref: RecordRef, changes: object) => records.update(refOf(ref), defined(changes)),
  delete: async (ref: RecordRef) => records.delete(refOf(ref)),
});

/** A seed as operations take it: by its name, or the fixture that is given, or that stands at a path or an address. */
export async function seedInput(seed: string | object): Promise<{ seed: string | object; name?: string }> {
  if (typeof seed !== 'string') return { seed };
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
