import { isLoopback } from '../model/addresses.ts';
import { Failure } from '../model/error.ts';
import { isEqualBytes, utf8Bytes } from '../model/formats/bytes.ts';
import type { HandlerOptions, ServerRequest } from './http.ts';

/** The scheme, in lower case, and the credentials of the Authorization header. */
export function authorizationOf({ headers }: Pick<ServerRequest, 'headers'>): [scheme: string, credentials: string] {
  const [scheme = '', credentials = ''] = (headers.authorization ?? '').split(/ +/);
  return [scheme.toLowerCase(), credentials];
}

/** True if a request has a token, which is compared in constant time; false if there is no token. */
export function hasToken(request: ServerRequest, token: string | undefined): boolean {
  const [scheme, credentials] = authorizationOf(request);
  return scheme === 'bearer' && isToken(credentials, token);
}

/** Compares in constant time. Returns false if there is no token. */
export function isToken(text: string, token: string | undefined): boolean {
  if (!token) return false;
  return isEqualBytes(utf8Bytes(text), utf8Bytes(token));
}

/** True if pages of an origin may call the API: the server's own, and those configured or, by default, on this machine. A proxy may add HTTPS, and never removes it. */
function isAllowed(
  origin: string,
  { protocol, headers: { host } }: ServerRequest,
  { cors, publicUrl }: Pick<HandlerOptions, 'cors' | 'publicUrl'>,
): boolean {
  if (cors?.includes('*') || origin === publicUrl) return true;
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  const isOwn = url.host === host && (protocol !== 'https' || url.protocol === 'https:');
  return isOwn || (cors ? cors.includes(origin) : /^https?:$/.test(url.protocol) && isLoopback(url.hostname));
}

/** Ends of the names of headers that pages may read. */
const exposed = ['Total', 'TotalPages', 'Hint', 'As-Of', 'Request'];

/** The CORS headers for an allowed origin; undefined for others. */
export function corsHeaders(
  request: ServerRequest,
  options: Pick<HandlerOptions, 'cors' | 'publicUrl' | 'headerPrefix'>,
): Record<string, string> | undefined {
  const { origin } = request.headers;
  if (!origin || !isAllowed(origin, request, options)) return undefined;
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Methods': 'OPTIONS, GET, POST, PUT, PATCH, DELETE',
    'Access-Control-Allow-Credentials': 'true',
    'Access-Control-Expose-Headers': [...exposed.map((end) => `${options.headerPrefix}-${end}`), 'Link', 'Location', 'ETag'].join(', '),
  };
}

/**
 * Throws `origin-not-allowed` for a script element of another site. From a name over plain HTTP, a browser sends neither `Origin` nor
 * `Sec-Fetch-Site` for it, so a server on the network accepts JSONP only with a header that shows where it comes from.
 */
export function checkScript(request: ServerRequest, options: HandlerOptions): void {
  checkOrigin(request, options);
  const { origin, referer, 'sec-fetch-site': site } = request.headers;
  if (
    !(options.exposed || request.isRemote) ||
    origin !== undefined ||
    options.cors?.includes('*') ||
    site === 'same-origin' ||
    site === 'none'
  )
    return;
  const from = referer !== undefined && URL.canParse(referer) ? new URL(referer) : undefined;
  if (from && isAllowed(from.origin, request, options)) return;
  throw new Failure(
    'origin-not-allowed',
    `JSONP for ${from ? `pages of ${from.origin}` : 'callers without Origin, Referer or Sec-Fetch-Site'} is not allowed on a server that other machines can reach`,
    'Allow all origins with --cors "*".',
  );
}

/** Throws `origin-not-allowed` if a browser sends a request for a page of a disallowed origin, which forms and scripts can do without CORS. */
export function checkOrigin(request: ServerRequest, options: HandlerOptions): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  const foreign = origin === undefined ? site === 'cross-site' && !options.cors?.includes('*') : !isAllowed(origin, request, options);
  if (foreign)
    throw new Failure('origin-not-allowed', `Requests from pages of ${origin ?? 'other sites'} are not allowed; allow origins with --cors`);
}
