/** What can go wrong with a file that holds a calendar; a closed list. */
export type StorageCode =
  | 'locked' // another process owns the file
  | 'missing' // there is no such file
  | 'foreign' // the file is not a calendar
  | 'newer' // the file was written by a later version of this program
  | 'damaged' // bytes on disk are not the ones that were written
  | 'conflict' // another program changed the file while changes of ours waited in the log
  | 'gone' // the file was removed or replaced while it was open
  | 'disk-full'
  | 'read-only' // the file, its folder or the file system takes no writes
  | 'io' // the system reported an error while reading or writing
  | 'closed'; // the database was used after it was closed

/** A failure of the storage itself, with what the user can do about it. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly code: StorageCode;
  readonly hint: string | undefined;

  constructor(code: StorageCode, message: string, hint?: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.hint = hint;
  }
}
