import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { seed } from '../../src/data/seed.ts';
import type { NewUser } from '../../src/model/viewer.ts';
import { basic, type Json } from '../support/contract-server.ts';
import { moment } from '../support/transcript.ts';
import { type WholeServer, wholeServer } from '../support/whole-server.ts';

const fileNamed = (name: string) => readFileSync(new URL(`../support/files/images/${name}`, import.meta.url));
const users: NewUser[] = (['editor', 'author', 'contributor', 'subscriber'] as const).map((role) => ({
  name: role,
  role,
  password: 'password',
}));
const dates = { start_date: '2027-04-01 20:00', end_date: '2027-04-01 22:00' };
const png = fileNamed('plain.png');

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'images-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

interface Sent {
  as?: string;
  body?: Uint8Array | FormData;
  headers?: Record<string, string>;
  path?: string;
}
const attached = (name: string) => ({ 'content-disposition': `attachment; filename="${name}"` });
const upload = (server: WholeServer, { as = 'author', body = png, headers = attached('Poster 1.png'), path = '/wp/v2/media' }: Sent = {}) =>
  fetch(server.listening.url + path, {
    method: 'POST',
    body: body as FormData,
    headers: { ...(as === '' ? {} : { authorization: basic(as) }), ...headers },
  });
const withUsers = {
  async prepare(store: Parameters<NonNullable<Parameters<typeof wholeServer>[0]>['prepare'] & object>[0]) {
    await store.change((local) => {
      for (const user of users) local.users.add(user);
    });
  },
};

