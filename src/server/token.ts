import { timingSafeEqual } from 'node:crypto';
import type { Request } from './http.ts';

/** Returns the scheme, in lower case, and the credentials of the Authorization header. */
export function credentialsOf({ headers }: Pick<Request, 'headers'>): [scheme: string, credentials: string] {
  const [scheme = '', credentials = ''] = (headers.authorization ?? '').split(' ');
  return [scheme.toLowerCase(), credentials];
}

/** Returns whether a request has a token, which is compared in constant time; false if there is no token. */
export function hasToken(request: Request, token: string | undefined): boolean {
  const [scheme, credentials] = credentialsOf(request);
  if (!token || scheme !== 'bearer') return false;
  const [received, expected] = [Buffer.from(credentials), Buffer.from(token)];
  return received.length === expected.length && timingSafeEqual(received, expected);
}
