import { codeFor, Failure, type FailureCode, type FailureData, failureKind } from '../model/error.ts';
import { isObject } from '../model/fields/coerce.ts';

/** An answer as it came. Header names are in lower case. */
export interface RemoteResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** The same body as it came, for what is no text. */
  bytes?: Uint8Array;
}

/** The value that an answer holds. Fails as the answer says, or with `not-a-calendar` where it is no JSON. */
export function contentOf(answer: RemoteResponse, address: string): unknown {
  const value = jsonOf(answer.body);
  if (answer.status >= 400) throw failureOf(answer, value, address);
  if (answer.status >= 300)
    throw new Failure(
      'not-a-calendar',
      `${address} redirects to ${answer.headers.location ?? 'another address'}`,
      {},
      'Use that address with --url.',
    );
  if (value === undefined) throw notCalendar(answer, address);
  return value;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What is said of an answer that no calendar gives. */
export function notCalendar(answer: RemoteResponse, address: string): Failure {
  const type = answer.headers['content-type'] ?? 'no content type';
  return new Failure(
    'not-a-calendar',
    `${address} returned ${answer.status} with ${type}, which is not a response of a calendar`,
    {},
    'Check the address, its base path and --namespace.',
  );
}

/** The failure that an answer tells of. A code that is not known here counts by its status, and is kept as `remote_code`. */
export function failureOf(answer: RemoteResponse, value: unknown, address: string): Failure {
  const { status } = answer;
  if (!isObject(value) || typeof value.code !== 'string') {
    if (status < 500 && status !== 401 && status !== 403 && status !== 429) return notCalendar(answer, address);
    return new Failure(codeFor(status), `${address} returned ${status}`, {}, undefined, status);
  }
  const { status: _, ...data } = isObject(value.data) ? value.data : ({} as FailureData);
  const message = typeof value.message === 'string' && value.message ? value.message : `${address} returned ${status}`;
  const more = value.additional_data !== undefined ? { additional_data: value.additional_data } : {};
  if (failureKind(value.code) && value.code !== 'unexpected-failure')
    return new Failure(value.code as FailureCode, message, { ...data, ...more }, hintIn(value) ?? hintFor(status), status);
  // Where a server itself fails, who looks for the reason needs to know which one it was, and at what.
  const said = status < 500 || message.startsWith(address) ? message : `${address} returned ${status}: ${message}`;
  return new Failure(codeFor(status), said, { remote_code: value.code, ...data, ...more }, hintFor(status), status);
}

/** Our own servers say what to do. */
const hintIn = ({ hint }: Record<string, unknown>) => (typeof hint === 'string' ? hint : undefined);
const hintFor = (status: number) => (status === 401 ? 'Sign in with --user NAME and CALENDAR_PASSWORD or --password-stdin.' : undefined);
