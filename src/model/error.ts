import { type ExitCode, type FailureKind, kind } from './failure-kind.ts';
import { type FailureCode, failures } from './failures.ts';

export { type ExitCode, exitCodes } from './failure-kind.ts';
export { type FailureCode, failures };

/** Additional data of a failure: `data` on the wire without the status. */
export type FailureData = Record<string, unknown>;

/** Failures about records, by prefix or suffix of their codes; the rest is the kind of record: `venue-is-in-trash`. */
const recordFailures: Record<string, FailureKind> = {
  'could-not-create-': kind(400, 'invalid'),
  '-not-accessible': kind(403, 'forbidden'),
  '-archive-page-not-found': kind(404, 'missing'),
  '-is-in-trash': kind(410, 'missing'),
};
/** Undefined for unknown codes. */
export function failureKind(code: string): FailureKind | undefined {
  if (Object.hasOwn(failures, code)) return failures[code as keyof typeof failures];
  return Object.entries(recordFailures).find(([part]) => code.startsWith(part) || code.endsWith(part))?.[1];
}

export const recordFailureCodes = (recordKind: string): FailureCode[] =>
  Object.keys(recordFailures).map((part) => (part.startsWith('-') ? recordKind + part : part + recordKind) as FailureCode);

const byStatus: Record<number, FailureCode> = {
  401: 'rest_forbidden',
  403: 'rest_forbidden',
  404: 'not-found',
  409: 'conflict',
  410: 'not-found',
  412: 'conflict',
  413: 'body-too-large',
  423: 'conflict',
  408: 'busy',
  425: 'busy',
  429: 'busy',
  502: 'busy',
  503: 'busy',
  504: 'busy',
};

/** The code for an error status without one. */
export const codeFor = (status: number): FailureCode => byStatus[status] ?? (status >= 500 ? 'server-failure' : 'bad-request');

/** The only error class that is thrown on purpose: a code of {@link failures}, a message, and additional data. */
export class Failure extends Error {
  /** The name of the class, which the bundle shortens. */
  static override readonly name = 'Failure';
  /** Status code of the response, like 404. */
  readonly status: number;

  constructor(
    /** Code, like `not-found`. */
    readonly code: FailureCode,
    message: string,
    /** Advice for fixing the error. The command line prints it on a separate line; the TypeScript API appends it to the message. */
    readonly hint?: string,
    /** Additional data, like `params` with the reasons for invalid parameters. */
    readonly data: FailureData = {},
    status?: number,
  ) {
    super(message);
    this.name = 'Failure';
    this.status = status ?? failureKind(code)!.status;
  }

  /**
   * Returns the same failure with another message, hint or data.
   *
   * @example
   * throw failure.with({ message: `Row 12: ${failure.message}` });
   */
  with({ message = this.message, hint = this.hint, data = this.data }: Partial<Pick<Failure, 'message' | 'hint' | 'data'>>): Failure {
    return new Failure(this.code, message, hint, data, this.status);
  }

  /** The exit code of a command that ends with this failure. */
  get exit(): ExitCode {
    return failureKind(this.code)!.exit;
  }
}

/** A fault of one parameter. */
export interface Fault {
  reason: string;
  /** The code in `details`, set by checks of a parameter's type. */
  detail?: string;
}

export function invalidParams(faults: Record<string, Fault>, hint?: string): Failure {
  const all = Object.entries(faults);
  const params = Object.fromEntries(all.map(([name, { reason }]) => [name, reason]));
  const detailed = all.filter(([, { detail }]) => detail);
  const details = detailed.map(([name, { detail, reason }]) => [name, { code: detail, message: reason, data: { param: name } }]);
  const text = all.map(([name, { reason }]) => `${name}: ${reason}`).join('; ');
  const data = { params, details: details.length ? Object.fromEntries(details) : [] };
  return new Failure('rest_invalid_param', `Invalid ${text}`, hint, data);
}

/** True if a failure of an action with some input means that no record has this ID or slug. */
export function isMissingRecord(
  error: unknown,
  ref: { id: number } | { slug: string },
  input: Readonly<Record<string, unknown>> = {},
): boolean {
  if (!(error instanceof Failure)) return false;
  if (error.code === 'rest-invalid-event-id' || error.code === 'rest-event-not-found') return true;
  const params = (error.data.params ?? {}) as Record<string, unknown>;
  const key = 'id' in ref ? 'id' : 'slug';
  if (error.code !== 'rest_invalid_param' || Object.keys(params).join() !== key) return false;
  return input[key] === undefined || / is not the (ID|slug) of /.test(String(params[key]));
}

/** A problem in external data: its location (`line 12`, `events.opening.start_date`), and a phrase about it. */
export interface Problem {
  /** Location, like `line 12`. */
  at: string;
  /** Phrase about the problem. */
  reason: string;
  /** True for a standing fact of a site that was told before. */
  told?: boolean;
}

export function dataFailure(name: string, problems: readonly Problem[], hint?: string): Failure {
  const [first] = problems;
  const text = problems.length === 1 ? `${first!.at}: ${first!.reason}` : `${problems.length} problems; nothing was changed`;
  return new Failure('invalid-data', `${name}: ${text}`, hint, { problems });
}

/** A problem that prevents reading the rest of a document. */
export class DataError extends Error {
  constructor(
    readonly at: string,
    readonly reason: string,
    readonly hint?: string,
  ) {
    super(`${at}: ${reason}`);
    this.name = 'DataError';
  }
}

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
 * An error of the operating system about a file as a failure; `doing` is the file, or what was tried, by default taken from the error. Returns any
 * other error unchanged.
 */
export function systemFailure(error: unknown, doing?: string): unknown {
  if (!(error instanceof Error) || error instanceof Failure) return error;
  const { code = '', syscall, path } = error as NodeJS.ErrnoException;
  if (syscall === undefined || !Object.hasOwn(meanings, code)) return error;
  const [failure, why] = meanings[code]!;
  return new Failure(failure, `${doing ?? `cannot ${syscall} ${path ?? 'a file'}`}: ${why}`);
}

/** The meaning of a system error as a phrase, or its own message if the code is unknown. */
export const systemReason = ({ code = '', message }: NodeJS.ErrnoException): string => meanings[code]?.[1] ?? message;

/** Undefined for unknown ones. */
export const failureCodeOf = (code: string): FailureCode | undefined => (Object.hasOwn(meanings, code) ? meanings[code]![0] : undefined);
