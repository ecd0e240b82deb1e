import { Failure } from '../../model/error.ts';
import type { CalendarControl, ClockState, Dry } from '../../model/operations/control.ts';
import { instantOf, modulo } from '../../model/time/datetime.ts';
import { addDuration, durationForms, readDuration } from '../../model/time/duration.ts';
import { readInstant } from '../../model/time/instant.ts';
import { toUtc, wallOf } from '../../model/time/time.ts';
import type { FaultList } from '../../server/faults/fault-list.ts';
import type { Journal } from '../../server/journal/journal.ts';
import type { MessageLog } from '../../server/journal/message-log.ts';
import type { Store } from '../../store/calendar.ts';
import { hashed } from '../../store/records/users.ts';
import type { StoreImage } from '../../store/snapshots.ts';
import { isEmpty } from '../seed.ts';
import type { OnProgress, OperationOptions, Summary } from '../summary.ts';
import type { SettableClock } from './clock.ts';
import { inTurn } from './in-turn.ts';
import { type ConnectTo, generateRecords, importRecords, pullRecords, pushRecords, seedRecords, shiftRecords } from './records.ts';
import { requestOperations } from './requests.ts';
import { type ResettableParts, recordsIn, resetTo } from './reset.ts';

/** What control needs to know besides the store. */
export interface ControlContext {
  /** Of the program. */
  version: string;
  /** Where the API of a server starts; undefined where there is none. */
  url?(): string;
  /** What the calendar was started with. */
  seed?: string;
  /** How the calendar was at the start. */
  start?: StoreImage;
  onProgress?: OnProgress;
  connectTo: ConnectTo;
  /** Absent where nobody can set the clock. */
  clock?: SettableClock;
  /** What goes wrong with requests to its server; absent where there is none. */
  faults?: FaultList;
  /** Told when somebody has set the clock. */
  onClock?(state: ClockState): void;
  /** What happens at a server; absent where there is none. */
  messages?: MessageLog;
  /** The requests that it answered; absent where there is none. */
  journal?: Journal;
}

/** A user's new password as it is stored, hashed before the change so that nobody waits for it. */
const secretOf = async ({ password }: { password?: string }): Promise<string | undefined> => (password ? hashed(password) : undefined);

