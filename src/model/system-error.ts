import { Failure, type FailureCode } from './error.ts';

/** What the codes of the operating system mean, and the failure that each comes to. */
const meanings: Record<string, readonly [FailureCode, string]> = {
  ENOENT: ['not-found', 'there is no such file or folder'],
  ENOTDIR: ['not-found', 'a part of its path is no folder'],
  ELOOP: ['not-found', 'its links lead in a circle'],
  EISDIR: ['bad-request', 'it is a folder'],
  ENAMETOOLONG: ['bad-request', 'its name is too long'],
  EACCES: ['rest_forbidden', 'this user may not'],
  EPERM: ['rest_forbidden', 'this user may not'],
  EROFS: ['store-read-only', 'the file system is read-only'],
  ENOSPC: ['store-full', 'the disk is full'],
  EDQUOT: ['store-full', 'the disk quota is used up'],
  EFBIG: ['store-full', 'the file may not grow any more'],
  EBUSY: ['store-io', 'another program is using it'],
  ETXTBSY: ['store-io', 'another program is using it'],
  EMFILE: ['store-io', 'too many files are open'],
  ENFILE: ['store-io', 'too many files are open'],
  ENXIO: ['store-io', 'there is no such device'],
  ENODEV: ['store-io', 'there is no such device'],
  EIO: ['store-io', 'the system reports an error of the device'],
};

/**
 * An error of the operating system about a file, as the failure that says so in one sentence: `doing` says what was tried, like
 * `cannot read FILE`, and is made from the error where it is absent. Any other error is given back as it is.
 */
export function systemFailure(error: unknown, doing?: string): unknown {
  if (!(error instanceof Error) || error instanceof Failure) return error;
  const { code = '', syscall, path } = error as NodeJS.ErrnoException;
  if (syscall === undefined || !Object.hasOwn(meanings, code)) return error;
  const [failure, why] = meanings[code]!;
  return new Failure(failure, `${doing ?? `cannot ${syscall} ${path ?? 'a file'}`}: ${why}`);
}

/** Why the operating system refused, as a half sentence; the error's own message where that is not known. */
export const systemReason = ({ code = '', message }: NodeJS.ErrnoException): string => meanings[code]?.[1] ?? message;
