import type { Page, ResourceName } from '../model/calendar.ts';
import type { operationGroups } from '../model/operations/all.ts';
import type { OperationMethod } from '../model/operations/operation.ts';
import type { RecordTypes } from '../model/resources/record-types.ts';
import type { AdaptedMethods } from './adapters.ts';

/** Refers to a record: its ID, its slug, or the record itself. */
export type RecordRef = number | string | { id: number } | { slug: string };

/** Parameters for reading a record. */
export interface ReadParameters {
  /** Password of the record. */
  password?: string;
  /** `edit` shows records with a password to users who may change them. */
  context?: 'view' | 'edit';
}

/** A page of a list; its records are under the name of their resource. */
export type RecordPage<Name extends ResourceName> = Omit<Page, 'entries'> & Record<Name, RecordTypes[Name]['record'][]>;

/** The five actions on the records of one resource. Each throws a {@link Failure} with the `code` and `status` of the HTTP API. */
export interface TypedCollection<Name extends ResourceName> {
  /** Lists one page of records; ten by default. */
  list(parameters?: RecordTypes[Name]['list']): Promise<RecordPage<Name>>;
  get(ref: RecordRef, parameters?: ReadParameters): Promise<RecordTypes[Name]['record']>;
  create(record: RecordTypes[Name]['create']): Promise<RecordTypes[Name]['record']>;
  /** Changes the given fields. Accepts a record that was read. */
  update(ref: RecordRef, changes: RecordTypes[Name]['update'] | RecordTypes[Name]['record']): Promise<RecordTypes[Name]['record']>;
  /** Moves an event, a venue or an organizer to the trash; deletes a category or a tag. */
  delete(ref: RecordRef): Promise<RecordTypes[Name]['record']>;
}

/** The methods of operations that take one object, by group. */
export type OperationMethods = {
  [Group in keyof typeof operationGroups]: {
    [Name in keyof (typeof operationGroups)[Group]]: OperationMethod<(typeof operationGroups)[Group][Name]>;
  };
};

/** The methods of a group of operations. */
type GroupMethods<Group extends keyof AdaptedMethods> = Omit<OperationMethods[Group], keyof AdaptedMethods[Group]> & AdaptedMethods[Group];

/** The clock of a calendar. */
export type CalendarClock = GroupMethods<'clock'>;
/** The snapshots of a calendar. */
export type CalendarSnapshots = GroupMethods<'snapshots'>;
/** Faults of requests over HTTP or through `fetch`; methods of a calendar in this process are not affected. */
export type CalendarFaults = GroupMethods<'faults'>;
/** The journal of requests over HTTP or through `fetch`, without those of the control API. */
export type CalendarRequests = GroupMethods<'requests'>;
/** Settings like the title and the time zone. */
export type CalendarSettings = GroupMethods<'settings'>;
/** Users and roles. A server without users lets everyone do everything. */
export type CalendarUsers = GroupMethods<'users'>;
/** The file of a calendar. */
export type CalendarFile = GroupMethods<'file'>;
/** Operations on a calendar as a whole. */
export type CalendarOperations = GroupMethods<'server'> & GroupMethods<'data'> & GroupMethods<'sync'>;

/** A calendar with a server: its records, and operations on it as a whole. It is the same for a calendar in this process and for one on another server. Every method throws a {@link Failure}. */
export interface ControlledCalendar extends CalendarOperations {
  /** Address that its API starts with, like `http://127.0.0.1:40123/calendar/events/v1`. */
  readonly url: string;
  /** Address of its server, without a path. */
  readonly root: string;
  /**
   * Sends a request like the `fetch` of a browser: to a path below `url`, to a path below `root` if it starts with a slash, or to a URL of this server. Uses no socket for a calendar in
   * this process. Needs no `this`, so it can be passed to clients that take a fetch function.
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
  readonly file: CalendarFile;

  /** Copies the calendar into this process, in memory and on another port. A reset restores the copied state; snapshots are not copied. */
  fork(): Promise<ControlledCalendar>;
  /** Stops the server when open requests have finished, and closes everything. Does nothing the second time. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
