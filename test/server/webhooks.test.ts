import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FaultList } from '../../src/server/faults/fault-list.ts';
import { Webhooks } from '../../src/server/webhooks/webhooks.ts';
import { servers } from '../support/serving.ts';
import { folder, run, words } from '../support/transcript.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
interface Received {
  headers: Record<string, string>;
  body: string;
}

let receiver: http.Server;
let url: string;
let received: Received[];
/** The statuses of the next responses; 204 after them. */
let statuses: number[];
beforeAll(async () => {
  receiver = http.createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push({ headers: request.headers as Record<string, string>, body });
    const status = statuses.shift() ?? 204;
    response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
});
beforeEach(() => {
  received = [];
  statuses = [];
});
afterAll(() => {
  receiver.closeAllConnections();
  receiver.close();
});

describe('a webhook', () => {
  let webhooks: Webhooks;
  let notices: string[];
  const message = { type: 'event.created', timestamp: '2027-03-01T09:00:00.000Z', data: { id: 1, title: 'Ünïcode' } };
  const open = (backoffMs = [1, 1, 1], urls = [url]) => {
    notices = [];
    webhooks = new Webhooks({ urls, secret, backoffMs, notice: (text) => notices.push(text) });
    return webhooks;
  };
  afterEach(() => webhooks?.reset());
  const settled = (attempts: number) => expect.poll(() => webhooks.list()[0]?.attempts).toBe(attempts);

  it('has a signature that the public library accepts', async () => {
    open().send(message);
    await expect.poll(() => received.length).toBe(1);
    const { headers, body } = received[0]!;
    expect(new Webhook(secret).verify(body, headers)).toEqual(message);
    expect(() => new Webhook(`whsec_${Buffer.alloc(32, 8).toString('base64')}`).verify(body, headers)).toThrow();
  });

  it('is sent again three times with the same ID, and follows no redirect', async () => {
    statuses = [500, 302, 503, 500];
    open().send(message);
    await settled(4);
    await expect.poll(() => notices).toEqual([`Webhook event.created was not delivered to ${url}: status 500`]);
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(await webhooks.resend(1)).toMatchObject({ attempts: 5, delivered: true, status: 204 });
    await expect(webhooks.resend(2)).rejects.toMatchObject({ code: 'not-found' });
  });

  it('reports a receiver that is gone', async () => {
    open([1, 1, 1], ['http://127.0.0.1:1/']).send(message);
    await expect.poll(() => notices.join()).toMatch(/not delivered to http:\/\/127\.0\.0\.1:1\/: .+/);
    expect(webhooks.list()).toMatchObject([{ attempts: 4, delivered: false, status: null, error: expect.any(String) }]);
  });

  it.each<[name: string, fault: object, received: number, delivery: object]>([
    ['a status', { then: { status: 503 }, times: 1 }, 1, { attempts: 2, delivered: true, status: 204 }],
    ['a status for every attempt', { then: { status: 503 } }, 0, { attempts: 4, delivered: false, status: 503 }],
    ['a connection fault', { then: 'reset' }, 0, { attempts: 4, delivered: false, error: 'Fault 1: reset' }],
    ['a response that is lost', { then: 'reset', at: 'after', times: 1 }, 2, { attempts: 2, delivered: true }],
    ['a delay', { delay: 1 }, 1, { attempts: 1, delivered: true }],
    ['a hold without a release', { then: 'hold', timeout: 'PT0.01S' }, 1, { attempts: 1, delivered: true }],
  ])('meets a fault: %s', async (_name, fault, times, delivery) => {
    const faults = new FaultList({ basePath: '', namespace: 'calendar/events/v1' }, [{ match: { path: '/_webhooks/hook' }, ...fault }]);
    webhooks = new Webhooks({ urls: [url], secret, backoffMs: [1, 1, 1] }, faults);
    webhooks.send(message);
    await expect.poll(() => webhooks.list()[0]).toMatchObject(delivery);
    expect(received).toHaveLength(times);
  });

  it('does not meet faults of the API', async () => {
    const faults = new FaultList({ basePath: '', namespace: 'calendar/events/v1' }, [
      { then: { status: 503 } },
      { match: { path: '/hook' }, then: { status: 503 } },
    ]);
    webhooks = new Webhooks({ urls: [url], secret }, faults);
    webhooks.send(message);
    await expect.poll(() => webhooks.list()[0]).toMatchObject({ delivered: true, attempts: 1 });
  });

  it('is not sent if a reset ends the fault that holds it', async () => {
    const faults = new FaultList({ basePath: '', namespace: 'calendar/events/v1' });
    const { id } = faults.add({ match: { path: '/_webhooks/*' }, then: 'hold' });
    webhooks = new Webhooks({ urls: [url], secret }, faults);
    webhooks.send(message);
    await faults.arrived(id, 1, 10_000);
    webhooks.reset();
    faults.reset();
    webhooks.send({ ...message, type: 'event.deleted' });
    await expect.poll(() => received.map(({ body }) => JSON.parse(body).type)).toEqual(['event.deleted']);
  });

  it('is dropped by a reset', async () => {
    statuses = [500];
    open([60_000]).send(message);
    await settled(1);
    webhooks.reset();
    expect(webhooks.list()).toEqual([]);
    expect(notices).toEqual([]);
  });

  it.each(['', 'secret', 'whsec_', 'whsec_c2hvcnQ=', `whsec_${Buffer.alloc(65).toString('base64')}`, undefined])(
    'needs a secret of 24 to 64 bytes, not %s',
    (wrong) => {
      expect(() => new Webhooks({ urls: [url], secret: wrong })).toThrow(/secret/);
    },
  );
});

