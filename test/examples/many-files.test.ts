import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createCalendar } from '../../bin/library.ts';
import { limit } from '../support/timeouts.ts';
import { createExamples } from './example.ts';

const examples = createExamples();

/** Tests that each would fail if they saw data, clock, faults or journal of another test. */
const testFile = (server: string, file: number): string => `
import { calendarTest } from 'local-calendar/vitest';
import { expect } from 'vitest';

const test = calendarTest({ server: '${server}' });
for (const number of [1, 2, 3, 4, 5])
  test.concurrent('test ' + number, async ({ calendar }) => {
    const get = async (path) => fetch(calendar.url + '/' + path);
    const tags = async () => (await (await get('tags?hide_empty=false')).json()).tags.map(({ name }) => name);
    const before = (await tags()).length;
    await fetch(calendar.url + '/tags', { method: 'POST', body: new URLSearchParams({ name: 'of file ${file}' }) });
    await calendar.clock.advance('P' + number + 'D');
    await calendar.faults.add({ match: { path: '/venues' }, then: { status: 500 + number }, times: 1 });
    expect((await get('venues')).status).toBe(500 + number);
    expect((await tags()).length).toBe(before + 1);
    expect((await calendar.clock.get()).now).toBe('2027-03-0' + (1 + number) + 'T09:00:00.000Z');
    await calendar.requests.verify({}, { exactly: 4 });
    await calendar.reset();
    expect((await tags()).length).toBe(before);
  });
`;

it('40 files with 5 concurrent tests each, in 4 workers, share one server and nothing else', { timeout: limit(300_000) }, async ({
  skip,
}) => {
  skip(!(await examples.isOnline()), 'needs a registry of packages');
  const home = await examples.install('examples/vitest');
  const server = await createCalendar({ seed: 'minimal', now: '2027-03-01T09:00Z', maxWorlds: 40 });
  mkdirSync(join(home, 'many'));
  for (let file = 0; file < 40; file++) writeFileSync(join(home, 'many', `file-${file}.test.mjs`), testFile(server.url, file));
  const output = await examples.run(
    home,
    'exec',
    '--',
    'vitest',
    'run',
    '--maxWorkers',
    '4',
    '--testTimeout',
    String(limit(20_000)),
    'many',
  );
  expect(output).toMatch(/Test Files\s+40 passed \(40\)/);
  expect(output).toMatch(/Tests\s+200 passed \(200\)/);
  expect(await server.worlds.list()).toEqual([]);
  await server.close();
});
