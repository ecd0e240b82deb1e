import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { servers } from '../../support/serving.ts';
import { folder, run, words } from '../../support/transcript.ts';

const place = folder();
afterAll(place.remove);
const start = servers(place.path);

/** Serves a calendar with the hooks of a module. */
async function serve(name: string, text: string) {
  mkdirSync(dirname(join(place.path, name)), { recursive: true });
  writeFileSync(join(place.path, name), text);
  const { url } = (await start(`--memory --seed minimal --require './${name}'`)).said;
  const send = async (path: string, init?: RequestInit) => {
    const response = await fetch(`${url}/${path}`, init);
    const content = await response.text();
    return { status: response.status, headers: response.headers, content, body: /^[[{]/.test(content) ? JSON.parse(content) : content };
  };
  const post = (path: string, fields: object) =>
    send(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(fields) });
  return { url, send, post };
}

describe('serve --require', () => {
  it('runs hooks around requests', async () => {
    const { send, url } = await serve(
      'around.mjs',
      `import { STATUS_CODES } from 'node:http';
      export async function request(req) {
        if (req.query.search === 'teapot') return { status: 418, body: { message: STATUS_CODES[418] } };
        if (req.query.search === 'more') return { ...req, query: { ...req.query, search: undefined, per_page: '1' } };
      }
      export const response = (res, req) => req.path.endsWith('/tags') ? { ...res, headers: { ...res.headers, 'X-Hook': 'yes' }, body: { ...res.body, seen: req.query } } : undefined;`,
    );
    expect(await send('tags?search=teapot')).toMatchObject({ status: 418, body: { message: "I'm a Teapot" } });
    const tags = await send('tags?hide_empty=false');
    expect([tags.body.seen, tags.headers.get('x-hook')]).toEqual([{ hide_empty: 'false' }, 'yes']);
    const again = await send('tags?hide_empty=false', { headers: { 'If-None-Match': tags.headers.get('etag')! } });
    expect([again.status, again.body.seen]).toEqual([200, { hide_empty: 'false' }]);
    expect((await send('venues')).body).not.toHaveProperty('seen');
    expect((await send('tags?hide_empty=false&search=more')).body.seen).toEqual({ hide_empty: 'false', per_page: '1' });
    expect((await fetch(`${new URL(url).origin}/_calendar/health`)).status).toBe(200);
  });

  it('runs a hook before a change, which it alters or rejects', async () => {
    const { send, post } = await serve(
      'change.cjs',
      `exports.change = (fields, { resource, action, ref }) => {
        if (fields.name === 'bad') return { status: 422, body: { code: 'bad-name', resource, action } };
        if (action === 'delete') return { status: 403, body: { code: 'kept', ref } };
        return fields.name && { ...fields, name: fields.name.toUpperCase() };
      };`,
    );
    expect((await post('tags', { name: 'loud' })).body.name).toBe('LOUD');
    expect(await post('tags', { name: 'bad' })).toMatchObject({
      status: 422,
      body: { code: 'bad-name', resource: 'tags', action: 'create' },
    });
    expect((await send('tags?hide_empty=false&search=bad')).body.total).toBe(0);
    const { id } = (await post('tags', { name: 'kept' })).body;
    expect(await send(`tags/${id}`, { method: 'DELETE' })).toMatchObject({ status: 403, body: { code: 'kept', ref: { id } } });
    expect((await send(`tags/${id}`)).body.name).toBe('KEPT');
  });

  it.each(['broken.mjs', 'in my hooks/é 100% broken.mjs', 'in my hooks/broken.cjs'])(
    'names file and line of an error, and goes on: %s',
    async (name) => {
      const [start, end] = name.endsWith('.cjs') ? ['', '\nmodule.exports = { request, response, change };'] : ['export ', ''];
      const { send, post } = await serve(
        name,
        `${start}function request({ query }) {
  if (query.search === 'x') throw new Error('no idea');
}
${start}const response = (res) => res.body.total.missing.member;
${start}const change = async () => {};${end}`,
      );
      expect(await send('tags?search=x')).toMatchObject({
        status: 500,
        body: { message: expect.stringMatching(/hook request in .*broken\.[mc]js:2 failed: no idea/) },
      });
      expect((await send('tags')).body.message).toMatch(/hook response in .*broken\.[mc]js:4 failed: Cannot read/);
      expect(await post('tags?x=y', { name: 'x' })).toMatchObject({ status: 500 });
    },
  );

  it.each([
    ['missing.mjs', undefined, /missing\.mjs: no such file/],
    ['syntax.mjs', 'export const', /syntax\.mjs failed to load/],
    ['other.mjs', 'export const requset = () => {};', /exports "requset"[\s\S]*request/],
    ['none.mjs', '', /exports no hook/],
    ['text.mjs', 'export const change = "x";', /change must be a function/],
  ])('refuses %s', async (name, text, message) => {
    if (text !== undefined) writeFileSync(join(place.path, name), text);
    const { stdout, stderr, exit } = await run(words(`serve --memory --require ${name}`), { cwd: place.path });
    expect([stdout, exit === 0]).toEqual(['', false]);
    expect(stderr).toMatch(message);
  });
});
