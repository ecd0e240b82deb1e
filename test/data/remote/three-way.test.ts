import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { everyQuirk, type LiveSite, liveSite, namespace, type Quirks } from '../../support/live-site.ts';
import { folder, run, words } from '../../support/transcript.ts';

const { path: cwd, remove } = folder();
afterAll(remove);

let files = 0;

let site: LiveSite;
let db = '';
const env = { CALENDAR_NAMESPACE: namespace };
const local = (line: string) => {
  const header = /^(pull|push|diff) /.test(line) ? ['--header', 'X-Team: blue'] : [];
  return run([...words(line), ...header, '--db', db], { cwd, env });
};
const there = (line: string) => run([...words(line), '--url', `${site.origin.listening.url}/wp-json`], { cwd, env });
const pull = (options = '') => local(`pull ${site.url} ${options}`);
const push = (options = '') => local(`push ${site.url} ${options}`);
const shown = async (where: typeof local, line: string) => JSON.parse((await where(`${line} --json`)).stdout);
const event = 'summer-concert';

/** Starts a site before each test, and copies it to a new file. */
function copied(quirks: () => Partial<Quirks>): void {
  beforeEach(async () => {
    site = await liveSite('minimal', quirks());
    db = `three-way-${++files}.db`;
    await pull();
  });
  afterEach(() => site.close());
}

describe.each([
  ['a plain site', () => ({})],
  ['a site with every quirk', everyQuirk],
] as const)('%s', (_, quirks) => {
  copied(quirks);

  it('merges edits of different fields', async () => {
    await local(`events update ${event} --cost 99`);
    await there(`events update ${event} --title Changed`);
    expect(await pull()).toMatchObject({ exit: 0, stderr: expect.stringMatching(/: 1 updated, 4 unchanged\n/) });
    expect(await shown(local, `events get ${event}`)).toMatchObject({ title: 'Changed', cost: '$99' });
    expect(await push()).toMatchObject({ exit: 0, stderr: expect.stringMatching(/: 1 updated, 4 unchanged\n/) });
    expect(await shown(there, `events get ${event}`)).toMatchObject({ title: 'Changed', cost: '$99' });
    expect((await pull()).stderr).toMatch(/: 5 unchanged\n$/);
    expect((await push()).stderr).toMatch(/: 5 unchanged\n$/);
  });

  it('takes all changes of a push that is repeated', async () => {
    site.quirks.failsEveryFifth = true;
    await there(`events update ${event} --title Changed`);
    await local(`events update ${event} --cost 99`);
    await local("venues create --venue 'New hall'");
    await local('tags create --name new');
    expect((await pull()).exit).toBe(0);
    let result = await push();
    for (let attempt = 1; result.exit !== 0 && attempt < 5; attempt++) result = await push();
    expect(result.exit, result.stderr).toBe(0);
    site.quirks.failsEveryFifth = false;
    expect(await shown(there, `events get ${event}`)).toMatchObject({ title: 'Changed', cost: '$99' });
    expect((await there('venues list -q')).stdout.trim().split('\n')).toHaveLength(2);
    await pull();
    expect((await pull()).stderr).toMatch(/: 7 unchanged\n$/);
  });
});

