import type { HttpArchive } from '../model/formats/har.ts';
import type {
  ArrivedInput,
  ClockMethods,
  ClockState,
  DataMethods,
  Done,
  FaultAnswer,
  FaultFields,
  FaultInfo,
  FaultInput,
  FaultsMethods,
  FieldsMethods,
  FileMethods,
  RequestMatch,
  RequestsInput,
  RequestsMethods,
  SeedInput,
  ServerMethods,
  SettingsMethods,
  SettingValue,
  SnapshotsMethods,
  SyncMethods,
  UsersMethods,
} from '../model/operation-types.ts';
import type { PatchFunction } from '../model/operations/faults.ts';
import type { FollowInput, Message } from '../model/operations/messages.ts';
import type { SettingValues } from '../model/operations/settings.ts';
import type { Time } from '../model/time/duration.ts';
import type { FixtureInput } from './fixture.ts';

/** Requests that a fault holds. */
export interface HeldRequests {
  /** ID of the fault. */
  readonly id: number;
  /**
   * Wait until that number of requests is held; all of them by default. `timeout` is in ms or like `10s` (default 30s).
   * @example await held.arrived(2, '10s');
   */
  arrived(count?: number | Omit<ArrivedInput, 'id'>, timeout?: Time): Promise<void>;
  /**
   * Send the true response, or another one like `503` or `{ status: 503 }`, and remove the fault.
   * @example await held.release(503);
   */
  release(response?: FaultAnswer | number): Promise<void>;
}

/** A fault of a calendar of this process that changes the true response by a function. */
export interface FunctionFault extends Omit<FaultFields, 'then'> {
  /** Change of the true response. */
  then: {
    /** Returns the changed response, like `(response) => ({ ...response, status: 206 })`. */
    patch: PatchFunction;
  };
}

/** A fault of a calendar of this process. */
export type LocalFault = FaultInput | FunctionFault;

/** Which messages to follow, and until when. */
export interface FollowOptions extends FollowInput {
  /** Ends the iteration. */
  signal?: AbortSignal;
}

/** Messages that can be iterated over at once. Those from when it resolves are included. */
export type Followed = AsyncIterable<Message> & Promise<AsyncIterable<Message>>;

/** Duration or instant to advance a clock to. */
type ClockStep =
  | {
      /** Duration in ms, or like `90m`, `1d` or `P1DT2H`. */
      by: Time;
    }
  | {
      /** Instant, like `2027-03-01T09:00Z`. */
      to: string | Date;
    };

/** Methods of the calendar as a whole. */
export interface CalendarServer extends ServerMethods {
  /**
   * Follow changes, requests, resets and the clock until the signal, or until the loop ends. Await it to miss nothing of what comes next.
   * @example for await (const { type, data } of calendar.follow({ types: ['change'] })) seen.push([type, data]);
   */
  follow(options?: FollowOptions): Followed;
}

/** The data of a calendar as a whole: seeds, imports, exports, and copies of other calendars. */
export interface CalendarData extends DataMethods, SyncMethods {
  /**
   * Create the records of a seed: its name, a fixture, or the path or URL of one or of another file that `calendar import` reads. If there are records already, an option has to decide about them.
   * @example await calendar.data.seed('demo', { replace: true });
   */
  seed(seed: string | FixtureInput, options?: Omit<SeedInput, 'seed'>): Promise<Done>;
}

/** The snapshots of a calendar. */
export interface CalendarSnapshots extends SnapshotsMethods {
  /**
   * Get a snapshot as a SQLite file.
   * @example await writeFile('before.db', await calendar.snapshots.file('before'));
   */
  file(name: string): Promise<Uint8Array>;
}

/** The clock of a calendar. */
export interface CalendarClock extends ClockMethods {
  /**
   * Stop the clock at an instant, like `2027-03-01T09:00Z`.
   * @example await calendar.clock.set('2027-03-01T09:00Z');
   */
  set(now: string | Date): Promise<ClockState>;
  /**
   * Advance the clock by a duration, in ms or like `90m`, `1d` or `P1DT2H`, or to an instant. Publishes what becomes due before it resolves.
   * @example await calendar.clock.advance('90m');
   */
  advance(by: Time | ClockStep): Promise<ClockState>;
}

/** Faults of requests over HTTP or through `fetch`; methods of a calendar in this process are not affected. `Fault` is what the calendar accepts: a server can't be sent functions. */
export interface CalendarFaults<Fault = LocalFault> extends FaultsMethods {
  /**
   * Inject a fault: a delay, an error response, a broken connection, or a change of the true response, which in this process may be a function.
   * @example await calendar.faults.add({ match: { path: '/events' }, then: { patch: (response) => ({ ...response, status: 206 }) } });
   */
  add(input: Fault): Promise<FaultInfo>;
  /**
   * Hold the next requests that match until the release: `arrived(n)` waits until they are there, and `release()` sends the true response, or another one. After `timeout` (default 30s),
   * the true response is sent. A request whose client goes away is no longer held.
   * @example const held = await calendar.faults.hold({ path: '/events' });
   */
  hold(match: RequestMatch, options?: Pick<FaultFields, 'times' | 'timeout' | 'at'>): Promise<HeldRequests>;
  /**
   * Remove all faults.
   * @example await calendar.faults.clear();
   */
  clear(): Promise<void>;
}

/** The journal of requests over HTTP or through `fetch`, without those of the control API. */
export interface CalendarRequests extends RequestsMethods {
  /**
   * Get the requests as an HTTP Archive (HAR), which the developer tools of browsers open. Secrets are redacted.
   * @example await writeFile('requests.har', JSON.stringify(await calendar.requests.har()));
   */
  har(input?: RequestsInput): Promise<HttpArchive>;
}

/** Settings like the title and the time zone. */
export interface CalendarSettings extends SettingsMethods {
  /**
   * Change settings; the others stay as they are.
   * @example await calendar.settings.change({ timezone: 'Europe/Paris' });
   */
  change(settings: SettingValues): Promise<SettingValue[]>;
}

/** Fields that the calendar adds to its records. */
export interface CalendarFields extends FieldsMethods {}

/** Users and roles. A server without users lets everyone do everything. */
export interface CalendarUsers extends UsersMethods {}

/** The file of a calendar. */
export interface CalendarFile extends FileMethods {}
