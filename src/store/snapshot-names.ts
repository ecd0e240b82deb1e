import type { SnapshotInfo } from '../model/operation-types.ts';

/** The names of snapshots. */
export const namePattern = /^[a-z0-9][a-z0-9._-]{0,63}$/;
/** The names of automatic snapshots, with their number. */
export const automatic = /^(before|undone)-(?:.*-)?(\d+)$/;

/** Sorts the oldest first, with equal times by number. */
export const inOrder = (snapshots: SnapshotInfo[]): SnapshotInfo[] =>
  snapshots.sort(
    (a, b) => a.taken.localeCompare(b.taken) || Number(automatic.exec(a.name)?.[2] ?? 0) - Number(automatic.exec(b.name)?.[2] ?? 0),
  );
