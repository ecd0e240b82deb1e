import type { OpenSource } from '../data/ingest/source.ts';
import { didYouMean } from '../model/did-you-mean.ts';
import { Failure } from '../model/error.ts';
import type { FaultInput, WorldInput } from '../model/operation-types.ts';
import { isSeed, type SeedName } from '../model/operations/formats.ts';
import type { SettingValues } from '../model/operations/settings.ts';
import { isStateFile } from '../model/operations/worlds.ts';
import type { ServerOptions } from '../model/server-option-types.ts';
import { type ServerOption, serverOptionRows } from '../model/server-options.ts';
import { readTime, type Time, timeForms } from '../model/time/duration.ts';
import { rolesOption, type UserList } from '../model/viewer.ts';
import { type HookFunctions, hookNames } from '../server/hooks/functions.ts';
import type { FixtureInput } from './fixture.ts';
import { shown } from './guarded.ts';
import type { LocalFault } from './operations.ts';

/** Functions around requests and changes. */
export type CalendarHooks = HookFunctions;

/** The initial state of a calendar. */
interface InitialState<Fault> {
  /** The seed of an empty calendar: its name like `demo`, a fixture, or the path or URL of one or of another file that `calendar import` reads. */
  seed?: string | FixtureInput;
  /** Where the clock is stopped at the start, like `2027-03-01T09:00Z`; without an offset in `timezone`. By default it runs; that of a world is where that of its server was at its start. */
  now?: string | Date;
  /** Time zone of the calendar, like `Europe/Paris`. */
  timezone?: string;
  /** Initial settings, like `{ title: 'Our town' }`. */
  settings?: SettingValues;
  /** Initial users, like `[{ name: 'ada', role: 'editor', password: 'lovelace' }]` or a map by name, the path of a JSON file of them, or `roles` for one of each role, whose name and password is the role. Those of a world replace those of its server. */
  users?: UserList | string;
  /** Faults that are active from the start, and after each reset, like `[{ delay: 200 }]`. */
  faults?: readonly Fault[];
}

/** Options of {@link createCalendar}. Names and defaults are those of `calendar serve`, except for the port: any free one. */
export interface CalendarOptions extends ServerOptions, InitialState<LocalFault> {
  /** Functions around requests and changes, like `{ request: (req) => (req.headers['x-maintenance'] ? { status: 503 } : undefined) }`, in every world. */
  hooks?: CalendarHooks;
  /** The initial state of a calendar in memory: the bytes of a snapshot, as `snapshots.file` returns them. Not with `seed`, `file` or `pull`; `users`, `timezone` and `settings` override it. */
  image?: Uint8Array;
}

/** Options of a calendar that the server of an app mounts. */
export type MountOptions = Omit<CalendarOptions, 'host' | 'listen' | 'port' | 'tlsCert' | 'tlsKey'> & {
  /** Leads the addresses of the site's pages in the root, like `/events/` and `/event/SLUG/`, to the calendar: the app has none of them. */
  pages?: boolean;
};

type OptionCheck = readonly [isValid: (value: unknown) => boolean, expected: string];
/** For each option: a check of its value, and a description of valid ones. */
export type OptionChecks<Options> = Record<keyof Options, OptionCheck>;

export const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isNamed = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
const text: OptionCheck = [isText, 'a non-empty string'];
const time: OptionCheck = [(value) => readTime(value, 'ttl') !== undefined, timeForms('ttl')];
const flag: OptionCheck = [(value) => typeof value === 'boolean', 'true or false'];

/** Checks of the initial state; the contents of objects are checked where they are used. */
const stateChecks: OptionChecks<InitialState<LocalFault>> = {
  seed: [(value) => isText(value) || isNamed(value), 'the name of a seed, a fixture, or the path or address of a file'],
  now: [(value) => isText(value) || value instanceof Date, 'an instant like 2027-03-01T09:00:00Z, or a Date'],
  timezone: text,
  settings: [
    (value) => isNamed(value) && Object.values(settingTexts(value as object)).every((each) => typeof each === 'string'),
    'an object with strings and numbers',
  ],
  users: [(value) => Array.isArray(value) || isNamed(value) || isText(value), 'a list of users, the path of a JSON file of them, or roles'],
  faults: [Array.isArray, 'a list of faults'],
};

