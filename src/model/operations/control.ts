import type { ResourceName } from '../calendar.ts';
import type { Problem } from '../error.ts';
import type { NewUser, User, UserChange } from '../viewer.ts';
import type { ClockState } from './clock.ts';
import type { FaultInfo, FaultInput } from './faults.ts';
import type { FollowInput, Messages } from './messages.ts';
import type { JournalMatch, RequestList, RequestsInput, VerifyInput } from './requests.ts';
import type { FileInfo, SettingValue } from './service.ts';

/**
 * What can be done with a calendar as a whole, beyond its records: one value of plain data in, one out. Each fails with a Failure. Commands carry it out on a file, a server offers
 * it below `/_calendar`.
 */
export interface CalendarControl {
  health(): Promise<Health>;
  ready(): Promise<Health>;
  reset(input: ResetInput): Promise<Done>;
  undo(): Promise<Restored>;
  snapshots(): Promise<{ snapshots: SnapshotInfo[] }>;
  saveSnapshot(input: { name: string; replace?: boolean }): Promise<SnapshotInfo>;
  /** Saves one that the next `undo` brings back, before something else is done; `what` goes into its name. */
  keepSnapshot(input: { what: string }): Promise<SnapshotInfo>;
  restoreSnapshot(input: { name: string }): Promise<Restored>;
  /** The snapshot as a SQLite file. */
  snapshotFile(input: { name: string }): Promise<Uint8Array>;
  deleteSnapshot(input: { name: string }): Promise<SnapshotInfo>;
  seed(input: SeedInput): Promise<Done>;
  generate(input: GenerateInput): Promise<Done>;
  import(input: ImportInput): Promise<Done>;
  shift(input: ShiftInput): Promise<Done>;
  /** The whole calendar as a text. */
  export(input: ExportInput): Promise<string>;
  /** Copies the calendar at another server to here. */
  pull(input: PullInput): Promise<Done>;
  /** Copies this calendar to another server. */
  push(input: PushInput): Promise<Done>;
  clock(): Promise<ClockState>;
  /** Stops it there. */
  setClock(input: { now: string }): Promise<ClockState>;
  /** Moves it by a duration, by the calendar of its zone, or to an instant; what is due by then is published before the answer. */
  advanceClock(input: { by?: string; to?: string }): Promise<ClockState>;
  freezeClock(): Promise<ClockState>;
  resumeClock(): Promise<ClockState>;
  /** As it was when the server started. */
  resetClock(): Promise<ClockState>;
  faults(): Promise<{ faults: FaultInfo[] }>;
  addFault(input: FaultInput): Promise<FaultInfo>;
  fault(input: { id: number }): Promise<FaultInfo>;
  removeFault(input: { id: number }): Promise<FaultInfo>;
  /** Takes all away, those of the start too. */
  clearFaults(): Promise<{ faults: FaultInfo[] }>;
  settings(): Promise<{ settings: SettingValue[] }>;
  /** Settings by name; those that are not named stay. */
  changeSettings(input: Record<string, string>): Promise<{ settings: SettingValue[] }>;
  /** What happens from now on, or since the message that is named, until the signal. Ends by itself when the server does, and for a reader who is too slow: who comes back then is told to read everything again. */
  events(input?: FollowInput, signal?: AbortSignal): Promise<AsyncIterable<Messages>>;
  /** The requests that were answered, the last 500 of them. */
  requests(input?: RequestsInput): Promise<RequestList>;
  /** Forgets them, and counts from 1 again. */
  clearRequests(): Promise<{ deleted: number }>;
  /** How many of those that are kept match. */
  countRequests(input: { match?: JournalMatch }): Promise<{ count: number }>;
  /** The same, and fails with `verification-failed` where they are more or fewer than they should be: it names those that come nearest, and why they do not match. */
  verifyRequests(input: VerifyInput): Promise<{ count: number }>;
  info(): Promise<FileInfo>;
  /** Writes the log into the file. */
  checkpoint(): Promise<null>;
  /** Writes a consistent copy to another file. */
  backup(input: { file: string }): Promise<null>;
  users(): Promise<{ users: User[] }>;
  addUser(input: NewUser): Promise<User>;
  /** Gives a user another password, another role, or both. */
  changeUser(input: UserChange): Promise<User>;
  removeUser(input: { name: string }): Promise<null>;
}
export type { ClockState };
export type OperationName = keyof CalendarControl;

/** What an operation takes and gives. */
export type OperationInput<Name extends OperationName> = Parameters<CalendarControl[Name]>[0];
export type OperationAnswer<Name extends OperationName> = Awaited<ReturnType<CalendarControl[Name]>>;

/**
 * Who may ask a server for an operation, besides its owner. `everyone`: whoever may ask for control at all. `whole`: it shows or changes everything, for which a server of a file
 * has to be told. `trusted`: who has a token, for the server speaks to others then. `owner`: nobody else, for it reaches the files of the machine.
 */
export type OperationAccess = 'everyone' | 'whole' | 'trusted' | 'owner';

