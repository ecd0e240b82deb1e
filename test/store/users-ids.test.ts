import { afterEach, beforeEach, expect, it } from 'vitest';
import { seed } from '../../src/data/seed.ts';
import { seedNamed } from '../../src/data/seeds.ts';
import { putUsers } from '../../src/data/users.ts';
import type { NewUser } from '../../src/model/viewer.ts';
import type { Store } from '../../src/store/calendar.ts';
import { memory } from '../support/calendars.ts';

let store: Store;
beforeEach(async () => {
  store = await memory();
});
afterEach(() => store.close());

const author = { role: 'author', password: 'x' } as const;
const add = (user: Partial<NewUser> & { name: string }) => store.change(({ users }) => users.add({ ...author, ...user }, 'unused'));
const fill = async () => seed(store, await seedNamed('demo'), 'append');
const owned = 'would own the existing records';

it('start at 2, also in an empty calendar', async () => {
  expect([(await add({ name: 'ada' })).id, (await add({ name: 'bob' })).id]).toEqual([2, 3]);
});

it('are those of no author of a record', async () => {
  await fill();
  store.db.change(() => store.db.run('update events set author = 7 where id = (select min(id) from events)'));
  expect((await add({ name: 'ada' })).id).toBe(8);
});

it('are not given again while their records exist', async () => {
  await fill();
  const { id } = await add({ name: 'ada' });
  store.db.change(() => store.db.run('update venues set author = ?', id));
  await store.change(({ users }) => users.remove('ada'));
  expect((await add({ name: 'bob' })).id).toBe(id + 1);
});

it('can be 1 for an administrator only, once there are records', async () => {
  await fill();
  await expect(add({ id: 1, name: 'ada' })).rejects.toThrow(owned);
  await add({ id: 1, name: 'ada', role: 'administrator' });
  await expect(store.change(({ users }) => users.change({ name: 'ada', role: 'editor' }))).rejects.toThrow(owned);
  expect(store.users.list()).toEqual([{ id: 1, name: 'ada', role: 'administrator' }]);
});

it('of 1 and another role prevent a seed', async () => {
  await add({ id: 1, name: 'ada' });
  await expect(fill()).rejects.toThrow(owned);
  expect([...store.db.all('select id from events')]).toEqual([]);
});

it('stay the same when the file of users is read again', async () => {
  const users: NewUser[] = [
    { name: 'ada', ...author },
    { name: 'bob', ...author },
  ];
  await putUsers(store, users);
  const before = store.users.list();
  await putUsers(store, [{ ...users[0]!, role: 'editor' }]);
  expect(store.users.list()).toEqual([{ ...before[0], role: 'editor' }, before[1]]);
});
