import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { SaxesParser } from 'saxes';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { seedNamed } from '../../../src/data/seeds.ts';
import { resourceNames } from '../../../src/model/calendar.ts';
import type { PatchedRequest } from '../../../src/model/operations/faults.ts';
import { everyQuirk, failsEveryFifth, type LiveSite, liveSite, namespace, withExtras } from '../../support/live-site.ts';
import { served } from '../../support/served.ts';
import { folder, run, words } from '../../support/transcript.ts';

const { path: cwd, remove } = folder();
afterAll(remove);

let site: LiveSite;
const env = { CALENDAR_NAMESPACE: namespace };
const local = (line: string) => run(words(line), { cwd, env });
// biome-ignore lint/suspicious/noExplicitAny: a JSON document
const read = async (name: string): Promise<any> => JSON.parse(await readFile(join(cwd, name), 'utf8'));

/** Adds every string and number of a value. */
function valuesOf(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value === 'string' || typeof value === 'number') found.add(String(value));
  else if (value && typeof value === 'object') for (const each of Object.values(value)) valuesOf(each, found);
  return found;
}
/** Adds every key and string of a value. */
function wordsOf(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value === 'string') found.add(value);
  else if (Array.isArray(value)) for (const each of value) wordsOf(each, found);
  else if (value && typeof value === 'object')
    for (const [key, each] of Object.entries(value)) {
      for (const part of key.split(/\[?\]?\.|\[\]/)) found.add(part);
      wordsOf(each, found);
    }
  return found;
}

beforeEach(async () => {
  site = await liveSite('demo');
});
afterEach(() => site.close());