/** An operation as a server offers it. */
export interface Operation {
  method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  /** Below {@link controlPath}; `{name}` or `{id}` is a part of the input. */
  path: string;
  access: OperationAccess;
  /** One phrase for documents. */
  about: string;
}

/** Who reaches the control of a server over HTTP, besides its owner: everyone who reaches the server, or who brings the token for it. */
export type ControlReach = 'everyone' | 'token';

/** Where the operations of a server start, whatever its base path. */
export const controlPath = '/_calendar';
/** Whether a path is one for control. */
export const isControl = (path: string): boolean => path.startsWith(controlPath) && /^(\/|$)/.test(path.slice(controlPath.length));

const row = (method: Operation['method'], path: string, access: OperationAccess, about: string): Operation => ({
  method,
  path,
  access,
  about,
});

/** Every operation, as a server offers it; what it takes stands in `server/control/inputs.ts`, what it answers in `server/control/answers.ts`. */
export const operations: Record<OperationName, Operation> = {
  health: row('GET', '/health', 'everyone', 'version, address, records, uptime'),
  ready: row('GET', '/ready', 'everyone', 'the same, once everything is there that was asked for at the start; 503 before'),
  reset: row('POST', '/reset', 'whole', 'bring everything back to the start, to a snapshot, or to nothing'),
  undo: row('POST', '/undo', 'whole', 'bring back what the last reset, import or other change of many records found'),
  snapshots: row('GET', '/snapshots', 'everyone', 'the snapshots there are'),
  saveSnapshot: row('PUT', '/snapshots/{name}', 'whole', 'keep the state as it is now'),
  keepSnapshot: row('POST', '/snapshots', 'whole', 'keep the state as it is now for the next undo'),
  snapshotFile: row('GET', '/snapshots/{name}', 'whole', 'a snapshot as a SQLite file'),
  restoreSnapshot: row('POST', '/snapshots/{name}/restore', 'whole', 'bring a snapshot back'),
  deleteSnapshot: row('DELETE', '/snapshots/{name}', 'whole', 'take a snapshot away'),
  seed: row('POST', '/seed', 'whole', 'make the records of a seed or a fixture'),
  generate: row('POST', '/generate', 'whole', 'make records up'),
  import: row('POST', '/import', 'whole', 'take records in from json, ndjson, csv or ics'),
  shift: row('POST', '/shift', 'whole', 'move all events to other days'),
  export: row('GET', '/export', 'whole', 'the whole calendar as json, ndjson, csv or ics'),
  pull: row('POST', '/pull', 'trusted', 'copy a calendar from another server'),
  push: row('POST', '/push', 'trusted', 'copy this calendar to another server'),
  clock: row('GET', '/clock', 'everyone', 'the moment that counts as now'),
  setClock: row('PUT', '/clock', 'whole', 'stop the clock at an instant'),
  advanceClock: row('POST', '/clock/advance', 'whole', 'move the clock, and publish what is due by then'),
  freezeClock: row('POST', '/clock/freeze', 'whole', 'stop the clock'),
  resumeClock: row('POST', '/clock/resume', 'whole', 'let the clock run on from where it is'),
  resetClock: row('POST', '/clock/reset', 'whole', 'set the clock as it was at the start'),
  faults: row('GET', '/faults', 'everyone', 'what goes wrong with which requests'),
  addFault: row('POST', '/faults', 'whole', 'have something go wrong'),
  fault: row('GET', '/faults/{id}', 'everyone', 'one fault, with how often it was met'),
  removeFault: row('DELETE', '/faults/{id}', 'whole', 'take a fault away'),
  clearFaults: row('DELETE', '/faults', 'whole', 'take all faults away'),
  settings: row('GET', '/settings', 'everyone', 'every setting and its value'),
  changeSettings: row('PATCH', '/settings', 'whole', 'change settings'),
  events: row('GET', '/events', 'everyone', 'what happens, as server-sent events: change, request, reset, clock'),
  requests: row('GET', '/requests', 'everyone', 'the requests that were answered, the last 500 of them'),
  clearRequests: row('DELETE', '/requests', 'whole', 'forget the requests that were answered'),
  countRequests: row('POST', '/requests/count', 'whole', 'how many requests match'),
  verifyRequests: row('POST', '/requests/verify', 'whole', 'whether as many requests match as should; 409 with the nearest where not'),
  info: row('GET', '/file', 'owner', 'figures about the file'),
  checkpoint: row('POST', '/file/checkpoint', 'owner', 'write the log into the file'),
  backup: row('POST', '/file/backup', 'owner', 'write a copy of the file'),
  users: row('GET', '/users', 'owner', 'who there is'),
  addUser: row('POST', '/users', 'owner', 'add a user'),
  changeUser: row('PATCH', '/users/{name}', 'owner', 'give a user another password or role'),
  removeUser: row('DELETE', '/users/{name}', 'owner', 'take a user away'),
};

/** The part of the input that stands in the path of an operation; undefined where none does. */
export const partOf = ({ path }: Operation): string | undefined => /\{(\w+)\}/.exec(path)?.[1];

