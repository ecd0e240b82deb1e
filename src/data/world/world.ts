import { machine } from '../../machine.ts';
import { extensions } from '../../model/context.ts';
import type { FaultInput } from '../../model/operation-types.ts';
import type { RecordMessage } from '../../model/operations/messages.ts';
import { resources } from '../../model/resources/all.ts';
import type { ServerOptions } from '../../model/server-option-types.ts';
import { UndoLog } from '../../server/changes/undo-log.ts';
import { FaultList } from '../../server/faults/fault-list.ts';
import { Coverage } from '../../server/journal/coverage.ts';
import { Journal } from '../../server/journal/journal.ts';
import { MessageLog } from '../../server/journal/message-log.ts';
import { openCalendar, type Store } from '../../store/calendar.ts';
import type { SettingName } from '../../store/records/settings.ts';
import type { StoreImage } from '../../store/snapshots.ts';
import { type ClockPosition, SettableClock } from './clock.ts';
import { controllerForMany } from './waiting.ts';

/** The parts of a world that only a server has. */
interface ServedParts {
  clock: SettableClock;
  faults: FaultList;
  journal: Journal;
  messages: MessageLog;
  /** Changes of many records that can be undone. */
  undoLog: UndoLog;
}

/** The parts that a reset restores besides the records, and that a snapshot lacks, as plain data. */
export interface WorldParts {
  clock: ClockPosition;
  faults: FaultList['state'];
}

/**
 * A calendar together with everything that a reset restores: records, settings, users, snapshots, clock, faults, journal and the stream of messages. A server can serve several.
 *
 * Its time is divided into epochs: a reset, an undo and restoring a snapshot start a new one. A request belongs to the epoch in which it arrived, and changes nothing in a later one.
 */
export class World {
  /** The state that a reset restores; absent if resets are not allowed. */
  start: StoreImage | undefined;
  /** Mistakes of clients that its API rejects, now and after a reset. */
  strict: ServerOptions['strict'];
  #startStrict: ServerOptions['strict'];
  /** Clock and faults as they were before a reset, by the snapshot of the records. */
  readonly partsBefore = new Map<string, WorldParts>();
  /** When it was opened, in seconds of {@link machine.uptime}. */
  readonly openedAt = machine.uptime();
  /** Names of the snapshots that the tests start with, when the last one began, and the ID of the last request of the test that ended. Within a test, all belong to it. */
  readonly tests: { start: ReadonlySet<string> | undefined; began: number; end: number } = {
    start: undefined,
    began: this.openedAt,
    end: Number.POSITIVE_INFINITY,
  };
  #epoch = controllerForMany();
  /** The current epoch: a signal that aborts when the next one starts. */
  epoch: AbortSignal = this.#epoch.signal;
  /** Requests of the current epoch that are being handled, like `POST /events`. */
  #active = new Set<{ label: string }>();
  /** The requests that the starts of epochs interrupted since the last reset. */
  #interrupted: string[] = [];

  constructor(
    readonly store: Store,
    readonly served: ServedParts,
    strict: ServerOptions['strict'] = false,
  ) {
    this.strict = strict;
    this.#startStrict = strict;
  }

  /** Follows the changes of the store from now on. `start` is the state that a reset restores. */
  begin(start: StoreImage | undefined): void {
    this.start = start;
    const { messages } = this.served;
    this.store.follow({
      changed: (records) => {
        for (const record of records) messages.publish('change', record, () => this.#isHidden(record));
      },
      reset: (reason) => messages.publish('reset', { reason }),
      restored: () => this.startEpoch(),
    });
  }

  get parts(): WorldParts {
    const { clock, faults } = this.served;
    return { clock: clock.position, faults: faults.state };
  }

  restoreParts({ clock, faults }: WorldParts): void {
    this.served.clock.restore(clock);
    this.served.faults.restore(faults);
  }

  /** Makes the current records, clock and faults those that a reset restores. */
  makeStart(): void {
    this.start = this.store.image();
    this.#startStrict = this.strict;
    this.served.clock.makeStart();
    this.served.faults.makeStart();
  }

  /** Restores what its API rejects at the start. */
  resetStrict(): void {
    this.strict = this.#startStrict;
  }

  /** True if a record is one that visitors can't read. */
  #isHidden({ resource, id }: RecordMessage): boolean {
    const { db, users } = this.store;
    if (!users.any || resources[resource].family !== 'post') return false;
    return db.get<{ status: string }>(`select status from ${resource} where id = ?`, id)?.status !== 'publish';
  }

