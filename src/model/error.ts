/** Additional data of a failure: `data` on the wire without the status. */
export type FailureData = Record<string, unknown>;

/** HTTP status and exit code of a failure. */
interface FailureKind {
  status: number;
  exit: ExitCode;
}

/** Exit codes of the command line; `calendar help exit-codes` prints them. */
export const exitCodes = {
  ok: 0,
  unexpected: 1,
  invalid: 2,
  missing: 3,
  forbidden: 4,
  unreachable: 5,
  conflict: 6,
  server: 7,
  partial: 8,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

const kind = (status: number, exit: keyof typeof exitCodes): FailureKind => ({ status, exit: exitCodes[exit] });

/** Every failure by its code in responses. Codes with `rest` and those of records are the reference's or WordPress'; those of the store and the transport are of this program. */
export const failures = {
  rest_invalid_param: kind(400, 'invalid'),
  rest_missing_callback_param: kind(400, 'invalid'),
  rest_invalid_json: kind(400, 'invalid'),
  rest_callback_invalid: kind(400, 'invalid'),
  rest_taxonomy_not_hierarchical: kind(400, 'invalid'),
  term_exists: kind(400, 'conflict'),
  duplicate_term_slug: kind(400, 'conflict'),
  'rest-invalid-event-id': kind(400, 'missing'),
  'bad-request': kind(400, 'invalid'),
  'world-required': kind(400, 'invalid'),
  'invalid-data': kind(400, 'invalid'),
  'user-exists': kind(409, 'conflict'),
  'user-not-found': kind(404, 'missing'),
  invalid_username: kind(401, 'forbidden'),
  incorrect_password: kind(401, 'forbidden'),
  rest_upload_no_data: kind(400, 'invalid'),
  rest_upload_no_content_disposition: kind(400, 'invalid'),
  rest_upload_invalid_disposition: kind(400, 'invalid'),
  rest_upload_sideload_error: kind(400, 'invalid'),
  rest_not_logged_in: kind(401, 'forbidden'),
  rest_cannot_create: kind(403, 'forbidden'),
  rest_forbidden: kind(403, 'forbidden'),
  rest_cookie_invalid_nonce: kind(403, 'forbidden'),
  'host-not-allowed': kind(403, 'forbidden'),
  'origin-not-allowed': kind(403, 'forbidden'),
  'control-not-allowed': kind(403, 'forbidden'),
  'read-only': kind(403, 'forbidden'),
  'event-no-longer-available': kind(403, 'missing'),
  'event-password-protected': kind(403, 'forbidden'),
  rest_no_route: kind(404, 'missing'),
  rest_post_invalid_id: kind(404, 'missing'),
  'unknown-world': kind(404, 'missing'),
  'rest-event-not-found': kind(404, 'missing'),
  'method-not-allowed': kind(405, 'invalid'),
  'too-many-attempts': kind(429, 'forbidden'),
  'request-timeout': kind(408, 'unreachable'),
  'body-too-large': kind(413, 'invalid'),
  'header-too-large': kind(431, 'invalid'),
  'unsupported-encoding': kind(415, 'invalid'),
  'not-ready': kind(503, 'unreachable'),
  'world-reset': kind(503, 'conflict'),
  'unexpected-failure': kind(500, 'unexpected'),
  'store-damaged': kind(500, 'server'),
  'store-newer': kind(500, 'conflict'),
  'store-gone': kind(503, 'server'),
  'store-locked': kind(503, 'conflict'),
  'store-read-only': kind(503, 'server'),
  'store-io': kind(503, 'server'),
  'store-full': kind(507, 'server'),
  'store-missing': kind(404, 'missing'),
  'store-foreign': kind(500, 'invalid'),
  'store-changed': kind(503, 'conflict'),
  unreachable: kind(502, 'unreachable'),
  'not-a-calendar': kind(502, 'unreachable'),
  'upstream-unreachable': kind(504, 'unreachable'),
  // Errors of other servers with unknown codes, by status.
  'not-found': kind(404, 'missing'),
  conflict: kind(409, 'conflict'),
  'verification-failed': kind(409, 'conflict'),
  'requests-dropped': kind(409, 'conflict'),
  'server-failure': kind(500, 'server'),
  busy: kind(503, 'unreachable'),
} as const satisfies Record<string, FailureKind>;

/** Failures about records, by prefix or suffix of their codes; the rest is the kind of record: `venue-is-in-trash`. */
const recordFailures: Record<string, FailureKind> = {
  'could-not-create-': kind(400, 'invalid'),
  '-not-accessible': kind(403, 'forbidden'),
  '-archive-page-not-found': kind(404, 'missing'),
  '-is-in-trash': kind(410, 'missing'),
};
type RecordFailureCode =
  | `could-not-create-${string}`
  | `${string}-not-accessible`
  | `${string}-archive-page-not-found`
  | `${string}-is-in-trash`;

export type FailureCode = keyof typeof failures | RecordFailureCode;

/** Returns the status and exit code of a failure; undefined for unknown codes. */
export function failureKind(code: string): FailureKind | undefined {
  if (Object.hasOwn(failures, code)) return failures[code as keyof typeof failures];
  return Object.entries(recordFailures).find(([part]) => code.startsWith(part) || code.endsWith(part))?.[1];
}

/** Returns the codes of failures about one kind of record. */
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

/** Returns the code for an error status without one. */
export const codeFor = (status: number): FailureCode => byStatus[status] ?? (status >= 500 ? 'server-failure' : 'bad-request');

/** The only error class that is thrown on purpose: a code of {@link failures}, a message, and additional data. */
export class Failure extends Error {
  /** The name of the class, which the bundle shortens. */
  static override readonly name = 'Failure';
  readonly status: number;

  constructor(
    readonly code: FailureCode,
    message: string,
    readonly data: FailureData = {},
    /** Advice for fixing the error. The command line prints it on a separate line; the TypeScript API appends it to the message. */
    readonly hint?: string,
    status?: number,
  ) {
    super(message);
    this.name = 'Failure';
    this.status = status ?? failureKind(code)!.status;
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

/** Returns the failure with all invalid parameters and their reasons. */
export function invalidParams(faults: Record<string, Fault>): Failure {
  const all = Object.entries(faults);
  const params = Object.fromEntries(all.map(([name, { reason }]) => [name, reason]));
  const detailed = all.filter(([, { detail }]) => detail);
  const details = detailed.map(([name, { detail, reason }]) => [name, { code: detail, message: reason, data: { param: name } }]);
  return new Failure('rest_invalid_param', `Invalid ${all.map(([name, { reason }]) => `${name}: ${reason}`).join('; ')}`, {
    params,
    details: details.length ? Object.fromEntries(details) : [],
  });
}

/** A problem in external data: its location (`line 12`, `events.opening.start_date`), and a phrase about it. */
export interface Problem {
  at: string;
  reason: string;
}

/** Returns a failure with all problems of a document. */
export function dataFailure(name: string, problems: readonly Problem[], hint?: string): Failure {
  const [first] = problems;
  const text = problems.length === 1 ? `${first!.at}: ${first!.reason}` : `${problems.length} problems; nothing was changed`;
  return new Failure('invalid-data', `${name}: ${text}`, { problems }, hint);
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
