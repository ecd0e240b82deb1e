import { expect, it } from 'vitest';
import { publicLookup, redirectOf } from '../../src/client/redirects.ts';

const http = 'http://example.org/a';
const https = 'https://example.org/a';

it.each<[from: string, location: string, withCredentials: boolean, without: boolean]>([
  // The same origin, and the same site.
  [https, '/b', true, true],
  [https, 'https://example.org/b', true, true],
  [http, 'https://example.org/b', true, true],
  [https, 'https://www.example.org/b', true, true],
  ['https://www.example.org/', 'https://example.org/b', true, true],
  [http, 'https://www.example.org/b', true, true],
  [http, 'http://www.example.org/b', true, true],
  ['http://127.0.0.1:8000/', 'http://127.0.0.1:8000/b', true, true],
  // TLS is never given up.
  [https, 'http://example.org/b', false, false],
  [https, 'http://www.example.org/b', false, false],
  [https, 'http://other.org/', false, false],
  // Other ports of the same host.
  ['http://example.org:8080/', 'https://example.org:8443/', false, false],
  ['http://127.0.0.1:8000/', 'http://127.0.0.1:9/', false, false],
  // Other hosts: only without credentials.
  [https, 'https://other.org/b', false, true],
  [https, 'https://example.org.evil.test/b', false, true],
  [https, 'https://api.example.org/b', false, true],
  [https, 'https://203.0.113.9/', false, true],
  // Never to this machine, a private network or a link.
  ...[
    '127.0.0.1',
    'localhost',
    'a.localhost',
    'localhost.',
    '0.0.0.0',
    '10.1.2.3',
    '172.20.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '[::1]',
    '[::]',
    '[fe80::1]',
    '[fd00::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:10.0.0.1]',
    '2130706433',
    '0x7f.1',
    'router.lan',
    'intranet',
  ].map((host): [string, string, boolean, boolean] => [https, `https://${host}/`, false, false]),
  // Not HTTP, not a URL, and with a password.
  [https, 'ftp://example.org/', false, false],
  [https, 'https://', false, false],
  [https, 'https://a:b@example.org/', false, false],
])('%s to %s: with credentials %s, without %s', (from, location, withCredentials, without) => {
  const follows = (hasCredentials: boolean) => redirectOf(new URL(from), new URL(from), location, hasCredentials) !== undefined;
  expect([follows(true), follows(false)]).toEqual([withCredentials, without]);
});

it('compares with the named host after several redirects', () => {
  const named = new URL('https://example.org/');
  const current = new URL('https://www.example.org/');
  expect(redirectOf(named, current, 'https://example.org/b', true)?.url.href).toBe('https://example.org/b');
  expect(redirectOf(named, current, 'https://www.www.example.org/', true)).toBeUndefined();
});

it('requires public addresses for hosts other than the named one, after resolving names', async () => {
  const named = new URL(https);
  expect(redirectOf(named, named, '/b', false)?.mustBePublic).toBe(false);
  expect(redirectOf(named, named, 'https://www.example.org/', true)?.mustBePublic).toBe(true);
  const resolved = await new Promise<NodeJS.ErrnoException | null>((done) => publicLookup('localhost', {}, (error) => done(error)));
  expect(resolved?.code).toBe('EPRIVATE');
});
