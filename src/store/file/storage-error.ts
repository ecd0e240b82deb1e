import { Failure, type FailureCode } from '../../model/error.ts';

/** The reasons why the storage fails, a closed list, and the failure code of each. */
const reasons = {
  /** Another process owns the file. */
  locked: 'store-locked',
  /** There is no such file or folder. */
  missing: 'store-missing',
  /** The file is of another kind. */
  foreign: 'store-foreign',
  /** The file was written by a later version of this program. */
  newer: 'store-newer',
  /** Bytes on the disk are not the ones that were written. */
  damaged: 'store-damaged',
  /** Another program changed the file while changes of ours waited in the log. */
  conflict: 'store-changed',
  /** The file was removed or replaced while it was open. */
  gone: 'store-gone',
  'disk-full': 'store-full',
  /** The file, its folder or the file system takes no writes. */
  'read-only': 'store-read-only',
  /** The system reported an error while reading or writing. */
  io: 'store-io',
  /** The database was used after it was closed. */
  closed: 'store-io',
} as const satisfies Record<string, FailureCode>;

export type StorageReason = keyof typeof reasons;

/** A failure of the storage itself; its hint says how the user can go on. */
export class StorageError extends Failure {
  readonly reason: StorageReason;

  constructor(reason: StorageReason, message: string, hint?: string, cause?: unknown) {
    super(reasons[reason], message, {}, hint);
    this.name = 'StorageError';
    this.reason = reason;
    if (cause !== undefined) this.cause = cause;
  }
}
