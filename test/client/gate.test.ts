import { describe, expect, it } from 'vitest';
import { Gate } from '../../src/client/gate.ts';

const secrets = { accept: 'a', authorization: 'Basic x', 'x-team': 'blue' };
const bare = { accept: 'a' };

/** A gate, what it asked, and a function that passes an address with secrets; `locations` are the redirects by address. */
function gateOf(locations: Record<string, string> = {}) {
  const probes: { url: string; headers: object }[] = [];
  const moves: string[] = [];
  const gate = new Gate((to, from) => moves.push(`${from} ${to}`));
  const pass = (address: string, headers: Record<string, string> = secrets, body?: string) =>
    gate.pass({ url: address, headers, ...(body === undefined ? {} : { body }) }, async ({ url, headers: sent }) => {
      probes.push({ url, headers: sent });
      const location = locations[url];
      const redirect: Record<string, string> = location === undefined ? {} : { location };
      return { status: location === undefined ? 200 : 301, headers: redirect, body: '' };
    });
  return { gate, pass, probes, moves };
}

describe('over http to another machine', () => {
  it.each(['town.example', 'town.example:8080', '192.0.2.2', '[fd00::2]', '[fd00::2]:81', '0.0.0.0'])(
    'the first request to %s has no secrets, the second has',
    async (host) => {
      const { pass, probes } = gateOf();
      const url = `http://${host}/a?b=1`;
      expect(await pass(url)).toMatchObject({ url, headers: secrets });
      expect(await pass(`http://${host}/c`)).toMatchObject({ headers: secrets });
      expect(probes).toEqual([{ url, headers: bare }]);
    },
  );

  it('a body is a secret, too', async () => {
    const { pass, probes } = gateOf();
    await pass('http://town.example/users', bare);
    await pass('http://town.example/users', bare, '{"password":"x"}');
    expect(probes).toEqual([{ url: 'http://town.example/users', headers: bare }]);
  });

  it.each(['localhost', 'localhost.', 'a.localhost', '127.0.0.1', '127.1.2.3:99', '[::1]'])('%s is this machine', async (host) => {
    const { pass, probes } = gateOf();
    expect(await pass(`http://${host}/a`)).toMatchObject({ headers: secrets });
    expect(probes).toEqual([]);
  });

  it('requests under way at a redirect go to https, also with addresses of before', async () => {
    const { gate, pass, moves } = gateOf({ 'http://town.example/a': 'https://town.example/a' });
    const both = await Promise.all([pass('http://town.example/a'), pass('http://town.example/b?c')]);
    expect(both.map((each) => 'url' in each && each.url)).toEqual(['https://town.example/a', 'https://town.example/b?c']);
    gate.noteRedirect('http://town.example/a', 'https://town.example/a');
    expect(gate.located('http://town.example/d')).toBe('https://town.example/d');
    expect(gate.located('http://town.example')).toBe('https://town.example');
    expect(gate.located('HTTP://Town.example:80//x')).toBe('https://town.example//x');
    expect(moves).toEqual(['http://town.example https://town.example']);
  });

  it.each([
    ['https on another port', 'https://town.example:8443/a'],
    ['http on another port', 'http://town.example:81/a'],
    ['another host', 'https://town.examplee/a'],
    ['another host over http', 'http://other.example/a'],
    ['this machine', 'http://127.0.0.1/a'],
    ['itself', 'http://town.example/a'],
  ])('a redirect to %s is the response, and nothing has secrets', async (_, location) => {
    const { pass, probes } = gateOf({ 'http://town.example/a': location });
    for (let count = 0; count < 2; count++)
      expect(await pass('http://town.example/a')).toMatchObject({ redirect: { status: 301, headers: { location } } });
    expect(probes.every(({ headers }) => !('authorization' in headers))).toBe(true);
  });

  it('redirects within the site are followed to their end', async () => {
    const { pass, probes } = gateOf({
      'http://town.example/a': '/a/',
      'http://town.example/a/': 'http://www.town.example/a/',
      'http://www.town.example/a': 'https://www.town.example/a',
    });
    expect(await pass('http://town.example/a')).toMatchObject({ url: 'https://www.town.example/a', headers: secrets });
    expect(probes.map(({ url }) => url)).toEqual(['http://town.example/a', 'http://town.example/a/', 'http://www.town.example/a']);
  });
});

it.each([
  ['https://town.example/', 'https://town.example/b', true],
  ['https://town.example/', 'https://www.town.example/b', true],
  ['https://town.example/', 'http://town.example/b', false],
  ['https://town.example/', 'https://town.examplee/b', false],
  ['https://town.example/', 'https://town.example:8443/b', false],
  ['http://127.0.0.1:1/', 'http://127.0.0.1:2/b', false],
  ['http://127.0.0.1:1/', 'https://127.0.0.1:1/b', false],
])('after a request to %s, one to %s has secrets: %s', async (first, second, isSent) => {
  const { pass } = gateOf();
  await pass(first);
  expect(await pass(second)).toMatchObject({ headers: isSent ? secrets : bare });
});
