import type { HttpArchive } from '../model/formats/har.ts';
import type { Hint } from '../model/mistakes/hints.ts';
import type { ClockState } from '../model/operations/clock.ts';
import type {
  ExportInput,
  GenerateInput,
  HiddenCount,
  HiddenInput,
  ImportInput,
  ResetInput,
  SeedInput,
  ShiftInput,
  UndoInput,
} from '../model/operations/data.ts';
import type {
  ArrivedInput,
  FaultAnswer,
  FaultFields,
  FaultInfo,
  FaultInput,
  PatchFunction,
  ReleaseInput,
} from '../model/operations/faults.ts';
import type { FollowInput, Message } from '../model/operations/messages.ts';
import type { RequestMatch } from '../model/operations/request-match.ts';
import type {
  HintsInput,
  JournaledRequest,
  JournalMatch,
  RequestList,
  RequestsInput,
  VerifyInput,
  WaitInput,
} from '../model/operations/requests.ts';
import type { FileInfo, Health } from '../model/operations/server.ts';
import type { DeclaredFields, FieldInput, SettingValue, SettingValues } from '../model/operations/settings.ts';
import type { KeepInput, Restored, SaveInput, SnapshotInfo } from '../model/operations/snapshots.ts';
import type { Done } from '../model/operations/summary.ts';
import type { ConflictList, PullInput, PullNowInput, PushInput, ResolveInput, SiteList } from '../model/operations/sync.ts';
import type { Time } from '../model/time/duration.ts';
import type { NewUser, User, UserChange } from '../model/viewer.ts';
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
export interface CalendarServer {
  /**
   * Get version, address, number of records and uptime.
   * @example await calendar.health();
   */
  health(): Promise<Health>;
  /**
   * Get the same once the server is ready; 503 before.
   * @example await calendar.ready();
   */
  ready(): Promise<Health>;
  /**
   * Reject a client's mistakes from now on, until a reset: all of them, those in names (`'names'`), or none.
   * @example await calendar.strict(true);
   */
  strict(level: boolean | 'names'): Promise<void>;
  /**
   * Follow changes, requests, resets and the clock until the signal, or until the loop ends. Await it to miss nothing of what comes next.
   * @example for await (const { type, data } of calendar.follow({ types: ['change'] })) seen.push([type, data]);
   */
  follow(options?: FollowOptions): Followed;
}

/** The data of a calendar as a whole: seeds, imports, exports, and copies of other calendars. */
export interface CalendarData {
  /**
   * Reset everything to the start, to a snapshot, or to empty.
   * @example await calendar.data.reset({ to: 'empty' });
   */
  reset(input?: ResetInput): Promise<Done>;
  /**
   * Undo the last reset, import or other change of many records.
   * @example await calendar.data.undo();
   */
  undo(input?: UndoInput): Promise<Restored>;
  /**
   * Create the records of a seed: its name, a fixture, or the path or URL of one or of another file that `calendar import` reads. If there are records already, an option has to decide about them.
   * @example await calendar.data.seed('demo', { replace: true });
   */
  seed(seed: string | FixtureInput, options?: Omit<SeedInput, 'seed'>): Promise<Done>;
  /**
   * Generate random but reproducible records.
   * @example await calendar.data.generate({ events: 100, rng_seed: 'a' });
   */
  generate(input?: GenerateInput): Promise<Done>;
  /**
   * Import records from JSON, NDJSON, CSV or iCalendar.
   * @example await calendar.data.import({ file: 'program.csv' });
   */
  import(input?: ImportInput): Promise<Done>;
  /**
   * Move all events by a duration, like `7d` or `-P1M`.
   * @example await calendar.data.shift('7d');
   */
  shift(by: string, options?: Omit<ShiftInput, 'by'>): Promise<Done>;
  /**
   * Count the hidden events that list parameters select.
   * @example await calendar.data.hidden({ filters: { search: 'jazz' } });
   */
  hidden(input?: HiddenInput): Promise<HiddenCount>;
  /**
   * Export the calendar as JSON, NDJSON, CSV, iCalendar or SQL.
   * @example await calendar.data.export({ format: 'ics' });
   */
  export(input?: ExportInput): Promise<string>;
  /**
   * Copy a calendar from another server.
   * @example await calendar.data.pull({ root: 'https://example.org/wp-json/calendar/events/v1' });
   */
  pull(input: PullInput): Promise<Done>;
  /**
   * Pull from the site of the option `pull` now.
   * @example const { updated } = await calendar.data.pullNow();
   */
  pullNow(options?: PullNowInput): Promise<Done>;
  /**
   * Copy this calendar to another server.
   * @example await calendar.data.push({ root: 'https://example.org/wp-json/calendar/events/v1', dry_run: true });
   */
  push(input: PushInput): Promise<Done>;
  /**
   * List records that were changed differently here and on another server.
   * @example const { conflicts } = await calendar.data.conflicts();
   */
  conflicts(): Promise<ConflictList>;
  /**
   * Resolve conflicts in favor of one side.
   * @example await calendar.data.resolveConflicts({ prefer: 'ours' });
   */
  resolveConflicts(input: ResolveInput): Promise<Done>;
  /**
   * Show local and remote changes of copied calendars.
   * @example const { sites } = await calendar.data.sites();
   */
  sites(): Promise<SiteList>;
}

