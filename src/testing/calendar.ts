import type { Page, Ref, ResourceName } from '../model/calendar.ts';
import type { FaultInput, WorldInfo } from '../model/operation-types.ts';
import type { RecordTypes, Status } from '../model/resources/record-types.ts';
import type {
  CalendarClock,
  CalendarData,
  CalendarFaults,
  CalendarFields,
  CalendarFile,
  CalendarRequests,
  CalendarServer,
  CalendarSettings,
  CalendarSnapshots,
  CalendarUsers,
  LocalFault,
} from './operations.ts';
import type { NewWorld } from './options.ts';

/** Refers to a record: its ID, its slug, or the record itself, like `26`, `'opening'` or `{ id: 26 }`. */
export type RecordRef = number | string | Ref;

/** Parameters for reading a record, like `{ password: 'sesame' }`. */
export interface ReadParameters {
  /** Password of the record. */
  password?: string;
  /** `edit` shows records with a password to users who may change them. */
  context?: 'view' | 'edit';
}

/** A record as GET returns it. */
type RecordOf<Name extends ResourceName> = RecordTypes[Name]['record'];

/** A page of a list; its records are under the name of their resource: `const { events, total } = await calendar.events.list()`. */
export type RecordPage<Name extends ResourceName> = Omit<Page, 'entries'> & Record<Name, RecordOf<Name>[]>;

/**
 * The actions on the records of one resource. Each throws a {@link Failure} with the `code` and `status` of the HTTP API; `not-found` with status 404
 * for an ID or a slug that no record has. Where the API takes an ID, a slug or a record is accepted: `{ venue: 'town-hall' }`.
 */
export interface TypedCollection<Name extends ResourceName> {
  /**
   * Lists one page of records; ten by default. Rejects unknown parameters, and those that have an effect over HTTP only, like `_fields` and the `order` of events.
   * @example const { events, total } = await calendar.events.list({ search: 'jazz', venue: 'town-hall', per_page: 50 });
   */
  list(parameters?: RecordTypes[Name]['list']): Promise<RecordPage<Name>>;
  /**
   * Iterates over the records of all pages. All are read before the first, so that the loop may change or delete them.
   * @example for await (const event of calendar.events.listAll({ start_date: '2027-01-01' })) titles.push(event.title);
   */
  listAll(parameters?: Omit<RecordTypes[Name]['list'], 'page'>): AsyncIterable<RecordOf<Name>>;
  /**
   * Returns one record, by ID or slug.
   * @example const hall = await calendar.venues.get('town-hall');
   */
  get(ref: RecordRef, parameters?: ReadParameters): Promise<RecordOf<Name>>;
  /**
   * Creates a record. Rejects unknown fields.
   * @example const { id } = await calendar.events.create({ title: 'Concert', start_date: 'friday 20:00', end_date: 'friday 22:00' });
   */
  create(record: RecordTypes[Name]['create']): Promise<RecordOf<Name>>;
  /**
   * Changes the given fields. Accepts a record that was read. Rejects unknown fields.
   * @example await calendar.events.update('concert', { featured: true });
   */
  update(ref: RecordRef, changes: RecordTypes[Name]['update'] | RecordOf<Name>): Promise<RecordOf<Name>>;
  /**
   * Moves an event, a venue or an organizer to the trash; deletes a category or a tag.
   * @example await calendar.tags.delete('outdoors');
   */
  delete(ref: RecordRef): Promise<RecordOf<Name>>;
}

/** The actions on events, venues or organizers, which have a trash. */
export interface TrashCollection<Name extends ResourceName> extends TypedCollection<Name> {
  /**
   * Restores a record from the trash, by its ID or its former slug. It is published unless a status is given.
   * @example await calendar.events.restore('concert', 'draft');
   */
  restore(ref: RecordRef, status?: Exclude<Status, 'trash'>): Promise<RecordOf<Name>>;
}

/** Worlds: separate calendars on the port of the same server, each with its own records, settings, users, clock, faults, journal and snapshots. */
export interface CalendarWorlds<Fault = LocalFault> {
  /**
   * List the worlds of the server.
   * @example const worlds = await calendar.worlds.list();
   */
  list(): Promise<WorldInfo[]>;
  /**
   * Create a world of the same server. `close` deletes it.
   * @example const world = await calendar.worlds.create({ from: 'demo' });
   */
  create(options?: NewWorld): Promise<CalendarWorld<Fault>>;
  /**
   * Get a world by its ID.
   * @example const { idle } = await calendar.worlds.get(id);
   */
  get(id: string): Promise<WorldInfo>;
  /**
   * Delete a world by its ID.
   * @example await calendar.worlds.delete(id);
   */
  delete(id: string): Promise<WorldInfo>;
}

