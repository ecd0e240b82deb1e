import fs, { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { afterEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/store/sqlite/sql.ts';
import { chance } from '../../crash/chance.ts';
import { everything, openRecords, put } from '../../crash/records.ts';
import { cases } from '../../support/cases.ts';
import { inFolder } from '../../support/items.ts';
import { seed } from '../../support/seed.ts';
import { limit } from '../../support/timeouts.ts';

const { openSync, writeSync, fsyncSync, fdatasyncSync, ftruncateSync, renameSync, fdatasync } = fs;
const original = { openSync, writeSync, fsyncSync, fdatasyncSync, ftruncateSync, renameSync, fdatasync };
const { open } = fs.promises;

afterEach(restoreDisk);

function restoreDisk(): void {
  Object.assign(fs, original);
  Object.assign(fs.promises, { open });
  syncBuiltinESMExports();
}

/** Makes every use of the disk fail now and then: `odds` of it. Writes may come half way before they fail. */
function breakDisk(random: () => number, odds: number): void {
  const failure = (): Error => {
    const code = random() < 0.5 ? 'ENOSPC' : 'EIO';
    return Object.assign(new Error(`${code}: on purpose`), { code, syscall: 'test' });
  };
  const fails = (): boolean => random() < odds;
  for (const name of ['openSync', 'fsyncSync', 'fdatasyncSync', 'ftruncateSync', 'renameSync'] as const) {
    const real = original[name] as (...args: unknown[]) => unknown;
    Object.assign(fs, {
      [name]: (...args: unknown[]) => {
        if (fails()) throw failure();
        return real(...args);
      },
    });
  }
  Object.assign(fs, {
    writeSync: (fd: number, bytes: Uint8Array, from: number, length: number, position: number) => {
      if (!fails()) return original.writeSync(fd, bytes, from, length, position);
      original.writeSync(fd, bytes, from, Math.floor(random() * length), position);
      throw failure();
    },
    fdatasync: (fd: number, done: (error: Error | null) => void) =>
      original.fdatasync(fd, (error) => done(error ?? (fails() ? failure() : null))),
  });
  Object.assign(fs.promises, {
    open: async (path: string, ...more: [string, number]) => {
      if (fails()) throw failure();
      const file = await open(path, ...more);
      const [sync, write] = [file.sync.bind(file), file.write.bind(file) as (...args: unknown[]) => Promise<never>];
      return Object.assign(file, {
        sync: async () => {
          await sync();
          if (fails()) throw failure();
        },
        write: async (...args: unknown[]) => {
          if (fails()) throw failure();
          return write(...args);
        },
      });
    },
  });
  syncBuiltinESMExports();
}

/** Possible values by key: one if it is certain. */
type Expected = Map<string, Set<string | undefined>>;

function wrongIn(found: ReadonlyMap<string, string>, expected: Expected): string[] {
  return [...new Set([...found.keys(), ...expected.keys()])]
    .filter((key) => !(expected.get(key) ?? new Set([undefined])).has(found.get(key)))
    .map((key) => `${key} is ${found.get(key)}, not ${[...(expected.get(key) ?? [undefined])].join(' or ')}`);
}

/** The state after the process is killed at this time. */
async function afterKill(file: string, copy: string): Promise<Map<string, string>> {
  for (const end of ['', '-log']) {
    rmSync(copy + end, { force: true });
    if (existsSync(file + end)) copyFileSync(file + end, copy + end);
  }
  const db = await openRecords(copy);
  const found = everything(db);
  await db.close();
  return found;
}

async function session(folder: string, seed: number): Promise<{ done: number; refused: number }> {
  const random = chance(seed);
  const file = `${folder}/a.db`;
  const expected: Expected = new Map();
  const counts = { done: 0, refused: 0 };
  let db: Database = await openRecords(file);
  const change = async (key: string, value: string | undefined): Promise<void> => {
    const before = expected.get(key) ?? new Set([undefined]);
    expected.set(key, new Set([...before, value]));
    try {
      put(db, key, value);
      await db.synced();
      expected.set(key, new Set([value]));
      counts.done += 1;
    } catch (error) {
      if ((error as { reason?: string }).reason === undefined) throw error;
      counts.refused += 1;
    }
  };
  for (let phase = 0; phase < 6; phase += 1) {
    breakDisk(random, [0.02, 0.1, 0.4][phase % 3]!);
    for (let step = 0; step < 25; step += 1) {
      const clients = Array.from({ length: 1 + Math.floor(random() * 4) }, (_, i) =>
        change(`${i}-${Math.floor(random() * 5)}`, random() < 0.2 ? undefined : `${phase}.${step}.${i}`),
      );
      const checkpointing = random() < 0.3 ? db.checkpoint().catch(() => {}) : undefined;
      if (random() < 0.3) {
        for (let i = Math.floor(random() * 4); i > 0; i -= 1) await new Promise(setImmediate);
        restoreDisk();
        const then = new Map(expected);
        expect({ seed, phase, step, wrong: wrongIn(await afterKill(file, `${folder}/killed.db`), then) }).toEqual({
          seed,
          phase,
          step,
          wrong: [],
        });
        breakDisk(random, [0.02, 0.1, 0.4][phase % 3]!);
      }
      await Promise.all([...clients, checkpointing]);
    }
    restoreDisk();
    // The disk is well again, and so is the service; what it says now is what stays.
    await change('after', `${phase}`);
    expect(expected.get('after')).toEqual(new Set([`${phase}`]));
    const now = everything(db);
    expect({ seed, phase, wrong: wrongIn(now, expected) }).toEqual({ seed, phase, wrong: [] });
    for (const key of expected.keys()) expected.set(key, new Set([now.get(key)]));
    expect({ seed, phase, wrong: wrongIn(await afterKill(file, `${folder}/killed.db`), expected) }).toEqual({ seed, phase, wrong: [] });
    if (random() < 0.5) {
      await db.close();
      db = await openRecords(file);
      expect({ seed, phase, wrong: wrongIn(everything(db), expected) }).toEqual({ seed, phase, wrong: [] });
    }
  }
  await db.close();
  return counts;
}

describe('a disk that fails anywhere, at any time', () => {
  it('loses nothing acknowledged, keeps nothing half, and serves again when it is well', { timeout: limit(120_000) }, () =>
    inFolder(async (folder) => {
      const seeds = process.env.FAULT_SEEDS?.split(',').map(Number) ?? Array.from({ length: cases(2) }, (_, at) => (seed + at) % 1e6);
      const totals = { done: 0, refused: 0 };
      for (const seed of seeds) {
        mkdirSync(`${folder}/${seed}`, { recursive: true });
        const { done, refused } = await session(`${folder}/${seed}`, seed);
        totals.done += done;
        totals.refused += refused;
      }
      expect(totals.done).toBeGreaterThan(100);
      expect(totals.refused).toBeGreaterThan(100);
    }),
  );
});