/** Returns the check of an option of a server. */
function checkOf({ kind, choices, min = 0, max = 0, mayBeEmpty, placeholder, example }: ServerOption): OptionCheck {
  if (kind === 'switch')
    return choices
      ? [(value) => typeof value === 'boolean' || choices.some((choice) => choice === value), `true, false or ${choices.join(', ')}`]
      : flag;
  if (kind === 'time') return time;
  if (kind === 'number')
    return [
      (value) => Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max,
      `a whole number ${min ? `from ${min} to` : 'up to'} ${max}`,
    ];
  const isOne = choices ? (value: unknown) => choices.some((choice) => choice === value) : isText;
  if (kind === 'list')
    return [
      (value) => Array.isArray(value) && value.every(isOne),
      choices ? `a list of ${choices.join(' and ')}` : `a list of ${placeholder}, like ['${example}']`,
    ];
  if (choices) return [isOne, `one of ${choices.join(', ')}`];
  return mayBeEmpty ? [(value) => typeof value === 'string', 'a string'] : text;
}

const plainOptions = serverOptionRows.filter(([, { kind, of }]) => kind !== 'value' && of !== 'command');
const areHooks = (value: unknown) =>
  isNamed(value) && Object.entries(value as object).every(([name, hook]) => hookNames.includes(name) && typeof hook === 'function');

/** Checks of the options of {@link createCalendar}. */
export const calendarChecks: OptionChecks<CalendarOptions> = {
  ...(Object.fromEntries(plainOptions.map(([name, option]) => [name, checkOf(option)])) as OptionChecks<ServerOptions>),
  ...stateChecks,
  hooks: [areHooks, `an object with the functions ${hookNames.join(', ')}`],
  // A document of a test has another class of this name.
  image: [(value) => Object.prototype.toString.call(value) === '[object Uint8Array]', 'a Uint8Array with the bytes of a snapshot'],
};

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

/** Returns settings as text, without those that are undefined. */
export const settingTexts = (settings: SettingValues): Record<string, string> =>
  Object.fromEntries(Object.entries(defined(settings)).map(([name, value]) => [name, typeof value === 'number' ? String(value) : value]));

/** Returns the input for a seed: its name, a fixture, or the content of a path or URL. */
export async function readSeedOption(seed: string | object, open: OpenSource): Promise<{ seed: SeedName | object; name?: string }> {
  if (typeof seed !== 'string') {
    checkObject(seed);
    // As it is sent to a server, with dates as text.
    return { seed: JSON.parse(JSON.stringify(seed)) };
  }
  if (isSeed(seed)) return { seed };
  const { documentNamed } = await import('../data/seeds.ts');
  const { name, document } = await documentNamed(seed, open);
  return { seed: document as object, name };
}

/** Rules about the mistakes of clients. */
type ClientRules = Pick<ServerOptions, 'strict' | 'hints' | 'anonymous' | 'partialUpdates'>;

/** Options of a world, like `{ from: 'demo', now: '2027-03-01T09:00Z' }`. */
export interface NewWorld extends Omit<InitialState<FaultInput>, 'seed'>, ClientRules {
  /** Name for people, like that of a test; part of the ID. */
  name?: string;
  /** Initial state: `start` (the default), `empty`, the name of a snapshot of the server or of a seed, `WORLD/NAME` for a snapshot of a world, a fixture, or the path or URL of one or of another file that `calendar import` reads. */
  from?: string | FixtureInput;
  /** Time after which it is deleted if it gets no requests, like `30m` or in ms. */
  ttl?: Time;
  /** True to reject requests for the API that select no world, until the server stops. */
  required?: boolean;
}

const { seed: fixture, ...otherChecks } = stateChecks;
const { strict, hints, anonymous, partialUpdates } = calendarChecks;
const ruleChecks = { strict, hints, anonymous, partialUpdates };

/** The options of a calendar that a world has too. */
export const sharedOptionNames: readonly string[] = [...Object.keys(stateChecks), ...Object.keys(ruleChecks)];

const checks: OptionChecks<NewWorld> = {
  ...otherChecks,
  ...ruleChecks,
  name: text,
  from: fixture,
  ttl: time,
  required: flag,
};

/** Returns the input of the operation that creates a world. Throws `bad-request` for invalid options. */
export async function worldInput(options: NewWorld | undefined, open: OpenSource): Promise<WorldInput> {
  const { from, now, timezone, settings, users, faults, partialUpdates, ...rest } = checkedOptions('worlds.create', options ?? {}, checks);
  // Snapshots are on the server, files are here.
  const isName = from === undefined || (typeof from === 'string' && !isStateFile(from));
  const all = settingTexts({ ...settings, timezone: timezone ?? settings?.timezone });
  return {
    ...rest,
    ...(from === undefined ? {} : { from: isName ? from : (await readSeedOption(from, open)).seed }),
    ...(partialUpdates === undefined ? {} : { partial_updates: partialUpdates }),
    ...(now === undefined ? {} : { now: instantText(now) }),
    ...(Object.keys(all).length ? { settings: all } : {}),
    ...(users === undefined
      ? {}
      : { users: users === rolesOption ? users : [...(await (await import('../data/users.ts')).usersOf(users, open))] }),
    ...(faults === undefined ? {} : { faults: [...faults] }),
  };
}
