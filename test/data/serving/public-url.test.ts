import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Calendar, createCalendar } from '../../../bin/library.ts';

const publicUrl = 'https://shop.test';
let calendar: Calendar;
beforeAll(async () => {
  calendar = await createCalendar({ seed: 'minimal', publicUrl, basePath: '/cal/wp-json', now: '2027-03-01T09:00Z' });
});
afterAll(() => calendar.close());

interface Reply {
  status: number;
  text: string;
}

/** Sends a request as a proxy does that passes on the host, and adds no header. */
const through = (path: string, headers: Record<string, string> = {}, method = 'GET', body?: string) =>
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
