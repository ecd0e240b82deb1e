import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import { admin, type LiveSite, liveSite, namespace } from '../../support/live-site.ts';
import { folder, run, words } from '../../support/transcript.ts';

const { path: cwd, remove } = folder();
afterAll(remove);

let files = 0;
let site: LiveSite;
let db = '';
const env = { CALENDAR_NAMESPACE: namespace };
const local = (line: string) => run([...words(line), '--db', db], { cwd, env });
const there = (line: string) => run([...words(line), '--url', `${site.origin.listening.url}/wp-json`], { cwd, env });
const sync = (line: string) => local(line.replace(/^(pull|push|diff)/, `$1 ${site.url}`));
const shown = async (where: typeof local, line: string) => JSON.parse((await where(`${line} --json`)).stdout);
/** Pulls, pushes or compares as a user of the site. */
const as = (name: string, line: string) =>
  run([...words(line.replace(/^(pull|push|diff)/, `$1 ${site.url} --user ${name}`)), '--db', db], {
    cwd,
    env: { ...env, CALENDAR_PASSWORD: 'x' },
  });
const event = 'summer-concert';

beforeEach(async () => {
  site = await liveSite('minimal');
  db = `edges-${++files}.db`;
  await sync('pull');
});
afterEach(() => site.close());

const create = (title: string, more = '') => `events create --title ${title} --start-date 2027-06-01 --duration 2h ${more} --quiet`;

it('a refused field loses neither a new record nor an update', async () => {
  await local(create('Poster', '--image https://example.org/a.jpg'));
  await local(`events update ${event} --title Renamed --image https://example.org/b.jpg`);
  const pushed = await sync('push');
  expect(pushed.exit).toBe(8);
  expect(pushed.stderr.match(/not accepted: image/g)).toHaveLength(2);
  expect(await shown(there, 'events get poster')).toMatchObject({ title: 'Poster', image: false });
  expect(await shown(there, `events get ${event}`)).toMatchObject({ title: 'Renamed' });
});

it('a record with a password is not published on a site that keeps none', async () => {
  await local(create('Secret', '--post-password hidden'));
  await local(`events update ${event} --title Locked --post-password hidden`);
  const pushed = await sync('push');
  expect(pushed).toMatchObject({
    exit: 0,
    stderr: expect.stringContaining('(Secret): has a password, which a site does not keep; not sent'),
  });
  expect(pushed.stderr).toContain('(Locked): has a password');
  expect(await there('events get secret')).toMatchObject({ exit: 3 });
  expect((await shown(there, `events get ${event}`)).title).not.toBe('Locked');
  await local('events update secret --post-password ""');
  expect((await sync('push')).exit).toBe(0);
  expect(await shown(there, 'events get secret')).toMatchObject({ title: 'Secret' });
});

it.each([
  ['--timezone Asia/Tokyo', { timezone: 'Asia/Tokyo' }],
  ['--end-date 2027-07-05T23:45', { end_date: '2027-07-05 23:45:00' }],
])('dates travel together: %s', async (option, expected) => {
  await local(`events update ${event} --start-date 2027-07-05T20:00 --end-date 2027-07-05T22:00 --quiet`);
  expect((await sync('push')).exit).toBe(0);
  await local(`events update ${event} ${option}`);
  expect(await sync('push')).toMatchObject({ exit: 0, stderr: expect.stringContaining('1 updated') });
  const [here, remote] = [await shown(local, `events get ${event}`), await shown(there, `events get ${event}`)];
  expect(remote).toMatchObject(expected);
  expect([remote.utc_start_date, remote.utc_end_date]).toEqual([here.utc_start_date, here.utc_end_date]);
  expect((await sync('push')).stderr).not.toContain('updated');
});

it('taking the site’s side of a record that was deleted here restores it', async () => {
  await local(`events delete ${event}`);
  await there(`events update ${event} --title Edited`);
  expect((await sync('pull')).exit).toBe(8);
  expect((await local('conflicts resolve --all --theirs')).exit).toBe(0);
  expect(await shown(local, `events get ${event}`)).toMatchObject({ title: 'Edited', status: 'publish' });
  expect((await local('conflicts list')).stdout).toBe('');
  await sync('push --delete --yes');
  expect(await shown(there, `events get ${event}`)).toMatchObject({ title: 'Edited' });
});

