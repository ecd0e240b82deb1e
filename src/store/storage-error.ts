import { Failure, type FailureCode } from '../model/error.ts';

/** What can go wrong with a file that holds a calendar, and the failure that it is to everybody else; a closed list. */
const reasons = {
  /** Another process owns the file. */
  locked: 'store-locked',
  /** There is no such file or folder. */
  missing: 'store-missing',
  /** The file is not a calendar. */
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

/** A failure of the storage itself, with what the user can do about it. */
export class StorageError extends Failure {
  readonly reason: StorageReason;

  constructor(reason: StorageReason, message: string, hint?: string, cause?: unknown) {
    super(reasons[reason], message, {}, hint);
    this.name = 'StorageError';
    this.reason = reason;
    if (cause !== undefined) this.cause = cause;
  }
}
