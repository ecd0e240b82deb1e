import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { blocksOf, isShown, type RunPage, runPage, typeProblems, updatePage } from './support/pages.ts';
import { limit } from './support/timeouts.ts';

/** What is run of a page, as it is written and one after the other: what can be, but for the set-up of the project itself. */
const runnable = (path: string) => blocksOf(path).filter(({ text, isSkipped }) => !isSkipped && !text.startsWith('npm ci'));
const pages = ['.', 'docs', 'bench']
  .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
  .filter((path) => path.endsWith('.md') && runnable(path).some(({ language }) => language === 'console' || language === 'sh'));
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

  it('has TypeScript that compiles', { timeout: limit(60_000) }, () => expect(typeProblems(blocks)).toBe(''));
});