it('a record that is created here, pushed and deleted here leaves no conflict', async () => {
  await local(create('Short', '--venue town-hall'));
  expect(await sync('push')).toMatchObject({ exit: 0, stderr: expect.stringContaining('1 created') });
  await local('events delete short');
  expect(await sync('pull')).toMatchObject({ exit: 0 });
  expect(await sync('push --delete --yes')).toMatchObject({ exit: 0, stderr: expect.stringContaining('1 deleted') });
  expect((await local('conflicts list')).stdout).toBe('');
});

it.each([
  ['401', { status: 401, body: '{"code":"incorrect_password","message":"Wrong password","data":{"status":401}}' }, 4, 'Wrong password'],
  [
    '403',
    { status: 403, body: '{"code":"rest_forbidden","message":"No","data":{"status":403}}' },
    0,
    'the site does not tell whether it accepts the user',
  ],
  ['a page', { status: 200, body: '<html>Login</html>' }, 0, 'the site does not tell whether it accepts the user'],
] as const)('a wrong password is not taken for a visitor: %s', async (_, me, exit, text) => {
  site.quirks.currentUser = me;
  const secret = { CALENDAR_PASSWORD: 'wrong' };
  for (const line of ['pull', 'push']) {
    const result = await run(words(`${line} ${site.url} --user ada --db ${db}`), { cwd, env: { ...env, ...secret } });
    expect([result.exit, result.stderr]).toEqual([exit, expect.stringContaining(text)]);
  }
});

/** Returns new records as JSON. */
const records = (count: number, label: string, more = {}) =>
  JSON.stringify(Array.from({ length: count }, (_, at) => ({ [label]: `record-${at}`, ...more })));
const day = { start_date: '2027-06-01 10:00:00', end_date: '2027-06-01 11:00:00' };
const users = async () => {
  await site.origin.control.addUser({ name: admin, role: 'administrator', password: 'x' });
  await site.origin.control.addUser({ name: 'carl', role: 'contributor', password: 'x' });
};

it('a copy has the UTC dates of the site while its local ones are the same', async () => {
  const id = Number((await shown(there, `events get ${event}`)).id);
  const utc = { utc_start_date: '2027-01-01 01:23:00', utc_end_date: '2027-01-01 02:23:00' };
  await site.origin.store.change((own) => void own.setColumns('events', id, utc));
  expect((await sync('diff')).stdout).toContain('utc_start_date');
  await sync('pull');
  await local(`events update ${event} --title Changed`);
  expect(await shown(local, `events get ${event}`)).toMatchObject(utc);
  await there(`events update ${event} --cost 5`);
  await sync('pull');
  expect(await shown(local, `events get ${event}`)).toMatchObject(utc);
  await local(`events update ${event} --start-date 2027-07-05T20:00 --end-date 2027-07-05T22:00`);
  expect((await shown(local, `events get ${event}`)).utc_start_date).not.toBe(utc.utc_start_date);
});

it('events that lists hide are copied and named', async () => {
  await there(create('Backstage', '--hide-from-listings'));
  await users();
  const pulled = await as(admin, 'pull');
  expect(pulled).toMatchObject({ exit: 0, stderr: expect.stringContaining("events: 1 that lists of the site don't show: Backstage\n") });
  expect(await shown(local, 'events get backstage')).toMatchObject({ title: 'Backstage', hide_from_listings: true });
  expect((await as(admin, 'pull')).stderr).not.toContain('Backstage');
  expect((await as(admin, 'diff')).exit).toBe(0);
});

it('records that would become pending are counted before a push', async () => {
  await users();
  await local(create('News'));
  await local(`events update ${event} --title Changed`);
  const refused = await as('carl', 'push');
  expect(refused).toMatchObject({ exit: 8, stderr: expect.stringContaining('2 published records would become pending') });
  expect(site.log.filter((line) => line.startsWith('POST'))).toEqual([]);
  expect(await shown(there, `events get ${event}`)).toMatchObject({ status: 'publish', title: 'Summer Concert' });
  expect(await as('carl', 'push --yes')).toMatchObject({ exit: 8, stderr: expect.stringContaining('not accepted: status') });
  // The administrator isn't asked.
  expect((await as(admin, 'push')).stderr).not.toContain('pending');
});

