import { expect, it } from 'vitest';
import { admin, everyQuirk } from '../../support/live-site.ts';
import { addUsers, siteCommands } from '../../support/site-commands.ts';
import { event } from '../../support/site-copy.ts';

const commands = siteCommands(everyQuirk);
const { local, as } = commands;
const change = (input: object) => commands.site.change(({ events }) => void events.update({ slug: event }, { ...input }));
const create = (title: string) => `events create --title ${title} --start-date 2027-06-01 --duration 2h --quiet`;
const shown = async () => JSON.parse((await local(`events get ${event} --json`)).stdout);
const titles = () => commands.site.change(({ events }) => events.list().entries.map(({ title }) => title));

it('edits of both sides are merged', async () => {
  await local(`events update ${event} --cost 99`);
  await change({ title: 'Changed' });
  expect(await local('pull')).toMatchObject({ exit: 0, stdout: '', stderr: expect.stringMatching(/: 1 updated, 4 unchanged\n/) });
  expect(await local('push')).toMatchObject({ exit: 0, stdout: '', stderr: expect.stringMatching(/: 1 updated, 4 unchanged\n/) });
  expect(await shown()).toMatchObject({ title: 'Changed', cost: '$99' });
  expect((await local('pull')).stderr).toMatch(/: 5 unchanged\n/);
  expect(await local('diff')).toMatchObject({ exit: 0, stdout: '' });
});

it('conflicts are printed, listed and resolved', async () => {
  await local(`events update ${event} --cost 99`);
  await change({ cost: '7' });
  for (const command of ['pull', 'push', 'push --dry-run']) {
    const { exit, stdout, stderr } = await local(command);
    expect([exit, stdout]).toEqual([8, '']);
    expect(stderr).toMatch(/events \d+ \(Summer Concert\): changed on both sides\n {4}cost: was "Free", here "\$99", there "\$7"\n/);
  }
  const [, id] = /^events (\d+) \(Summer Concert\): changed on both sides\n {2}cost: /.exec((await local('conflicts list')).stdout) ?? [];
  expect((await local('status')).stdout).toMatch(/site +Not in step with localhost:\d+: 1 conflict: calendar conflicts list\n/);
  expect(await local(`conflicts resolve ${id} --theirs`)).toMatchObject({ exit: 0, stdout: '' });
  expect(await local('conflicts list')).toMatchObject({ exit: 0, stdout: '' });
  expect(await shown()).toMatchObject({ cost: '$7' });
});

it('conflicts are resolved by field, and the others stay', async () => {
  await local(`events update ${event} --cost 99 --title Here --start-date 2027-06-01T10:00 --duration 2h --description Ours`);
  await change({ cost: '7', title: 'There', start_date: '2027-07-01 10:00:00', end_date: '2027-07-01 11:00:00', description: 'Theirs' });
  await local('pull');
  const { id } = JSON.parse((await local('conflicts list --json')).stdout)[0];
  for (const [choice, message] of [
    ['--ours titel', 'Did you mean title'],
    ['--ours slug', 'Fields are title'],
    ['--ours cost --theirs title,cost', 'cost is named twice'],
    ['--ours start_date --theirs end_date', 'dates is named twice'],
  ])
    expect(await local(`conflicts resolve ${id} ${choice}`)).toMatchObject({
      exit: 2,
      stdout: '',
      stderr: expect.stringContaining(message!),
    });
  const { exit, stderr } = await local(`conflicts resolve ${id} --ours cost,dates --theirs title`);
  expect([exit, stderr]).toEqual([0, expect.stringMatching(/events \d+ \(There\): still a conflict: description\n/)]);
  expect(Object.keys(JSON.parse((await local('conflicts list --json')).stdout)[0].fields)).toEqual(['description']);
  expect(await shown()).toMatchObject({ cost: '$99', title: 'There', start_date: '2027-06-01 10:00:00' });
  for (const command of ['push', 'pull'])
    expect((await local(command)).stderr).toMatch(/changed on both sides\n {4}description: [^\n]*\n {2}\D/);
  expect(await local(`conflicts resolve ${id} --theirs description`)).toMatchObject({
    exit: 0,
    stderr: expect.not.stringContaining('still'),
  });
  expect((await local('push')).exit).toBe(0);
  const values = { cost: '$99', title: 'There', start_date: '2027-06-01 10:00:00', description: expect.stringContaining('Theirs') };
  expect(await shown()).toMatchObject(values);
  expect(await commands.site.change(({ events }) => events.list().entries[0])).toMatchObject(values);
  expect(await local('diff')).toMatchObject({ exit: 0, stdout: '' });
});

it('diff tells which side changed a value, and lists apart what can’t be sent', async () => {
  await local('events update summer-concert --cost 99 --title Here');
  await commands.site.change((there) => {
    const { id } = there.events.list({}).entries[0]!;
    there.events.update({ id }, { cost: '7', sticky: true });
  });
  await local(create('Secret'));
  await local('events update secret --post-password x');
  const { exit, stdout } = await local('diff');
  expect([exit, stdout.replace(/ \d+/g, '')]).toEqual([
    1,
    [
      '! events Here',
      '    title: here → "Here" -> "Summer Concert"',
      '    cost: both "$99" -> "$7"',
      '    sticky: ← there false -> true',
      '< events Secret: only local; has a password, and is not sent',
      '',
    ].join('\n'),
  ]);
  expect(JSON.parse((await local('diff --json')).stdout)).toMatchObject([
    { fields: { title: { direction: 'here' }, cost: { direction: 'both' }, sticky: { direction: 'there' } } },
    { protected: true },
  ]);
  await local('pull --theirs');
  await local('push');
  expect((await local('diff')).exit).toBe(0);
});

