import { Failure } from '../../model/error.ts';
import type { Database, OpenOptions, SnapshotStore } from '../sqlite/sql.ts';

/** Databases in files, which not every machine has. They throw StorageErrors. */
export interface Files {
  /** Opens or creates one. */
  open(file: string, options: OpenOptions): Promise<Database>;
  /** Writes the bytes of a database to a file, with checksums. */
  write(file: string, bytes: Uint8Array): Promise<void>;
  /** The snapshots of one. */
  snapshots(file: string): SnapshotStore;
}

let files: Files | undefined;

/** Gives this process files. */
export function giveFiles(given: Files): void {
  files = given;
}

/** The files of this process, for one of them. Throws `store-missing` where there are none. */
export function filesFor(file: string): Files {
  if (files) return files;
  throw new Failure('store-missing', `There are no files here, so not ${file} either`, 'Use a calendar in memory, and its snapshots.');
}
