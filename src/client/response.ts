import { codeFor, Failure, type FailureCode, type FailureData, failureKind } from '../model/error.ts';
import { isObject, percentDecoded } from '../model/fields/coerce.ts';

/** A response. Header names are in lower case. */
export interface RemoteResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** Where it came from, if that is another address than the requested one. */
  url?: string;
  /** The body as bytes, for binary content. */
  bytes?: Uint8Array;
  /** True if the request had credentials. */
  isSignedIn?: boolean;
}

/** Adds the time after which a server wants to be requested again, in seconds or as a date. */
const withWait = (failure: Failure, { headers }: RemoteResponse): Failure =>
  headers['retry-after'] === undefined ? failure : failure.with({ data: { ...failure.data, retry_after: headers['retry-after'] } });

/** Throws the failure in an error response, and `not-a-calendar` if the body is not JSON. */
export function contentOf(response: RemoteResponse, address: string): unknown {
  const value = parsedJson(response.body);
  if (response.status >= 400) throw withWait(responseFailure(response, value, address), response);
  if (response.status >= 300 && loginPage.pattern.test(response.headers.location ?? ''))
    throw new Failure('not-a-calendar', `${address} redirects to a login page: ${loginReason(response)}`, hintOf(loginPage, response));
  if (response.status >= 300)
    throw new Failure(
      'not-a-calendar',
      `${address} redirects to ${response.headers.location ?? 'another address'}`,
      'If you trust that address, use it instead. Requests with credentials follow redirects only to https and to the same host with or without www.',
    );
  if (value === undefined) throw notCalendar(response, address);
  return value;
}

/** The JSON value of a response, as {@link contentOf} does. Every calendar has these routes, so a server without them is not a calendar at this address. */
export function calendarContentOf(response: RemoteResponse, address: string): unknown {
  try {
    return contentOf(response, address);
  } catch (error) {
    throw error instanceof Failure && error.code === 'rest_no_route' ? notCalendar(response, address) : error;
  }
}

export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const pageOf = (sender: string) => (sender.startsWith('a ') ? sender : `a page of ${sender}`);

export function notCalendar(response: RemoteResponse, address: string): Failure {
  const type = response.headers['content-type'] ?? 'no content type';
  const sender = htmlSender(response);
  if (sender)
    return new Failure('not-a-calendar', `${address} returned ${response.status} with ${pageOf(sender.name)}`, hintOf(sender, response));
  return new Failure(
    'not-a-calendar',
    `${address} returned ${response.status} with ${type}, which is not a response of a calendar`,
    ['Check the address, its base path and --namespace.', hintIn(response)].filter(Boolean).join(' '),
    { unknown_status: response.status },
  );
}

/** The failure in an error response. An unknown code is mapped by status and kept as `remote_code`. */
export function responseFailure(response: RemoteResponse, value: unknown, address: string): Failure {
  const { status } = response;
  if (!isObject(value) || typeof value.code !== 'string') {
    if (status < 500 && status !== 401 && status !== 403 && status !== 429) return notCalendar(response, address);
    const sender = htmlSender(response);
    const page = sender ? ` with ${pageOf(sender.name)}` : '';
    const hint = sender ? hintOf(sender, response) : status === 403 ? allow : hintFor(response);
    return new Failure(codeFor(status), `${address} returned ${status}${page}`, hint, { is_page: true }, status);
  }
  const { status: _, ...data } = isObject(value.data) ? value.data : ({} as FailureData);
  const message = typeof value.message === 'string' && value.message ? value.message : `${address} returned ${status}`;
  // WordPress and its extensions say this of all routes alike.
  const ownMessage =
    value.code === 'rest_forbidden' && status === 403 && URL.canParse(address)
      ? `${new URL(address).host} does not allow it: ${message}`
      : message;
  const more = value.additional_data !== undefined ? { additional_data: value.additional_data } : {};
  if (failureKind(value.code) && value.code !== 'unexpected-failure')
    return new Failure(value.code as FailureCode, ownMessage, hintIn(response, value) ?? hintFor(response), { ...data, ...more }, status);
  // For server errors, the message names the server and the URL.
  const text = status < 500 || message.startsWith(address) ? ownMessage : `${address} returned ${status}: ${message}`;
  return new Failure(codeFor(status), text, hintFor(response), { remote_code: value.code, ...data, ...more }, status);
}

