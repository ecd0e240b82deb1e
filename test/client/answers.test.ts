import { describe, expect, it } from 'vitest';
import { collectionOver } from '../../src/client/collection.ts';
import { connectTo } from '../../src/client/remote.ts';
import { contentOf } from '../../src/client/response.ts';
import type { Failure } from '../../src/model/error.ts';

const address = 'http://site.example/wp-json/brand/events/v1/events';

describe('a list that a site answers with', () => {
  const listed = (body: object, headers: Record<string, string> = {}) =>
    collectionOver(async () => ({ response: { status: 200, headers, body: JSON.stringify(body) }, address }), 'events').list({});

  it.each([
    [
      { events: [], total: 0, total_pages: 0 },
      { entries: [], total: 0, total_pages: 0, rest_url: address },
    ],
    [
      { events: [], total: 9, total_pages: 3, rest_url: 'a', next_rest_url: 'b', previous_rest_url: 'c' },
      { entries: [], total: 9, total_pages: 3, rest_url: 'a', next_rest_url: 'b', previous_rest_url: 'c' },
    ],
    [
      { events: [], rest_url: false, next_rest_url: 5, previous_rest_url: null },
      { entries: [], total: 0, total_pages: 1, rest_url: address },
    ],
  ])('%j', async (body, expected) => {
    expect(await listed(body)).toEqual(expected);
  });
});

describe('a failure that a site answers with', () => {
  const failed = (status: number, value: object): Failure => {
    try {
      contentOf({ status, headers: {}, body: JSON.stringify(value) }, address);
    } catch (error) {
      return error as Failure;
    }
    throw new Error('no failure');
  };

  it.each([
    ['rest_invalid_param', { params: { page: 'page: must be a number' } }],
    ['a-code-of-a-plugin', { reason: 'maintenance', until: 5 }],
  ])('keeps its data: %s', (code, data) => {
    expect(failed(400, { code, message: 'No', data: { status: 400, ...data } }).data).toMatchObject(data);
  });
});

it.each([
  ['incorrect_password', /^127\.0\.0\.1:\d+ does not accept the password of a$/],
  ['invalid_username', /^127\.0\.0\.1:\d+ does not accept the password of a$/],
  ['rest_not_logged_in', /^127\.0\.0\.1:\d+ did not sign a in: the password is wrong, or the site ignores it/],
  ['a-code-of-a-plugin', /^No$/],
])('a rejected password is a failure, also where a site takes it for a visitor in its other responses: %s', async (code, message) => {
  const { createServer } = await import('node:http');
  const rejection = { code, message: 'No', data: { status: 401 } };
  const site = createServer(({ url = '' }, response) => {
    const isUser = url.includes('/users/me');
    response.writeHead(isUser ? 401 : 200, { 'Content-Type': 'application/json' }).end(JSON.stringify(isUser ? rejection : { events: [] }));
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const { port } = site.address() as { port: number };
  const options = { timeout: 5000, userAgent: 'test', env: {}, signal: new AbortController().signal, now: Date.now, random: () => 0 };
  const remote = connectTo(`http://127.0.0.1:${port}/wp-json/brand/events/v1`, 'Basic YTpi', options);
  await expect(remote.user!()).rejects.toMatchObject({ status: 401, exit: 4, message: expect.stringMatching(message) });
  await remote.close();
  site.close();
});

it('a redirect to the login page says that the API requires a user', () => {
  const location = 'http://site.test/wp-login.php?redirect_to=%2Fwp-login.php%3Fredirect_to%3D%252F';
  expect(() => contentOf({ status: 302, headers: { location }, body: '' }, 'http://site.test/wp-json')).toThrow(
    'http://site.test/wp-json redirects to a login page: the API requires a user',
  );
});
