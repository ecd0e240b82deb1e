import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createCalendar } from '../src/testing/create.ts';
import { type Block, blocksOf, isShown, pages, type RunPage, runPage, typeProblems, updatePage } from './support/pages.ts';
import { limit } from './support/timeouts.ts';

/** The commands of a page that run as written, in order, without those that set up the project itself. */
const runnable = (path: string) => blocksOf(path).filter(({ text, isSkipped }) => !isSkipped && !text.startsWith('npm ci'));
/** The commands that a page runs, as text. */
const shellTextOf = (path: string) =>
  blocksOf(path)
    .filter(({ language, isSkipped }) => language === 'console' || (language === 'sh' && !isSkipped))
    .map(({ text }) => text)
    .join();
const runPages = pages.filter((path) => runnable(path).some(({ language }) => language === 'console' || language === 'sh'));
/** The day that the pages show. */
const now = '2027-03-01T09:00:00Z';

it('has two commands in the README that do all set-up', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  const block = blocksOf('README.md').find(({ heading }) => heading === 'Try it')!;
  expect(block.text.split('\n').map((line) => line.split('#')[0]!.trim())).toEqual(['npm ci && npm run demo', 'npm ci && npm test', '']);
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['demo', 'test']));
});

/** Expects a value where a page may leave out texts, objects and members, which `…` stands for. */
function expectShown(part: unknown, whole: unknown): void {
  if (part === '…') return;
  if (typeof part !== 'object' || part === null || typeof whole !== 'object' || whole === null) {
    expect(part).toEqual(whole);
    return;
  }
  const { '…': omitted, ...members } = part as Record<string, unknown>;
  if (omitted === undefined) expect(Object.keys(members)).toEqual(Object.keys(whole));
  for (const [name, value] of Object.entries(members)) expectShown(value, (whole as Record<string, unknown>)[name]);
}

it('shows an event in the README as the server returns it, in at most 25 lines', async () => {
  const { text } = blocksOf('README.md').find(({ heading, language }) => heading === 'Send a request' && language === 'json')!;
  const calendar = await createCalendar({ seed: 'demo', now });
  try {
    const response = await fetch(`${calendar.url}/events/by-slug/jazz-thursday-3`);
    const local = (await response.text()).replaceAll(new URL(calendar.url).host, '127.0.0.1:8787');
    expectShown(JSON.parse(text), JSON.parse(local));
  } finally {
    await calendar.close();
  }
  expect(text.trim().split('\n').length).toBeLessThanOrEqual(25);
  expect(readFileSync('README.md', 'utf8').split('\n').length).toBeLessThanOrEqual(200);
});

