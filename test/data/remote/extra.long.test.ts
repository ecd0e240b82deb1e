import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import { resourceNames } from '../../../src/model/calendar.ts';
import { type LiveSite, liveSite, namespace, withExtras } from '../../support/live-site.ts';
import { served } from '../../support/served.ts';
import { folder, run, words } from '../../support/transcript.ts';

const { path: cwd, remove } = folder();
afterAll(remove);

let site: LiveSite;
let db = '';
let count = 0;
const env = { CALENDAR_NAMESPACE: namespace };
const local = (line: string) => run([...words(line), '--db', db], { cwd, env });
const shown = async (line: string) => JSON.parse((await local(`${line} --json`)).stdout);

beforeEach(async () => {
  site = await liveSite('demo', { shows: withExtras });
  db = `extra-${++count}.db`;
});
afterEach(() => site.close());

type Json = Record<string, unknown>;

/** Adds the paths of all members of a value, without those that name its site. */
function pathsOf(value: unknown, path: string, found: Map<string, unknown>): void {
  if (/\.(url|urls|global_id|global_id_lineage|author|count|rest_url|json_ld|taxonomy|_links|image|modified|modified_utc)$/.test(path))
    return;
  if (value === null || typeof value !== 'object') found.set(path, value);
  else for (const [name, each] of Object.entries(value)) pathsOf(each, `${path}.${name}`, found);
}

it('a copy has every member of the site, in each form', async () => {
  expect((await local(`pull ${site.url}`)).exit).toBe(0);
  const { stdout } = await local('export --format ndjson');
  const copy = await served();
  try {
    // An export keeps them too.
    const imported = await run(['import', '-', '--format', 'ndjson', '--url', copy.url], { cwd, stdin: stdout });
    expect(imported.exit, imported.stderr).toBe(0);
    let members = 0;
    for (const name of resourceNames) {
      const query = 'per_page=50&hide_empty=false&start_date=2000-01-01&end_date=2100-01-01';
      const lists = await Promise.all(
        [`${site.url}/${namespace}/${name}?${query}`, `${copy.url}/calendar/events/v1/${name}?${query}`].map(
          async (url) => ((await (await fetch(url)).json()) as Json)[name] as Json[],
        ),
      );
      const [theirs, mine] = lists as [Json[], Json[]];
      expect(mine).toHaveLength(theirs.length);
      for (const record of theirs) {
        const counterpart = mine.find(({ slug }) => slug === record.slug)!;
        const pairs: [unknown, unknown][] = [[record, counterpart]];
        pairs.push([
          await (await fetch(`${site.url}/${namespace}/${name}/${record.id}`)).json(),
          await (await fetch(`${copy.url}/calendar/events/v1/${name}/${counterpart.id}`)).json(),
        ]);
        for (const [there, here] of pairs) {
          const [expected, found] = [new Map<string, unknown>(), new Map<string, unknown>()];
          pathsOf(there, name, expected);
          pathsOf(here, name, found);
          // Without a website, an event shows the address of its page.
          for (const [path, value] of expected) if (!String(value).includes('/event/')) expect(found.get(path), path).toEqual(value);
          members += expected.size;
        }
      }
    }
    expect(members).toBeGreaterThan(1000);
  } finally {
    await copy.close();
  }
});

it('are updated, also when nothing else changed, and only then', async () => {
  await local(`pull ${site.url}`);
  const requests = site.log.length;
  expect((await local(`pull ${site.url}`)).stderr).toMatch(/: 102 unchanged\n/);
  // Nothing is read from its own address again.
  expect(site.log.slice(requests).filter((line) => /\/\d+$/.test(line))).toEqual([]);
  site.quirks.shows = (body) => body;
  expect((await local(`pull ${site.url}`)).stderr).toMatch(/updated/);
  expect(await shown('events get winter-tale')).not.toHaveProperty('is_virtual');
});

it('survive an edit here, and are never sent', async () => {
  await local(`pull ${site.url}`);
  await local('events update winter-tale --title Changed');
  const before = await shown('events get winter-tale');
  expect(before).toMatchObject({ title: 'Changed', custom_fields: { 'Dress code': expect.stringContaining('casual') } });
  expect((await local(`push ${site.url}`)).stderr).toMatch(/: 1 updated/);
  expect((await local(`pull ${site.url}`)).stderr).toMatch(/: 102 unchanged\n/);
});

