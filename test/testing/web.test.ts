import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { node } from '../../bin/machine/node.ts';
import { compiled, web } from '../../bin/machine/web.ts';
import type * as WebLibrary from '../../bin/web.ts';
import { createServed } from '../../src/testing/serve.ts';
import { builtWebLibrary } from '../support/web-library.ts';

let folder: string;
let bytes: Uint8Array<ArrayBuffer>;
beforeAll(async () => {
  folder = await builtWebLibrary();
  bytes = new Uint8Array(readFileSync(join(folder, 'sqlite.wasm')));
});

const calendars: WebLibrary.WebCalendar[] = [];
afterEach(async () => {
  vi.unstubAllGlobals();
  for (const calendar of calendars.splice(0)) await calendar.close();
});

/** Opens calendars of the web build, which has loaded nothing at first. */
async function createCalendar(options: WebLibrary.WebOptions = {}): Promise<WebLibrary.WebCalendar> {
  const library: typeof WebLibrary = await import(/* @vite-ignore */ `${pathToFileURL(join(folder, 'single.mjs'))}?web.test`);
  const calendar = await library.createCalendar(options);
  calendars.push(calendar);
  return calendar;
}

/** Replaces fetch by a network with one response, and returns the addresses that were fetched. */
function network(respond: () => Response): string[] {
  const fetched: string[] = [];
  vi.stubGlobal('fetch', async (address: string | URL) => {
    fetched.push(String(address));
    return respond();
  });
  return fetched;
}

const sentBytes = (content: Uint8Array<ArrayBuffer>, type = 'application/wasm') =>
  new Response(content, { headers: { 'content-type': type } });
const page = (type: string) => new Response('<!doctype html>', { headers: { 'content-type': type } });
/** The smallest module of WebAssembly. */
const small = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);

describe('SQLite', () => {
  it.each<[string, () => WebLibrary.WasmSource | Promise<WebLibrary.WasmSource>]>([
    ['bytes', () => small],
    ['an ArrayBuffer', () => small.buffer],
    ['a compiled module', () => compiled(small)],
    ['a response', () => sentBytes(small)],
    ['a response with another type', () => sentBytes(small, 'application/octet-stream')],
    ['an address', () => 'https://example.org/sqlite.wasm'],
    ['a URL', () => new URL('https://example.org/sqlite.wasm')],
  ])('is loaded from %s', async (_, given) => {
    network(() => sentBytes(small));
    expect(String(await compiled(await given()))).toBe('[object WebAssembly.Module]');
  });

  it.each<[string, () => Response, string]>([
    ['missing', () => new Response('', { status: 404 }), 'returned status 404'],
    ['a page', () => page('text/html'), 'is not WebAssembly'],
    ['a page with its type', () => page('application/wasm'), 'is not WebAssembly'],
    [
      'out of reach',
      () => {
        throw new TypeError('Failed to fetch');
      },
      'Failed to fetch',
    ],
  ])('that is %s is an error', async (_, respond, reason) => {
    network(respond);
    const failure = { code: 'unreachable', message: expect.stringContaining(reason), hint: expect.stringContaining('sqlite.wasm?url') };
    await expect(compiled('https://example.org/sqlite.wasm')).rejects.toMatchObject(failure);
  });

  it('is fetched from beside the script, until it is there, and nothing else is', async () => {
    const missing = network(() => new Response('', { status: 404 }));
    await expect(createCalendar()).rejects.toThrow('returned status 404');
    const fetched = network(() => sentBytes(bytes));
    const [one] = await Promise.all([createCalendar({ seed: 'demo' }), createCalendar()]);
    for (const path of ['/events', '/openapi.json']) await (await one!.handler(new Request(`${one!.url}${path}`))).text();
    await one!.data.export({ format: 'ics' });
    await one!.reset();
    const beside = [pathToFileURL(join(folder, 'sqlite.wasm')).href];
    expect([missing, fetched]).toEqual([beside, beside]);
  });
});

describe('a machine of the web does as that of Node', () => {
  const texts = ['', 'Zoë 🎉\ud800'];
  it.each(texts)('hashes of %j', async (text) => {
    const data = new TextEncoder().encode(text);
    const salt = data.slice(0, 16);
    for (const algorithm of ['md5', 'sha1', 'sha256'] as const)
      for (const encoding of ['hex', 'base64url'] as const)
        for (const each of [text, data]) expect(web.hash(algorithm, each, encoding)).toBe(node.hash(algorithm, each, encoding));
    expect(web.keyedHash(data, text)).toBe(node.keyedHash(data, text));
    const hashed = node.scryptSync(text, salt);
    expect([...web.scryptSync(text, salt)]).toEqual([...hashed]);
    expect([...(await web.scrypt(text, salt))]).toEqual([...hashed]);
  });

  it('turns come after what is ready, in order', async () => {
    const order: number[] = [];
    const turns = [1, 2, 3].map((each) => web.nextTurn().then(() => order.push(each)));
    void Promise.resolve().then(() => order.push(0));
    await Promise.all(turns);
    expect(order).toEqual([0, 1, 2, 3]);
  });
});

it('a seed of an address is fetched, and a file is refused', async () => {
  await createCalendar({ wasm: bytes });
  network(() => new Response(JSON.stringify({ tags: [{ name: 'Rooftop' }] })));
  const calendar = await createCalendar({ seed: 'https://example.org/seed.json' });
  expect((await calendar.tags.get('rooftop')).name).toBe('Rooftop');
  await expect(createCalendar({ seed: './seed.json' })).rejects.toThrow('./seed.json: files are only available in Node');
  network(() => new Response('', { status: 503 }));
  await expect(createCalendar({ seed: 'https://example.org/seed.json' })).rejects.toThrow('returned status 503');
});

/** Requests as browsers make them: Firefox has no streams of requests, and Safari can't iterate over a stream. */
describe.each<[string, (request: Request) => Request]>([
  ['a request without a stream', (request) => Object.defineProperty(request, 'body', { value: undefined })],
  [
    'a stream without iteration',
    (request) => {
      if (request.body) Object.defineProperty(request.body, Symbol.asyncIterator, { value: undefined });
      return request;
    },
  ],
])('%s', (_, as) => {
  it.each([
    ['a form', new URLSearchParams({ name: 'Zoë' }), undefined],
    ['JSON', JSON.stringify({ name: 'Zoë' }), 'application/json'],
  ])('creates from %s', async (_, body, type) => {
    const calendar = await createServed({}, { open: () => Promise.reject(new Error('no files')) });
    const address = `${calendar.url}/tags`;
    const headers: Record<string, string> = type ? { 'content-type': type } : {};
    const created = await calendar.handler(as(new Request(address, { method: 'POST', body, headers })));
    expect([created.status, ((await created.json()) as { name: string }).name]).toEqual([201, 'Zoë']);
    expect(((await (await calendar.handler(as(new Request(`${address}?hide_empty=false`)))).json()) as { total: number }).total).toBe(1);
    const large = as(new Request(address, { method: 'POST', body: 'x'.repeat(20 << 20) }));
    expect((await calendar.handler(large)).status).toBe(413);
    await calendar.close();
  });
});
