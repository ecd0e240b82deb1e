import { documentNamed, isSeed } from '../data/seeds.ts';
import type { Extension } from '../model/context.ts';
import { didYouMean } from '../model/did-you-mean.ts';
import { Failure } from '../model/error.ts';
import type { FaultInput } from '../model/operations/faults.ts';
import type { SettingValues } from '../model/operations/settings.ts';
import type { WorldInput } from '../model/operations/worlds.ts';
import type { NewUser } from '../model/viewer.ts';
import type { HookFunctions } from '../server/hooks/functions.ts';
import type { Durability } from '../store/file/sql.ts';
import type { FixtureInput } from './fixture.ts';
import { shown } from './guarded.ts';

/** Functions around requests and changes. */
export type CalendarHooks = HookFunctions;

/** Options of {@link createCalendar}. Names and defaults are those of `calendar serve`, except for the port: any free one. */
export interface CalendarOptions {
  /** The seed of an empty calendar: its name like `demo`, a fixture, or the path or URL of one. */
  seed?: string | FixtureInput;
  /** Where the clock is stopped at the start, like `2027-03-01T09:00Z`; without an offset in `timezone`. The clock runs by default. */
  now?: string | Date;
  /** Path of the file, like `calendar.db`; in memory by default. */
  file?: string;
  /** Time zone of the calendar, like `Europe/Paris`. */
  timezone?: string;
  /** Initial settings, like `{ title: 'Our town' }`. */
  settings?: SettingValues;
  /** Initial users, like `[{ name: 'ada', role: 'editor', password: 'lovelace' }]`, or the path of a JSON file of them. */
  users?: readonly NewUser[] | string;
  /** False to listen on no port: requests come through `fetch`, `handler` or the dev server that mounts the calendar. */
  listen?: boolean;
  /** Port to listen on (default 0, any free port). */
  port?: number;
  /** Address to listen on (default 127.0.0.1). */
  host?: string;
  /** Path before the namespace, like `/wp-json`. */
  basePath?: string;
  /** Namespace of the API, like `brand/events/v1`. */
  namespace?: string;
  /** Prefix of the headers with totals (default X-Calendar). */
  headerPrefix?: string;
  /** Origins whose pages may call the API, like `['https://app.example.org']`, `*` for all; those on this machine by default. */
  cors?: readonly string[];
  /** Parts of the API to turn off: `geolocation`, `tickets`. */
  without?: readonly Extension[];
  /** When to acknowledge writes: after fsync (`full`), after write (`os`), or immediately (`none`). */
  durability?: Durability;
  /** Taxonomy of categories, like `brand_events_cat`; by default it follows the namespace. */
  taxonomy?: string;
  /** Reject unknown query parameters and fields of requests with 400. */
  strict?: boolean;
  /** Number of requests that the journal keeps (default 5,000). */
  journal?: number;
  /** Maximum size of a request body in bytes (default 1,048,576). */
  maxBody?: number;
  /** Folder of uploaded images; without it, uploads to `wp/v2/media` are rejected. */
  media?: string;
  /** Maximum size of an uploaded image in bytes (default 20,971,520). */
  maxUpload?: number;
  /** True to draw a picture for each record without an image. */
  posters?: boolean;
  /** True to reject changes; a file is shown as it is at this moment. */
  readOnly?: boolean;
  /** Faults that are active from the start, and after each reset, like `[{ delay: 200 }]`. */
  faults?: readonly FaultInput[];
  /** Functions around requests and changes, like `{ request: (req) => (req.headers['x-maintenance'] ? { status: 503 } : undefined) }`, in every world. */
  hooks?: CalendarHooks;
  /** False to serve no web page. */
  page?: boolean;
  /** Names by which clients may call the server or `handler` besides those of this machine, like `10.0.2.2` of an Android emulator. */
  allowHosts?: readonly string[];
  /** Maximum number of worlds (default 256). */
  maxWorlds?: number;
  /** Time after which an unused world is deleted, like `30m`. */
  worldTtl?: string;
  /** True to reject requests for the API that select no world. */
  requireWorld?: boolean;
  /** True to let every caller reset, seed and replace the calendar over HTTP, the default in memory; also through `handler`, which does not know its callers. */
  control?: boolean;
  /** Token that the control API requires. */
  controlToken?: string;
}

/** Options of a calendar that the server of an app mounts. */
export type MountOptions = Omit<CalendarOptions, 'host' | 'listen' | 'port'>;

/** For each option: a check of its value, and a description of valid ones. */
export type OptionChecks<Options> = Record<keyof Options, readonly [isValid: (value: unknown) => boolean, expected: string]>;

export const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
export const isNamed = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Checks of options that a calendar and a world have in common. */
export const commonChecks = {
  seed: [(value: unknown) => isText(value) || isNamed(value), 'the name of a seed, a fixture, or the path or address of one'],
  now: [(value: unknown) => isText(value) || value instanceof Date, 'an instant like 2027-03-01T09:00:00Z, or a Date'],
  timezone: [isText, 'a non-empty string'],
  users: [(value: unknown) => Array.isArray(value) || isText(value), 'a list of users, or the path of a JSON file of them'],
  faults: [Array.isArray, 'a list of faults'],
} as const;