it('are hidden by a password', async () => {
  await local(`pull ${site.url}`);
  await local('events update winter-tale --post-password secret');
  const { stdout } = await local('export --format ndjson');
  const copy = await served();
  await run(['import', '-', '--format', 'ndjson', '--url', copy.url], { cwd, stdin: stdout });
  // Visitors of a calendar without users may edit everything, but only see what a visitor sees without `context=edit`.
  const url = `${copy.url}/calendar/events/v1/events/by-slug/winter-tale`;
  expect(await (await fetch(url)).json()).not.toHaveProperty('is_virtual');
  expect(await (await fetch(`${url}?password=secret`)).json()).toHaveProperty('is_virtual');
  await copy.close();
});

it('can’t be written over HTTP, as in the reference', async () => {
  const copy = await served();
  const created = await fetch(`${copy.url}/calendar/events/v1/tags`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'x', color: 'red', extra: { list: { color: 'red' } } }),
  });
  expect(await created.json()).not.toHaveProperty('color');
  await copy.close();
});

it('are cells of CSV files and columns of lists that name them', async () => {
  await local(`pull ${site.url}`);
  const { stdout } = await local('export --format csv --fields slug,is_virtual,custom_fields');
  expect(stdout).toContain('slug,is_virtual,custom_fields');
  expect(stdout).toMatch(/winter-tale,(true|false),.*Dress code/);
  expect(await local('export --format csv --fields slug,is_virtuel')).toMatchObject({ exit: 2, stdout: '' });
  expect((await local('events list --fields slug,is_virtual --format csv')).stdout).toMatch(/winter-tale,(true|false)/);
});

it('are compared by diff', async () => {
  site.quirks.shows = (body) => body;
  await local(`pull ${site.url}`);
  expect(await local(`diff ${site.url}`)).toMatchObject({ exit: 0, stdout: '' });
  site.quirks.shows = withExtras;
  const { stdout, exit } = await local(`diff ${site.url}`);
  expect(exit).toBe(1);
  expect(stdout).toContain('is_virtual');
});

/** Sets members of an event in the file, as an import of an edited export does. */
async function edit(slug: string, members: Json, file = db): Promise<void> {
  const { stdout } = await run(['export', '--format', 'ndjson', '--only', 'events', '--db', file], { cwd });
  const line = stdout.split('\n').find((each) => each.includes(`"slug":"${slug}"`))!;
  const record = JSON.parse(line);
  record.extra.list = { ...record.extra.list, ...members };
  const imported = await run(['import', '-', '--format', 'ndjson', '--db', file], { cwd, stdin: `${JSON.stringify(record)}\n` });
  expect(imported.stderr).toContain('1 updated');
}

it('that were changed here stay until the site changes them, and are not sent', async () => {
  await local(`pull ${site.url}`);
  await edit('winter-tale', { is_virtual: 'sometimes' });
  const requests = site.log.length;
  expect(await local(`push ${site.url}`)).toMatchObject({ exit: 0, stderr: expect.stringMatching(/: 102 unchanged\n/) });
  await local(`pull ${site.url}`);
  expect(site.log.slice(requests).filter((line) => !line.startsWith('GET'))).toEqual([]);
  expect((await local('events list --fields slug,is_virtual --format csv')).stdout).toMatch(/winter-tale,sometimes/);
});

it('that are declared here, and that a site does not take, are listed as not accepted', async () => {
  await local(`pull ${site.url}`);
  await local('fields add events age_group');
  await local('events update winter-tale --age-group adults');
  const { exit, stderr } = await local(`push ${site.url}`);
  expect([exit, stderr]).toEqual([8, expect.stringMatching(/not accepted: age_group\n/)]);
});

it('drafts are sent without a publication date', async () => {
  await local(`pull ${site.url}`);
  await site.origin.control.addUser({ name: 'ada', role: 'administrator', password: 'x' });
  const push = () => run([...words(`push ${site.url} --user ada`), '--db', db], { cwd, env: { ...env, CALENDAR_PASSWORD: 'x' } });
  await local('events create --title Later --status draft --start-date 2027-01-01 --end-date 2027-01-01');
  await push();
  await local('events update later --title Earlier');
  const { exit, stderr } = await push();
  expect([exit, stderr]).toEqual([0, expect.stringMatching(/: 1 updated/)]);
});