/** The snapshots of a calendar. */
export interface CalendarSnapshots {
  /**
   * List the snapshots.
   * @example const snapshots = await calendar.snapshots.list();
   */
  list(): Promise<SnapshotInfo[]>;
  /**
   * Save the current state. Throws if the name is taken, unless `replace` is set.
   * @example await calendar.snapshots.save('before');
   */
  save(name: string, options?: Omit<SaveInput, 'name'>): Promise<SnapshotInfo>;
  /**
   * Save the current state for the next undo.
   * @example await calendar.snapshots.keep({ what: 'import' });
   */
  keep(input: KeepInput): Promise<SnapshotInfo>;
  /**
   * Note the state after the change that a snapshot was kept for, so that an undo can tell later changes.
   * @example await calendar.snapshots.settle(kept.name);
   */
  settle(name: string): Promise<SnapshotInfo>;
  /**
   * Get a snapshot as a SQLite file.
   * @example await writeFile('before.db', await calendar.snapshots.file('before'));
   */
  file(name: string): Promise<Uint8Array>;
  /**
   * Restore a snapshot.
   * @example await calendar.snapshots.restore('before');
   */
  restore(name: string): Promise<Restored>;
  /**
   * Delete a snapshot.
   * @example await calendar.snapshots.delete('before');
   */
  delete(name: string): Promise<SnapshotInfo>;
}

/** The clock of a calendar. */
export interface CalendarClock {
  /**
   * Get the clock.
   * @example const { now } = await calendar.clock.get();
   */
  get(): Promise<ClockState>;
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
  /**
   * Stop the clock.
   * @example await calendar.clock.freeze();
   */
  freeze(): Promise<ClockState>;
  /**
   * Resume the clock.
   * @example await calendar.clock.resume();
   */
  resume(): Promise<ClockState>;
  /**
   * Reset the clock to its state at the start.
   * @example await calendar.clock.reset();
   */
  reset(): Promise<ClockState>;
}

/** Faults of requests over HTTP or through `fetch`; methods of a calendar in this process are not affected. `Fault` is what the calendar accepts: a server can't be sent functions. */
export interface CalendarFaults<Fault = LocalFault> {
  /**
   * List the faults.
   * @example const faults = await calendar.faults.list();
   */
  list(): Promise<FaultInfo[]>;
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
   * Release the requests that a fault holds, and remove it.
   * @example await calendar.faults.release({ id, response: { status: 503 } });
   */
  release(input: ReleaseInput): Promise<FaultInfo>;
  /**
   * Wait until a fault holds requests.
   * @example await calendar.faults.arrived({ id, count: 2 });
   */
  arrived(input: ArrivedInput): Promise<FaultInfo>;
  /**
   * Remove all faults.
   * @example await calendar.faults.clear();
   */
  clear(): Promise<void>;
}

