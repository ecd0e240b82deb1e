import { existsSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { blocksOf, isShown, type RunPage, runPage, updatePage } from './support/pages.ts';
import { limit } from './support/timeouts.ts';

/** Pages whose commands are run as they are written, one after the other, and whose outputs are compared. */
const pages = ['README.md', 'docs/getting-started.md', 'docs/fixtures.md', 'docs/scaling.md', 'docs/testing.md'];
/** The day that the pages show. */
const now = '2027-03-01T09:00:00Z';

it('the developer’s part starts with the two commands that do all set-up', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  const block = blocksOf('README.md').find(({ heading }) => heading === 'Develop')!;
  expect(block.text.split('\n').map((line) => line.split('#')[0]!.trim())).toEqual([
    'npm ci && npm run demo',
    'npm ci && npm run check',
    '',
  ]);
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['demo', 'check']));
});

describe.each(pages)('%s', (path) => {
  const blocks = blocksOf(path).filter(({ text }) => !text.startsWith('npm ci'));
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
