import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Handle, Response } from '../../src/server/http.ts';
import { noBody } from '../../src/server/http.ts';
import { peerOf } from '../../src/server/receiving/host.ts';
import { createHandler } from '../../src/server/router.ts';
import { openCalendar, type Store } from '../../src/store/calendar.ts';
import { serviceOf } from '../../src/store/service.ts';
import { LoginThrottle, maxTrackedLogins, Users } from '../../src/store/users/users.ts';
import { bodyText } from '../support/body-text.ts';
import { basic } from '../support/contract-server.ts';
import { processorTime } from '../support/linear.ts';

let store: Store;
let handle: Handle;
beforeEach(async () => {
  store = await openCalendar(':memory:', { mode: 'write', now: () => Date.parse('2026-11-20T16:05:00Z') });
  await store.change(() => store.users.add({ name: 'ada', role: 'editor', password: 'right' }));
  handle = createHandler(serviceOf(store), { basePath: '', namespace: 'v1', headerPrefix: 'X' });
});
afterEach(() => store.close());

const ask = (name: string, password: string, peer?: string): Response | Promise<Response> =>
  handle({ method: 'GET', path: '/v1/tags', query: '', headers: { authorization: basic(name, password) }, body: noBody, peer });
const codeOf = async (answer: Response | Promise<Response>) => JSON.parse(bodyText(await answer)).code;
const codes = async (count: number, name: string, peer?: string): Promise<string[]> => {
  const found: string[] = [];
  for (let i = 0; i < count; i += 1) found.push(await codeOf(ask(name, `wrong ${i}`, peer)));
  return found;
};

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
  it('of an unknown name take as long', async () => {
    const cost = (name: string) => processorTime(() => ask(name, 'wrong'));
    const best = async (name: string) => Math.min(await cost(name), await cost(name), await cost(name));
    expect(await best('stranger')).toBeGreaterThan((await best('ada')) / 3);
  });
  it('that were right are known, until users change', async () => {
    expect(await store.users.authenticate('ada', 'right')).toMatchObject({ role: 'editor' });
    expect(store.users.authenticate('ada', 'right')).toMatchObject({ role: 'editor' });
    await store.change(() => store.users.remove('ada'));
    await expect(store.users.authenticate('ada', 'right')).rejects.toMatchObject({ code: 'invalid_username' });
  });
  it('of a user who is removed during the check are rejected', async () => {
    const coming = Promise.resolve(store.users.authenticate('ada', 'right'));
    store.db.change(() => store.users.remove('ada'));
    await expect(coming).rejects.toMatchObject({ code: 'incorrect_password' });
    await expect(store.users.authenticate('ada', 'right')).rejects.toMatchObject({ code: 'invalid_username' });
  });
});

describe('wrong passwords', () => {
  // However long the checks take, no guess is forgiven meanwhile.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());

  it('are slowed for that name from that place, and nowhere else', async () => {
    expect(await codes(12, 'ada', '10.0.0.1')).toEqual([...Array(10).fill('incorrect_password'), 'too-many-attempts', 'too-many-attempts']);
    const refused = await ask('ada', 'right', '10.0.0.1');
    expect([refused.status, JSON.parse(bodyText(refused)).data]).toEqual([429, { status: 429, retry_after: expect.any(Number) }]);
    expect(Number(refused.headers['Retry-After'])).toBeGreaterThan(0);
    expect(await codeOf(ask('bob', 'wrong', '10.0.0.1'))).toBe('invalid_username');
    expect((await ask('ada', 'right', '10.0.0.2')).status).toBe(200);
    // Who was let in before goes on.
    expect((await ask('ada', 'right', '10.0.0.1')).status).toBe(200);
  });
  it('all at once are no more', async () => {
    const answers = await Promise.all(Array.from({ length: 14 }, (_, i) => codeOf(ask('ada', `wrong ${i}`, '10.0.0.1'))));
    expect(answers.filter((code) => code === 'too-many-attempts')).toHaveLength(4);
  });
  it('right ones use up nothing', async () => {
    for (let i = 0; i < 12; i += 1) {
      expect((await ask('ada', 'right', '10.0.0.1')).status).toBe(200);
      await store.change(() => store.users.add({ name: `other-${i}`, role: 'author', password: 'x' }, 'unused'));
    }
  });
  it('may be tried again in time', async () => {
    let now = 1000;
    const users = new Users(store.db, () => now);
    const guess = () => Promise.resolve(users.authenticate('ada', 'wrong', '10.0.0.1')).catch(({ code }) => code);
    for (let i = 0; i < 10; i += 1) await guess();
    expect(await guess()).toBe('too-many-attempts');
    now += 6000;
    expect([await guess(), await guess()]).toEqual(['incorrect_password', 'too-many-attempts']);
    now += 3_600_000;
    const later = [];
    for (let i = 0; i < 11; i += 1) later.push(await guess());
    expect(later.filter((code) => code === 'too-many-attempts')).toHaveLength(1);
  });
  it('for many names from one place are slowed too', () => {
    const guesses = new LoginThrottle(() => 0);
    const taken = Array.from({ length: 61 }, (_, i) => () => guesses.take('10.0.0.1', `name ${i}`));
    for (const take of taken.slice(0, 60)) take();
    expect(taken[60]).toThrow('Too many');
  });
  it('from many places fill no memory', () => {
    const guesses = new LoginThrottle(() => 0);
    for (let i = 0; i < maxTrackedLogins; i += 1) guesses.take(`place ${i}`, 'ada');
    expect(guesses.size).toBe(maxTrackedLogins);
  });
  it.each([
    ['10.0.0.1', '10.0.0.1'],
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['::1', ''],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8::6', '2001:db8'],
  ])('%s is counted as %j', (address, peer) => expect(peerOf(address)).toBe(peer));
});
