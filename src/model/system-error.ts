import { Failure, type FailureCode } from './error.ts';

/** Failures and meanings of the operating system's error codes. */
const meanings: Record<string, readonly [FailureCode, string]> = {
  ENOENT: ['not-found', 'no such file or folder'],
  ENOTDIR: ['not-found', 'a part of its path is not a folder'],
  ELOOP: ['not-found', 'too many symbolic links'],
  EISDIR: ['bad-request', 'it is a folder'],
  ENAMETOOLONG: ['bad-request', 'its name is too long'],
  EACCES: ['rest_forbidden', 'permission denied'],
  EPERM: ['rest_forbidden', 'operation not permitted'],
  EROFS: ['store-read-only', 'the file system is read-only'],
  ENOSPC: ['store-full', 'the disk is full'],
  EDQUOT: ['store-full', 'the disk quota is used up'],
  EFBIG: ['store-full', 'the file size limit is reached'],
  EBUSY: ['store-io', 'another program is using it'],
  ETXTBSY: ['store-io', 'another program is using it'],
  EMFILE: ['store-io', 'too many files are open'],
  ENFILE: ['store-io', 'too many files are open'],
  ENXIO: ['store-io', 'no such device'],
  ENODEV: ['store-io', 'no such device'],
  EIO: ['store-io', 'the device reports an error'],
};

/**
 * Returns an error of the operating system about a file as a failure; `doing` is the file, or what was tried, by default taken from the error. Returns any
 * other error unchanged.
 */
export function systemFailure(error: unknown, doing?: string): unknown {
  if (!(error instanceof Error) || error instanceof Failure) return error;
  const { code = '', syscall, path } = error as NodeJS.ErrnoException;
  if (syscall === undefined || !Object.hasOwn(meanings, code)) return error;
  const [failure, why] = meanings[code]!;
  return new Failure(failure, `${doing ?? `cannot ${syscall} ${path ?? 'a file'}`}: ${why}`);
}

/** Returns the meaning of a system error as a phrase, or its own message if the code is unknown. */
export const systemReason = ({ code = '', message }: NodeJS.ErrnoException): string => meanings[code]?.[1] ?? message;

/** Returns the failure code for a system error code; undefined for unknown ones. */
export const failureCodeOf = (code: string): FailureCode | undefined => (Object.hasOwn(meanings, code) ? meanings[code]![0] : undefined);