describe('calendar shape', () => {
  it('writes members of all resources, forms and endpoints', async () => {
    const { exit, stdout, stderr } = await local(`shape ${site.url} -o a.json --sample 12`);
    expect([exit, stdout, stderr]).toEqual([0, '', `calendar: Wrote the shape of ${site.url}/${namespace} to a.json\n`]);
    const { views, endpoints, sample } = await read('a.json');
    expect(sample).toBe(12);
    for (const name of resourceNames)
      for (const form of name === 'events' ? ['list', 'single', 'by-slug'] : ['list', 'single', 'embedded'])
        expect([`${name}.${form}`, Object.keys(views[`${name}.${form}`].members).length > 5]).toEqual([`${name}.${form}`, true]);
    expect(views['events.list']).toMatchObject({
      records: 12,
      members: { id: { of: 12, presence: 1, types: { number: 12 } }, all_day: { values: expect.arrayContaining([false]) } },
    });
    expect(Object.keys(views['events.second-page'].members)).toContain('previous_rest_url');
    expect(endpoints['/events']).toMatchObject({ default_per_page: 10, max_per_page: 50 });
    expect(endpoints['/events'].errors).toMatchObject({
      'invalid-page': { status: 400, code: 'rest_invalid_param' },
      'page-beyond-the-end': { status: 404, code: 'event-archive-page-not-found' },
    });
    expect(endpoints['/events/{id}'].errors.unknown.members['data.status']).toMatchObject({ types: { number: 1 } });
    // Each record is read once from a list and once by ID.
    expect(site.log.filter((line) => /^GET \/events\/\d+$/.test(line))).toHaveLength(12 + 1);
    expect(site.log.filter((line) => !line.startsWith('GET '))).toEqual(site.log.filter((line) => line.startsWith('POST /_calendar')));
  });

  it.each([
    ['a plain site', false],
    ['a site with members of extensions', true],
  ])('writes no value of %s', async (_what, extras) => {
    if (extras) site.quirks.shows = withExtras;
    const { exit, stdout } = await local(`shape ${site.url} --sample 200`);
    expect(exit).toBe(0);
    const values = valuesOf(await seedNamed('demo'));
    for (const name of resourceNames) {
      const query = 'per_page=50&hide_empty=false&start_date=2000-01-01&end_date=2100-01-01';
      for (let page = 1, pages = 1; page <= pages; page++) {
        const list = (await (await fetch(`${site.url}/${namespace}/${name}?${query}&page=${page}`)).json()) as Record<string, unknown>;
        pages = Number(list.total_pages);
        valuesOf(list[name], values);
      }
    }
    expect(values.size).toBeGreaterThan(1000);
    // `members` is a key of the file, and a tag.
    const allowed = new Set(['members', 'publish', 'prefix', 'Europe/Amsterdam', '']);
    const found = [...wordsOf(JSON.parse(stdout))].filter((word) => values.has(word) && !allowed.has(word));
    expect(found).toEqual([]);
    for (const value of values)
      if (value.length > 12 && /[^\w]/.test(value) && !allowed.has(value)) expect(stdout.includes(value), value).toBe(false);
    expect(stdout).not.toMatch(/https?:|127\.0\.0\.1|Dress code|casual/);
    if (extras) expect(stdout).toContain('custom_fields.*');
  });

  it('connects to a site with every quirk', async () => {
    const [quirks, fails] = [everyQuirk(), failsEveryFifth()];
    Object.assign(site.quirks, quirks, { request: async (request: PatchedRequest) => (await quirks.request!(request)) ?? fails(request) });
    const { exit, stderr } = await run([...words(`shape ${site.url} -o quirks.json --sample 3`), '-H', 'X-Team: blue'], { cwd, env });
    expect([exit, stderr.includes('Skipped text before the JSON')]).toEqual([0, true]);
    expect(Object.keys((await read('quirks.json')).views['venues.embedded'].members)).toContain('map_hint');
  });

  it.each([
    ['shape', 2, 'Missing URL'],
    ['shape http://127.0.0.1:1 --timeout 2', 5, ''],
    ['shape http://127.0.0.1:1 --sample 0', 2, 'whole number'],
    ['shape nonsense', 2, 'Invalid URL'],
  ])('%s ends with %d', async (line, code, message) => {
    const { exit, stdout, stderr } = await local(line);
    expect([exit, stdout]).toEqual([code, '']);
    expect(stderr).toContain(message);
  });
  it('reads a site that rejects large pages and has no organizers', async () => {
    const other = createServer(async (request, response) => {
      const url = request.url!;
      const status = url.includes('per_page=200') ? 400 : url.includes('/organizers') ? 404 : 0;
      const answer = status ? undefined : await fetch(new URL(url, site.url), { headers: { 'user-agent': 'test' } });
      const body = answer ? await answer.text() : JSON.stringify({ code: 'rejected', message: 'No', data: { status } });
      response.writeHead(answer?.status ?? status, { 'content-type': 'application/json' }).end(body);
    });
    await new Promise<void>((done) => void other.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}/wp-json`;
    const { exit, stdout } = await local(`shape ${url} --sample 2`);
    await local(`shape ${site.url} -o whole.json --sample 2`);
    const { stdout: report } = await local(`shape ${url} --compare whole.json`);
    other.closeAllConnections();
    other.close();
    expect(exit).toBe(0);
    const { endpoints, views } = JSON.parse(stdout);
    expect(endpoints['/events'].errors['too-many-per-page']).toMatchObject({ status: 400, code: 'rejected' });
    expect(endpoints['/organizers'].errors.list).toMatchObject({ status: 404 });
    expect(Object.keys(views)).toEqual(expect.arrayContaining(['organizers.embedded', 'tags.list']));
    expect(report).toContain('FAIL /organizers/{id}: Removed');
    expect(report).toContain('FAIL /events.too-many-per-page: Added\n       status 400');
    expect(report).toContain('skip organizers.list: no records now');
  });
  it('a site with an HTML page has no shape', async () => {
    site.quirks.request = () => ({ status: 403, body: '<html><title>Attention Required! | Cloudflare</title></html>' });
    const { exit, stderr } = await local(`shape ${site.url} -o none.json`);
    expect(exit).not.toBe(0);
    expect(stderr).toContain('Cloudflare');
    await expect(read('none.json')).rejects.toThrow();
  });
});

it.each(['shape URL -o none.json', 'shape URL --compare site.shape.json'])('%s says where the calendar is', async (line) => {
  await local(`shape ${site.url} -o site.shape.json`);
  const url = site.origin.listening.url;
  const { exit, stderr } = await run(words(line.replace('URL', `${url}/wp-json`)), { cwd });
  expect([exit, stderr]).toEqual([
    5,
    expect.stringMatching(/not a response of a calendar\n.*--namespace. Did you mean \/wp-json\/brand\/events\/v1\/events\?/),
  ]);
});

describe('calendar shape --compare', () => {
  it('finds no drift in a site that did not change, and none in its copy', async () => {
    site.quirks.shows = withExtras;
    await local(`shape ${site.url} -o extras.json`);
    expect(await local(`shape ${site.url} --compare extras.json --format json`)).toMatchObject({ exit: 0 });
    await local(`pull ${site.url} --db copy.db`);
    const { stdout: records } = await run(words('export --format ndjson --db copy.db'), { cwd });
    const copy = await served();
    try {
      await run(['import', '-', '--format', 'ndjson', '--url', copy.url], { cwd, stdin: records });
      const { exit, stdout } = await run(words(`shape ${copy.url} --compare extras.json --format json`), { cwd });
      const wrong = JSON.parse(stdout).checks.filter(({ outcome }: { outcome: string }) => outcome === 'wrong');
      expect([exit, wrong]).toEqual([0, []]);
    } finally {
      await copy.close();
    }
  });

  it('reports members that a site gained or lost, for each form', async () => {
    await local(`shape ${site.url} -o plain.json`);
    site.quirks.shows = withExtras;
    const { exit, stdout, stderr } = await local(`shape ${site.url} --compare plain.json`);
    expect([exit, stderr]).toEqual([8, '']);
    expect(stdout).toContain('FAIL events.list.only_in_list: Added\n       number in 100% of 20\n       specification: plain.json\n');
    for (const name of ['events.single.only_in_single', 'venues.embedded.map_hint', 'tags.list.is_virtual', 'events.list.custom_fields'])
      expect(stdout).toContain(`FAIL ${name}: `);
    expect(stdout).toContain('ok   /events: ');
    expect(stdout).not.toContain('events.single.only_in_list');
    await local(`shape ${site.url} -o extras.json`);
    site.quirks.shows = (body) => body;
    expect((await local(`shape ${site.url} --compare extras.json`)).stdout).toContain(
      'FAIL events.list.only_in_list: Removed\n       was number in 100% of 20\n',
    );
  });

  it('formats the report as JSON and JUnit', async () => {
    await local(`shape ${site.url} -o plain.json --sample 5`);
    site.quirks.shows = withExtras;
    const { stdout } = await local(`shape ${site.url} --compare plain.json --format json`);
    expect(JSON.parse(stdout).checks).toContainEqual(
      expect.objectContaining({ name: 'events.list.is_virtual', outcome: 'wrong', about: 'Added', reason: 'boolean in 100% of 5' }),
    );
    const junit = await local(`shape ${site.url} --compare plain.json --format junit`);
    const failures: string[] = [];
    const parser = new SaxesParser();
    parser.on('opentag', ({ name, attributes }) => name === 'failure' && failures.push(String(attributes.message)));
    parser.write(junit.stdout).close();
    expect([junit.exit, failures.length > 10]).toEqual([8, true]);
  });

  it.each([
    ['missing.json', undefined, 3, 'missing.json: no such file'],
    ['broken.json', '{', 2, 'broken.json is not a shape of a site'],
    ['other.json', '{"version":1,"views":[]}', 2, 'calendar shape URL -o other.json'],
  ])('%s is rejected', async (name, text, code, message) => {
    if (text) await writeFile(join(cwd, name), text);
    const { exit, stdout, stderr } = await local(`shape ${site.url} --compare ${name}`);
    expect([exit, stdout]).toEqual([code, '']);
    expect(stderr).toContain(message);
  });
  it('can be interrupted', async () => {
    await local(`shape ${site.url} -o small.json --sample 1`);
    const interruption = new AbortController();
    // The request is never answered, so that nothing is read while the site closes.
    site.quirks.request = () => {
      interruption.abort('SIGINT');
      return new Promise(() => {});
    };
    const given = { cwd, env, interrupted: interruption.signal };
    expect(await run(words(`shape ${site.url} --compare small.json`), given)).toMatchObject({ exit: 130, stdout: '' });
  });
  it('compares only', async () => {
    expect(await local(`shape ${site.url} --compare plain.json -o other.json`)).toMatchObject({ exit: 2, stdout: '' });
  });
});
