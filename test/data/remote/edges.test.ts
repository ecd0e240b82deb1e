import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import { type LiveSite, liveSite, namespace } from '../../support/live-site.ts';
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
const event = 'summer-concert';

beforeEach(async () => {
  site = await liveSite('minimal', { writesStrictly: true });
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
