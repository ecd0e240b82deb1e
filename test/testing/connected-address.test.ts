import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { connectCalendar, createCalendar } from '../../bin/library.ts';

const opened: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});
const kept = <T extends { close(): Promise<unknown> }>(each: T): T => {
  opened.push(each);
  return each;
};

const shapes = [
  {},
  { basePath: '/wp-json' },
  { basePath: '/blog/wp-json' },
  { namespace: 'brand/events/v1' },
  { basePath: '/wp-json', namespace: 'brand/events/v1' },
  { basePath: '/wp-json', publicUrl: 'https://town.example' },
  { basePath: '/wp-json', controlToken: 'a-token-of-control' },
];

describe.each(shapes)('a server with %j', (shape) => {
  it.each(['', '/', '/wp-json', '/wp-json/', 'whole'])('is known by its address with the path %j', async (path) => {
    const server = kept(await createCalendar(shape));
    const { origin, pathname } = new URL(server.url);
    if (path === '/wp-json' && !pathname.startsWith(path)) return;
    const address = path === 'whole' ? server.url : origin + path;
    if (!server.url.startsWith(address) && path !== '') return;
    const calendar = kept(await connectCalendar(address, 'controlToken' in shape ? { controlToken: shape.controlToken } : {}));
    expect(calendar.url).toBe(server.url);
    expect((await fetch(`${calendar.url}/tags?hide_empty=false`)).status).toBe(200);
    const world = await calendar.worlds.create({});
    expect(new URL(world.url).pathname).toBe(`/_worlds/${world.id}${pathname}`);
    expect((await fetch(`${world.url}/tags?hide_empty=false`)).status).toBe(200);
    const again = kept(await connectCalendar(world.root, 'controlToken' in shape ? { controlToken: shape.controlToken } : {}));
    expect(again.url).toBe(world.url);
  });
});

it('another server gets the default namespace, and one that does not respond, too', async () => {
  const other = createServer((_, response) => response.writeHead(404, { 'Content-Type': 'text/html' }).end('<html>'));
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
  const origin = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  const url = `${origin}/calendar/events/v1`;
  expect(kept(await connectCalendar(origin)).url).toBe(url);
  await new Promise((done) => other.close(done));
  expect(kept(await connectCalendar(origin)).url).toBe(url);
});

it('a namespace that was typed is not asked for', async () => {
  expect(kept(await connectCalendar('http://127.0.0.1:9/x', { namespace: 'brand/events/v1' })).url).toBe(
    'http://127.0.0.1:9/x/brand/events/v1',
  );
});