it.each(['pull', 'push'])('a record whose push was cut is adopted by the next %s', async (command) => {
  await local('venues create --venue "New hall" --quiet');
  await local('tags create --name fresh --quiet');
  await local(create('Fresh', '--venue new-hall --tags fresh'));
  site.quirks.cuts = (method) => (method === 'POST' ? 'after' : undefined);
  expect((await sync('push --timeout 2')).exit).toBe(8);
  site.quirks.cuts = undefined;
  expect(await sync(command)).toMatchObject({ exit: 0, stdout: '' });
  expect((await sync('push')).exit).toBe(0);
  const counts = async (where: typeof local) => {
    const lists = ['events', 'venues', 'tags'].map((name) => where(`${name} list --format count`));
    return (await Promise.all(lists)).map(({ stdout }) => Number(stdout));
  };
  expect(await counts(there)).toEqual([2, 2, 2]);
  expect(await counts(local)).toEqual([2, 2, 2]);
  expect(await shown(there, 'events get fresh')).toMatchObject({ venue: { slug: 'new-hall' }, tags: [{ slug: 'fresh' }] });
  expect((await sync('diff')).exit).toBe(0);
});

it('a record whose push was cut before the site stored it is sent again', async () => {
  await local(create('Fresh'));
  site.quirks.cuts = (method) => (method === 'POST' ? 'before' : undefined);
  expect((await sync('push --timeout 2')).exit).toBe(8);
  site.quirks.cuts = undefined;
  expect((await sync('push')).stderr).toMatch(/: 1 created, 5 unchanged\n/);
});

it('of two records that could be the one whose push was cut, none is taken', async () => {
  await local(create('Fresh'));
  site.quirks.cuts = (method) => (method === 'POST' ? 'after' : undefined);
  await sync('push --timeout 2');
  site.quirks.cuts = undefined;
  await there(create('Fresh'));
  for (const command of ['push', 'pull'])
    expect(await sync(command)).toMatchObject({
      exit: 8,
      stderr: expect.stringMatching(/events \d+ \(Fresh\): the site may have it as \d+ or \d+/),
    });
  expect((await local('events list --format count')).stdout).toBe('2\n');
});

it('records that lose a link by a deletion are named', async () => {
  await local(create('Local', '--venue town-hall'));
  await there(`events update ${event} --venue 0`);
  await there('venues delete town-hall --yes');
  expect(await sync('pull --delete')).toMatchObject({
    exit: 0,
    stderr: expect.stringMatching(/events \d+ \(Local\): lost its link to venues \d+ \(Town Hall\), which the site deleted\n/),
  });
});

it('a site with another host than the typed one is confirmed once', async () => {
  const other = `other-${db}`;
  site.quirks.alias = 'calendar.example';
  const elsewhere = (line: string) => run(words(`${line.replace(/^(pull|push)/, `$1 ${site.url}`)} --db ${other}`), { cwd, env });
  const question = `127.0.0.1:${new URL(site.url).port} says that it is calendar.example`;
  expect(await elsewhere('push')).toMatchObject({ exit: 8, stderr: expect.stringContaining(question) });
  expect(await elsewhere('push --yes')).toMatchObject({ exit: 0, stderr: expect.stringContaining(question) });
  expect((await elsewhere('push')).stderr).not.toContain('says that');
});

it('many new records with slugs of the site are confirmed', async () => {
  const other = `other-${db}`;
  const elsewhere = (line: string) => run(words(`${line.replace(/^(pull|push)/, `$1 ${site.url}`)} --db ${other}`), { cwd, env });
  for (const target of [
    ['--url', `${site.origin.listening.url}/wp-json`],
    ['--db', other],
  ])
    await run(['events', 'create', '--data', records(21, 'title', day), ...target], { cwd, env });
  const pushed = await elsewhere('push');
  expect(pushed).toMatchObject({ exit: 8, stderr: expect.stringContaining('21 new records have slugs that') });
  expect(site.log.filter((line) => line.startsWith('POST'))).toEqual([]);
});

