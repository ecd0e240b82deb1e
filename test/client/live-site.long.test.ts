import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SiteFault } from '../../src/model/operations/connection-faults.ts';
import { busy, failsEveryFifth, type LiveSite, liveSite, namespace, notice, pageOf, preceded, requires } from '../support/live-site.ts';
import { folder, run, words } from '../support/transcript.ts';

const { path: cwd, remove } = folder();
afterAll(remove);

let site: LiveSite;
let db = '';
let count = 0;
beforeEach(async () => {
  site = await liveSite('minimal');
  db = `site-${++count}.db`;
});
afterEach(() => site.close());

const env = { CALENDAR_NAMESPACE: namespace, KEY: 'k3y-of-the-site' };
const local = (line: string, more: Record<string, string> = {}) => run([...words(line), '--db', db], { cwd, env: { ...env, ...more } });
const remote = (line: string, more: Record<string, string> = {}) =>
  run([...words(line), '--url', site.url], { cwd, env: { ...env, ...more } });

describe('requests', () => {
  it('name the program', async () => {
    expect((await local(`pull ${site.url}`)).stderr).toMatch(/: 5 created\n/);
    expect(new Set(site.headers.map((each) => each['user-agent']))).toEqual(new Set([expect.stringMatching(/^local-calendar\/\d/)]));
  });

  it('of visitors ask for no drafts', async () => {
    await local(`pull ${site.url}`);
    expect(site.log.filter((line) => /status=/.test(line))).toEqual([]);
    // One record for the address of the site, the discovery root, a page of each resource, and one record of each, to see whether it has more members than the list.
    expect(site.log).toHaveLength(1 + 6 + 5);
  });

  it.each([
    ['pull', 'pull URL --header HEADER'],
    ['diff', 'diff URL -H HEADER'],
    ['push', 'push URL -H HEADER'],
    ['events list', 'events list --url URL -H HEADER'],
    ['request', 'request GET /events --url URL -H HEADER'],
    ['check', 'check URL -H HEADER --only events.list'],
  ])('have the header that a site requires: %s', async (_, line) => {
    site.quirks.request = requires('x-key', env.KEY);
    expect((await run(words(`pull ${site.url} --header X-Key:${env.KEY} --db ${db}`), { cwd, env })).exit).toBe(0);
    const args = words(line.replace('URL', site.url)).map((word) => (word === 'HEADER' ? 'X-Key: ${KEY}' : word));
    const target = /^(pull|push|diff)/.test(line) ? ['--db', db] : [];
    const { exit, stderr } = await run([...args, ...target], { cwd, env });
    expect(exit, stderr).toBeLessThan(2);
    const without = await run(words(`events list --url ${site.url}`), { cwd, env });
    expect(without).toMatchObject({ exit: 4, stdout: '', stderr: expect.stringContaining('--header') });
  });

  it('never show the values of headers', async () => {
    site.quirks.request = () => ({
      status: 403,
      body: `{"code":"x","message":"wrong key ${env.KEY}"}`,
      headers: { 'Content-Type': 'application/json' },
    });
    const { stderr } = await run([...words(`events list -v --url ${site.url}`), '-H', 'X-Key: ${KEY}'], { cwd, env });
    expect(stderr).toContain('wrong key [redacted]');
    expect(stderr).not.toContain(env.KEY);
  });

  it.each([
    ['Authorization: Bearer abc', 'Authorization: ${AUTHORIZATION}'],
    ['Cookie: a=b', 'Cookie: ${COOKIE}'],
    ['X-Api-Key: abc', 'X-Api-Key: ${X_API_KEY}'],
    ['CF-Access-Client-Secret: abc', 'CF-Access-Client-Secret: ${CF_ACCESS_CLIENT_SECRET}'],
  ])('reject the secret in %s', async (header, hint) => {
    const { exit, stderr } = await run([...words(`events list --url ${site.url}`), '-H', header], { cwd, env });
    expect([exit, stderr]).toEqual([2, expect.stringContaining(`--header '${hint}'`)]);
    expect(site.log).toEqual([]);
  });

  it.each([
    ['nonsense', 'Invalid header "nonsense"'],
    ['X-Key: ${MISSING}', 'The variable MISSING of the header X-Key is not set'],
    ['Content-Length: 7', "The header Content-Length can't be set"],
  ])('reject the header %s', async (header, message) => {
    const { exit, stderr } = await run([...words(`events list --url ${site.url}`), '-H', header], { cwd, env });
    expect([exit, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe('headers of a profile', () => {
  const profile = (headers: object) => JSON.stringify({ profile: 'live', profiles: { live: { url: site.url, headers } } });

  it('are sent, with variables in the own file', async () => {
    site.quirks.request = requires('x-key', env.KEY);
    const { path, remove } = folder();
    const { mkdirSync } = await import('node:fs');
    mkdirSync(join(path, 'calendar'));
    writeFileSync(join(path, 'calendar', 'config.json'), profile({ 'X-Key': '${KEY}' }), { mode: 0o600 });
    expect(await run(words('events list --format ids'), { cwd, env: { ...env, XDG_CONFIG_HOME: path } })).toMatchObject({ exit: 0 });
    remove();
  });

  it('use no variables in the file of a project', async () => {
    const { path, remove } = folder();
    writeFileSync(join(path, 'calendar.config.json'), profile({ 'X-Team': '${KEY}' }));
    const rejected = await run(words('events list'), { cwd: path, env });
    expect(rejected).toMatchObject({ exit: 2, stderr: expect.stringContaining('refers to a variable') });
    writeFileSync(join(path, 'calendar.config.json'), profile({ 'X-Team': 'calendar' }));
    expect((await run(words('events list'), { cwd: path, env })).exit).toBe(0);
    const given = await run(['events', 'list', '-H', 'X-Key: ${KEY}'], { cwd: path, env });
    expect(given).toMatchObject({ exit: 2, stderr: expect.stringContaining('Refusing to send a variable') });
    expect(new Set(site.headers.map((each) => each['x-team']))).toEqual(new Set(['calendar']));
    remove();
  });
});

describe('redirects', () => {
  const redirects =
    (origin: string): LiveSite['quirks']['request'] =>
    ({ path }) => ({ status: 301, headers: { Location: `${origin}${path}` } });
  /** The site under other host names, through a proxy. */
  const named = (line: string, more: Record<string, string> = {}) =>
    run(words(line), { cwd, env: { ...env, ...more, http_proxy: site.url.replace('/wp-json', '') } });

  it.each<Record<string, string>>([{}, { CALENDAR_USER: 'ada', CALENDAR_PASSWORD: 'secret' }])(
    'are followed to www. with %j',
    async (credentials) => {
      // The second request finds the site.
      const redirect = redirects('http://www.site.test');
      site.quirks.request = (request) => (site.log.length === 1 ? redirect(request) : undefined);
      const { exit, stderr } = await named('request GET /tags --url http://site.test/wp-json', credentials);
      expect([exit, stderr]).toEqual([0, '']);
      // Over http, the first request to each host has no credentials.
      const hasUser = 'CALENDAR_USER' in credentials;
      expect(site.headers.map(({ host, authorization }) => [host, authorization !== undefined])).toEqual([
        ['site.test', false],
        ...(hasUser ? [['www.site.test', false]] : []),
        ['www.site.test', hasUser],
      ]);
    },
  );

  it('name the host that cannot be reached', async () => {
    site.quirks.request = redirects('http://nowhere.invalid');
    const { exit, stderr } = await run(words(`events list --url ${site.url}`), { cwd, env });
    expect([exit, stderr]).toEqual([5, expect.stringContaining('Cannot reach http://nowhere.invalid: ')]);
  });

  it('are not followed elsewhere with credentials, nor to this machine without', async () => {
    site.quirks.request = redirects('http://other.test');
    const sent = { CALENDAR_USER: 'ada', CALENDAR_PASSWORD: 'secret' };
    expect(await named('events list --url http://site.test/wp-json', sent)).toMatchObject({ exit: 5 });
    site.quirks.request = redirects('http://127.0.0.1:9');
    expect(await named('events list --url http://site.test/wp-json')).toMatchObject({ exit: 5 });
    expect(site.headers.map(({ host, authorization }) => [host, authorization])).toEqual([
      ['site.test', undefined],
      ['site.test', undefined],
    ]);
  });
});

/** Status, body and headers of the page of a site, without a time to wait for. */
const partsOf = (name: SiteFault) => {
  const { status, body, headers: { 'Retry-After': _, ...headers } = {} } = pageOf(name);
  return [status, body, headers] as const;
};

describe('responses', () => {
  it.each([
    ['a notice of PHP', notice, 'Notice:  Undefined index'],
    ['a warning in brackets', '[23-Nov-2026 10:00:00 UTC] PHP Warning:  {oops} in a.php\n', '[23-Nov-2026'],
    ['two byte order marks', '\uFEFF\uFEFF', 'a byte order mark'],
  ])('may have %s before the JSON', async (_, preamble, line) => {
    site.quirks.shows = preceded(preamble);
    const { exit, stderr } = await local(`pull ${site.url}`);
    expect(exit).toBe(0);
    expect(stderr).toContain(`Skipped text before the JSON of a response: ${line}`);
    expect(stderr.match(/Skipped/g)).toHaveLength(1);
    expect(stderr).toMatch(/: 5 created\n/);
  });

  it.each([
    ['Cloudflare', 403, '<html><title>Attention Required! | Cloudflare</title></html>', {}, 'a page of Cloudflare', '--header'],
    ['Cloudflare by its header', 503, '<html>Just a moment...</html>', { 'CF-Ray': '1' }, 'a page of Cloudflare', '--header'],
    ['Wordfence', 403, '<html><p>Generated by Wordfence at …</p></html>', { Server: 'cloudflare' }, 'a page of Wordfence', '--header'],
    ['a login page', 200, '<html><form action="/wp-login.php"></form></html>', {}, 'a login page', '--user'],
    ['maintenance', ...partsOf('site:maintenance'), 'a maintenance page', 'Try again later'],
    ['a challenge', ...partsOf('site:challenge'), 'a page of Cloudflare', '--header'],
  ])('in HTML name their sender: %s', async (_, status, body, headers, sender, hint) => {
    site.quirks.request = () => ({ status, body, headers: { 'Content-Type': 'text/html', ...headers } });
    const { exit, stderr } = await remote('events list');
    expect([4, 5]).toContain(exit);
    expect(stderr).toContain(`returned ${status} with ${sender}`);
    expect(stderr).toContain(hint);
  });

  it('with Retry-After are awaited longer than the timeout', async () => {
    site.quirks.request = busy({ status: 429, headers: { 'Retry-After': '2' } });
    const { exit, stderr } = await remote('events list --format ids --timeout 1');
    expect(exit).toBe(0);
    expect(stderr).toMatch(/^calendar: 127\.0\.0\.1:\d+ returned 429\. Retrying in 2 s\n$/);
  });

  it('with 502 from time to time don’t break a pull', async () => {
    site.quirks.request = failsEveryFifth();
    expect((await local(`pull ${site.url}`)).stderr).toMatch(/: 5 created\n/);
  });
});

it('every request has the headers of the command line, also those for the control API', async () => {
  site.quirks.request = requires('x-team', 'blue');
  const sent: { path: string; headers: unknown }[] = [];
  const onRequest = (message: unknown) => void sent.push((message as { request: (typeof sent)[number] }).request);
  subscribe('undici:request:create', onRequest);
  await remote("events list --all --header 'X-Team: blue'");
  unsubscribe('undici:request:create', onRequest);
  expect(sent.some(({ path }) => path.includes('/_calendar/'))).toBe(true);
  for (const { path, headers } of sent) expect([path, String(headers)]).toEqual([path, expect.stringMatching(/x-team[,:] ?blue/i)]);
});
