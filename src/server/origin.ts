import { Failure } from '../model/error.ts';
import { isLoopback } from '../model/loopback.ts';
import type { HandlerOptions, Request } from './http.ts';

/** Whether pages of the origin that a request names may call: those that were listed; where none were, those of this machine. A server's own always may. */
function isAllowed(origin: string, host: string | undefined, { cors }: HandlerOptions): boolean {
  if (cors?.includes('*')) return true;
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  return url.host === host || (cors ? cors.includes(origin) : /^https?:$/.test(url.protocol) && isLoopback(url.hostname));
}

/** What a browser needs to know to give an answer to a page of another origin; nothing where that page may not have it. */
export function corsHeaders({ headers }: Request, options: HandlerOptions): Record<string, string> | undefined {
  const { origin, host } = headers;
  if (!origin || !isAllowed(origin, host, options)) return undefined;
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Methods': 'OPTIONS, GET, POST, PUT, PATCH, DELETE',
    'Access-Control-Allow-Credentials': 'true',
    'Access-Control-Expose-Headers': `${options.headerPrefix}-Total, ${options.headerPrefix}-TotalPages, Link, Location, ETag`,
    Vary: 'Origin',
  };
}

/** Fails with `origin-not-allowed` where a browser sends a request for a page that may not call: forms and scripts need nobody's leave to send one. */
export function checkOrigin({ headers }: Request, options: HandlerOptions): void {
  const { origin, host } = headers;
  const foreign =
    origin === undefined ? headers['sec-fetch-site'] === 'cross-site' && !options.cors?.includes('*') : !isAllowed(origin, host, options);
  if (foreign)
    throw new Failure('origin-not-allowed', `Requests from pages of ${origin ?? 'other sites'} are not allowed; allow origins with --cors`);
}
