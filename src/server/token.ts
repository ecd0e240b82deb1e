import { timingSafeEqual } from 'node:crypto';
import type { Request } from './http.ts';

/** Scheme, in lower case, and credentials of an Authorization header. */
export function credentialsOf({ headers }: Pick<Request, 'headers'>): [scheme: string, credentials: string] {
  const [scheme = '', credentials = ''] = (headers.authorization ?? '').split(' ');
  return [scheme.toLowerCase(), credentials];
}

/** Whether a request brings a token, which is compared in constant time; nobody brings one that there is not. */
export function bringsToken(request: Request, token: string | undefined): boolean {
  const [scheme, credentials] = credentialsOf(request);
  if (!token || scheme !== 'bearer') return false;
  const [sent, known] = [Buffer.from(credentials), Buffer.from(token)];
  return sent.length === known.length && timingSafeEqual(sent, known);
}