/** The journal of requests over HTTP or through `fetch`, without those of the control API. */
export interface CalendarRequests {
  /**
   * List the requests that the server received.
   * @example const { requests } = await calendar.requests.list({ path: '/events', limit: 10 });
   */
  list(input?: RequestsInput): Promise<RequestList>;
  /**
   * Get the requests as an HTTP Archive (HAR), which the developer tools of browsers open. Secrets are redacted.
   * @example await writeFile('requests.har', JSON.stringify(await calendar.requests.har()));
   */
  har(input?: RequestsInput): Promise<HttpArchive>;
  /**
   * Delete the requests that match from the journal and return their number. Without a match, all of them are deleted, and IDs start at 1 again.
   * @example const deleted = await calendar.requests.clear({ path: '/events' });
   */
  clear(match?: JournalMatch): Promise<number>;
  /**
   * Count the requests that match: `{ method: 'POST', path: '/events', status: 201 }`; all by default.
   * @example const count = await calendar.requests.count({ method: 'POST', path: '/events' });
   */
  count(match?: JournalMatch): Promise<number>;
  /**
   * Wait until requests match, and return them; at once if they are there already. A request matches from its arrival, with `status` from the end of its response. Throws `verification-failed` with the nearest requests after the timeout (default 30s).
   * @example const requests = await calendar.requests.waitFor({ method: 'POST', path: '/events' });
   */
  waitFor(match: JournalMatch, options?: Omit<WaitInput, 'match'>): Promise<JournaledRequest[]>;
  /**
   * List the mistakes of clients in requests that succeeded, each with the first request. Throws `requests-dropped` if the log lacks some.
   * @example expect(await calendar.requests.hints()).toEqual([]);
   */
  hints(input?: HintsInput): Promise<Hint[]>;
  /**
   * Verify the number of requests that match; at least one by default. A list expects one request for each match, in this order. Resolves with the number, or throws `verification-failed` with the nearest requests.
   * @example const count = await calendar.requests.verify({ path: '/events', query: { search: 'jazz' } }, { exactly: 1 });
   */
  verify(match: JournalMatch | readonly JournalMatch[], options?: Omit<VerifyInput, 'match'>): Promise<number>;
}

/** Settings like the title and the time zone. */
export interface CalendarSettings {
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
}

/** Fields that the calendar adds to its records. */
export interface CalendarFields {
  /**
   * List the declared fields by resource and name.
   * @example const fields = await calendar.fields.list();
   */
  list(): Promise<DeclaredFields>;
  /**
   * Declare a field.
   * @example const fields = await calendar.fields.add({ resource: 'events', name: 'age_group', type: 'string', filter: true });
   */
  add(input: FieldInput): Promise<DeclaredFields>;
  /**
   * Remove a declared field, like `events.age_group`, and its values.
   * @example const fields = await calendar.fields.remove('events.age_group');
   */
  remove(field: string): Promise<DeclaredFields>;
}

/** Users and roles. A server without users lets everyone do everything. */
export interface CalendarUsers {
  /**
   * List the users.
   * @example const users = await calendar.users.list();
   */
  list(): Promise<User[]>;
  /**
   * Add a user.
   * @example await calendar.users.add({ name: 'ada', role: 'editor', password: 'lovelace' });
   */
  add(input: NewUser): Promise<User>;
  /**
   * Change the password or the role of a user.
   * @example await calendar.users.change({ name: 'ada', role: 'author' });
   */
  change(input: UserChange): Promise<User>;
  /**
   * Remove a user.
   * @example await calendar.users.remove('ada');
   */
  remove(name: string): Promise<void>;
}

/** The file of a calendar. */
export interface CalendarFile {
  /**
   * Get figures about the file.
   * @example const { fileBytes } = await calendar.file.info();
   */
  info(): Promise<FileInfo>;
  /**
   * Write the log into the file.
   * @example await calendar.file.checkpoint();
   */
  checkpoint(): Promise<void>;
  /**
   * Write a copy of the file.
   * @example await calendar.file.backup('copy.db');
   */
  backup(file: string): Promise<void>;
}
