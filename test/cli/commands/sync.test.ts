import { beforeEach, expect, it } from 'vitest';
import { siteCommands } from '../../support/site-commands.ts';

const commands = siteCommands();
const { local } = commands;
const there = (title: string) =>
  commands.site.change(
    (calendar) => void calendar.events.create({ title, start_date: '2027-06-01 10:00:00', end_date: '2027-06-01 12:00:00' }),
  );
const here = (title: string) => local(`events create --title ${title} --start-date 2027-06-01T10:00 --end-date 2027-06-01T12:00`);
const titles = async () => (await local('events list --all --format csv --fields title')).stdout.trim().split('\r\n').slice(1).sort();
const requests = () => commands.site.log.filter((line) => /^GET \/tags\?(?!.*per_page=1&)/.test(line)).length;
beforeEach(() => {
  commands.site.log.length = 0;
});

it('pulls and pushes, and pulls again only if the push wrote', async () => {
  expect(await local('sync')).toMatchObject({
    exit: 0,
    stdout: '',
    stderr: expect.stringMatching(/: 5 unchanged; pushed: 5 unchanged\n/),
  });
  const once = requests();
  await there('There');
  await here('Here');
  commands.site.log.length = 0;
  const { exit, stderr } = await local('sync');
  expect([exit, stderr]).toEqual([
    0,
    expect.stringMatching(/Pulled from http\S+: 1 created, \d+ unchanged; pushed: 1 created, 6 unchanged\n/),
  ]);
  expect([await titles(), requests() > once]).toEqual([['Here', 'Summer Concert', 'There'], true]);
  expect(stderr.match(/Undo with/g)).toHaveLength(1);
  await local('undo --yes');
  expect(await titles()).toEqual(['Here', 'Summer Concert']);
});

it('reports conflicts once, and pushes what has none', async () => {
  await local('events update summer-concert --cost 99');
  await commands.site.change(({ events }) => void events.update({ id: Number(events.list({}).entries[0]!.id) }, { cost: '7' }));
  await here('Here');
  const { exit, stdout, stderr } = await local('sync');
  expect([exit, stdout, stderr.match(/1 conflict\. /g), stderr.match(/cost: was/g)]).toEqual([8, '', ['1 conflict. '], ['cost: was']]);
  const json = await local('sync --json');
  expect([json.exit, JSON.parse(json.stdout)]).toMatchObject([8, { pull: { conflicts: [{}] }, push: { conflicts: [{}], created: 0 } }]);
});

it('a dry run is that of both, and says that a push of visitors would be refused', async () => {
  await there('There');
  await here('Here');
  const { exit, stderr } = await local('sync --dry-run');
  expect([exit, stderr]).toEqual([
    8,
    expect.stringMatching(
      /: 1 created, .*; pushed: 1 created, .*dry run, nothing was written; the push does not know.*\n.*: allows no changes without credentials: the push would be refused\. Pass --user NAME\n/,
    ),
  ]);
  expect(await titles()).toEqual(['Here', 'Summer Concert']);
});

it('asks before it deletes there, only if something would be deleted', async () => {
  expect((await local('sync --delete')).exit).toBe(0);
  await local('events delete summer-concert');
  expect(await local('sync --delete')).toMatchObject({ exit: 2, stderr: expect.stringContaining('Delete the records at') });
  expect(await local('sync --delete --yes')).toMatchObject({ exit: 0, stderr: expect.stringContaining('1 deleted') });
});
