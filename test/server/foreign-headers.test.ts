import http from 'node:http';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Calendar, type CalendarHooks, type CalendarOptions, createCalendar } from '../../bin/library.ts';

const now = '2027-03-01T09:00:00Z';
const date = 'Mon, 01 Mar 2027 09:00:00 GMT';
const origin = 'http://localhost:3000';

let calendar: Calendar | undefined;
// Loads what the first calendar of a process loads.
beforeAll(async () => (await createCalendar({ now })).close());
afterEach(() => calendar?.close());

/** Returns the values of some headers of a response as they are on the wire. */
async function wireOf(names: readonly string[], options: CalendarOptions, method = 'GET'): Promise<string[][]> {
  calendar = await createCalendar({ now, ...options });
  return new Promise((resolve, reject) => {
    const headers = { origin, 'content-type': 'application/json', 'accept-encoding': 'gzip' };
    const request = http.request(`${calendar!.url}/tags`, { method, headers }, ({ rawHeaders }) => {
      const pairs = rawHeaders.flatMap((name, at) => (at % 2 ? [] : [[name.toLowerCase(), rawHeaders[at + 1]!]]));
      resolve(names.map((name) => pairs.filter(([each]) => each === name).map(([, value]) => value!)));
    });
    request.on('error', reject);
    request.end(method === 'POST' ? '{"name":"x"}' : undefined);
  });
}

const common = 'Origin, X-Calendar-World, Cookie';
type Changed = Parameters<NonNullable<CalendarHooks['response']>>[0];

/** Ways to set headers. */
const places: Record<string, (headers: Record<string, string>) => CalendarOptions> = {
  'a hook of responses': (headers) => ({
    hooks: { response: (response) => ({ ...response, headers: { ...response.headers, ...headers } }) },
  }),
  'a hook that answers': (headers) => ({ hooks: { request: () => ({ status: 200, headers, body: 'x' }) } }),
  'a fault that answers': (headers) => ({ faults: [{ then: { status: 200, headers, body: 'x' } }] }),
  'a fault with a function': (headers) => ({
    faults: [{ then: { patch: (response: Changed) => ({ ...response, headers: { ...response.headers, ...headers } }) } }],
  }),
};

const ownHeaders: [name: string, value: string, expected?: string][] = [
  ['Content-Type', 'text/plain'],
  ['ETag', '"x"'],
  ['Cache-Control', 'max-age=60'],
  ['Date', 'Thu, 01 Jan 1970 00:00:00 GMT'],
  ['Vary', 'X-Own', 'X-Own, Accept-Encoding'],
  ['Access-Control-Allow-Origin', '*'],
  ['X-Content-Type-Options', 'own'],
  ['X-Own', '1'],
];
const framing = ['Content-Length', 'transfer-encoding', 'CONNECTION', 'Content-Encoding', 'keep-alive'];

describe.each(Object.entries(places))('%s', (place, set) => {
  it.each<[string, (name: string) => string]>([
    ['in the usual spelling', (name) => name],
    ['in lower case', (name) => name.toLowerCase()],
    ['in upper case', (name) => name.toUpperCase()],
  ])('sets each header once, %s', async (_, spelled) => {
    const headers = Object.fromEntries(ownHeaders.map(([name, value]) => [spelled(name), value]));
    const values = await wireOf(
      Object.keys(headers).map((name) => name.toLowerCase()),
      set(headers),
    );
    expect(values).toEqual(ownHeaders.map(([, value, expected = value]) => [expected]));
  });

  it('sets no header that says where the response ends', async () => {
    const headers = Object.fromEntries(framing.map((name) => [name, 'x']));
    // What a fault must not contain is an error when it is added.
    if (place === 'a fault that answers') await expect(createCalendar(set(headers))).rejects.toThrow('which is set by the server');
    else
      expect(
        (
          await wireOf(
            framing.map((name) => name.toLowerCase()),
            set(headers),
          )
        ).flat(),
      ).not.toContain('x');
  });
});

const without = (removed: string) => (response: Changed) => ({
  ...response,
  headers: Object.fromEntries(Object.entries(response.headers).filter(([name]) => name.toLowerCase() !== removed)),
});
it.each<[string, string, string[]]>([
  ['access-control-allow-origin', 'access-control-allow-origin', []],
  ['date', 'date', []],
  ['vary', 'vary', ['Accept-Encoding']],
  ['x-content-type-options', 'x-content-type-options', []],
  ['nothing', 'access-control-allow-origin', [origin]],
  ['nothing', 'date', [date]],
  ['nothing', 'vary', [`${common}, Accept-Encoding`]],
])('a function that removes %s: %s is %j', async (removed, name, expected) => {
  expect(await wireOf([name], { hooks: { response: without(removed) } })).toEqual([expected]);
  await calendar!.close();
  expect(await wireOf([name], { faults: [{ then: { patch: without(removed) } }] })).toEqual([expected]);
});

it('the rejection of a change sets each header once', async () => {
  const hooks: CalendarHooks = {
    change: () => ({ status: 403, headers: { 'content-type': 'text/plain', DATE: 'x', vary: 'y' }, body: 'no' }),
  };
  expect(await wireOf(['content-type', 'date', 'vary'], { hooks }, 'POST')).toEqual([['text/plain'], ['x'], ['y, Accept-Encoding']]);
});

it('a hook of requests sets a header in any case', async () => {
  const hooks: CalendarHooks = { request: (request) => ({ ...request, headers: { ...request.headers, 'CONTENT-TYPE': 'text/plain' } }) };
  calendar = await createCalendar({ now, hooks });
  const response = await calendar.fetch('tags', { method: 'POST', body: '{"name":"x"}', headers: { 'content-type': 'application/json' } });
  expect([response.status, response.headers.get('x-calendar-hint')]).toEqual([400, expect.stringContaining('text/plain')]);
});