describe('a site with every quirk', () => {
  copied(everyQuirk);

  describe('edits', () => {
    it.each(['pull', 'push'])('of one field conflict: %s writes nothing', async (command) => {
      await local(`events update ${event} --cost 99 --featured`);
      await there(`events update ${event} --cost 7 --sticky`);
      const { exit, stdout, stderr } = await local(`${command} ${site.url}`);
      expect([exit, stdout]).toEqual([8, '']);
      expect(stderr).toMatch(/events \d+ \(Summer Concert\): changed on both sides\n {4}cost: was "Free", here "\$99", there "\$7"\n/);
      expect(await shown(local, `events get ${event}`)).toMatchObject({ cost: '$99', featured: true, sticky: false });
      expect(await shown(there, `events get ${event}`)).toMatchObject({ cost: '$7', featured: false, sticky: true });
      expect((await local('conflicts list')).stdout).toMatch(/^events \d+ \(Summer Concert\): changed on both sides\n {2}cost: /);
    });

    it('that are equal on both sides don’t conflict', async () => {
      await local(`events update ${event} --cost 99`);
      await there(`events update ${event} --cost 99`);
      expect(await pull()).toMatchObject({ exit: 0 });
      expect(await push()).toMatchObject({ exit: 0, stderr: expect.stringMatching(/: 5 unchanged\n$/) });
    });

    it.each([
      ['pull --ours', '$99'],
      ['pull --theirs', '$7'],
      ['push --ours', '$99'],
      ['push --theirs', '$7'],
    ])('conflict until %s decides', async (line, cost) => {
      await local(`events update ${event} --cost 99 --featured`);
      await there(`events update ${event} --cost 7 --sticky`);
      await pull();
      const [command, side] = line.split(' ');
      expect((await local(`${command} ${site.url} ${side}`)).exit).toBe(0);
      expect((await pull()).exit).toBe(0);
      expect((await push()).exit).toBe(0);
      const merged = { cost, featured: true, sticky: true };
      expect(await shown(local, `events get ${event}`)).toMatchObject(merged);
      expect(await shown(there, `events get ${event}`)).toMatchObject(merged);
      expect((await local('conflicts list')).stdout).toBe('');
    });

    it.each([
      ['--ours', '$99'],
      ['--theirs', '$7'],
    ])('conflict until conflicts resolve %s decides, without a connection', async (side, cost) => {
      await local(`events update ${event} --cost 99`);
      await there(`events update ${event} --cost 7`);
      await pull();
      const [{ id }] = await shown(local, 'conflicts list');
      const requests = site.log.length;
      expect(await local(`conflicts resolve ${id} ${side}`)).toMatchObject({ exit: 0 });
      expect(site.log).toHaveLength(requests);
      expect((await local('conflicts list')).stdout).toBe('');
      expect((await push()).exit).toBe(0);
      expect((await pull()).exit).toBe(0);
      expect(await shown(local, `events get ${event}`)).toMatchObject({ cost });
      expect(await shown(there, `events get ${event}`)).toMatchObject({ cost });
    });

    it.each([
      ['conflicts resolve 26', 2, 'Missing side'],
      ['conflicts resolve --ours', 2, 'either a record or --all'],
      ['conflicts resolve 26 --ours', 3, 'no conflict'],
      ['conflicts resolve x --ours', 2, 'Expected an ID'],
      ['conflicts resolve 26 --ours --theirs', 2, 'Use either --ours or --theirs'],
    ])('%s is an error', async (line, exit, message) => {
      expect(await local(line)).toMatchObject({ exit, stdout: '', stderr: expect.stringContaining(message) });
    });

    it('survive a site that rewrites texts', async () => {
      site.quirks.rewrites = '<p>Read more</p>';
      await local(`events update ${event} --description 'Changed here'`);
      expect((await push()).exit).toBe(0);
      expect((await push()).stderr).toMatch(/: 5 unchanged\n$/);
      expect((await pull()).stderr).toMatch(/: 5 unchanged\n$/);
      await there(`events update ${event} --title There`);
      expect((await pull()).exit).toBe(0);
      expect(await shown(local, `events get ${event}`)).toMatchObject({ title: 'There', description: '<p>Changed here</p>' });
    });

    it('are detected with a frozen clock', async () => {
      await there(`events update ${event} --title Changed`);
      expect((await pull()).stderr).toMatch(/: 1 updated, 4 unchanged\n/);
    });

    it('in a dry run are only reported', async () => {
      await local(`events update ${event} --cost 99`);
      await there(`events update ${event} --cost 7`);
      await there('tags create --name fresh');
      for (const command of ['pull', 'push']) {
        const { exit, stderr } = await local(`${command} ${site.url} --dry-run`);
        expect([exit, stderr]).toEqual([8, expect.stringContaining('changed on both sides')]);
      }
      expect((await local('conflicts list')).stdout).toBe('');
      expect((await local('tags list --format count')).stdout).toBe('1\n');
    });
  });

  describe('sites that reset omitted fields', () => {
    it('keep them', async () => {
      const before = await shown(there, `events get ${event}`);
      await there(`events update ${event} --website https://example.org/ --cost 12 --featured --show-map --timezone Europe/Berlin`);
      await pull();
      await local(`events update ${event} --title Changed`);
      expect((await push()).exit).toBe(0);
      const after = await shown(there, `events get ${event}`);
      expect(after).toMatchObject({ title: 'Changed', website: 'https://example.org/', cost: '$12', featured: true, show_map: true });
      expect(after).toMatchObject({ timezone: 'Europe/Berlin', status: 'publish', date: before.date });
      expect(after.organizer.map(({ id }: { id: number }) => id)).toEqual(before.organizer.map(({ id }: { id: number }) => id));
      expect((await pull()).stderr).toMatch(/: 5 unchanged\n$/);
    });

    it('are read again immediately before an update', async () => {
      await local(`events update ${event} --title Changed`);
      // Someone edits the event between the list and the update.
      site.quirks.beforeSingle = async () => {
        site.quirks.beforeSingle = undefined;
        await there(`events update ${event} --cost 12 --featured`);
      };
      expect((await push()).exit).toBe(0);
      expect(await shown(there, `events get ${event}`)).toMatchObject({ title: 'Changed', cost: '$12', featured: true });
      await pull();
      expect(await shown(local, `events get ${event}`)).toMatchObject({ title: 'Changed', cost: '$12', featured: true });
    });
  });

  describe('fields that a site does not take', () => {
    it('are listed once, and not sent again', async () => {
      await local(`events update ${event} --venue 0 --title Changed`);
      const first = await push();
      expect([first.exit, first.stderr]).toEqual([8, expect.stringMatching(/events \d+ \(Changed\): not accepted: venue\n/)]);
      site.log.length = 0;
      expect(await push()).toMatchObject({
        exit: 0,
        stderr: expect.stringMatching(/: 1 value that the site did not accept was not sent again\./),
      });
      expect(site.log.filter((line) => line.startsWith('POST'))).toEqual([]);
      expect((await local(`diff ${site.url}`)).exit).toBe(0);
      expect(await shown(there, `events get ${event}`)).toMatchObject({ title: 'Changed', venue: { slug: 'town-hall' } });
      // A pull doesn't bring the venue back.
      await pull();
      expect(await shown(local, `events get ${event}`)).toMatchObject({ venue: [] });
    });

    it('include ignored ones', async () => {
      site.quirks.ignores = ['cost'];
      await local(`events update ${event} --cost 99 --title Changed`);
      expect(await push()).toMatchObject({ exit: 8, stderr: expect.stringContaining('not accepted: cost') });
      expect((await local('conflicts list')).stdout).toMatch(/not accepted by the site\n {2}cost: was "Free", here "\$99", there "Free"/);
      site.quirks.ignores = [];
      expect((await push()).exit).toBe(0);
      expect(await shown(there, `events get ${event}`)).toMatchObject({ cost: 'Free' });
      // A change here is sent again.
      await local(`events update ${event} --cost 98`);
      expect((await push()).exit).toBe(0);
      expect(await shown(there, `events get ${event}`)).toMatchObject({ cost: '$98' });
      expect((await local('conflicts list')).stdout).toBe('');
    });

    it.each([
      ['--theirs', 'Free', 'Free'],
      ['--ours', '$99', '$99'],
    ])('are resolved with %s', async (side, here, remote) => {
      site.quirks.ignores = ['cost'];
      await local(`events update ${event} --cost 99`);
      await push();
      const [{ id }] = await shown(local, 'conflicts list');
      expect((await local(`conflicts resolve ${id} ${side}`)).exit).toBe(0);
      site.quirks.ignores = [];
      expect((await push()).exit).toBe(0);
      expect(await shown(local, `events get ${event}`)).toMatchObject({ cost: here });
      expect(await shown(there, `events get ${event}`)).toMatchObject({ cost: remote });
      expect((await local('conflicts list')).stdout).toBe('');
    });
  });

  describe('deletions', () => {
    it('on the site are reported, and copied with --delete', async () => {
      await there(`events delete ${event}`);
      await there('tags delete free --yes');
      const { exit, stderr } = await pull();
      expect([exit, stderr.match(/deleted on the site; pull --delete/g)]).toEqual([0, Array(2).fill('deleted on the site; pull --delete')]);
      expect((await local(`events get ${event}`)).exit).toBe(0);
      expect((await push()).stderr).not.toContain('created');
      expect((await pull('--delete')).stderr).toMatch(/: 3 unchanged, 2 deleted\n/);
      expect((await local(`events get ${event}`)).exit).toBe(3);
      expect((await pull()).stderr).toMatch(/: 3 unchanged\n$/);
    });

    it('here are reported, and copied with --delete', async () => {
      await local(`events delete ${event}`);
      expect(await pull()).toMatchObject({ exit: 0, stderr: expect.stringContaining('deleted here; push --delete') });
      expect((await local(`events get ${event}`)).exit).toBe(3);
      expect(await push()).toMatchObject({ exit: 0, stderr: expect.stringContaining('deleted here; push --delete') });
      expect((await push('--delete --yes')).stderr).toMatch(/: 4 unchanged, 1 deleted\n/);
      expect((await there(`events get ${event}`)).exit).toBe(3);
    });

    it('never concern records that were not copied', async () => {
      await there('tags create --name new-there');
      await local('tags create --name new-here');
      expect((await push('--delete --yes')).stderr).toMatch(/: 1 created, 5 unchanged\n/);
      // A site with extensions adds members to the new record.
      expect((await pull('--delete')).stderr).toMatch(/: 1 created, (6|1 updated, 5) unchanged\n/);
      expect((await there('tags list --format count')).stdout).toBe('3\n');
      expect((await local('tags list --format count')).stdout).toBe('3\n');
    });

    it('are not inferred from a site that hides a record', async () => {
      await there(`events update ${event} --status draft`);
      const { exit, stderr } = await pull('--delete');
      expect([exit, stderr]).toEqual([0, expect.stringContaining('withdrawn by the site, and hidden here until it is public again')]);
      expect(await shown(local, `events get ${event}`)).toMatchObject({ status: 'private' });
      expect((await push()).stderr).toMatch(/: 4 unchanged\n$/);
      await there(`events update ${event} --status publish`);
      expect((await pull()).exit).toBe(0);
      expect(await shown(local, `events get ${event}`)).toMatchObject({ status: 'publish' });
    });

    it('conflict with edits on the other side', async () => {
      await local(`events update ${event} --title Edited`);
      await there(`events delete ${event}`);
      expect(await pull('--delete')).toMatchObject({ exit: 8, stderr: expect.stringContaining('deleted on the site, changed here') });
      expect(await push('--delete --yes')).toMatchObject({ exit: 8, stderr: expect.stringContaining('deleted on the site, changed here') });
      expect((await local(`events get ${event}`)).exit).toBe(0);
      await pull('--ours');
      expect((await push()).stderr).toMatch(/: 1 created, 4 unchanged\n/);
    });

    it('here conflict with edits on the site', async () => {
      await local('tags delete free');
      await there('tags update free --description Edited');
      expect(await push('--delete --yes')).toMatchObject({ exit: 8, stderr: expect.stringContaining('deleted here, changed on the site') });
      expect((await pull()).exit).toBe(8);
      await pull('--theirs');
      expect(await shown(local, 'tags get free')).toMatchObject({ description: 'Edited' });
      expect((await push()).stderr).toMatch(/: 5 unchanged\n$/);
    });

    it('don’t include records that were cleared', async () => {
      await local('reset --to empty --yes');
      expect((await push('--delete --yes')).stderr).not.toContain('deleted');
      expect((await pull()).stderr).toMatch(/: 5 created\n/);
    });
  });

  it('status shows local changes, conflicts and the last pull', async () => {
    await local('tags create --name new');
    await local('venues update town-hall --city Elsewhere');
    await local('organizers delete music-club');
    await local(`events update ${event} --cost 99`);
    await there(`events update ${event} --cost 7`);
    await pull();
    const { stdout } = await local('status');
    expect(stdout).toMatch(
      /pulled from\s+localhost:.*, 2026-11-20 16:05 UTC: 1 created, 2 updated, 1 deleted here, not pushed; 1 conflict\n/,
    );
  });
});
