import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createCalendar } from '../../bin/library.ts';
import { limit } from '../support/timeouts.ts';
import { createExamples } from './example.ts';

const examples = createExamples();

const fails = `async ({ calendar }) => {
  await fetch(calendar.url + '/tags', { method: 'POST', body: new URLSearchParams({ name: 'kept' }) });
  expect(1).toBe(2);
}`;
const passes = 'async ({ calendar }) => void (await calendar.tags.list())';

it.for([
  {
    name: 'vitest',
    file: 'fails.test.mjs',
    source: (server: string) => `
      import { calendarTest } from 'local-calendar/vitest';
      import { expect } from 'vitest';
      const test = calendarTest({ server: '${server}', keep: 'on-failure' });
      test('fails', ${fails});
      test('passes', ${passes});`,
    args: ['vitest', 'run', 'fails'],
  },
  {
    name: 'playwright',
    file: 'fails.spec.mjs',
    source: (server: string) => `
      import { expect, test } from 'local-calendar/playwright';
      test.use({ calendarServer: { url: '${server}', keep: 'on-failure' } });
      test('fails', ${fails});
      test('passes', ${passes});`,
    args: ['playwright', 'test', 'fails'],
  },
])('a failed test of $name keeps its calendar, and shows where its requests are', { timeout: limit(120_000) }, async (given, { skip }) => {
  skip(!examples.hasPackages(), 'needs a registry of packages');
  const home = examples.copy(`examples/${given.name}`);
  await using server = await createCalendar({ seed: 'minimal' });
  writeFileSync(join(home, given.file), given.source(server.url));
  const output = await examples.run(home, 'exec', '--', ...given.args).then(
    () => 'no test failed',
    (error: Error) => error.message,
  );
  const [{ name, url }, ...others] = (await server.worlds.list()) as unknown as [{ name: string; url: string }];
  expect([name, others]).toEqual(['fails', []]);
  expect(output).toContain(`${url.slice(0, url.indexOf('/calendar/'))}/\n`);
  const archive = JSON.parse(readFileSync(join(home, /\S+\/\S+\.har/.exec(output)![0]), 'utf8'));
  expect(archive.log.entries.map(({ request }: { request: { method: string } }) => request.method)).toEqual(['POST']);
  const { changes } = JSON.parse(readFileSync(join(home, /\S+\/\S+\.json/.exec(output)![0]), 'utf8'));
  expect(changes).toMatchObject([{ resource: 'tags', action: 'created', record: { name: 'kept' } }]);
});

it('options of Playwright in the wrong place fail with what to do', { timeout: limit(120_000) }, async ({ skip }) => {
  skip(!examples.hasPackages(), 'needs a registry of packages');
  const home = examples.copy('examples/playwright');
  writeFileSync(
    join(home, 'keep.spec.mjs'),
    `import { test } from 'local-calendar/playwright';
    test.use({ calendarServer: { keep: 'on-failure' } });
    test('keeps', ${passes});`,
  );
  writeFileSync(
    join(home, 'former.spec.mjs'),
    `import { test } from 'local-calendar/playwright';
    test.use({ calendarOptions: { port: 8787 } });
    test('has an option of the server', ${passes});`,
  );
  const output = await examples.run(home, 'exec', '--', 'playwright', 'test', 'keep', 'former').catch((error: Error) => error.message);
  expect(output).toContain('calendarServer.keep requires calendarServer.url');
  expect(output).toContain("calendarOptions.port is not an option of a test's calendar");
  expect(output).toContain('test.use({ calendarServer: { port: … } })');
});

/** Tests that fail, written for each runner: `limited` starts a test with a timeout of a second. */
const failing = (limited: (name: string, body: string) => string) => `
  const calendar = useCalendar({ unusedFaults: 'fail' });
  ${limited('sends the wrong path', `await fetch(calendar.url + '/event'); await calendar.requests.waitFor({ path: '/events' });`)}
  test('sends too little', async () => {
    await calendar.faults.add({ match: { path: '/tags' }, then: 503 });
  });
  test('passes', async () => {
    const held = await calendar.faults.hold({ path: '/tags' });
    const response = fetch(calendar.url + '/tags');
    await held.arrived();
    await held.release();
    await response;
  });`;

it.for([
  {
    name: 'vitest',
    file: 'explained.test.mjs',
    source: `import { useCalendar } from 'local-calendar/vitest';
      import { test } from 'vitest';
      ${failing((name, body) => `test('${name}', { timeout: 1000 }, async () => { ${body} });`)}`,
    args: ['vitest', 'run', 'explained'],
    waited: /within \d{1,3} ms/,
  },
  {
    name: 'jest',
    file: 'explained.test.cjs',
    source: `const { useCalendar } = require('local-calendar/jest');
      ${failing((name, body) => `test('${name}', async () => { ${body} });`)}`,
    args: ['jest', '--rootDir', '.', 'explained.test.cjs'],
    waited: /within 4000 ms/,
  },
])('a failed test of $name says why', { timeout: limit(120_000) }, async ({ file, source, args, waited }, { skip }) => {
  skip(!examples.hasPackages(), 'needs a registry of packages');
  const home = examples.copy('test/examples/environments');
  writeFileSync(join(home, file), source);
  const output = await examples.run(home, 'exec', '--', ...args).catch((error: Error) => error.message);
  expect(output).toMatch(waited);
  expect(output).toContain('and 0 of 1 did: GET /calendar/events/v1/event 404 (path is /calendar/events/v1/event, not /events)');
  expect(output).toMatch(
    /The calendar after the failure of ".*sends the wrong path":\n\s+GET \/calendar\/events\/v1\/event 404 rest_no_route/,
  );
  expect(output).toContain('Unused faults in sends too little: fault 1 for {"path":"/tags"} met no request');
  expect(output).toMatch(/2 failed[\s\S]*1 passed/);
});
