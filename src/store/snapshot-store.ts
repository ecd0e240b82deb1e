import type { SnapshotInfo } from '../model/operation-types.ts';

/** The names of snapshots. */
export const namePattern = /^[a-z0-9][a-z0-9._-]{0,63}$/;
/** The names of automatic snapshots, with their number. */
export const automatic = /^(before|undone)-(?:.*-)?(\d+)$/;

/** Hashes of the rows of a calendar, by table and key. */
export type Fingerprint = Record<string, Record<string, string>>;

/** Stores snapshots. */
export interface SnapshotStore {
  list(): SnapshotInfo[];
  put(name: string, image: Uint8Array): Promise<void>;
  /** Stores the state after the change that a snapshot was saved before. */
  putAfter(name: string, after: Fingerprint): Promise<void>;
  /** Undefined if the end of the change is not known: it was interrupted. */
  getAfter(name: string): Promise<Fingerprint | undefined>;
  get(name: string): Promise<Uint8Array>;
  drop(name: string): void;
  removeIncomplete(): void;
}

/** Sorts the oldest first, with equal times by number. */
export const inOrder = (snapshots: SnapshotInfo[]): SnapshotInfo[] =>
  snapshots.sort(
    (a, b) => a.taken.localeCompare(b.taken) || Number(automatic.exec(a.name)?.[2] ?? 0) - Number(automatic.exec(b.name)?.[2] ?? 0),
  );
