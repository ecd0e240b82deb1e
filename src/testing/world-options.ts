import { Failure } from '../model/error.ts';
import type { FaultInput } from '../model/operations/faults.ts';
import type { SettingValues } from '../model/operations/settings.ts';
import type { WorldInput } from '../model/operations/worlds.ts';
import type { NewUser } from '../model/viewer.ts';
import type { FixtureInput } from './fixture.ts';
import { checkedOptions, commonChecks, instantText, isNamed, isText, type OptionChecks, seedInput, settingTexts } from './options.ts';

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

const usersIn = async (file: string) => (await import('../data/users.ts')).readUsers(file);