/** Returns options without undefined members. Throws `bad-request` for unknown options and invalid values: callers may not use TypeScript. */
export function checkedOptions<Options extends object>(caller: string, input: Options, checks: OptionChecks<Options>): Options {
  const options = defined(input);
  for (const [name, value] of Object.entries(options)) {
    const check = Object.hasOwn(checks, name) ? checks[name as keyof Options] : undefined;
    if (!check)
      throw new Failure('bad-request', `Unknown option ${JSON.stringify(name)} of ${caller}`, didYouMean(name, Object.keys(checks)));
    const [isValid, expected] = check;
    if (!isValid(value)) throw new Failure('bad-request', `Invalid ${name} ${shown(value)}: must be ${expected}`);
  }
  return options as Options;
}

/** Returns an instant as operations take it. Throws `bad-request` for a value that is neither text nor a valid Date. */
export function instantText(instant: unknown): string {
  if (typeof instant === 'string') return instant;
  if (instant instanceof Date && !Number.isNaN(instant.getTime())) return instant.toISOString();
  throw new Failure('bad-request', `Invalid instant ${shown(instant)}`, 'Write it like 2027-03-01T09:00:00Z, or pass a Date.');
}

/** Throws `bad-request` for a value that is not an object. */
export function checkObject(value: unknown): void {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return;
  throw new Failure('bad-request', `Expected an object with named values, not ${shown(value)}`);
}

/** Returns an object without members that are undefined, like JSON. */
export function defined<T extends object>(input: T = {} as T): T {
  checkObject(input);
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as T;
}

/** Returns settings without those that are undefined. */
export const settingTexts = (settings: SettingValues): Record<string, string> => defined(settings) as Record<string, string>;

/** Returns the input for a seed: its name, a fixture, or the path or URL of one. */
export async function seedInput(seed: string | object): Promise<{ seed: string | object; name?: string }> {
  if (typeof seed !== 'string') {
    checkObject(seed);
    return { seed };
  }
  if (isSeed(seed)) return { seed };
  const { name, document } = await documentNamed(seed, {
    cwd: process.cwd(),
    stdin: nothing(),
    signal: new AbortController().signal,
    timeout: 30_000,
  });
  return { seed: document as object, name };
}

async function* nothing(): AsyncIterable<Uint8Array> {
  yield* [];
}

/** Options of a world, like `{ seed: 'demo', now: '2027-03-01T09:00Z' }`. */
export interface NewWorld {
  /** Name for people, like that of a test; part of the ID. */
  name?: string;
  /** Initial state: `start` (the default), `empty`, or the name of a snapshot of the server. */
  from?: string;
  /** The seed of an empty world, instead of `from`: its name like `demo`, a fixture, or the path or URL of one. */
  seed?: string | FixtureInput;
  /** Where its clock is stopped; by default where that of the server was at its start. */
  now?: string | Date;
  /** Time zone of the world, like `Europe/Paris`. */
  timezone?: string;
  /** Initial settings, like `{ title: 'Our town' }`. */
  settings?: SettingValues;
  /** Initial users, like `[{ name: 'ada', role: 'editor', password: 'lovelace' }]`, or the path of a JSON file of them. */
  users?: readonly NewUser[] | string;
  /** Faults that are active from the start, and after each reset. */
  faults?: readonly FaultInput[];
  /** Time after which it is deleted if it gets no requests, like `30m`. */
  ttl?: string;
  /** True to reject requests for the API that select no world, until the server stops. */
  required?: boolean;
}

const checks: OptionChecks<NewWorld> = {
  ...commonChecks,
  name: [isText, 'a non-empty string'],
  from: [isText, 'start, empty or the name of a snapshot'],
  settings: [isNamed, 'an object with strings'],
  ttl: [isText, 'a time like 30m'],
  required: [(value) => typeof value === 'boolean', 'true or false'],
};

/** Returns the input of the operation that creates a world. Throws `bad-request` for invalid options. */
export async function worldInput(options: NewWorld = {}): Promise<WorldInput> {
  const { seed, now, timezone, settings, users, faults, ...rest } = checkedOptions('worlds.create', options, checks);
  if (seed !== undefined && rest.from !== undefined) throw new Failure('bad-request', 'Use either seed or from, not both');
  const all = settingTexts({ ...settings, timezone: timezone ?? settings?.timezone });
  return {
    ...rest,
    ...(seed === undefined ? {} : { from: (await seedInput(seed)).seed }),
    ...(now === undefined ? {} : { now: instantText(now) }),
    ...(Object.keys(all).length ? { settings: all } : {}),
    ...(users === undefined ? {} : { users: [...(typeof users === 'string' ? await usersIn(users) : users)] }),
    ...(faults === undefined ? {} : { faults: [...faults] }),
  };
}

const usersIn = async (file: string) => (await import('../data/users-file.ts')).readUsers(file);
