import { describe, expect, it } from 'vitest';
import type { RequestMatch } from '../../../src/model/operation-types.ts';
import { type MatchedRequest, matcherOf } from '../../../src/model/operations/request-match.ts';

const place = { basePath: '/wp-json', namespace: 'calendar/events/v1' };
const root = '/wp-json/calendar/events/v1';

/** Returns whether a match includes a request, written like `GET /events?page=2`. */
function means(match: RequestMatch, line: string, headers: MatchedRequest['headers'] = {}): boolean {
  const [method = '', target = ''] = line.split(' ');
  const [path = '', query = ''] = target.split('?');
  return matcherOf(match, place)({ method, path, query, headers });
}

describe('the path of a match', () => {
  it.each([
    ['/events', `${root}/events`, true],
    ['/events', `${root}/events/`, true],
    ['/events/', `${root}/events`, true],
    ['/events', `${root}/events/7`, false],
    ['/events/*', `${root}/events/7`, true],
    ['/events/*', `${root}/events/by-slug/concert`, true],
    ['/events/*', `${root}/events`, false],
    ['/events*', `${root}/events`, true],
    ['/events/:id', `${root}/events/7`, true],
    ['/events/{id}', `${root}/events/7`, true],
    ['/events/:id', `${root}/events/by-slug/concert`, false],
    ['/events/by-slug/{slug}', `${root}/events/by-slug/concert`, true],
    [`${root}/venues`, `${root}/venues`, true],
    ['*/venues', `${root}/venues`, true],
    ['*', '/anything', true],
    ['/*', `${root}/events`, true],
    ['/openapi.json', '/openapi.json', true],
    ['/openapi.json', '/openapi/json', false],
    ['/', root, true],
    ['/events/by-slug/café', `${root}/events/by-slug/caf%C3%A9`, true],
    ['/events/by-slug/caf%C3%A9', `${root}/events/by-slug/caf%c3%a9`, true],
    ['/events', `/wp-json/calendar/events/v10/events`, false],
    ['/events', '/?rest_route=/calendar/events/v1/events', true],
    ['/events', '/index.php?rest_route=/calendar/events/v1/events', true],
    ['/events', '/?rest_route=/calendar/events/v1/events&rest_route=/calendar/events/v1/tags', false],
    ['/events', '/index.php', false],
    ['/events', '/?rest_route=%2Fcalendar%2Fevents%2Fv1%2Fvenues', false],
    ['*/e*s*/*s', `${root}/events/by-slug/news`, true],
    ['*/e*s*/*s', `${root}/events/by-slug/new`, false],
    ['/*a*ab', `${root}/xaab`, true],
    ['/*ab*ab', `${root}/ab`, false],
    ['/**', root, true],
    ['/:a-:b', `${root}/x-y-z`, true],
    ['/:a-:b/c', `${root}/x/y-z/c`, false],
    ['*/:a-:b/c', `${root}/x/y-z/c`, true],
    ['*/a{id}b', `${root}/a/axb`, true],
    ['*/a{id}b', `${root}/a/axb/`, true],
    ['*/{a}{b}', `${root}/x/y`, false],
    ['*:id', `${root}/x/`, true],
    ['*:id*/y', `${root}/x/y`, true],
    ['/events/100%', `${root}/events/100%`, true],
  ])('%s and %s: %s', (path, sent, expected) => expect(means({ path }, `GET ${sent}`)).toBe(expected));
});

