import { documentNamed, isSeed } from '../data/seeds.ts';
import { Failure } from '../model/error.ts';
import type { SettingValues } from '../model/operations/settings.ts';
import { shown } from './guarded.ts';

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
