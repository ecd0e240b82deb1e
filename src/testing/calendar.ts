import type { Page, ResourceName } from '../model/calendar.ts';
import type { CalendarControl, OperationInput, OperationOutput } from '../model/operations/all.ts';
import type { FaultInfo, FaultInput } from '../model/operations/faults.ts';
import type { JournalMatch, RequestList, RequestsInput, VerifyInput } from '../model/operations/requests.ts';
import type { SettingValue } from '../model/operations/settings.ts';
import type { RecordTypes } from '../model/resources/record-types.ts';
import type { NewUser, User, UserChange } from '../model/viewer.ts';

/** Names one record: its ID, its slug, or the record itself. */
export type RecordRef = number | string | { id: number } | { slug: string };

/** How one record is read. */
export interface ReadParameters {
  /** Opens a record that has a password. */
  password?: string;
  /** `edit` opens records that have a password to those who may change them. */
  context?: 'view' | 'edit';
}

/** A page of a list as the HTTP API answers it: its records stand under the name of their resource. */
export type RecordPage<Name extends ResourceName> = Omit<Page, 'entries'> & Record<Name, RecordTypes[Name]['record'][]>;

/** The five actions on the records of one resource. Each fails with a {@link Failure}, whose `code` and `status` are those of the HTTP API. */
export interface TypedCollection<Name extends ResourceName> {
  /** One page of the records that match; without `per_page` ten of them. */
  list(parameters?: RecordTypes[Name]['list']): Promise<RecordPage<Name>>;
  get(ref: RecordRef, parameters?: ReadParameters): Promise<RecordTypes[Name]['record']>;
  create(record: RecordTypes[Name]['create']): Promise<RecordTypes[Name]['record']>;
  /** Changes what is given, and nothing else. A record that was read may be given back. */
  update(ref: RecordRef, changes: RecordTypes[Name]['update'] | RecordTypes[Name]['record']): Promise<RecordTypes[Name]['record']>;
  /** Puts an event, a venue or an organizer into the trash; a category or a tag is gone. */
  delete(ref: RecordRef): Promise<RecordTypes[Name]['record']>;
}

/** The moment that counts as now. */
export interface CalendarClock {
  get(): Promise<OperationOutput<'clock'>>;
  /** Stops it at an instant, like `2027-03-01T09:00Z`. */
  set(now: string | Date): Promise<OperationOutput<'setClock'>>;
  /** Moves it by a duration, like `P1DT2H`, or to an instant; what is due by then is published before this resolves. */
  advance(by: string | { by: string } | { to: string | Date }): Promise<OperationOutput<'advanceClock'>>;
  freeze(): Promise<OperationOutput<'freezeClock'>>;
  /** Lets it run on from where it is. */
  resume(): Promise<OperationOutput<'resumeClock'>>;
  /** As it was at the start. */
  reset(): Promise<OperationOutput<'resetClock'>>;
}

/** States that are kept, by name. */
export interface CalendarSnapshots {
  list(): Promise<OperationOutput<'snapshots'>['snapshots']>;
  /** Keeps the state as it is now. Fails where the name is taken, unless it may be replaced. */
  save(name: string, options?: { replace?: boolean }): Promise<OperationOutput<'saveSnapshot'>>;
  restore(name: string): Promise<OperationOutput<'restoreSnapshot'>>;
  /** The snapshot as a SQLite file. */
  file(name: string): Promise<Uint8Array>;
  delete(name: string): Promise<OperationOutput<'deleteSnapshot'>>;
}

/** What goes wrong with which requests over HTTP. What is done with the collections of a calendar in this process meets none. */
export interface CalendarFaults {
  list(): Promise<FaultInfo[]>;
  /** Has something go wrong: `{ match: { method: 'POST', path: '/events' }, times: 1, then: { status: 503 } }`. */
  add(fault: FaultInput): Promise<FaultInfo>;
  /** One fault, with how often it was met. */
  get(id: number): Promise<FaultInfo>;
  remove(id: number): Promise<FaultInfo>;
  clear(): Promise<void>;
}