/** The operations that change what a calendar holds or keeps: a server that is for reading only refuses them. */
export const changingOperations: ReadonlySet<OperationName> = new Set([
  'reset',
  'undo',
  'saveSnapshot',
  'keepSnapshot',
  'restoreSnapshot',
  'deleteSnapshot',
  'seed',
  'generate',
  'import',
  'shift',
  'pull',
  'push',
  'changeSettings',
  'checkpoint',
  'addUser',
  'changeUser',
  'removeUser',
]);

/** The formats that a calendar is exported in and imported from. */
export const dataFormats = ['json', 'ndjson', 'csv', 'ics'] as const;
export type DataFormat = (typeof dataFormats)[number];

/** What became of a record. */
export const outcomes = ['created', 'updated', 'unchanged', 'skipped', 'deleted'] as const;
export type Outcome = (typeof outcomes)[number];

/** The outcome of one record. */
export interface RecordChange {
  action: Outcome;
  resource: ResourceName;
  /** Its ID in this calendar; undefined when it has none. */
  id?: number;
  name: string;
  /** Why it was skipped. */
  reason?: string;
}

/** What an operation on a whole calendar did. */
export interface Done extends Record<Outcome, number> {
  dry_run: boolean;
  /** Every change, where these were asked for. */
  records: RecordChange[];
  /** What was wrong with records that were left out. */
  problems: Problem[];
  /** What else there is to know. */
  notes: Problem[];
  /** The snapshot of what was there before. */
  undo?: string;
  /** Milliseconds. */
  took: number;
}

/** What every operation on a whole calendar takes. */
export interface Dry {
  /** Say what would be done, and do nothing. */
  dry_run?: boolean;
  /** List every change. */
  list?: boolean;
}

/** What a reset may leave as it is. */
export const keepable = ['users', 'settings', 'ids', 'clock', 'faults', 'requests'] as const;
export type Keepable = (typeof keepable)[number];

export interface ResetInput extends Dry {
  /** `start`: as it was when the server had started; `empty`: without any record; else the name of a snapshot. */
  to?: string;
  /** Take away only what was generated; everything else stays. */
  generated?: boolean;
  /** What stays as it is. */
  keep?: readonly Keepable[];
}

/** What happens to records that are there already; without any of these there may be none. */
export interface SeedInput extends Dry {
  /** The name of a seed that comes with the program, or a whole fixture. */
  seed: string | object;
  /** What messages call the fixture. */
  name?: string;
  /** They stay. */
  append?: boolean;
  /** They go first. */
  replace?: boolean;
  /** Those with the same slug are brought up to date. */
  upsert?: boolean;
}

/** How many records to make up, and how. */
export interface GenerateInput extends Dry, Partial<Record<ResourceName, number>> {
  /** Another seed makes other records. */
  rng_seed?: string;
  /** The first and the last day of events. */
  from?: string;
  until?: string;
  /** Zones that venues are in. */
  zones?: readonly string[];
}

/** What to take in, as one of `text`, `base64` and `file`, and how it is read; what is not given is found out from it. */
export interface ImportInput extends Dry {
  /** What messages call it; its ending tells its format. */
  name?: string;
  text?: string;
  base64?: string;
  /** A file on the machine of the server, for its owner. */
  file?: string;
  format?: DataFormat;
  only?: readonly ResourceName[];
  /** Headings of a table and the fields that they stand for; '' leaves a column out. */
  map?: Record<string, string>;
  delimiter?: string;
  encoding?: string;
  tz?: string;
  from?: string;
  until?: string;
  lenient?: boolean;
}

export interface ShiftInput extends Dry {
  /** ISO 8601, like P7D or -P1M. */
  by: string;
  /** Only what was generated. */
  generated?: boolean;
}

export interface ExportInput {
  format?: DataFormat;
  only?: readonly ResourceName[];
  /** The columns of csv. */
  fields?: readonly string[];
}

/** Another calendar, and what to copy. */
export interface PullInput extends Dry {
  /** The address that its routes start with. */
  root: string;
  /** The value of an Authorization header. */
  authorization?: string;
  only?: readonly ResourceName[];
  since?: string;
  restart?: boolean;
}

export interface PushInput extends Omit<PullInput, 'since' | 'restart'> {
  /** Delete there what is not here. */
  delete?: boolean;
}

/** A state of a calendar that is kept. */
export interface SnapshotInfo {
  name: string;
  /** When it was taken, in UTC, ISO 8601. */
  taken: string;
  bytes: number;
  /** Whether a command took it before it changed many records; of these the oldest go. */
  automatic: boolean;
}

/** What a state was brought back from, and the snapshot of the state before. */
export interface Restored {
  restored: string;
  /** Absent where nothing was kept: of what is in memory alone. */
  undo?: string;
  took: number;
}

/** How a calendar is. */
export interface Health {
  version: string;
  /** Where its API starts; null where no server answers for it. */
  url: string | null;
  file: string | null;
  /** What it was started with. */
  seed: string | null;
  /** How many rows there are, by resource, the trash included. */
  records: Record<string, number>;
  /** Seconds since it was opened. */
  uptime: number;
  clock: ClockState;
}