describe('uploads', () => {
  let server: WholeServer;
  let media: string;
  const files = () => readdirSync(media).sort();
  beforeAll(async () => {
    media = join(root, 'not', 'there', 'yet');
    server = await wholeServer({ media, maxUpload: 2000, ...withUsers });
  });
  afterAll(() => server.close());
  beforeEach(() => {
    for (const name of files()) rmSync(join(media, name));
  });

  it.each([
    ['baseline.jpg', 'jpg', 'image/jpeg', 48, 32],
    ['plain.png', 'png', 'image/png', 48, 32],
    ['plain.gif', 'gif', 'image/gif', 48, 32],
    ['lossy.webp', 'webp', 'image/webp', 48, 32],
    ['plain.avif', 'avif', 'image/avif', 48, 32],
  ])('of %s: the file is served, and an event has it with its size', async (name, extension, mime, width, height) => {
    const content = fileNamed(name);
    // Neither name nor type count.
    const made = await upload(server, { body: content, headers: { ...attached(`../../${name}.php`), 'content-type': 'text/html' } });
    const image = (await made.json()) as Json;
    expect([made.status, made.headers.get('location')]).toEqual([201, `${server.listening.url}/wp/v2/media/${image.id}`]);
    const url = image.source_url;
    expect(url).toMatch(new RegExp(`^${server.listening.url}/wp-content/uploads/[a-z-]+-[\\da-f]{16}\\.${extension}$`));
    expect(image).toMatchObject({
      ...{ media_type: 'image', mime_type: mime, status: 'inherit', type: 'attachment', date_gmt: moment.replace('Z', '') },
      ...{ guid: { rendered: url }, title: { rendered: name }, media_details: { width, height, filesize: content.length } },
    });
    expect(files()).toEqual([url.split('/').pop()]);

    const served = await fetch(url);
    expect(Buffer.from(await served.arrayBuffer())).toEqual(content);
    expect(Object.fromEntries(served.headers)).toMatchObject({
      'content-type': mime,
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'x-content-type-options': 'nosniff',
    });
    expect((await fetch(url, { method: 'HEAD' })).headers.get('content-length')).toBeNull();

    const size = { width, height, 'mime-type': mime, filesize: content.length, url };
    const shown = { url, id: image.id, extension, width, height, filesize: content.length };
    const sizes = { thumbnail: size, medium: size, medium_large: size, large: size };
    for (const given of [String(image.id), url, url.replace('127.0.0.1', 'localhost')]) {
      const event = await server.call(
        'POST',
        '/events',
        { title: `Night of ${given}`, image: given, ...dates },
        { authorization: basic('author') },
      );
      expect([given, ((await event.json()) as Json).image]).toEqual([given, { ...shown, sizes }]);
    }
    expect(await (await fetch(made.headers.get('location')!)).json()).toEqual(image);
    expect(await server.json('GET', '//wp/v2/media/999')).toMatchObject({ code: 'rest_post_invalid_id', data: { status: 404 } });
  });

  it('in a form', async () => {
    const body = new FormData();
    body.set('title', 'ignored');
    body.set('file', new Blob([new Uint8Array(png)], { type: 'text/plain' }), 'Über uns – 100%.png');
    const made = await upload(server, { body, headers: {} });
    expect([made.status, ((await made.json()) as Json).slug]).toEqual([201, expect.stringMatching(/^uber-uns-100-[\da-f]{16}$/)]);
  });

  it.each([
    ['attachment; filename=plain.png', 'plain'],
    ['attachment; filename="x.png"; filename*=UTF-8\'\'caf%C3%A9.png', 'cafe'],
    ['attachment; filename="../../../etc/passwd"', 'passwd'],
    ['attachment; filename="..\\\\..\\\\boot.ini"', 'boot'],
    ['attachment; filename=".."', 'image'],
    ['attachment; filename="日本.png"', 'image'],
    [`attachment; filename="${'long '.repeat(100)}.png"`, Array.from({ length: 12 }, () => 'long').join('-')],
  ])('with the header %s has a safe name', async (disposition, words) => {
    const headers = { 'content-disposition': Buffer.from(disposition).toString('latin1') };
    const made = await upload(server, { headers });
    expect([made.status, ((await made.json()) as Json).slug.replace(/-[\da-f]{16}$/, '')]).toEqual([201, words]);
    expect(files()).toHaveLength(1);
  });

  it('of the same file again returns the same image', async () => {
    const [first, second] = [await upload(server), await upload(server, { as: 'editor' })];
    expect(await second.json()).toEqual(await first.json());
    expect(files()).toHaveLength(1);
  });

  it.each([
    ['', 401],
    ['subscriber', 403],
    ['contributor', 403],
    ['author', 201],
    ['editor', 201],
  ])('by %j: %i', async (as, status) => {
    const made = await upload(server, { as });
    expect([made.status, made.headers.get('www-authenticate'), files().length]).toEqual([status, null, status === 201 ? 1 : 0]);
    if (status !== 201) expect(await made.json()).toMatchObject({ code: 'rest_cannot_create' });
  });

  const svg = Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  const multipart = { 'content-type': 'multipart/form-data; boundary=x' };
  it.each<[string, Sent, number, string, string]>([
    ['SVG', { body: svg }, 400, 'rest_upload_sideload_error', 'SVG files are not accepted'],
    ['HTML', { body: Buffer.from('<script>') }, 400, 'rest_upload_sideload_error', 'not an image of an accepted format'],
    ['a damaged PNG', { body: png.subarray(0, 20) }, 400, 'rest_upload_sideload_error', 'not an image of an accepted format'],
    ['nothing', { body: new Uint8Array() }, 400, 'rest_upload_no_data', 'no file'],
    ['no name', { headers: {} }, 400, 'rest_upload_no_content_disposition', 'Content-Disposition is missing'],
    ['an empty header', { headers: { 'content-disposition': 'inline' } }, 400, 'rest_upload_invalid_disposition', 'no file name'],
    ['a form without a file', { body: Buffer.from('--x--\r\n'), headers: multipart }, 400, 'rest_upload_no_data', 'no file'],
    ['a broken form', { body: Buffer.from('nonsense'), headers: multipart }, 400, 'bad-request', 'Invalid multipart body'],
    [
      'a compressed file',
      { headers: { ...attached('x.png'), 'content-encoding': 'gzip' } },
      415,
      'unsupported-encoding',
      'Content-Encoding',
    ],
    [
      'more than the limit',
      { body: Buffer.concat([png, Buffer.alloc(2000)]) },
      413,
      'body-too-large',
      'The image is larger than 2000 bytes',
    ],
    ['much more than the limit', { body: Buffer.alloc(200_000) }, 413, 'body-too-large', 'larger than 67536 bytes'],
  ])('of %s is rejected and leaves no file', async (_, sent, status, code, message) => {
    const made = await upload(server, sent);
    expect([made.status, await made.json(), files()]).toEqual([
      status,
      { code, message: expect.stringContaining(message), data: { status } },
      [],
    ]);
  });

  it('that is aborted midway leaves no file', async () => {
    const socket = connect(server.listening.port, '127.0.0.1');
    const head = ['POST /wp/v2/media HTTP/1.1', 'Host: localhost', `Authorization: ${basic('author')}`, 'Content-Length: 1000'];
    const name = 'Content-Disposition: attachment; filename=x.png';
    socket.write([...head, name, '', ''].join('\r\n'));
    await new Promise<void>((resolve) => socket.write(png, () => resolve()));
    socket.destroy();
    await once(socket, 'close');
    expect(files()).toEqual([]);
    expect((await upload(server, { as: 'editor' })).status).toBe(201);
    expect(files()).toHaveLength(1);
  });

  it.each([
    '/wp-content/uploads/',
    '/wp-content/uploads',
    '/wp-content/uploads/secret.png',
    '/wp-content/uploads/..%2fsecret.png',
    '/wp-content/uploads/%2e%2e%2fsecret.png',
    '/wp-content/uploads/..%5csecret.png',
    '/wp-content/uploads/../../../../../../../../etc/passwd',
    '/wp-content/uploads/unrecorded-0123456789abcdef.png',
  ])('%s is not served', async (path) => {
    writeFileSync(join(media, '..', 'secret.png'), png);
    writeFileSync(join(media, 'secret.png'), png);
    writeFileSync(join(media, 'unrecorded-0123456789abcdef.png'), png);
    expect((await fetch(server.listening.url + path)).status).toBe(404);
    // `fetch` resolves dots.
    const [response] = await once(httpRequest(server.listening.url, { path }).end(), 'response');
    expect(response.resume().statusCode).toBe(404);
  });

  it('a path in a record that leads elsewhere is not read', async () => {
    writeFileSync(join(media, '..', 'secret.png'), png);
    server.store.db.run("insert into images (url, upload) values ('/wp-content/uploads/../secret.png', '{}')");
    const [response] = await once(httpRequest(server.listening.url, { path: '/wp-content/uploads/..%2fsecret.png' }).end(), 'response');
    expect(response.resume().statusCode).toBe(404);
    server.store.db.run("delete from images where url like '%..%'");
  });

  it.each(['/wp/v2/media', '/wp/v2/users/me'])('a page of another port may ask first: %s', async (path) => {
    const headers = {
      origin: 'http://localhost:3000',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization, content-disposition',
    };
    const { status, headers: given } = await fetch(server.listening.url + path, { method: 'OPTIONS', headers });
    expect([status, given.get('access-control-allow-origin')]).toEqual([200, 'http://localhost:3000']);
    expect(given.get('access-control-allow-methods')).toContain('POST');
    expect(given.get('access-control-allow-headers')).toMatch(/Authorization.*Content-Disposition/);
    const foreign = await fetch(server.listening.url + path, {
      method: 'OPTIONS',
      headers: { ...headers, origin: 'https://evil.example' },
    });
    expect(foreign.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('a page of another site may not upload', async () => {
    const made = await upload(server, { as: 'editor', headers: { ...attached('x.png'), origin: 'https://evil.example' } });
    expect([made.status, files()]).toEqual([403, []]);
  });

  it('through index.php', async () => {
    const made = await upload(server, { path: '/index.php?rest_route=/wp/v2/media', body: Buffer.concat([png, Buffer.alloc(1500)]) });
    expect(made.status).toBe(201);
  });

  it('a file in the body of an event is rejected', async () => {
    const body = new FormData();
    body.set('image', new Blob([new Uint8Array(png)]), 'x.png');
    const made = await upload(server, { body, headers: {}, path: '/calendar/events/v1/events' });
    expect([made.status, made.headers.get('x-calendar-hint')]).toEqual([400, 'Upload the image to wp/v2/media, and send its ID as text.']);
  });
});

describe('images', () => {
  it('need a folder', async () => {
    const server = await wholeServer({ basePath: '/wp-json' });
    const made = await upload(server, { as: '', path: '/wp-json/wp/v2/media' });
    expect([made.status, made.headers.get('x-calendar-hint')]).toEqual([
      404,
      'wp/v2/media is not served; this server offers calendar/events/v1 at /wp-json/calendar/events/v1 and wp/v2/users/me. Start it with --media DIR to serve wp/v2/media',
    ]);
    await server.close();
  });

  it('are rejected by a read-only server, which serves those of its file', async () => {
    const [media, file] = [join(root, 'read-only'), join(root, 'read-only.db')];
    const writing = await wholeServer({ media, file });
    const { source_url } = (await (await upload(writing, { as: '' })).json()) as { source_url: string };
    await writing.close();
    const server = await wholeServer({ media, file, readOnly: true });
    expect((await upload(server, { as: '' })).status).toBe(403);
    expect((await fetch(server.listening.url + new URL(source_url).pathname)).status).toBe(200);
    await server.close();
  });

  it('survive a restart, also at another port', async () => {
    const options = { media: join(root, 'restart'), file: join(root, 'restart.db') };
    const first = await wholeServer(options);
    const { id } = (await (await upload(first, { as: '' })).json()) as { id: number };
    const event = await first.json<Json>('POST', '/events', { title: 'Kept', image: String(id), ...dates });
    await first.close();
    const second = await wholeServer(options);
    const { image } = await second.json<Json>('GET', `/events/${event.id}`);
    expect(image).toEqual(JSON.parse(JSON.stringify(event.image).replaceAll(first.listening.url, second.listening.url)));
    expect((await fetch(image.sizes.medium.url)).status).toBe(200);
    // The address of the first server is that of the same image.
    const same = await second.json<Json>('POST', '/events', { title: 'Same', image: event.image.url, ...dates });
    expect(same.image.id).toBe(id);
    await second.close();
  });

  it('of a world are not served by others, nor after a reset', async () => {
    const server = await wholeServer({ media: join(root, 'worlds') });
    const [one, other] = [await server.worlds.create({}), await server.worlds.create({})];
    const made = await upload(server, { as: '', path: `/_worlds/${one.id}/wp/v2/media` });
    const { source_url } = (await made.json()) as { source_url: string };
    const path = new URL(source_url).pathname.replace(`/_worlds/${one.id}`, '');
    const statuses = async () =>
      Promise.all(
        [`/_worlds/${one.id}`, `/_worlds/${other.id}`, ''].map(async (at) => (await fetch(server.listening.url + at + path)).status),
      );
    expect(source_url).toContain(`/_worlds/${one.id}/`);
    expect(await statuses()).toEqual([200, 404, 404]);
    await fetch(`${server.listening.url}/_worlds/${one.id}/_calendar/reset`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect(await statuses()).toEqual([404, 404, 404]);
    await server.close();
  });

  it('of a folder that is a file are an error at the start', async () => {
    const media = join(root, 'a-file');
    writeFileSync(media, '');
    await expect(wholeServer({ media })).rejects.toThrow(`Can't store images in ${media}: it is not a folder`);
    if (process.platform === 'linux')
      await expect(wholeServer({ media: '/proc/images' })).rejects.toThrow("Can't store images in /proc/images: no such file or folder");
  });

  it('a start removes what a crash left, and nothing else', async () => {
    const media = join(root, 'crash');
    mkdirSync(media);
    const old = ['x-0123456789abcdef.png-0123abcd', 'x-0123456789abcdef.png', 'notes.txt', 'notes.txt-0123abcd'];
    for (const name of old) {
      writeFileSync(join(media, name), '');
      utimesSync(join(media, name), 0, 0);
    }
    writeFileSync(join(media, 'y-0123456789abcdef.png-0123abcd'), '');
    await (await wholeServer({ media })).close();
    expect(readdirSync(media).sort()).toEqual(['notes.txt', 'notes.txt-0123abcd', old[1], 'y-0123456789abcdef.png-0123abcd']);
  });

  it('a failing disk is reported, and no record refers to the file', async () => {
    const media = join(root, 'gone');
    const server = await wholeServer({ media });
    rmSync(media, { recursive: true });
    const made = await upload(server, { as: '' });
    expect([made.status, ((await made.json()) as Json).code]).toEqual([503, 'store-io']);
    expect([existsSync(media), server.store.findImage(1)]).toEqual([false, undefined]);
    await server.close();
  });
});

describe('the bytes of an image', () => {
  const photo = Buffer.concat([png, Buffer.alloc(20_000)]);
  const bytesOf = async (url: string, headers: Record<string, string> = {}) => {
    const response = await fetch(url, { headers });
    return { encoding: response.headers.get('content-encoding'), isSame: photo.equals(Buffer.from(await response.arrayBuffer())) };
  };

  it('are sent without compression, and pass hooks that see them as text', async () => {
    const seen: string[] = [];
    const server = await wholeServer({
      media: join(root, 'hooks'),
      hooks: {
        ...{ file: 'hooks.mjs', path: '/hooks.mjs' },
        functions: {
          request(request) {
            seen.push(request.method);
            return request;
          },
          response: (response) => ({ ...response, headers: { ...response.headers, 'X-Seen': 'yes' } }),
        },
      },
    });
    const made = await upload(server, { as: '', body: photo });
    const { source_url } = (await made.json()) as { source_url: string };
    expect(await bytesOf(source_url, { 'accept-encoding': 'br, gzip' })).toEqual({ encoding: null, isSame: true });
    expect([seen, (await fetch(source_url)).headers.get('x-seen')]).toEqual([['POST', 'GET', 'GET'], 'yes']);
    await server.close();
  });
});

describe('posters', () => {
  let server: WholeServer;
  beforeAll(async () => {
    server = await wholeServer({ posters: true, ...withUsers });
  });
  afterAll(() => server.close());
  const authorization = basic('editor');
  const make = (resource: string, record: object) => server.json<Json>('POST', `/${resource}`, record, { authorization });

  it('are the images of records without one', async () => {
    const title = 'Rock & <script>alert(1)</script>';
    const event = await make('events', { title, venue: { venue: 'Hall' }, categories: ['music'], ...dates });
    const at = `${server.listening.url}/wp-content/uploads/posters/events-${event.id}`;
    const size = (name: string, width: number, height: number) => ({
      width,
      height,
      'mime-type': 'image/svg+xml',
      url: `${at}-${name}.svg`,
    });
    expect(event.image).toEqual({
      ...{ url: `${at}-full.svg`, id: 0, extension: 'svg', width: 1536, height: 1024 },
      sizes: {
        ...{ thumbnail: size('thumbnail', 150, 150), medium: size('medium', 300, 200) },
        ...{ medium_large: size('medium_large', 768, 512), large: size('large', 1024, 683) },
      },
    });
    const response = await fetch(event.image.sizes.medium.url);
    const svg = await response.text();
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/svg+xml; charset=utf-8',
      'content-security-policy': expect.stringContaining('sandbox'),
    });
    expect(svg).toContain('width="300" height="200"');
    expect(svg).toContain('Rock &amp;');
    expect(svg).not.toContain('<script');
    expect(await (await fetch(event.image.sizes.medium.url)).text()).toBe(svg);
    expect((await fetch(event.venue.image.url)).status).toBe(200);
  });

  it('are not images: a record that is sent back stays without one, and the feed has none', async () => {
    const event = await make('events', { title: 'Sent back', ...dates });
    expect(await (await server.call('GET', `//calendar.ics?include=${event.id}`)).text()).not.toContain('posters');
    const { image } = event;
    for (const body of [event, { image }, { image: { id: 0 } }, { image: image.url }, { image: image.sizes.large.url }])
      await make(`events/${event.id}`, body);
    const copy = await make('events', { ...dates, title: 'Copy', image: image.url });
    expect(copy.image.url).toContain(`events-${copy.id}-full.svg`);
    expect(server.store.db.get<{ image: null }>('select image from events where id = ?', event.id)!.image).toBeNull();
    expect((await make(`events/${event.id}`, { image: 'https://images.example.org/a.jpg' })).image).toEqual({
      ...{ url: 'https://images.example.org/a.jpg', id: expect.any(Number), extension: 'jpg' },
      sizes: {
        thumbnail: { width: 150, url: 'https://images.example.org/a.jpg' },
        medium: { width: 300, url: 'https://images.example.org/a.jpg' },
        medium_large: { width: 768, url: 'https://images.example.org/a.jpg' },
        large: { width: 1024, url: 'https://images.example.org/a.jpg' },
      },
    });
  });

  it('of what a caller may not read are missing', async () => {
    const draft = await make('events', { title: 'Draft', status: 'draft', ...dates });
    const hidden = await make('events', { title: 'Hidden', post_password: 'x', ...dates });
    const statusOf = async (name: string, headers = {}) =>
      (await fetch(`${server.listening.url}/wp-content/uploads/posters/${name}.svg`, { headers })).status;
    expect(await statusOf(`events-${draft.id}-full`)).toBe(404);
    expect(await statusOf(`events-${draft.id}-full`, { authorization })).toBe(200);
    for (const name of [`events-${hidden.id}-full`, `events-${draft.id}-huge`, 'events-999-full', 'tags-1-full', '__proto__-1-full', 'x'])
      expect([name, await statusOf(name)]).toEqual([name, 404]);
  });

  it('are off by default', async () => {
    const plain = await wholeServer();
    expect((await plain.json<Json>('POST', '/events', { title: 'Plain', ...dates })).image).toBe(false);
    expect((await fetch(`${plain.listening.url}/wp-content/uploads/posters/events-8-full.svg`)).status).toBe(404);
    await plain.close();
  });
});

describe('a record of a fixture with a poster', () => {
  const events = {
    drawn: { title: 'Drawn', poster: true, ...dates },
    draft: { title: 'Draft', poster: true, status: 'draft', ...dates },
    locked: { title: 'Locked', poster: true, post_password: 'x', ...dates },
    plain: { title: 'Plain', ...dates },
    weekly: { title: 'Weekly', poster: true, repeat: 'FREQ=WEEKLY;COUNT=2', ...dates },
  } as const;
  let server: WholeServer;
  const get = (slug: string) => server.json<Json>('GET', `/events/by-slug/${slug}`);
  const pathOf = (id: number) => `/wp-content/uploads/posters/events-${id}-medium.svg`;
  beforeAll(async () => {
    server = await wholeServer({
      async prepare(store) {
        await seed(store, { name: 'x', document: { events } }, 'append');
      },
    });
  });
  afterAll(() => server.close());

  it('has a picture without --posters, other records have none', async () => {
    const { id, image } = await get('drawn');
    expect(image).toMatchObject({ id: 0, extension: 'svg', sizes: { medium: { width: 300, url: server.listening.url + pathOf(id) } } });
    const response = await fetch(image.sizes.medium.url);
    expect([response.status, response.headers.get('content-type'), (await response.text()).includes('>Drawn<')]).toEqual([
      200,
      'image/svg+xml; charset=utf-8',
      true,
    ]);
    const plain = await get('plain');
    expect([plain.image, (await fetch(server.listening.url + pathOf(plain.id))).status]).toEqual([false, 404]);
    expect((await get('weekly-2027-04-08')).image.id).toBe(0);
  });

  it('keeps it when it is sent back, and loses it to another image', async () => {
    const { id, image } = await get('drawn');
    for (const body of [{ image }, { image: image.url }, { title: 'Drawn again' }])
      expect((await server.json<Json>('POST', `/events/${id}`, body)).image.id).toBe(0);
    const source = await server.store.change((local) => local.source('events', id));
    expect([source?.poster, source?.image]).toEqual([true, undefined]);
    const other = await server.json<Json>('POST', `/events/${id}`, { image: 'https://images.example.org/a.jpg' });
    expect([other.image.url, (await fetch(server.listening.url + pathOf(id))).status]).toEqual(['https://images.example.org/a.jpg', 404]);
  });

  it('that a visitor may not read is missing', async () => {
    const { id } = await get('draft');
    const locked = server.store.db.get<{ id: number }>("select id from events where slug = 'locked'")!.id;
    await server.store.change((local) => {
      for (const user of users) local.users.add(user);
    });
    for (const each of [id, locked]) expect((await fetch(server.listening.url + pathOf(each))).status).toBe(404);
  });
});

describe('the current user', () => {
  it('is shown to those who signed in', async () => {
    const server = await wholeServer({ basePath: '/wp-json', ...withUsers });
    const me = async (as: string, query = '') => {
      const response = await fetch(`${server.listening.url}/wp-json/wp/v2/users/me${query}`, {
        headers: as === '' ? {} : { authorization: basic(as) },
      });
      return [response.status, await response.json()];
    };
    const link = `${server.listening.url}/author/author/`;
    expect(await me('author')).toEqual([
      200,
      {
        ...{ id: 3, name: 'author', url: '', description: '', link, slug: 'author', avatar_urls: {}, meta: [] },
        _links: { self: [{ href: `${server.listening.url}/wp-json/wp/v2/users/me` }] },
      },
    ]);
    expect(await me('author', '?context=edit')).toEqual([
      200,
      expect.objectContaining({
        username: 'author',
        roles: ['author'],
        capabilities: { read: true, edit_posts: true, publish_posts: true, upload_files: true },
      }),
    ]);
    expect(await me('')).toEqual([401, expect.objectContaining({ code: 'rest_not_logged_in' })]);
    expect((await me('stranger'))[0]).toBe(401);
    await server.close();
  });
  it('is the owner without users', async () => {
    const server = await wholeServer();
    expect(await (await fetch(`${server.listening.url}/wp/v2/users/me?context=edit`)).json()).toMatchObject({
      ...{ id: 1, name: 'owner', roles: ['administrator'] },
    });
    await server.close();
  });
});
