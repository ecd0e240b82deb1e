import { Failure, type FailureCode } from '../../model/error.ts';

/** The reasons of storage failures, with their failure codes. */
const reasons = {
  /** Another process owns the file. */
  locked: 'store-locked',
  /** The file or its folder does not exist. */
  missing: 'store-missing',
  /** The file is of another kind. */
  foreign: 'store-foreign',
  /** The file was written by a later version of this program. */
  newer: 'store-newer',
  /** The content doesn't match its checksums. */
  damaged: 'store-damaged',
  /** Another program changed the file while the log contained changes. */
  conflict: 'store-changed',
  /** The file was removed or replaced while it was open. */
  gone: 'store-gone',
  'disk-full': 'store-full',
  /** The file, its folder or the file system is read-only. */
  'read-only': 'store-read-only',
  /** The system reported an error while reading or writing. */
  io: 'store-io',
  /** The database was used after it was closed. */
  closed: 'store-io',
} as const satisfies Record<string, FailureCode>;

export type StorageReason = keyof typeof reasons;

/** A failure of the storage. */
export class StorageError extends Failure {
  readonly reason: StorageReason;

  constructor(reason: StorageReason, message: string, hint?: string, cause?: unknown) {
    super(reasons[reason], message, hint);
    this.name = 'StorageError';
    this.reason = reason;
    if (cause !== undefined) this.cause = cause;
  }
}
