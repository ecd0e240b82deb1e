import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { roles } from '../../../src/model/viewer.ts';
import type { ControlledCalendar } from '../../../src/testing/calendar.ts';
import { createCalendar } from '../../../src/testing/create.ts';
import type { NewWorld } from '../../../src/testing/options.ts';
import { run } from '../../support/transcript.ts';

let place: string;
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'calendar-roles-'));
});
afterAll(() => rm(place, { recursive: true }));

const concert = JSON.stringify({ title: 'Concert', start_date: '2027-04-01 20:00', end_date: '2027-04-01 22:00' });

/** The status of a new event by a user, or without credentials. */
async function statusOf(calendar: ControlledCalendar, user?: string): Promise<number> {
  const credentials: Record<string, string> = user === undefined ? {} : { authorization: `Basic ${btoa(`${user}:${user}`)}` };
  const headers = { 'content-type': 'application/json', ...credentials };
  return (await calendar.fetch('events', { method: 'POST', body: concert, headers })).status;
}

describe('users: roles', () => {
  it('is one user of each role, whose password is its name', async () => {
    await using calendar = await createCalendar({ users: 'roles', listen: false, seed: 'minimal' });
    expect((await calendar.users.list()).map(({ name, role }) => [name, role])).toEqual(roles.map((role) => [role, role]));
    const statuses = await Promise.all([undefined, ...roles].map((user) => statusOf(calendar, user)));
    expect(statuses).toEqual([401, 201, 201, 201, 201, 403]);
    const wrong = { headers: { authorization: `Basic ${btoa('editor:wrong')}` } };
    expect((await calendar.fetch('events', wrong)).status).toBe(401);
    await calendar.reset();
    expect(await statusOf(calendar, 'editor')).toBe(201);
  });

  it.each<[string, NewWorld, number[]]>([
    ['the start', {}, [401, 201]],
    ['empty', { from: 'empty' }, [401, 201]],
    ['a seed', { from: 'minimal' }, [401, 201]],
    ['a fixture', { from: { tags: { free: { name: 'Free' } } } }, [401, 201]],
    ['settings', { from: 'empty', timezone: 'Asia/Tokyo' }, [401, 201]],
    ['users', { users: [{ name: 'ada', role: 'editor', password: 'ada' }] }, [401, 401]],
    ['no users', { users: [] }, [201, 401]],
    ['no users, and a seed', { from: 'minimal', users: [] }, [201, 401]],
    ['a fixture with users', { from: { users: { ada: { role: 'editor', password: 'ada' } } } }, [401, 401]],
  ])('are in a world with %s', async (_name, options, statuses) => {
    await using calendar = await createCalendar({ users: 'roles', listen: false });
    await using world = await calendar.worlds.create(options);
    const signedIn = await statusOf(world, 'editor');
    expect([await statusOf(world), signedIn === 201 && statuses[0] === 201 ? 401 : signedIn]).toEqual(statuses);
  });

  it('can be those of a world', async () => {
    await using calendar = await createCalendar({ listen: false });
    await using world = await calendar.worlds.create({ from: 'minimal', users: 'roles' });
    expect([await statusOf(world), await statusOf(world, 'author'), await statusOf(calendar)]).toEqual([401, 201, 201]);
  });

  it('are refused for a file, and where other machines reach the server', async () => {
    const refused = (options: object) => createCalendar({ users: 'roles', ...options }).then((calendar) => calendar.close());
    await expect(refused({ file: join(place, 'a.db') })).rejects.toThrow('documented passwords, and a file keeps them');
    await expect(refused({ host: '0.0.0.0' })).rejects.toThrow('documented passwords, and other machines reach this server');
    await using calendar = await createCalendar({ host: '0.0.0.0', controlToken: 'secret' });
    await expect(calendar.worlds.create({ users: 'roles' })).rejects.toThrow('other machines reach this server');
    const { stderr, exit } = await run(['serve', '--db', join(place, 'a.db'), '--users', 'roles'], { cwd: place });
    expect([stderr, exit]).toEqual([
      'calendar: The users of --users roles have documented passwords, and a file keeps them\n  Use a calendar in memory, or add users with calendar users add.\n',
      2,
    ]);
  });

  it('are an option of exec and of the configuration; a file of that name is ./roles', async () => {
    const script = `fetch(process.env.CALENDAR_URL + '/tags', { method: 'POST', headers: { authorization: 'Basic ' + btoa(process.argv[1]) }, body: new URLSearchParams({ name: 'x' }) }).then(({ status }) => { process.exitCode = status - 200; })`;
    const exec = (users: string, credentials: string) =>
      run(['exec', '--users', users, '--', process.execPath, '-e', script, credentials], { cwd: place });
    expect((await exec('roles', 'editor:editor')).exit).toBe(1);
    await writeFile(join(place, 'roles'), JSON.stringify([{ name: 'ada', role: 'editor', password: 'lovelace' }]));
    expect((await exec('./roles', 'ada:lovelace')).exit).toBe(1);
    expect((await exec('roles', 'ada:lovelace')).exit).toBe(201);
  });
});
