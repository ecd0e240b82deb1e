import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Checkpointer, type CheckpointHost } from '../../../src/store/file/checkpoint.ts';
import type { OwnedFile } from '../../../src/store/file/owned-file.ts';
import type { Wal } from '../../../src/store/file/wal.ts';

/** A log of at most 100 bytes, whose checkpoints fail while the disk does. Returns how many were tried at each length of the log. */
async function attemptsAt(lengths: readonly number[], parts: { fileSize?: number; isClosed?: boolean; unlogged?: boolean } = {}) {
  const wal = { length: 0, endCheckpoint: () => {} };
  const file = { size: parts.fileSize ?? 0 };
  let attempts = 0;
  const host = {
    unlogged: parts.unlogged ?? false,
    notice: () => {},
    serially: async () => {
      attempts += 1;
      throw new Error('The disk is full');
    },
  };
  const checkpoints = new Checkpointer(file as OwnedFile, wal as unknown as Wal, host as unknown as CheckpointHost, 0, 100);
  if (parts.isClosed) await checkpoints.close();
  const counts: number[] = [];
  for (const length of lengths) {
    wal.length = length;
    checkpoints.plan();
    await setImmediate();
    counts.push(attempts);
  }
  checkpoints.cancel();
  return counts;
}

it.each([
  ['a log is checkpointed at once above its limit', [100, 101], {}, [0, 1]],
  ['a checkpoint that failed is tried again when the log has doubled', [150, 200, 300, 301, 602, 603], {}, [1, 1, 1, 2, 2, 3]],
  ['a log of a large file may be a quarter of it', [101, 500, 501], { fileSize: 2000 }, [0, 0, 1]],
  ['a closed file is not checkpointed', [1000], { isClosed: true }, [0]],
  ['a file without a log is not checkpointed by its length', [1000], { unlogged: true }, [0]],
] as const)('%s', async (_, lengths, parts, expected) => {
  expect(await attemptsAt(lengths, parts)).toEqual(expected);
});
