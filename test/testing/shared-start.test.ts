import { afterEach, describe, expect, it } from 'vitest';
import { createCalendar } from '../../bin/library.ts';
import { collectHooks } from '../support/test-hooks.ts';

describe.each(['in this process', 'on a server'])('the start of the tests of a file, %s', (where) => {
  const opened: { close(): Promise<unknown> }[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((each) => each.close()));
  });

  async function openFile() {
    const now = '2027-03-01T09:00Z';
    if (where === 'in this process') return collectHooks({ now });
    const server = await createCalendar({ now });
    opened.push(server);
    return collectHooks({ server: server.url });
  }
  const post = (url: string, name: string) => fetch(`${url}/tags`, { method: 'POST', body: new URLSearchParams({ name }) });

  it('is the state when the first test begins, with clock, faults and snapshots of beforeAll', async () => {
    const { start, next, endTest, end, calendar } = await openFile();
    await start();
    await calendar.tags.create({ name: 'of beforeAll' });
    await post(calendar.url, 'by fetch');
    await calendar.clock.advance('2d');
    const removed = await calendar.faults.add({ match: { path: '/venues' }, then: 500 });
    const fault = await calendar.faults.add({ match: { path: '/tags', method: 'GET' }, then: 503 });
    await calendar.faults.remove(removed.id);
    await calendar.snapshots.save('of-hook');
    for (let i = 0; i < 3; i++) {
      await next();
      const { tags } = await calendar.tags.list({ hide_empty: false });
      expect(tags.map(({ name }) => name).sort()).toEqual(['by fetch', 'of beforeAll']);
      expect((await calendar.clock.get()).now).toBe('2027-03-03T09:00:00.000Z');
      expect(await calendar.faults.list()).toMatchObject([{ id: fault.id, hits: 0 }]);
      expect((await fetch(`${calendar.url}/tags`)).status).toBe(503);
      expect((await calendar.snapshots.list()).map(({ name }) => name)).toEqual(['of-hook']);
      await calendar.requests.verify({}, { exactly: 1 });
      await calendar.tags.create({ name: 'of a test' });
      await calendar.clock.advance('1d');
      await calendar.faults.clear();
      await calendar.snapshots.save('of-test');
      await calendar.snapshots.restore('of-test');
      await endTest();
    }
    await end();
  });

  it('does not include what is made between two tests: the next one fails, and those after it do not', async () => {
    const { start, next, endTest, end, calendar } = await openFile();
    await start();
    await next({ suite: 'one' });
    await endTest();
    await calendar.tags.create({ name: 'called' });
    await post(calendar.url, 'sent');
    await expect(next({ suite: 'two' })).rejects.toThrow(
      '2 records made in a beforeAll of a nested describe would be lost; make them in beforeEach, or call useCalendar() in that describe',
    );
    await endTest();
    await next({ suite: 'two' });
    expect((await calendar.tags.list({ hide_empty: false })).total).toBe(0);
    await endTest();
    await calendar.data.seed('minimal');
    await expect(next({ suite: 'three' })).rejects.toThrow(/^\d+ records made in a beforeAll/);
    await endTest();
    // A hook after a test of the same suite, such as one that unmounts a component.
    await post(calendar.url, 'sent at the end');
    await next({ suite: 'three' });
    await endTest();
    await end();
  });

  it('does not count what a test left in progress', async () => {
    const { start, next, endTest, end, calendar } = await openFile();
    await start();
    for (let i = 0; i < 5; i++) {
      await next();
      const late = [post(calendar.url, 'late'), calendar.tags.create({ name: 'late too' }).catch(() => {})];
      await endTest();
      await next();
      await Promise.all(late);
      expect((await calendar.tags.list({ hide_empty: false })).total).toBe(0);
      await endTest();
    }
    await end();
  });
});

it('rejects as_start together with another state', async () => {
  await using calendar = await createCalendar();
  await expect(calendar.reset({ as_start: true, to: 'empty' })).rejects.toMatchObject({ code: 'bad-request' });
});
