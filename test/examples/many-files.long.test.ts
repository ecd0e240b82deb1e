import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createCalendar } from '../../bin/library.ts';
import { limit } from '../support/timeouts.ts';
import { createExamples } from './example.ts';

const examples = createExamples();

/** A test that would fail if it saw data, clock, faults or journal of another test. */
const body = (file: number) => `
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
    expect((await tags()).length).toBe(before);`;

const runners = [
  {
    name: 'vitest',
    file: 'test.mjs',
    files: 8,
    tests: 63,
    // In one world for each file, which is reset before each test.
    source: (server: string, file: number) => `
import { useCalendar } from 'local-calendar/vitest';
import { expect, test } from 'vitest';
const calendar = useCalendar({ server: '${server}' });
for (let i = 0; i < 63; i++) test('test ' + i, async () => {
    const number = 1 + (i % 3);${body(file)}\n});`,
    config: undefined,
    args: ['vitest', 'run', '--maxWorkers', '4', '--testTimeout', String(limit(20_000)), 'many'],
    said: [/Test Files\s+8 passed \(8\)/, /Tests\s+504 passed/],
  },
  {
    name: 'vitest',
    file: 'test.mjs',
    files: 12,
    tests: 3,
    source: (server: string, file: number) => `
import { calendarTest } from 'local-calendar/vitest';
import { expect } from 'vitest';
const test = calendarTest({ server: '${server}' });
for (const number of [1, 2, 3]) test.concurrent('test ' + number, async ({ calendar }) => {${body(file)}\n});`,
    config: undefined,
    args: ['vitest', 'run', '--maxWorkers', '4', '--testTimeout', String(limit(20_000)), 'many'],
    said: [/Test Files\s+12 passed \(12\)/, /Tests\s+36 passed \(36\)/],
  },
  {
    name: 'playwright',
    file: 'spec.mjs',
    files: 12,
    tests: 3,
    source: (_: string, file: number) => `
import { expect, test } from 'local-calendar/playwright';
for (const number of [1, 2, 3]) test('test ' + number, async ({ calendar }) => {${body(file)}\n});`,
    // Files with options of the server in test.use would each start their own workers.
    config: (server: string) => `export default { workers: 4, reporter: 'line', use: { calendarServer: { url: '${server}' } } };`,
    args: ['playwright', 'test', '-c', 'many/playwright.config.mjs', '--timeout', String(limit(20_000))],
    said: [/36 passed/],
  },
];

it.for(runners)(
  '$files files with $tests tests each, in 4 workers of $name, share one server and nothing else',
  { timeout: limit(300_000) },
  async ({ name, file, files, source, config, args, said }, { skip }) => {
    skip(!examples.hasPackages(), 'needs a registry of packages');
    const home = examples.copy(`examples/${name}`);
    await using server = await createCalendar({ seed: 'minimal', now: '2027-03-01T09:00Z', maxWorlds: 12 });
    rmSync(join(home, 'many'), { recursive: true, force: true });
    mkdirSync(join(home, 'many'));
    if (config) writeFileSync(join(home, 'many', 'playwright.config.mjs'), config(server.url));
    for (let number = 0; number < files; number++) writeFileSync(join(home, 'many', `file-${number}.${file}`), source(server.url, number));
    const output = await examples.run(home, 'exec', '--', ...args);
    for (const each of said) expect(output).toMatch(each);
    expect(await server.worlds.list()).toEqual([]);
  },
);
