import { copyFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCalendar } from '../../../src/store/calendar.ts';
import { SiteState, siteKey } from '../../../src/store/identity/sites.ts';
import { servers } from '../../support/serving.ts';
import { folder, run, words } from '../../support/transcript.ts';

const { path: cwd, remove } = folder();
const serve = servers(cwd);
/** The namespace of the first request with each header. The site rejects all, so that it is not looked for. */
const requested = new Map<unknown, string>();
const site = createServer(({ url, headers }, response) => {
  const run = headers['x-run'];
  if (!requested.has(run)) requested.set(run, /^\/(?:wp-json\/)?([^/]+)\/events\/v1/.exec(url!)?.[1] ?? url!);
  response.writeHead(403, { 'content-type': 'application/json' }).end('{"code":"rest_forbidden","message":"No","data":{"status":403}}');
});
let origin = '';

beforeAll(async () => {
  await new Promise<void>((done) => site.listen(0, '127.0.0.1', done));
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  const profiles = { named: { url: origin, namespace: 'profile/events/v1' }, plain: { url: origin } };
  writeFileSync(join(cwd, 'calendar.config.json'), JSON.stringify({ profiles }));
  for (const name of ['unknown', 'known']) {
    const store = await openCalendar(join(cwd, `${name}.db`), { mode: 'write', now: Date.now });
    const address = `${origin}/wp-json/file/events/v1`;
    if (name === 'known') await store.change(() => new SiteState(store.db, siteKey(address)).keep(address));
    await store.close();
  }
});
afterAll(async () => {
  await new Promise((done) => site.close(done));
  remove();
});

/** The places that can name a namespace, in their order. */
const sources = ['option', 'typed', 'profile', 'file', 'environment'] as const;
type Source = (typeof sources)[number];
/** Each source alone, and with all that come after it. */
const choices = (known: readonly Source[]): Source[][] => [[], ...known.map((each) => [each]), ...known.map((_, at) => known.slice(at))];

/** The arguments and the environment that have some namespaces. */
const given = (command: string, named: readonly Source[]): [string, Record<string, string>] => {
  const has = (source: Source) => named.includes(source);
  const address = `${origin}${has('typed') ? '/wp-json/typed/events/v1/events?per_page=5' : ''}`;
  const line = command.replace('URL', address).replace('FILE', has('file') ? 'known.db' : 'unknown.db');
  const options = `${has('option') ? ' --namespace option/events/v1' : ''} --profile ${has('profile') ? 'named' : 'plain'}`;
  return [line + options, has('environment') ? { CALENDAR_NAMESPACE: 'environment/events/v1' } : {}];
};

describe.each([
  ['pull URL --db FILE', sources],
  ['push URL --db FILE --yes', sources],
  ['sync URL --db FILE --yes', sources],
  ['diff URL --db FILE', sources],
  ['shape URL', sources.filter((each) => each !== 'file')],
  ['check URL', sources.filter((each) => each !== 'file')],
  ['status --url URL', sources.filter((each) => each !== 'file')],
  ['tags list --url URL', sources.filter((each) => each !== 'file')],
])('%s', (command, known) => {
  it.each(choices(known))('%s %s %s %s %s', async (...named) => {
    const [line, env] = given(command, named);
    const id = [command, ...named].join(' ');
    const { exit } = await run([...words(line), '--header', `X-Run: ${id}`], { cwd, env });
    expect([exit > 0, requested.get(id)]).toEqual([true, named[0] ?? 'calendar']);
  });
});

describe('the path of the copy that serve has', () => {
  it.each(choices(sources))('%s %s %s %s %s', async (...named) => {
    // Nothing is requested while the clock is set.
    const [line, env] = given('--db served-FILE --pull URL --now 2027-03-01', named);
    for (const name of ['unknown.db', 'known.db']) copyFileSync(join(cwd, name), join(cwd, `served-${name}`));
    const { said, stop } = await serve(line, { env });
    await stop();
    expect(new URL(said.url).pathname).toBe(`/${named[0] ?? 'calendar'}/events/v1`);
  });
});
