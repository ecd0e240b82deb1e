import project from '../../package.json' with { type: 'json' };
import { type HttpArchive, toHar } from '../model/formats/har.ts';
import type { CalendarControl } from '../model/operations/all.ts';
import type { ClockState } from '../model/operations/clock.ts';
import type { SeedInput, ShiftInput } from '../model/operations/data.ts';
import type { FaultAnswer, FaultInfo, FaultInput, PatchFunction } from '../model/operations/faults.ts';
import type { FollowInput, Message, Messages } from '../model/operations/messages.ts';
import type { RequestMatch } from '../model/operations/request-match.ts';
import type { JournaledRequest, JournalMatch, RequestsInput, VerifyInput, WaitInput } from '../model/operations/requests.ts';
import type { DeclaredFields, FieldInput, SettingValue, SettingValues } from '../model/operations/settings.ts';
import type { Restored, SnapshotInfo } from '../model/operations/snapshots.ts';
import type { Done } from '../model/operations/summary.ts';
import type { WorldInfo } from '../model/operations/worlds.ts';
import type { User } from '../model/viewer.ts';
import type { FixtureInput } from './fixture.ts';
import { guarded } from './guarded.ts';
import { defined, instantText, seedInput, settingTexts } from './options.ts';

/** Requests that a fault holds. */
export interface HeldRequests {
  /** ID of the fault. */
  readonly id: number;
  /**
   * Wait until that number of requests is held; all of them by default. `timeout` is a time like `10s`.
   * @example await held.arrived(2);
   */
  arrived(count?: number, timeout?: string): Promise<void>;
  /**
   * Send the true response, or another one like `{ status: 503 }`, and remove the fault.
   * @example await held.release();
   */
  release(response?: FaultAnswer): Promise<void>;
}

/** A fault of a calendar of this process that changes the true response by a function. */
export interface FunctionFault extends Omit<FaultInput, 'then'> {
  /** Change of the true response. */
  then: {
    /** Returns the changed response, like `(response) => ({ ...response, status: 206 })`. */
    patch: PatchFunction;
  };
}

/** Which messages to follow, and until when. */
export interface FollowOptions extends FollowInput {
  /** Ends the iteration. */
  signal?: AbortSignal;
}

/** Messages that can be iterated over at once. Those from when it resolves are included. */
export type Followed = AsyncIterable<Message> & Promise<AsyncIterable<Message>>;

/** Duration or instant to advance a clock to. */
export type ClockStep =
  | {
      /** Duration in ISO 8601, like `P1DT2H`. */
      by: string;
    }
  | {
      /** Instant, like `2027-03-01T09:00Z`. */
      to: string | Date;
    };

/** Options of saving a snapshot. */
export interface SaveOptions {
  /** True to replace a snapshot with the same name. */
  replace?: boolean;
}