describe('the other parts of a match', () => {
  it.each<[RequestMatch, string, boolean]>([
    [{}, 'GET /x', true],
    [{ method: 'post' as 'POST' }, 'POST /x', true],
    [{ method: 'POST' }, 'GET /x', false],
    [{ method: ['POST', 'DELETE'] }, 'DELETE /x', true],
    [{ query: { page: 2 } }, 'GET /x?page=2', true],
    [{ query: { page: 2 } }, 'GET /x?page=22', false],
    [{ query: { featured: true } }, 'GET /x?featured=true', true],
    [{ query: { search: '*jazz*' } }, 'GET /x?search=free+jazz%20night', true],
    [{ query: { search: '*' } }, 'GET /x?search=', true],
    [{ query: { search: '*' } }, 'GET /x?page=1', false],
    [{ query: { search: null } }, 'GET /x?page=1', true],
    [{ query: { search: null } }, 'GET /x?search=', false],
    [{ query: { tags: 'b' } }, 'GET /x?tags[]=a&tags[]=b', true],
    [{ query: { search: 'jazz' } }, 'GET /x?search=jazz&search=x', false],
    [{ query: { search: 'x' } }, 'GET /x?search=jazz&search=x', true],
    [{ query: { tags: 'a' } }, 'GET /x?tags[]=a&tags=b', false],
    [{ query: { tags: 'b' } }, 'GET /x?tags=a&tags[]=b&tags[]=c', true],
    [{ query: { tags: 'a' } }, 'GET /x?tags=a&tags[]=b', false],
    [{ query: { tags: 'a' } }, 'GET /x?tags[0]=a&tags[0]=b', false],
    [{ query: { 'tags[]': 'a' } }, 'GET /x?tags[]=a&tags[]=b', true],
    [{ query: { 'venue[city]': 'Bern' } }, 'GET /x?venue[city]=Basel&venue[city]=Bern', true],
    [{ method: 'DELETE' }, 'POST /x?_method=delete', true],
    [{ method: 'POST' }, 'POST /x?_method=delete', false],
    [{ method: 'DELETE' }, 'GET /x?_method=DELETE', false],
    [{ query: { page: 1, search: 'x' } }, 'GET /x?page=1', false],
    [{ method: 'GET', path: '/x', query: { page: 1 } }, 'POST /x?page=1', false],
  ])('%j and %s: %s', (match, line, expected) => expect(means(match, line)).toBe(expected));

  it('of a request with X-HTTP-Method-Override is the method it acts as', () => {
    const headers = { 'x-http-method-override': ' delete' };
    expect([
      means({ method: 'DELETE' }, 'POST /x', headers),
      means({ method: 'POST' }, 'POST /x', headers),
      means({}, 'POST /x', headers),
    ]).toEqual([true, false, true]);
  });

  it.each<[RequestMatch, boolean]>([
    [{}, false],
    [{ path: '*' }, false],
    [{ method: ['GET', 'POST'] }, false],
    [{ method: 'OPTIONS' }, true],
    [{ method: ['POST', 'OPTIONS'] }, true],
  ])('%j matches a preflight: %s', (match, expected) => {
    expect(means(match, 'OPTIONS /x', { 'access-control-request-method': 'POST' })).toBe(expected);
  });

  it('match other OPTIONS requests', () => expect(means({}, 'OPTIONS /x')).toBe(true));

  it('matches header names in any case; null matches a missing header', () => {
    expect(means({ headers: { 'X-Test': 'a*' } }, 'GET /x', { 'x-test': 'abc' })).toBe(true);
    expect(means({ headers: { 'X-Test': 'a' } }, 'GET /x', { 'x-test': 'abc' })).toBe(false);
    expect(means({ headers: { 'X-Test': 'a' } }, 'GET /x')).toBe(false);
    expect(means({ headers: { Authorization: null } }, 'GET /x')).toBe(true);
    expect(means({ headers: { Authorization: null } }, 'GET /x', { authorization: 'Basic x' })).toBe(false);
  });
});

it.each<[RequestMatch, RegExp]>([
  [{ method: 'GET /events' as 'GET' }, /match\.method: "GET \/events" is not an HTTP method/],
  [{ path: 'events' }, /match\.path: must be a path like \/events\/\*, not "events"/],
  [{ path: 'http://127.0.0.1/events' }, /match\.path: must be a path like/],
  [{ path: `/${'x'.repeat(2000)}` }, /match\.path: must be at most 2000 characters/],
  [{ path: '/events?page=2' }, /match\.path: must not contain a query string/],
])('%j cannot be read', (match, message) => expect(() => matcherOf(match, place)).toThrow(message));
