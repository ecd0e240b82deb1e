import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { missing } from './support/other-programs.ts';
import { blocksOf, pages } from './support/pages.ts';

/** Programs that parse a language, with their arguments. */
const parsers: Record<string, [string, ...string[]]> = {
  python: ['python3', '-c', 'import ast, sys; ast.parse(sys.stdin.read())'],
  php: ['php', '-l'],
  go: ['gofmt', '-e'],
};

const blocks = pages.flatMap((page) =>
  blocksOf(page).flatMap((block) => (block.language in parsers && !block.title ? [{ page, ...block }] : [])),
);

it.for(blocks)('$page, line $line: $language that its parser accepts', ({ language, text }, { skip }) => {
  const [program, ...args] = parsers[language]!;
  skip(missing(program) !== undefined, missing(program));
  const { status, stderr, stdout } = spawnSync(program, args, { input: text, encoding: 'utf8' });
  expect({ status, output: `${stdout}${stderr}` }).toMatchObject({ status: 0 });
});
