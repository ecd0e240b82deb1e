import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Calendar, createCalendar } from '../../../bin/library.ts';
import { servers } from '../../support/serving.ts';
import { folder, run } from '../../support/transcript.ts';

const { path, remove } = folder();
const publicUrl = 'https://shop.test';
let calendar: Calendar;
beforeAll(async () => {
  calendar = await createCalendar({
    media: join(path, 'media'),
    seed: 'minimal',
    publicUrl,
    basePath: '/cal/wp-json',
    now: '2027-03-01T09:00Z',
  });
});
afterAll(async () => {
  await calendar.close();
  remove();
});

interface Reply {
  status: number;
  text: string;
}

/** Sends a request as a proxy does that passes on the host, and adds no header. */
const through = (path: string, headers: Record<string, string> = {}, method = 'GET', body?: string | Buffer) =>
  new Promise<Reply>((resolve, reject) => {
    const { hostname, port } = new URL(calendar.root);
    const request = httpRequest({ hostname, port, path, method, headers: { host: 'shop.test', ...headers } }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode!, text }));
    });
    request.on('error', reject).end(body);
  });
const api = '/cal/wp-json/calendar/events/v1';
const json = { 'content-type': 'application/json' };

describe('a server with a public address', () => {
  it.each([
    ['the host of the proxy', {}],
    ['another host and headers of a proxy', { host: '127.0.0.1', 'x-forwarded-host': 'other.test', 'x-forwarded-proto': 'http' }],
  ])('has it in links, with %s', async (_name, headers) => {
    const { status, text } = await through(`${api}/events?per_page=1`, headers);
    const { rest_url: restUrl, events } = JSON.parse(text);
    expect([status, new URL(restUrl).origin + new URL(restUrl).pathname]).toEqual([200, `${publicUrl}${api}/events/`]);
    expect([events[0].url, events[0].rest_url, events[0].global_id]).toEqual([
      `${publicUrl}/cal/event/${events[0].slug}/`,
      `${publicUrl}${api}/events/${events[0].id}`,
      `shop.test/cal?id=${events[0].id}`,
    ]);
    expect((await calendar.events.get(events[0].id)).url).toBe(events[0].url);
  });

  it.each<[string, () => Promise<Reply>, RegExp]>([
    ['the feed of the API', () => through('/cal/wp-json/calendar.ics'), /^URL:https:\/\/shop\.test\/cal\/event\//m],
    ['the feed of the site', () => through('/cal/events/?ical=1'), /^URL:https:\/\/shop\.test\/cal\/event\//m],
    ['the RSS feed', () => through('/cal/events/feed/'), /<link>https:\/\/shop\.test\/cal\/event\//],
    [
      'an upload',
      () =>
        through(
          '/cal/wp-json/wp/v2/media',
          { 'content-type': 'image/gif', 'content-disposition': 'attachment; filename=a.gif' },
          'POST',
          Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64'),
        ),
      /"source_url":"https:\/\/shop\.test\/cal\/wp-content\/uploads\//,
    ],
    ['the index', () => through('/cal/wp-json/'), /"home":"https:\/\/shop\.test\/cal"/],
    ['the document', () => through('/cal/openapi.json'), /"servers":\[\{"url":"https:\/\/shop\.test\/cal\/wp-json\/calendar\/events\/v1"/],
  ])('has it in %s', async (_name, reply, pattern) => {
    const { status, text } = await reply();
    expect([Math.floor(status / 100), text]).toEqual([2, expect.stringMatching(pattern)]);
    // Examples of the document are of a server elsewhere.
    if (!text.startsWith('{"openapi"')) expect(text).not.toMatch(/https?:\/\/(127|localhost)/);
  });

  it('is the origin of its pages', async () => {
    const post = (origin: string) => through(`${api}/tags`, { ...json, origin }, 'POST', `{"name":"From ${origin}"}`);
    expect([(await post(publicUrl)).status, (await post('https://other.test')).status]).toEqual([201, 403]);
  });

  it('has no control API there, and worlds whose API is there', async () => {
    expect((await through('/_calendar/worlds', json, 'POST', '{}')).status).toBe(404);
    expect((await through('/_calendar/health', { host: '127.0.0.1', 'x-forwarded-for': '10.0.0.1' })).status).toBe(404);
    const world = (await (await fetch(`${calendar.control}/worlds`, { method: 'POST', headers: json, body: '{}' })).json()) as Record<
      string,
      string
    >;
    const { id, url, control, root, cookie } = world;
    expect([url, control, root, cookie]).toEqual([
      `${publicUrl}/_worlds/${id}${api}`,
      `${calendar.root}/_worlds/${id}/_calendar`,
      `${calendar.root}/_worlds/${id}`,
      `calendar_world=${id}; Secure`,
    ]);
    const { status, text } = await through(`/_worlds/${id}${api}/events`);
    expect([status, JSON.parse(text).rest_url]).toEqual([200, expect.stringContaining(`${url}/events`)]);
  });

  it.each(['shop.test', 'https://shop.test/', 'https://shop.test/cal', 'ftp://shop.test'])('is an origin, and not %s', async (address) => {
    await expect(createCalendar({ publicUrl: address })).rejects.toMatchObject({
      code: 'bad-request',
      message: expect.stringContaining(`Invalid public URL ${JSON.stringify(address)}`),
      hint: expect.stringContaining('/cal/wp-json'),
    });
  });
});

describe('the setting home of a file', () => {
  it.each([
    ['https://shop.test', 'https://shop.test', /^calendar: Links start with https:\/\/shop\.test, the setting home of .*city\.db$/m],
    ['https://shop.test/cal', undefined, /has a path\. Set an origin, and pass --base-path$/m],
    ['http://127.0.0.1:8787', undefined, undefined],
  ])('%s is the default of --public-url', async (home, origin, notice) => {
    await run(['settings', 'set', 'home', home, '--db', 'city.db'], { cwd: path });
    const { said, stop } = await servers(path)('--db city.db --port 0');
    const { url, rest_url } = (await (
      await fetch(`${said.url}/tags`, { method: 'POST', body: new URLSearchParams({ name: home }) })
    ).json()) as Record<string, string>;
    const local = new URL(said.url).origin;
    expect(JSON.stringify([url, rest_url])).toContain(`"${origin ?? local}/`);
    const { stderr } = await stop();
    if (notice) expect(stderr).toMatch(notice);
    else expect(stderr).not.toContain('Links start');
  });
});
