import { chownSync, renameSync } from 'node:fs';
import { type FileKind, StorageError } from '../sqlite/sql.ts';
import { writeNew } from './files.ts';
import { type Identity, withChecksums } from './format.ts';
import { type RecoveredState, recover, type Stamp, sameStamp, stampOf } from './recovery.ts';

/** A state of the database to be written. */
export interface Snapshot {
  /** Version of the database. */
  version: number;
  /** Database pages, then the checksum trailer. */
  parts: Uint8Array[];
  identity: Identity;
  counter: number;
}

/** Mode of a new file: readable only for its user, because it can contain password hashes and drafts. An existing file keeps its mode. */
const newMode = 0o600;

/** The database file of its owner. Detects replacement and changes by others. */
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
    this.#identity = state.identity();
    this.#stamp = state.file?.stamp;
  }

  get identity(): Identity {
    return this.#identity;
  }

  /** Size in bytes. */
  get size(): number {
    return this.#stamp?.size ?? 0;
  }

  /** Mode of additional files. */
  get sideMode(): number {
    return this.#mode & 0o666;
  }

  /** Continues with a state that was read from disk again. */
  reread(state: RecoveredState): void {
    this.#identity = state.identity();
    this.#stamp = state.file?.stamp;
  }

  /** A snapshot of the bytes of a database. Raises their change counter. */
  snapshot(bytes: Uint8Array, version: number): Snapshot {
    const { trailer, identity, counter } = withChecksums(bytes, this.#counter);
    return { version, parts: [bytes, trailer], identity, counter };
  }

  write(path: string, snapshot: Snapshot): Promise<void> {
    return writeNew(path, snapshot.parts, this.#mode);
  }

  /** Replaces the file with a written snapshot. */
  replaceBy(path: string, { identity, counter }: Snapshot): void {
    this.#keepUser(path);
    renameSync(path, this.path);
    this.#stamp = stampOf(this.path);
    this.#identity = identity;
    this.#counter = counter;
  }

  /** Throws if the file was changed or replaced by others. */
  assertUnchanged(): void {
    const stamp = stampOf(this.path);
    if (sameStamp(stamp, this.#stamp)) return;
    if (stamp === undefined) throw new StorageError('gone', `${this.path} was removed while it was in use`, this.#kind.hints.removed);
    if (this.#hasSameContent()) {
      this.#stamp = stamp;
      return;
    }
    const isSameFile = this.#stamp?.ino === stamp.ino;
    throw new StorageError(
      isSameFile ? 'conflict' : 'gone',
      `${this.path} was ${isSameFile ? 'changed by another program' : 'replaced'} while it was in use`,
      this.#kind.hints.replaced,
    );
  }

  #hasSameContent(): boolean {
    try {
      return recover(this.path, this.#kind, 0).identity() === this.#identity;
    } catch {
      return false;
    }
  }

  /** Keeps the owner of the file when an administrator writes to it. */
  #keepUser(path: string): void {
    try {
      if (this.#user !== undefined) chownSync(path, this.#user.uid, this.#user.gid);
    } catch {
      // Only administrators may change the owner of a file.
    }
  }
}
