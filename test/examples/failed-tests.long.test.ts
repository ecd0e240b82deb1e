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