/** The failure of a site that rejects the credentials of a user. */
export function withUser(failure: Failure, host: string, user: string): Failure {
  const code = String(failure.data.remote_code ?? failure.code);
  const hint = 'Check the name and CALENDAR_PASSWORD. Sites take an application password, and only over https.';
  if (code === 'incorrect_password' || code === 'invalid_username')
    return failure.with({ message: `${host} does not accept the password of ${user}`, hint });
  if (code !== 'rest_not_logged_in') return failure;
  const why = 'the password is wrong, or the site ignores it (no https, or a server that drops Authorization)';
  return failure.with({ message: `${host} did not sign ${user} in: ${why}`, hint });
}

/** The hint of a server of this program: in its body from the control API, otherwise in a header with a prefix that it chose. */
function hintIn({ headers }: RemoteResponse, { hint }: Record<string, unknown> = {}): string | undefined {
  if (typeof hint === 'string') return hint;
  const header = Object.entries(headers).find(([name]) => /^x-.*-hint$/.test(name));
  return header && percentDecoded(header[1]);
}

/** The next step after a rejection. A web server that asks for a password itself says so (RFC 9110, 11.6.1). */
function hintFor({ status, headers, isSignedIn }: RemoteResponse): string | undefined {
  if (status === 403 && !isSignedIn)
    return "Sign in with --user NAME and CALENDAR_PASSWORD, or ask the site's owner whether its REST API is switched off.";
  if (status === 403) return "Ask the site's owner what this user may do, and whether its REST API is switched off.";
  if (status !== 401) return undefined;
  if (isSignedIn && headers['www-authenticate'] !== undefined)
    return `The web server asks for a password before the site does (${headers['www-authenticate']}). A request can't have both: pass a cookie, or open the API there.`;
  return isSignedIn ? undefined : 'Sign in with --user NAME and CALENDAR_PASSWORD or --password-stdin.';
}

/** A program that answers in place of an API, and what helps. */
interface HtmlSender {
  name: string;
  pattern: RegExp;
  hint: string;
}

/** The hint for a rejected request. */
const allow = "Ask its owner to allow requests of local-calendar, or pass an access token: --header 'NAME: ${VARIABLE}'";

const loginPage: HtmlSender = {
  name: 'a login page',
  pattern: /wp-login\.php|type=["']?password/i,
  hint: "Sign in with --user NAME and CALENDAR_PASSWORD, or pass a cookie: --header 'Cookie: ${VARIABLE}'",
};

const hintOf = (sender: HtmlSender, { isSignedIn }: RemoteResponse): string =>
  sender === loginPage && isSignedIn
    ? `The site signs people in before its API sees the user: ask its owner to open the API, or pass a cookie: --header 'Cookie: \${VARIABLE}'`
    : sender.hint;
const loginReason = ({ isSignedIn }: RemoteResponse) => (isSignedIn ? 'it ignores the user of the request' : 'the API requires a user');

const senders: readonly HtmlSender[] = [
  { name: 'Wordfence', pattern: /wordfence/i, hint: allow },
  { name: 'Sucuri', pattern: /sucuri/i, hint: allow },
  { name: 'Cloudflare', pattern: /cloudflare|cf-error|__cf_|cf-ray/i, hint: allow },
  { name: 'ModSecurity', pattern: /mod_security|modsecurity/i, hint: allow },
  loginPage,
  { name: 'a maintenance page', pattern: /scheduled maintenance|maintenance mode/i, hint: 'Try again later.' },
];

/** The likely sender of an HTML page; undefined if the body is not HTML or the sender is unknown. */
function htmlSender({ body, headers }: { body: string; headers: Record<string, string> }): HtmlSender | undefined {
  if (!/html/i.test(headers['content-type'] ?? '') && !/^\s*<(!doctype|html)/i.test(body)) return undefined;
  const text = `${headers.server ?? ''} ${headers['cf-ray'] ? 'cf-ray' : ''} ${body.slice(0, 65_536)}`;
  // Every response through Cloudflare has its headers, so the page itself comes first.
  return senders.find(({ pattern }) => pattern.test(body.slice(0, 65_536))) ?? senders.find(({ pattern }) => pattern.test(text));
}