/** The methods of operations that take positional arguments, or return a part of the output, by group. */
export interface AdaptedMethods {
  /** Methods of the calendar. */
  server: {
    /**
     * Follow changes, requests, resets and the clock until the signal, or until the loop ends. Await it to miss nothing of what comes next.
     * @example for await (const { type, data } of calendar.follow({ types: ['change'] })) seen.push([type, data]);
     */
    follow(options?: FollowOptions): Followed;
  };
  /** Methods of `calendar.data`. */
  data: {
    /**
     * Create the records of a seed: its name, a fixture, or the path or URL of one. If there are records already, an option has to decide about them.
     * @example await calendar.data.seed('demo', { replace: true });
     */
    seed(seed: string | FixtureInput, options?: Omit<SeedInput, 'seed'>): Promise<Done>;
    /**
     * Move all events by a duration, like `P7D` or `-P1M`.
     * @example await calendar.data.shift('P7D');
     */
    shift(by: string, options?: Omit<ShiftInput, 'by'>): Promise<Done>;
  };
  /** Methods of `calendar.data`. */
  sync: object;
  /** Methods of `calendar.clock`. */
  clock: {
    /**
     * Stop the clock at an instant, like `2027-03-01T09:00Z`.
     * @example await calendar.clock.set('2027-03-01T09:00Z');
     */
    set(now: string | Date): Promise<ClockState>;
    /**
     * Advance the clock by a duration, like `P1DT2H`, or to an instant. Publishes what becomes due before it resolves.
     * @example await calendar.clock.advance('P1DT2H');
     */
    advance(by: string | ClockStep): Promise<ClockState>;
  };
  /** Methods of `calendar.faults`. */
  faults: {
    /**
     * Inject a fault: a delay, an error response, a broken connection, or a change of the true response, which in this process may be a function.
     * @example await calendar.faults.add({ match: { path: '/events' }, then: { patch: (response) => ({ ...response, status: 206 }) } });
     */
    add(input: FaultInput | FunctionFault): Promise<FaultInfo>;
    /**
     * List the faults.
     * @example const faults = await calendar.faults.list();
     */
    list(): Promise<FaultInfo[]>;
    /**
     * Get a fault and the number of requests it affected.
     * @example const { hits } = await calendar.faults.get(1);
     */
    get(id: number): Promise<FaultInfo>;
    /**
     * Remove a fault.
     * @example await calendar.faults.remove(1);
     */
    remove(id: number): Promise<FaultInfo>;
    /**
     * Hold the next requests that match until the release: `arrived(n)` waits until they are there, and `release()` sends the true response, or another one. After `timeout` (default 30s),
     * the true response is sent.
     * @example const held = await calendar.faults.hold({ path: '/events' });
     */
    hold(match: RequestMatch, options?: Pick<FaultInput, 'times' | 'timeout' | 'at'>): Promise<HeldRequests>;
    /**
     * Remove all faults.
     * @example await calendar.faults.clear();
     */
    clear(): Promise<void>;
  };
  /** Methods of `calendar.requests`. */
  requests: {
    /**
     * Get the requests as an HTTP Archive (HAR), which the developer tools of browsers open. Secrets are redacted.
     * @example await writeFile('requests.har', JSON.stringify(await calendar.requests.har()));
     */
    har(input?: RequestsInput): Promise<HttpArchive>;
    /**
     * Count the requests that match: `{ method: 'POST', path: '/events', status: 201 }`; all by default.
     * @example expect(await calendar.requests.count({ method: 'POST', path: '/events' })).toBe(1);
     */
    count(match?: JournalMatch): Promise<number>;
    /**
     * Verify the number of requests that match; at least one by default. Resolves with the number, or throws `verification-failed` with the nearest requests.
     * @example await calendar.requests.verify({ path: '/events', query: { search: 'jazz' } }, { exactly: 1 });
     */
    verify(match: JournalMatch, expected?: Omit<VerifyInput, 'match'>): Promise<number>;
    /**
     * Wait until requests match, and return them; at once if they are there already. Throws `verification-failed` with the nearest requests after the timeout (default 30s).
     * @example const [request] = await calendar.requests.waitFor({ method: 'POST', path: '/events' });
     */
    waitFor(match: JournalMatch, options?: Omit<WaitInput, 'match'>): Promise<JournaledRequest[]>;
    /**
     * Clear the journal and return the number of its requests.
     * @example await calendar.requests.clear();
     */
    clear(): Promise<number>;
  };
  /** Methods of `calendar.snapshots`. */
  snapshots: {
    /**
     * List the snapshots.
     * @example const snapshots = await calendar.snapshots.list();
     */
    list(): Promise<SnapshotInfo[]>;
    /**
     * Save the current state. Throws if the name is taken, unless `replace` is set.
     * @example await calendar.snapshots.save('before');
     */
    save(name: string, options?: SaveOptions): Promise<SnapshotInfo>;
    /**
     * Restore a snapshot.
     * @example await calendar.snapshots.restore('before');
     */
    restore(name: string): Promise<Restored>;
    /**
     * Get a snapshot as a SQLite file.
     * @example await writeFile('before.db', await calendar.snapshots.file('before'));
     */
    file(name: string): Promise<Uint8Array>;
    /**
     * Delete a snapshot.
     * @example await calendar.snapshots.delete('before');
     */
    delete(name: string): Promise<SnapshotInfo>;
  };
  /** Methods of `calendar.settings`. */
  settings: {
    /**
     * List the settings.
     * @example const settings = await calendar.settings.list();
     */
    list(): Promise<SettingValue[]>;
    /**
     * Change settings; the others stay as they are.
     * @example await calendar.settings.change({ timezone: 'Europe/Paris' });
     */
    change(settings: SettingValues): Promise<SettingValue[]>;
  };
  /** Methods of `calendar.fields`. */
  fields: {
    /**
     * List the declared fields by resource and name.
     * @example const { events } = await calendar.fields.list();
     */
    list(): Promise<DeclaredFields>;
    /**
     * Declare a field.
     * @example await calendar.fields.add({ resource: 'events', name: 'age_group', type: 'string', filter: true });
     */
    add(field: FieldInput): Promise<DeclaredFields>;
    /**
     * Remove a declared field, like `events.age_group`, and its values.
     * @example await calendar.fields.remove('events.age_group');
     */
    remove(field: string): Promise<DeclaredFields>;
  };
  /** Methods of `calendar.users`. */
  users: {
    /**
     * List the users.
     * @example const users = await calendar.users.list();
     */
    list(): Promise<User[]>;
    /**
     * Remove a user.
     * @example await calendar.users.remove('ada');
     */
    remove(name: string): Promise<void>;
  };
  /** Methods of `calendar.worlds`. */
  worlds: {
    /**
     * List the worlds of the server.
     * @example const worlds = await calendar.worlds.list();
     */
    list(): Promise<WorldInfo[]>;
    /**
     * Get a world by its ID.
     * @example const { requests } = await calendar.worlds.get(id);
     */
    get(id: string): Promise<WorldInfo>;
    /**
     * Delete a world by its ID.
     * @example await calendar.worlds.delete(id);
     */
    delete(id: string): Promise<WorldInfo>;
  };
  /** Methods of `calendar.file`. */
  file: {
    /**
     * Write a copy of the file.
     * @example await calendar.file.backup('copy.db');
     */
    backup(file: string): Promise<void>;
  };
}