  /** Ends every request that is in progress: none of them changes the calendar or is added to the journal any more. */
  startEpoch(): void {
    const ended = this.#epoch;
    this.#interrupted.push(...[...this.#active].map(({ label }) => label));
    this.#active = new Set();
    this.#epoch = controllerForMany();
    this.epoch = this.#epoch.signal;
    const { journal, undoLog, faults } = this.served;
    journal.removePending();
    undoLog.clear();
    ended.abort();
    faults.interrupt();
  }

  /** The requests that were interrupted since the last call, like `POST /events`. */
  takeInterrupted(): string[] {
    const interrupted = this.#interrupted;
    this.#interrupted = [];
    return interrupted;
  }

  /** Counts a request as one in progress until its response is ready. */
  async track<T>(label: string, response: Promise<T>): Promise<T> {
    const active = this.#active;
    const entry = { label };
    active.add(entry);
    try {
      return await response;
    } finally {
      active.delete(entry);
    }
  }

  /** Size of its database, its snapshots, its journal and the changes that can be undone. */
  get bytes(): number {
    return this.store.bytes + this.served.journal.bytes + this.served.undoLog.bytes;
  }

  /** The state and the time of this world, for another one that starts with them. */
  copy(): { image: StoreImage; now: number | undefined; system(): number } {
    const { now, frozen, ahead } = this.served.clock.state;
    return { image: this.store.image(), now: frozen ? Date.parse(now) : undefined, system: () => Date.now() + ahead };
  }

  /** Ends requests, streams and waits in progress, and closes the store; `unused` as there. */
  close(unused?: number): Promise<void> {
    this.startEpoch();
    this.served.faults.clear();
    this.served.messages.close();
    this.served.journal.close();
    return this.store.close(unused);
  }
}

type NamedOptions = Required<Pick<ServerOptions, 'basePath' | 'namespace' | 'durability'>> &
  Pick<ServerOptions, 'file' | 'without' | 'readOnly' | 'journal' | 'journalBody' | 'hints' | 'coverage' | 'strict'>;

/** Options of a world. `basePath` has a slash at its start and none at its end, `namespace` none at its ends; it may change until the calendar is ready. */
export interface WorldOptions extends NamedOptions {
  /** The state that a calendar in memory starts with; empty by default. */
  image?: StoreImage;
  /** Name of a world of a server, for reports. */
  worldName?: string | undefined;
  /** Time to wait for another owner of the file, in ms. */
  timeout: number;
  /** Settings that override those of the file while it is open. */
  settings?: Partial<Record<SettingName, string>>;
  /** True if hooks may answer paths without a route. */
  answersAnyPath?: boolean | undefined;
  /** Faults that are active from the start, and after each reset. */
  faults?: readonly FaultInput[];
  /** The time of the system, in epoch milliseconds. */
  system(): number;
  /** Where the clock of the calendar is stopped at the start, in epoch milliseconds; it runs by default. */
  now?: number;
  /** Called with messages for the user. */
  notice?(text: string): void;
}

/** Opens a world that a server can serve. Throws a Failure if the file cannot be opened. */
export async function openWorld(options: WorldOptions): Promise<World> {
  const { basePath, answersAnyPath, system } = options;
  const clock = new SettableClock(system, options.now);
  const store = await openStore(options, clock.now);
  // The namespace may change until the calendar is ready, and the settings at any time.
  const place = {
    ...{ basePath, answersAnyPath },
    get namespace() {
      return options.namespace;
    },
    get slugs() {
      return store.settings.slugs;
    },
  };
  try {
    const faults = new FaultList(place, options.faults);
    const pastCoverage = options.coverage ? new Coverage(place, () => store.requestContext().zone) : undefined;
    const journal = new Journal(
      Object.assign(place, {
        ...{ size: options.journal, bodyBytes: options.journalBody, system, now: clock.now },
        ...{ hints: options.hints, world: options.worldName, pastCoverage },
      }),
    );
    return new World(store, { clock, faults, journal, messages: new MessageLog(), undoLog: new UndoLog() }, options.strict);
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Opens the store of a world. With `readOnly`, a file is opened without its lock: nothing is written, and scheduled events are not published. */
export function openStore(options: WorldOptions, now: () => number): Promise<Store> {
  const { file = ':memory:', image, durability, timeout, settings, without, notice, readOnly } = options;
  return openCalendar(file, {
    mode: readOnly && file !== ':memory:' ? 'read' : 'write',
    image,
    now,
    durability,
    timeout,
    settings,
    notice,
    extensions: extensions.filter((part) => !without?.includes(part)),
  });
}