const visible = 'calendar: The secret in --webhook-secret is visible to every user of this machine. Set CALENDAR_WEBHOOK_SECRET instead.';

describe('serve --webhook', () => {
  const place = folder();
  const start = servers(place.path);
  afterAll(place.remove);

  it('sends changes, publications and deletions, and lists them', async () => {
    const { said } = await start(`--memory --seed minimal --webhook ${url} --webhook-secret ${secret} --now 2027-03-01T09:00:00Z`);
    const on = (command: string) => run(words(`${command} --url ${said.url}`), { cwd: place.path });
    const send = async (path: string, method: string, fields: object = {}) => {
      const headers = { 'content-type': 'application/json' };
      return JSON.parse(await (await fetch(`${said.url}/${path}`, { method, headers, body: JSON.stringify(fields) })).text());
    };
    const event = { title: 'Concert', start_date: '2027-04-01 20:00', end_date: '2027-04-01 22:00', status: 'draft' };
    const { id } = await send('events', 'POST', event);
    await send(`events/${id}`, 'POST', { title: 'Renamed' });
    await send(`events/${id}`, 'POST', { status: 'publish' });
    await send(`events/${id}`, 'DELETE');
    const tag = await send('tags', 'POST', { name: 'x' });
    await send(`tags/${tag.id}`, 'DELETE');
    await expect.poll(() => received.length).toBe(6);
    const messages = received.map(({ body }) => JSON.parse(body));
    expect(messages.map(({ type }) => type).sort()).toEqual(
      ['event.created', 'event.updated', 'event.published', 'event.deleted', 'tag.created', 'tag.deleted'].sort(),
    );
    const created = messages.find(({ type }) => type === 'event.created');
    expect(created).toMatchObject({
      timestamp: '2027-03-01T09:00:00.000Z',
      data: { id, title: 'Concert', rest_url: `${said.url}/events/${id}` },
    });
    const listed = await on('webhooks list');
    expect(listed.stdout.trim().split('\n')).toHaveLength(6);
    expect((await on('webhooks resend 1')).stdout).toMatch(/^1 +event\.created +http.*delivered\n$/);
    expect(received).toHaveLength(7);
    expect((await on('webhooks resend 99')).exit).toBe(3);
    expect(await on('reset --yes')).toMatchObject({ exit: 0 });
    expect((await on('webhooks list')).stdout).toBe('');
  });

  it('sends the first 100 of a change of many, and reports that', async () => {
    const { said, stop } = await start(`--memory --webhook ${url} --webhook-secret ${secret}`);
    const generated = await run(words(`generate --events 200 --url ${said.url}`), { cwd: place.path });
    expect(generated).toMatchObject({ exit: 0 });
    await expect.poll(() => received.length).toBe(100);
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(100);
    const { stderr } = await stop();
    expect(stderr).toContain('calendar: More than 100 records changed at once: webhooks were sent for the first 100 only\n');
  });

  it.each([
    [`--webhook-secret ${secret}`, {}, [visible]],
    ['', { CALENDAR_WEBHOOK_SECRET: secret }, []],
  ])('warns about a secret that other users see: %s', async (line, env, warnings) => {
    const { stop } = await start(`--memory --webhook ${url} ${line}`, { env });
    const { stderr } = await stop();
    expect(stderr.split('\n').filter((each) => each.includes('visible'))).toEqual(warnings);
  });

  it('sends what changes together with settings', async () => {
    const { said } = await start(`--memory --webhook ${url} --webhook-secret ${secret}`);
    await run(words(`seed minimal --append --url ${said.url}`), { cwd: place.path });
    await expect.poll(() => received.length).toBe(5);
  });

  it('sends the changes of a world with its ID, and lists them there', async () => {
    const { said } = await start(`--memory --seed minimal --webhook ${url} --webhook-secret ${secret}`);
    const on = (command: string) => run(words(`${command} --url ${said.url}`), { cwd: place.path });
    const id = (await on('world create mine')).stdout.trim();
    expect(await on(`tags create --name x --world ${id}`)).toMatchObject({ exit: 0 });
    await expect.poll(() => received.length).toBe(1);
    const [{ headers, body }] = received as [Received];
    expect(headers['x-calendar-world']).toBe(id);
    expect(JSON.parse(body)).toMatchObject({ type: 'tag.created', data: { urls: { self: expect.stringContaining(`/_worlds/${id}/`) } } });
    expect((await on('webhooks list')).stdout).toBe('');
    expect((await on(`webhooks list --world ${id}`)).stdout).toMatch(/^1 +tag\.created/);
  });

  it('meets a fault of the command line', async () => {
    const { said } = await start(`--memory --seed minimal --webhook ${url} --webhook-secret ${secret}`);
    const on = (command: string) => run(words(`${command} --url ${said.url}`), { cwd: place.path });
    expect(await on('fault add 410 --path /_webhooks/*')).toMatchObject({ exit: 0 });
    expect(await on('tags create --name x')).toMatchObject({ exit: 0 });
    await expect.poll(async () => (await on('webhooks list')).stdout).toMatch(/status 410\n$/);
    expect(received).toEqual([]);
  });

  it.each([
    [`--webhook ${'ftp://x'} --webhook-secret ${secret}`, /Invalid webhook URL/],
    ['--webhook http://127.0.0.1:1 --webhook-secret abc', /Invalid webhook secret/],
    ['--webhook http://127.0.0.1:1', /require a secret/],
  ])('refuses %s', async (line, message) => {
    const { stdout, stderr, exit } = await run(words(`serve --memory ${line}`), { cwd: place.path });
    expect([stdout, exit]).toEqual(['', 2]);
    expect(stderr).toMatch(message);
  });
});
