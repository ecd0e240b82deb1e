import { chownSync, renameSync } from 'node:fs';
import { type Identity, withChecksums } from './checksums.ts';
import type { FileKind } from './file-kind.ts';
import { writeNew } from './files.ts';
import { type RecoveredState, recover, type Stamp, sameStamp, stampOf } from './recovery.ts';
import { StorageError } from './storage-error.ts';

/** A state of the database as it goes into the file. */
export interface Snapshot {
  /** The version of the database that it holds. */
  version: number;
  /** Database pages, then the checksum trailer. */
  parts: Uint8Array[];
  identity: Identity;
  counter: number;
}

/** A new file is for its user alone: it may hold hashes of passwords, and what is not published. One that is there keeps its mode. */
const newMode = 0o600;

/** The database file as its owner knows it; notices when somebody else replaces or changes it. */
export class OwnedFile {
  readonly path: string;
  readonly #kind: FileKind;
  readonly #mode: number;
  readonly #user: { uid: number; gid: number } | undefined;
  #identity: Identity;
  #stamp: Stamp | undefined;
  #counter = 0;

  constructor(path: string, kind: FileKind, state: RecoveredState) {
    this.path = path;
    this.#kind = kind;
    this.#mode = state.file?.mode ?? newMode;
    this.#user = state.file && { uid: state.file.uid, gid: state.file.gid };
    this.#identity = state.identity;
    this.#stamp = state.file?.stamp;
  }

  /** The name of the content of the file. */
  get identity(): Identity {
    return this.#identity;
  }

  /** Bytes. */
  get size(): number {
    return this.#stamp?.size ?? 0;
  }

  /** The permissions of files beside it. */
  get sideMode(): number {
    return this.#mode & 0o666;
  }

  /** Goes on from a state that was read from the disk again. */
  reread(state: RecoveredState): void {
    this.#identity = state.identity;
    this.#stamp = state.file?.stamp;
  }

  /** Makes a snapshot of the bytes of a database, whose change counter it raises. */
  snapshot(bytes: Uint8Array, version: number): Snapshot {
    const { trailer, identity, counter } = withChecksums(bytes, this.#counter);
    return { version, parts: [bytes, trailer], identity, counter };
  }

  /** Writes a snapshot to a new file at `path` and syncs it. */
  write(path: string, snapshot: Snapshot): Promise<void> {
    return writeNew(path, snapshot.parts, this.#mode);
  }

  /** Puts a written snapshot in the place of the file. */
  replaceBy(path: string, { identity, counter }: Snapshot): void {
    this.#keepUser(path);
    renameSync(path, this.path);
    this.#stamp = stampOf(this.path);
    this.#identity = identity;
    this.#counter = counter;
  }

  /** Throws when the file on the disk is not the one that we know. */
  assertUnchanged(): void {
    const stamp = stampOf(this.path);
    if (sameStamp(stamp, this.#stamp)) return;
    if (stamp === undefined) throw new StorageError('gone', `${this.path} was removed while it was in use`, this.#kind.hints.removed);
    if (this.#hasSameContent()) {
      this.#stamp = stamp;
      return;
    }
    const changed = this.#stamp?.ino === stamp.ino;
    throw new StorageError(
      changed ? 'conflict' : 'gone',
      `${this.path} was ${changed ? 'changed by another program' : 'replaced'} while it was in use`,
      this.#kind.hints.replaced,
    );
  }

  #hasSameContent(): boolean {
    try {
      return recover(this.path, this.#kind, 0).identity === this.#identity;
    } catch {
      return false;
    }
  }

  /** An administrator who writes to the file of a user does not take it away. */
  #keepUser(path: string): void {
    try {
      if (this.#user !== undefined) chownSync(path, this.#user.uid, this.#user.gid);
    } catch {
      // Only an administrator may give files away.
    }
  }
}
