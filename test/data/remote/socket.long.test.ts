import { describe, expect, it } from 'vitest';
import { everyQuirk, failsEveryFifth } from '../../support/live-site.ts';
import { siteCommands } from '../../support/site-commands.ts';
import { event } from '../../support/site-copy.ts';

describe.each([
  ['a plain site', () => ({})],
  ['a site with every quirk', everyQuirk],
] as const)('%s', (_, quirks) => {
  const commands = siteCommands(quirks);
  const { local } = commands;
  const change = (input: object) => commands.site.change(({ events }) => void events.update({ slug: event }, { ...input }));

  it('takes all changes of a push that is repeated', async () => {
    commands.site.quirks.request = failsEveryFifth();
    await change({ title: 'Changed' });
    await local(`events update ${event} --cost 99`);
    await local("venues create --venue 'New hall'");
    await local('tags create --name new');
    expect((await local('pull')).exit).toBe(0);
    let result = await local('push');
    for (let attempt = 1; result.exit !== 0 && attempt < 5; attempt++) result = await local('push');
    expect(result.exit, result.stderr).toBe(0);
    commands.site.quirks.request = () => undefined;
    await local('pull');
    expect((await local('pull')).stderr).toMatch(/: 7 unchanged\n/);
    expect(await local('diff')).toMatchObject({ exit: 0, stdout: '' });
  });

  it.each([
    ['403', { status: 403, body: '{"code":"rest_forbidden","message":"No","data":{"status":403}}' }],
    ['a page', { status: 200, body: '<html>Login</html>' }],
  ])('says if it does not tell whether it accepts the user: %s', async (__, currentUser) => {
    commands.site.quirks.currentUser = currentUser;
    for (const command of ['pull', 'push']) {
      const result = await local(`${command} --user ada --verbose`, { CALENDAR_PASSWORD: 'wrong' });
      expect([result.exit, result.stderr]).toEqual([0, expect.stringContaining('the site does not tell whether it accepts the user')]);
    }
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
  ])('is pulled after %s', async (fault, more, exit, message) => {
    const { control } = commands.site.origin;
    await commands.site.change(({ tags }) => {
      for (let at = 0; at < 60; at++) tags.create({ name: `Tag ${at}` });
    });
    await control.addFault({ match: { path: '/tags' }, then: fault as 'reset', ...more });
    const pulled = await local('pull --timeout 1');
    expect([pulled.exit, pulled.stderr]).toEqual([exit, expect.stringContaining(message)]);
    await control.clearFaults({});
    expect((await local('pull')).exit).toBe(0);
    expect((await local('tags list --format count')).stdout).toBe('61\n');
  });
});
