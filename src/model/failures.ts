import { type FailureKind, kind } from './failure-kind.ts';

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
  'request-timeout': kind(408, 'unreachable'),
  'body-too-large': kind(413, 'invalid'),
  'header-too-large': kind(431, 'invalid'),
  'unsupported-encoding': kind(415, 'invalid'),
  'not-ready': kind(503, 'unreachable'),
  'world-reset': kind(503, 'conflict'),
  'unexpected-failure': kind(500, 'unexpected'),
  'store-damaged': kind(500, 'server'),
  'store-newer': kind(500, 'conflict'),
  'store-older': kind(500, 'conflict'),
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
  // Errors of other servers with unknown codes, by status.
  'not-found': kind(404, 'missing'),
  conflict: kind(409, 'conflict'),
  'not-confirmed': kind(409, 'partial'),
  'verification-failed': kind(409, 'conflict'),
  'requests-dropped': kind(409, 'conflict'),
  'server-failure': kind(500, 'server'),
  busy: kind(503, 'unreachable'),
} as const satisfies Record<string, FailureKind>;

/** The code of a {@link Failure}. */
export type FailureCode = keyof typeof failures | RecordFailureCode;

/** Codes of failures that contain the kind of a record, like `event-is-in-trash`. */
type RecordFailureCode =
  | `could-not-create-${string}`
  | `${string}-not-accessible`
  | `${string}-archive-page-not-found`
  | `${string}-is-in-trash`;