async function* messagesOf(batches: AsyncIterable<Messages>): AsyncGenerator<Message, void, undefined> {
  for await (const { messages } of batches) yield* messages;
}

/** Lets a promise of messages be iterated over. */
export function followed(messages: Promise<AsyncIterable<Message>>): Followed {
  // The caller who iterates gets the failure, even if later.
  messages.catch(() => {});
  return Object.assign(messages, {
    async *[Symbol.asyncIterator]() {
      yield* await messages;
    },
  });
}

export const adaptersOf = (control: CalendarControl): AdaptedMethods => ({
  server: { follow: ({ signal, ...input } = {}) => followed(control.events(input, signal).then(messagesOf)) },
  data: {
    seed: async (seed, options) => control.seed({ ...defined(options), ...(await seedInput(seed)) }),
    shift: (by, options) => control.shift({ ...options, by }),
  },
  sync: {},
  clock: {
    set: (now) => control.setClock({ now: instantText(now) }),
    advance(by) {
      if (typeof by === 'string') return control.advanceClock({ by });
      const input = defined(by);
      return control.advanceClock('to' in input ? { ...input, to: instantText(input.to) } : input);
    },
  },
  faults: {
    add: (input) => control.addFault(input as FaultInput),
    list: async () => (await control.faults()).faults,
    get: (id) => control.fault({ id }),
    remove: (id) => control.removeFault({ id }),
    async hold(match, { times = 1, ...options } = {}) {
      const { id } = await control.addFault({ ...options, match, times, then: 'hold' });
      const methods: Omit<HeldRequests, 'id'> = {
        async arrived(count = times, timeout) {
          await control.awaitFault({ id, count, timeout });
        },
        async release(response) {
          await control.releaseFault({ id, response });
        },
      };
      return { id, ...guarded(methods, () => true) };
    },
    async clear() {
      await control.clearFaults();
    },
  },
  requests: {
    har: async (input) => toHar((await control.requests(defined(input))).requests, project.version),
    count: async (match) => (await control.countRequests({ match })).count,
    verify: async (match, expected) => (await control.verifyRequests({ ...expected, match })).count,
    waitFor: async (match, options) => (await control.awaitRequests({ ...defined(options), match })).requests,
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
    change: async (settings) => (await control.changeSettings(settingTexts(settings))).settings,
  },
  fields: {
    list: async () => (await control.fields()).fields,
    add: async (field) => (await control.addField(defined(field))).fields,
    remove: async (field) => (await control.removeField({ field })).fields,
  },
  users: {
    list: async () => (await control.users()).users,
    async remove(name) {
      await control.removeUser({ name });
    },
  },
  worlds: {
    list: async () => (await control.worlds()).worlds,
    get: (id) => control.world({ id }),
    delete: (id) => control.deleteWorld({ id }),
  },
  file: {
    async backup(file) {
      await control.backup({ file });
    },
  },
});