it('a dry run of push says that the site would refuse it, as the push finds', async () => {
  await addUsers(commands.site.origin);
  await commands.site.origin.control.addUser({ name: 'sue', role: 'subscriber', password: 'x' });
  const refused = /the push would be refused/;
  expect((await local('push --dry-run')).stderr).not.toMatch(refused);
  await local('events update summer-concert --title Here');
  const [visitor, subscriber, administrator] = [
    await local('push --dry-run'),
    await as('sue', 'push --dry-run'),
    await as(admin, 'push --dry-run'),
  ];
  expect([visitor.exit, subscriber.exit, administrator.exit]).toEqual([8, 8, 0]);
  for (const { stderr } of [visitor, subscriber]) expect(stderr).toMatch(refused);
  expect(administrator.stderr).not.toMatch(refused);
});

it('a dry run of push lists what it would send, at most 50 changes', async () => {
  await local('events update summer-concert --cost 99 --title Here');
  await local(create('Fresh'));
  const { stdout, stderr } = await local('push --dry-run');
  expect([stdout, stderr.replace(/(events|localhost:|127.0.0.1:)\s?\d+/g, '$1')]).toEqual([
    '',
    expect.stringMatching(/\n {2}updated events Here: title, cost\n {2}created events Fresh\ncalendar: Pushed to .*\(dry run/),
  ]);
  const rows = Array.from({ length: 50 }, (_, tag) => `Tag ${tag}`);
  await local('import - --only tags --format csv', {}, ['name', ...rows].join('\n'));
  expect((await local('push --dry-run')).stderr).toContain('\n  … and 2 more; --json lists them\n');
  expect(JSON.parse((await local('push --dry-run --json')).stdout).records).toHaveLength(56);
});

it('a record whose push was cut is adopted', async () => {
  await local(create('Fresh'));
  await commands.site.origin.control.addFault({ match: { method: 'POST' }, then: 'reset', at: 'after' });
  expect((await local('push --timeout 2')).exit).toBe(8);
  await commands.site.origin.control.clearFaults({});
  expect(await local('pull')).toMatchObject({ exit: 0, stdout: '' });
  expect(await titles()).toEqual(['Summer Concert', 'Fresh']);
});

it('a push of a contributor asks before it unpublishes', async () => {
  await addUsers(commands.site.origin);
  await local(create('News'));
  expect(await as('carl', 'push')).toMatchObject({ exit: 8, stderr: expect.stringContaining('1 new record would become a draft') });
  expect(await titles()).toEqual(['Summer Concert']);
  expect(await as('carl', 'push --yes')).toMatchObject({ exit: 8, stderr: expect.stringContaining('not accepted: status') });
});

it('standing facts of a site are printed once, again with -v, and always in JSON', async () => {
  await addUsers(commands.site.origin);
  commands.site.quirks.currentUser = { status: 404, body: { code: 'rest_no_route', message: 'No', data: { status: 404 } } };
  const note = 'the site does not tell whether it accepts the user';
  const printed: boolean[] = [];
  for (const line of ['pull', 'pull', 'push', 'diff', 'pull --verbose', 'pull --dry-run'])
    printed.push((await as('ada', line)).stderr.includes(note));
  expect(printed).toEqual([true, false, false, false, true, false]);
  const { notes } = JSON.parse((await as('ada', 'pull --json')).stdout);
  expect(notes).toEqual([{ at: expect.any(String), reason: expect.stringContaining(note), told: true }]);
});

it('a wrong password is not taken for a visitor', async () => {
  await addUsers(commands.site.origin);
  const { exit, stderr } = await local('pull --user ada', { CALENDAR_PASSWORD: 'wrong' });
  expect([exit, stderr]).toEqual([4, expect.stringMatching(/password/)]);
});

it('a pull goes on where a connection was truncated', async () => {
  await commands.site.origin.control.addFault({ match: { path: '/tags' }, then: 'truncate', times: 1 });
  await commands.site.change(({ tags }) => void tags.create({ name: 'new' }));
  expect(await local('pull')).toMatchObject({ exit: 0, stderr: expect.stringMatching(/: 1 created, 5 unchanged\n/) });
});

it.each([
  ['conflicts resolve 26', 2, 'Missing side'],
  ['conflicts resolve --ours', 2, 'either a record or --all'],
  ['conflicts resolve 26 --ours', 3, 'no conflict'],
  ['conflicts resolve x --ours', 2, 'Expected an ID'],
  ['conflicts resolve --ours 26', 3, 'no conflict'],
  ['conflicts resolve --theirs tags/26', 3, 'no conflict'],
  ['conflicts resolve 26 --ours 27', 2, 'either a record or --all'],
  ['conflicts resolve --all --ours title', 2, 'either a record or --all'],
  ['conflicts resolve --ours title', 2, 'either a record or --all'],
  ['conflicts resolve 26 --ours title', 3, 'no conflict'],
  ['conflicts resolve 26 --ours --theirs', 2, 'Use either --ours or --theirs'],
  ['conflicts resolve 26 --ours title --theirs', 2, 'Use either --ours or --theirs'],
  ['conflicts resolve --ours 26 --theirs 26', 2, 'Use either --ours or --theirs'],
])('%s is an error', async (line, exit, message) => {
  expect(await local(line)).toMatchObject({ exit, stdout: '', stderr: expect.stringContaining(message) });
});
