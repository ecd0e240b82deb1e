import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { OperationContext } from '../../src/data/operations/context.ts';
import { users } from '../../src/data/operations/server.ts';
import type { Handle, ServerResponse } from '../../src/server/http.ts';
import { noBody } from '../../src/server/http.ts';
import { createHandler } from '../../src/server/router.ts';
import { openCalendar, type Store } from '../../src/store/calendar.ts';
import { serviceOf } from '../../src/store/service.ts';
import { hashPassword } from '../../src/store/users/users.ts';
import { basic } from '../support/contract-server.ts';
import { folder } from '../support/transcript.ts';

let store: Store;
let handle: Handle;
beforeEach(async () => {
  store = await openCalendar(':memory:', { mode: 'write', now: () => Date.parse('2026-11-20T16:05:00Z') });
  const secret = await hashPassword('right');
  await store.change(() => store.users.add({ name: 'ada', role: 'editor', password: 'right' }, secret));
  handle = createHandler(serviceOf(store), { basePath: '', namespace: 'v1', headerPrefix: 'X' });
});
afterEach(() => store.close());

const ask = (name: string, password: string): ServerResponse | Promise<ServerResponse> =>
  handle({ method: 'GET', path: '/v1/tags', query: '', headers: { authorization: basic(name, password) }, body: noBody });

describe('passwords', () => {
  it('are hashed while other things go on', async () => {
    let answered = false;
    const answer = Promise.resolve(ask('ada', 'wrong')).then(() => {
      answered = true;
    });
    for (let i = 0; i < 3; i += 1) await turn();
    expect(answered).toBe(false);
    await answer;
  });
  it('that were right are known, until users change', async () => {
    expect(await store.users.authenticate('ada', 'right')).toMatchObject({ role: 'editor' });
    expect(store.users.authenticate('ada', 'right')).toMatchObject({ role: 'editor' });
    await store.change(() => store.users.remove('ada'));
    await expect(store.users.authenticate('ada', 'right')).rejects.toMatchObject({ code: 'invalid_username' });
  });
  it.each<[set: string, sent: string, isRight: boolean]>([
    ['abcd EFGH 1234', 'abcd EFGH 1234', true],
    ['abcd EFGH 1234', 'abcdEFGH1234', true],
    ['abcd EFGH 1234', 'abcd EFGH1234', true],
    ['abcdEFGH1234', 'abcd EFGH 1234', true],
    ['abcd EFGH 1234', 'abcdefgh1234', false],
    ['open sesame', 'open sesame', true],
    ['open sesame', 'opensesame', false],
  ])('%s: %s is %s', async (set, sent, isRight) => {
    await store.change(() => store.users.add({ name: 'app', role: 'editor', password: set }));
    const signedIn = Promise.resolve(store.users.authenticate('app', sent)).then(
      () => true,
      () => false,
    );
    expect(await signedIn).toBe(isRight);
  });
  it('given to a calendar in memory have a hash that only this process can check; those in a file have scrypt', async () => {
    const add = { name: 'bea', role: 'editor', password: 'given' } as const;
    await store.change(() => store.users.add(add));
    const hashOf = ({ db }: Store) => db.get<{ password: string }>("select password from users where name = 'bea'")!.password;
    expect(hashOf(store)).toMatch(/^keyed:/);
    await users.change({ store } as OperationContext, { name: 'bea', password: 'given' });
    expect(hashOf(store)).toMatch(/^keyed:/);
    expect(await store.users.authenticate('bea', 'given')).toMatchObject({ name: 'bea' });
    // Loaded again, as in another process.
    vi.resetModules();
    await import('../../bin/machine/here.ts');
    const { openCalendar: openElsewhere } = await import('../../src/store/calendar.ts');
    const copy = await openElsewhere(':memory:', { mode: 'write', now: () => 0, image: store.image() });
    await expect(copy.users.authenticate('bea', 'given')).rejects.toMatchObject({ code: 'incorrect_password' });
    await copy.close();
    const place = folder();
    const file = await openCalendar(join(place.path, 'a.db'), { mode: 'write', now: () => 0 });
    await file.change(() => file.users.add(add));
    expect(hashOf(file)).toMatch(/^scrypt:/);
    await users.change({ store: file } as OperationContext, { name: 'bea', password: 'given' });
    expect(hashOf(file)).toMatch(/^scrypt:/);
    await file.close();
    place.remove();
  });
  it('of a user who is removed during the check are rejected', async () => {
    const coming = Promise.resolve(store.users.authenticate('ada', 'right'));
    store.db.change(() => store.users.remove('ada'));
    await expect(coming).rejects.toMatchObject({ code: 'incorrect_password' });
    await expect(store.users.authenticate('ada', 'right')).rejects.toMatchObject({ code: 'invalid_username' });
  });
});