it('a list with fewer records than its total is an error', async () => {
  await run(['tags', 'create', '--data', records(60, 'name'), '--url', `${site.origin.listening.url}/wp-json`], { cwd, env });
  await site.origin.control.addFault({ then: 'site:same-page' });
  expect(await sync('pull')).toMatchObject({
    exit: 8,
    stderr: expect.stringMatching(/tags: the site has 61, and its lists show only 50 of them/),
  });
});

it('a cached response does not undo what was pushed', async () => {
  site.quirks.cache = new Map();
  await sync('pull');
  await run(words(`clock advance 1m --url ${site.origin.listening.url}/wp-json`), { cwd, env });
  await local(`events update ${event} --title Changed`);
  await sync('push');
  expect(await sync('pull')).toMatchObject({
    exit: 0,
    stderr: expect.stringMatching(/1 record is older than at the last pull or push, as in a cached response/),
  });
  expect(await shown(local, `events get ${event}`)).toMatchObject({ title: 'Changed' });
  site.quirks.cache = undefined;
  expect((await sync('diff')).exit).toBe(0);
});

it.each([0, -1, 9_007_199_254_740_991])('the ID %i is reported and not copied', async (id) => {
  site.quirks.beforeSingle = undefined;
  site.quirks.renumber = id;
  await there('tags create --name odd');
  expect(await sync('pull')).toMatchObject({
    exit: 8,
    stderr: expect.stringContaining(`tags ${id}: not copied: an ID is a whole number from 1 to`),
  });
  site.quirks.renumber = undefined;
  await local('tags create --name later');
  expect((await local('tags list --format count')).stdout).toBe('2\n');
});

it('an event that the site withdraws and that was changed here is a conflict', async () => {
  await local(`events update ${event} --title Changed`);
  await there(`events update ${event} --status draft`);
  expect(await sync('pull')).toMatchObject({ exit: 8, stderr: expect.stringContaining('withdrawn by the site, changed here') });
  expect(await shown(local, `events get ${event}`)).toMatchObject({ status: 'publish' });
  expect((await local('conflicts resolve --all --theirs')).exit).toBe(0);
  expect(await shown(local, `events get ${event}`)).toMatchObject({ status: 'private', title: 'Changed' });
  expect((await sync('pull')).exit).toBe(0);
});

it('a field that the site lacks in all records is one line of diff', async () => {
  await local(`events update ${event} --sticky`);
  site.quirks.lacks = 'sticky';
  expect(await sync('diff')).toMatchObject({ exit: 1, stdout: '! sticky: missing on the site in all 1 events\n' });
});

/** Faults of live sites, and the outcome of a pull. */
it.each<[fault: string, more: object, exit: number, message: string]>([
  ['site:challenge', {}, 4, 'returned 403'],
  ['site:notice', {}, 0, 'Skipped text before the JSON'],
  ['site:rest-off', {}, 4, 'restricted to signed-in users'],
  ['site:same-page', {}, 8, 'its lists show only'],
  ['reset', {}, 5, 'Cannot reach'],
  ['hang', {}, 5, 'no response within 1 s'],
  ['truncate', { times: 1 }, 0, 'created'],
  ['empty', { times: 1 }, 0, 'created'],
])('a pull meets %s', async (fault, more, exit, message) => {
  await run(['tags', 'create', '--data', records(60, 'name'), '--url', `${site.origin.listening.url}/wp-json`], { cwd, env });
  db = `faults-${files}-${fault.replace(':', '-')}.db`;
  await site.origin.control.addFault({ match: { path: '/tags' }, then: fault as 'reset', ...more });
  const pulled = await sync('pull --timeout 1');
  expect([pulled.exit, pulled.stderr]).toEqual([exit, expect.stringContaining(message)]);
  await site.origin.control.clearFaults({});
  expect((await sync('pull')).exit).toBe(0);
  expect((await local('tags list --format count')).stdout).toBe('61\n');
});