/** Control of an open calendar: the one implementation of it, for commands on a file, for a server, and for tests. */
export function controlOf(store: Store, context: ControlContext): CalendarControl {
  const { db, settings, users, snapshots } = store;
  const begun = performance.now();
  const { onProgress, connectTo, messages } = context;
  /** What a reset brings back besides the store. */
  const parts: ResettableParts = { clock: context.clock, faults: context.faults, requests: context.journal };
  const optionsOf = ({ dry_run, list }: Dry): OperationOptions => ({ dryRun: dry_run, listChanges: list, onProgress });
  const settled = async (): Promise<{ settings: ReturnType<typeof settings.list> }> => ({ settings: settings.list() });

  /** Measures work, and keeps what was there before where it can be lost: not of an empty calendar, nor of one in memory, which is there to be tried with and has one's own snapshots. */
  const done = async (what: string | undefined, input: Dry, work: (options: OperationOptions) => Promise<Summary>) => {
    const start = performance.now();
    const run = () => work(optionsOf(input));
    const kept = what !== undefined && !input.dry_run && db.file !== undefined && !isEmpty(store);
    const { result, undo } = kept
      ? await snapshots.undoable(what, run, ({ hasChanged }) => hasChanged)
      : { result: await run(), undo: undefined };
    return result.done(performance.now() - start, undo);
  };

  const timed = async (work: () => Promise<{ restored: string; undo?: string }>) => {
    const start = performance.now();
    return { ...(await work()), took: performance.now() - start };
  };

  const health = async () => ({
    version: context.version,
    url: context.url?.() ?? null,
    file: db.file ?? null,
    seed: context.seed ?? null,
    records: recordsIn(store),
    uptime: Math.round(performance.now() - begun) / 1000,
    clock: clockState(),
  });

  const clockState = (): ClockState =>
    context.clock?.state ?? { now: new Date(store.requestContext().now).toISOString(), frozen: false, ahead: 0 };

  /** Sets the clock, and publishes what is due. */
  const clocked = async (work: (clock: SettableClock) => void): Promise<ClockState> => {
    const { clock } = context;
    if (!clock) throw new Failure('bad-request', 'the clock of a file is not kept', {}, 'Serve it, or give --now with each command.');
    work(clock);
    store.requestContext();
    await db.synced();
    const { state } = clock;
    context.onClock?.(state);
    messages?.publish('clock', state);
    return state;
  };

  /** The faults of a server. */
  const served = (): FaultList => {
    if (context.faults) return context.faults;
    throw new Failure(
      'bad-request',
      'only the answers of a server can go wrong, and nobody serves this file',
      {},
      'Start one with calendar serve, or name one with --url.',
    );
  };

  return inTurn({
    health,
    ready: health,
    reset: async (input) => {
      const resets = messages?.resets;
      const answer = await done('reset', input, (options) => resetTo(store, context.start, parts, input, options));
      if (!input.dry_run && !input.generated && messages?.resets === resets) messages?.publish('reset', { reason: 'replaced' });
      if (context.clock) context.onClock?.(context.clock.state);
      return answer;
    },
    undo: () => timed(() => snapshots.undo()),
    snapshots: async () => ({ snapshots: snapshots.list() }),
    saveSnapshot: ({ name, replace }) => snapshots.save(name, replace),
    keepSnapshot: ({ what }) => snapshots.keep(what),
    restoreSnapshot: ({ name }) => timed(async () => ({ restored: name, undo: await snapshots.restore(name) })),
    snapshotFile: async ({ name }) => (await snapshots.image(name)).bytes,
    deleteSnapshot: async ({ name }) => snapshots.delete(name),
    seed: (input) => done(input.replace || input.upsert ? 'seed' : undefined, input, (options) => seedRecords(store, input, options)),
    generate: (input) => done(undefined, input, (options) => generateRecords(store, input, options)),
    import: (input) => done('import', input, (options) => importRecords(store, input, options)),
    shift: (input) => done('shift', input, (options) => shiftRecords(store, input, options)),
    async export({ format = 'json', only, fields }) {
      const { exportCalendar } = await import('../export.ts');
      return [...exportCalendar(store, { format, only, fields })].join('');
    },
    pull: (input) => done('pull', input, (options) => pullRecords(store, connectTo, input, options)),
    push: (input) => done(undefined, input, (options) => pushRecords(store, connectTo, input, options)),
    clock: async () => clockState(),
    setClock: ({ now }) =>
      clocked((clock) => {
        const instant = instantAt('now', now);
        clock.freeze();
        clock.moveTo(instant);
      }),
    advanceClock: (input) => clocked((clock) => clock.moveTo(laterInstant(clock.now(), settings.get('timezone'), input))),
    freezeClock: () => clocked((clock) => clock.freeze()),
    resumeClock: () => clocked((clock) => clock.resume()),
    resetClock: () => clocked((clock) => clock.reset()),
    faults: async () => ({ faults: served().list() }),
    addFault: async (input) => served().add(input),
    fault: async ({ id }) => served().get(id),
    removeFault: async ({ id }) => served().remove(id),
    async clearFaults() {
      served().clear();
      return { faults: [] };
    },
    settings: settled,
    async changeSettings(values) {
      await store.change((local) => {
        for (const [name, value] of Object.entries(values)) local.settings.set(name, value);
      });
      return settled();
    },
    ...requestOperations(context.journal),
    async events(input, signal) {
      if (messages) return messages.follow(input, signal);
      throw new Failure('bad-request', 'nothing can be followed in a file', {}, 'Serve it: calendar serve.');
    },
    info: async () => ({ ...db.info(), records: recordsIn(store) }),
    async checkpoint() {
      await db.checkpoint();
      return null;
    },
    async backup({ file }) {
      await db.backup(file);
      return null;
    },
    users: async () => ({ users: users.list() }),
    async addUser(user) {
      const secret = await secretOf(user);
      return store.change(() => users.add(user, secret));
    },
    async changeUser(user) {
      const secret = await secretOf(user);
      return store.change(() => users.change(user, secret));
    },
    async removeUser({ name }) {
      await store.change(() => users.remove(name));
      return null;
    },
  });
}

function instantAt(name: string, text: string): number {
  const instant = readInstant(text);
  if (instant !== undefined) return instant;
  throw new Failure('bad-request', `${name} is not an instant: ${JSON.stringify(text)}`, {}, 'Write it like 2027-03-01T09:00:00Z.');
}

/** The instant that is a duration later by the calendar of a zone, or the one that is named. */
function laterInstant(now: number, zone: string, { by, to }: { by?: string; to?: string }): number {
  if ((by === undefined) === (to === undefined)) throw new Failure('bad-request', 'the clock goes either by a duration or to an instant');
  if (to !== undefined) return instantAt('to', to);
  const duration = readDuration(by!);
  if (!duration) throw new Failure('bad-request', `by is not a duration: ${JSON.stringify(by)}`, {}, `Write it like ${durationForms}.`);
  const { months, days, seconds } = duration;
  // A duration of hours alone passes as it is, also where clocks are set back.
  if (!months && !days) return now + seconds * 1000;
  const wall = addDuration(wallOf(now, zone), { months, days, seconds: 0 });
  return instantOf(toUtc(wall, zone)) + modulo(now, 1000) + seconds * 1000;
}