/** The requests that came over HTTP, or through `fetch`; the last 500 are kept, without those of control. What is done with the collections of a calendar in this process is none. */
export interface CalendarRequests {
  /** The oldest first. */
  list(input?: RequestsInput): Promise<RequestList>;
  /** How many match: `{ method: 'POST', path: '/events', status: 201 }`; without a match all. */
  count(match?: JournalMatch): Promise<number>;
  /**
   * Resolves with how many match where these are as many as they should be, at least one when nothing is said. Else fails with `verification-failed`, and names the requests that come nearest.
   */
  verify(match: JournalMatch, expected?: Omit<VerifyInput, 'match'>): Promise<number>;
  /** Forgets them, and says how many there were. */
  clear(): Promise<number>;
}

/** What a calendar is called, its zone, and the like. */
export interface CalendarSettings {
  list(): Promise<SettingValue[]>;
  /** Sets those that are named; the others stay. */
  change(settings: Record<string, string>): Promise<SettingValue[]>;
}

/** Who may do what. A server without users lets everybody do everything. */
export interface CalendarUsers {
  list(): Promise<User[]>;
  add(user: NewUser): Promise<User>;
  change(user: UserChange): Promise<User>;
  remove(name: string): Promise<void>;
}

/**
 * A calendar with a server, as tests and programs use it: records, the calendar as a whole, its clock. It is the same for one that runs in this process and for one that is far away. What can be done with the calendar
 * as a whole has the names and inputs of the control interface below `/_calendar`. Everything fails with a {@link Failure}.
 */
export interface ControlledCalendar {
  /** Where its API starts, like `http://127.0.0.1:40123/calendar/events/v1`. */
  readonly url: string;
  /** The address of its server, without a path. */
  readonly root: string;
  /**
   * Asks the server: a path is below `url`, one with a slash at its start below `root`; a whole address has to be one of this server. Of a calendar in this process no socket is used. It does what the `fetch` of a
   * browser does, needs no `this`, and can be handed to clients that take a fetch function.
   */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

  readonly events: TypedCollection<'events'>;
  readonly venues: TypedCollection<'venues'>;
  readonly organizers: TypedCollection<'organizers'>;
  readonly categories: TypedCollection<'categories'>;
  readonly tags: TypedCollection<'tags'>;

  readonly clock: CalendarClock;
  readonly faults: CalendarFaults;
  readonly requests: CalendarRequests;
  readonly snapshots: CalendarSnapshots;
  readonly settings: CalendarSettings;
  readonly users: CalendarUsers;

  /** Version, address, records by kind, seconds since the start. */
  health(): ReturnType<CalendarControl['health']>;
  /** Brings everything back: records, users, settings, the IDs that come next, the clock, faults, the requests that are kept; to the start unless told otherwise. */
  reset(input?: OperationInput<'reset'>): ReturnType<CalendarControl['reset']>;
  /** Makes the records of a seed: its name, a fixture, or the path or address of one. Where records are there already, an option has to say what becomes of them. */
  seed(seed: string | object, options?: Omit<OperationInput<'seed'>, 'seed'>): ReturnType<CalendarControl['seed']>;
  /** Makes records up: `{ events: 100 }`. */
  generate(input: OperationInput<'generate'>): ReturnType<CalendarControl['generate']>;
  /** Takes records in from json, ndjson, csv or ics: `{ text, format }`. */
  import(input: OperationInput<'import'>): ReturnType<CalendarControl['import']>;
  /** The whole calendar as a text, as json unless told otherwise. */
  export(input?: OperationInput<'export'>): ReturnType<CalendarControl['export']>;
  /** Moves all events by a duration, like `P7D` or `-P1M`. */
  shift(by: string, options?: Omit<OperationInput<'shift'>, 'by'>): ReturnType<CalendarControl['shift']>;
  /** Brings back what the last reset, import or the like found; of a calendar in a file. */
  undo(): ReturnType<CalendarControl['undo']>;
  /** Copies the calendar at another server to here. */
  pull(input: OperationInput<'pull'>): ReturnType<CalendarControl['pull']>;
  /** Copies this calendar to another server. */
  push(input: OperationInput<'push'>): ReturnType<CalendarControl['push']>;

  /** A copy in this process, in memory and on a port of its own: what happens to one does not happen to the other. Its start, to which a reset goes, is the state that is copied; snapshots stay behind. */
  fork(): Promise<ControlledCalendar>;
  /** Stops the server when the requests under way are answered, and lets go of what is open. Twice does no harm. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