/** A calendar with a server: its records, and operations on it as a whole. It is the same for a calendar in this process and for one on another server. Every method throws a {@link Failure}. */
export interface ControlledCalendar<Fault = LocalFault> extends CalendarServer {
  /**
   * Resets records, settings, users, clock, faults and journal to the start; also to a snapshot, or to empty.
   * @example beforeEach(() => calendar.reset());
   */
  reset: CalendarData['reset'];
  /** Seeds, imports, exports and copies, like `await calendar.data.seed('demo', { replace: true })`. */
  readonly data: CalendarData;
  /** Address that its API starts with, like `http://127.0.0.1:40123/calendar/events/v1`. */
  readonly url: string;
  /** Address that its control API starts with, like `http://127.0.0.1:40123/_calendar`. */
  readonly control: string;
  /** Address of its server, or of its world: what its pages start with. */
  readonly root: string;
  /**
   * Sends a request like the `fetch` of a browser: to a path below `url`, to a path below `root` if it starts with a slash, or to a URL of this server. Uses no socket for a calendar in
   * this process. Needs no `this`, so it can be passed to clients that take a fetch function.
   * @example const response = await calendar.fetch('events?search=jazz');
   */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

  /**
   * Handles a request of another server in this process: of a route of Next or SvelteKit, of Hono, Bun or Deno, or one that MSW intercepts. Links start with the origin of the request.
   * Connection faults give `Response.error()`, or a body that breaks off if they come after the head. The control API is off unless `control: true` or a token is set. Needs no `this`.
   * @example http.all('*\/calendar/*', ({ request }) => calendar.handler(request))
   */
  readonly handler: (request: Request) => Promise<Response>;

  /** The events, like `await calendar.events.list()`. */
  readonly events: TrashCollection<'events'>;
  /** The venues, like `await calendar.venues.list()`. */
  readonly venues: TrashCollection<'venues'>;
  /** The organizers, like `await calendar.organizers.list()`. */
  readonly organizers: TrashCollection<'organizers'>;
  /** The categories, like `await calendar.categories.list({ hide_empty: false })`. */
  readonly categories: TypedCollection<'categories'>;
  /** The tags, like `await calendar.tags.list({ hide_empty: false })`. */
  readonly tags: TypedCollection<'tags'>;

  /** The clock: `await calendar.clock.advance('P1D')`. */
  readonly clock: CalendarClock;
  /** Fault injection: `await calendar.faults.add({ match: { path: '/events' }, then: { status: 503 } })`. */
  readonly faults: CalendarFaults<Fault>;
  /** The request log: `await calendar.requests.verify({ method: 'POST', path: '/events' }, { exactly: 1 })`. */
  readonly requests: CalendarRequests;
  /** Snapshots: `await calendar.snapshots.save('before')`. */
  readonly snapshots: CalendarSnapshots;
  /** Settings: `await calendar.settings.change({ timezone: 'Europe/Paris' })`. */
  readonly settings: CalendarSettings;
  /** Declared fields: `await calendar.fields.add({ resource: 'events', name: 'age_group', type: 'string' })`. */
  readonly fields: CalendarFields;
  /** Users and roles: `await calendar.users.add({ name: 'ada', role: 'editor', password: 'lovelace' })`. */
  readonly users: CalendarUsers;
  /** Worlds: `await calendar.worlds.create({ from: 'demo' })`. */
  readonly worlds: CalendarWorlds<Fault>;
  /** The file: `await calendar.file.backup('copy.db')`. */
  readonly file: CalendarFile;

  /**
   * Copies the calendar into this process, in memory and on another port. A reset restores the copied state; snapshots are not copied.
   * @example const copy = await calendar.fork();
   */
  fork(): Promise<ControlledCalendar>;
  /**
   * Stops the server when open requests have finished, and closes everything. Does nothing the second time.
   * @example await calendar.close();
   */
  close(): Promise<void>;
  /**
   * Closes the calendar at the end of a block.
   * @example await using calendar = await createCalendar();
   */
  [Symbol.asyncDispose](): Promise<void>;
}

/** A calendar on a server, which takes no functions as faults. */
export type ConnectedCalendar = ControlledCalendar<FaultInput>;

/** A world of a server: a separate calendar on the same port. */
export interface CalendarWorld<Fault = LocalFault> extends ControlledCalendar<Fault> {
  /** ID of the world, by which requests select it. */
  readonly id: string;
  /** Name for people, like that of a test; null without one. */
  readonly name: string | null;
}