it('lists the source files of the pages that are parsed but not run', () => {
  const isRun = (path: string, { title = '', language }: Block) =>
    ['', 'sh', 'console', 'text', 'json', 'yaml', 'dockerfile'].includes(language) ||
    [basename(title), dirname(title)].some((name) => !['', '.'].includes(name) && shellTextOf(path).includes(name));
  const parsed = pages.flatMap((path) =>
    blocksOf(path)
      .filter((block) => !isRun(path, block))
      .map(({ title, text }) => `${path}: ${title ?? text.split('\n')[0]}`),
  );
  expect(parsed).toMatchInlineSnapshot(`
    [
      "docs/architecture.md: const advance = operation({",
      "docs/cypress.md: examples/cypress/cypress.config.ts",
      "docs/cypress.md: examples/cypress/cypress/support/e2e.ts",
      "docs/cypress.md: examples/cypress/cypress/e2e/agenda.cy.ts",
      "docs/faults.md: const held = await calendar.faults.hold({ path: '/events', query: { search: 'jazz' } });",
      "docs/faults.md: await calendar.faults.add({ match: { path: '/events' }, then: { patch: { total: 0, events: [] } } });",
      "docs/faults.md: await calendar.faults.add({ match: { path: '/events' }, then: { patch: [{ op: 'replace', path: '/events/0/title', value: '' }] } });",
      "docs/faults.md: await calendar.faults.add({",
      "docs/go.md: examples/go/agenda_test.go",
      "docs/handler.md: vite.config.ts",
      "docs/handler.md: examples/next/app/calendar/[...path]/route.ts",
      "docs/handler.md: examples/next/next.config.mjs",
      "docs/handler.md: vite.config.ts",
      "docs/handler.md: calendar.setup.ts",
      "docs/handler.md: playwright.config.ts",
      "docs/handler.md: src/routes/+page.server.ts",
      "docs/handler.md: src/routes/calendar/[...path]/+server.ts",
      "docs/handler.md: app.all('/calendar/*', (c) => calendar.handler(c.req.raw)); // Hono",
      "docs/java.md: examples/java/src/test/java/AgendaTest.java",
      "docs/jest.md: concert.test.ts",
      "docs/mistakes.md: expect(await calendar.requests.hints()).toEqual([]); // fails with the mistakes since the last reset, each with its first request",
      "docs/mistakes.md: await calendar.faults.add({ match: { method: 'POST' }, delay: 300 });",
      "docs/mistakes.md: await calendar.requests.verify({ path: '/events' }, { retryAfter: true }); // no request before the Retry-After of the last response is over",
      "docs/msw.md: handlers.js",
      "docs/msw.md: .storybook/main.ts",
      "docs/node-test.md: test('lists', async (t) => {",
      "docs/phpunit.md: examples/phpunit/tests/EventsTest.php",
      "docs/playwright.md: agenda.spec.ts",
      "docs/playwright.md: playwright.config.ts",
      "docs/proxies.md: vite.config.ts",
      "docs/proxies.md: next.config.mjs",
      "docs/proxies.md: nuxt.config.js",
      "docs/proxies.md: astro.config.mjs",
      "docs/pytest.md: examples/pytest/test_events.py",
      "docs/requests.md: const { met, total, variants } = await calendar.requests.coverage();",
      "docs/requests.md: const [request] = await calendar.requests.waitFor({ method: 'POST', path: '/events' }, { timeout: '5s' });",
      "docs/responses.md: // Some is a value that the API sends as an object, as a list, or as false.",
      "docs/responses.md: struct Venue: Decodable {",
      "docs/responses.md: @Serializable",
      "docs/responses.md: @dataclass",
      "docs/responses.md: final class Event",
      "docs/static-site.md: mock.js",
      "docs/typescript.md: calendar.js",
      "docs/typescript.md: import { createCalendar, defineFixture } from 'local-calendar';",
      "docs/typescript.md: import type { EventParameters, EventRecord, RecordPage } from 'local-calendar';",
      "docs/typescript.md: declare module 'local-calendar' {",
      "docs/typescript.md: const changes = await recordChanges(calendar);",
      "docs/vitest.md: setup.ts",
      "docs/web.md: examples/web/src/mock.ts",
      "docs/web.md: examples/web/src/main.ts",
      "docs/web.md: examples/web/src/agenda.test.ts",
      "docs/web.md: examples/web/.storybook/preview.ts",
      "docs/web.md: examples/web/src/agenda.stories.ts",
      "docs/web.md: examples/deno/server.js",
      "docs/worlds.md: const world = cookies().get('calendar_world')?.value;",
      "docs/worlds.md: import { env } from '$env/dynamic/private';",
    ]
  `);
});

describe.each(runPages)('%s', (path) => {
  const blocks = runnable(path);
  let page: RunPage;
  beforeAll(async () => {
    if (!existsSync('dist/calendar.js')) throw new Error('run npm run build first: the commands of the pages run the bundle');
    page = await runPage(blocks, now);
    if (process.env.UPDATE_PAGES) updatePage(path, page);
  }, limit(120_000));

  it('has no command that fails, and shows what each prints', () => {
    for (const { block, command, output, printed } of page.commands) {
      if (printed === undefined) throw new Error(`line ${block.line}: the page ended before ${command}\n${page.all.slice(-2000)}`);
      if (!isShown(printed, output)) expect.soft(`$ ${command}\n${printed}`, `line ${block.line}`).toBe(`$ ${command}\n${output}`);
    }
    expect(page.status, page.all.slice(-2000)).toBe(0);
  });
});

it('TypeScript of the pages compiles', { timeout: limit(60_000) }, () =>
  expect(typeProblems(new Map(runPages.map((path) => [path, runnable(path)])))).toBe(''),
);
