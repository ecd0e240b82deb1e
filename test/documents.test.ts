import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { transform } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { blocksOf, pages, shownIn } from './support/pages.ts';

const { name } = JSON.parse(readFileSync('package.json', 'utf8'));
const reference = readFileSync('docs/commands.md', 'utf8');
const commands = new Set([...reference.matchAll(/^## calendar (\S+)$/gm)].map(([, command]) => command!));
const options = new Set(reference.match(/--[a-z][a-z-]*/g));

/** The sources of the project, with `/` before and between names. */
const sources = ['src', 'bin', 'build', 'scripts', 'test', 'bench'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `/${folder}/${name.replaceAll('\\', '/')}`),
);

/** The commands of a text: from the name of the program to what ends a command of a shell. */
const commandsIn = (text: string) => text.match(/(?<![\w./-])calendar (?!-)[a-z].*?(?= -- |[`|&;#>)]|$)/gm) ?? [];

describe.each(pages.filter((path) => path !== 'docs/commands.md'))('%s', (path) => {
  const text = readFileSync(path, 'utf8');
  const blocks = blocksOf(path);

  it('shows the files of examples, or excerpts between lines with "…", as they are', () => {
    for (const { title = '', text: shown } of blocks.filter(({ title }) => title?.startsWith('examples/')))
      for (const excerpt of shown.split('…\n')) expect(readFileSync(title, 'utf8'), title).toContain(excerpt);
  });

  it('shows existing pictures', () => {
    for (const [, picture] of text.matchAll(/\bsrc(?:set)?="([^":]+)"/g))
      expect(existsSync(join(dirname(path), picture!)), picture).toBe(true);
  });

  it('names existing source files, except in the history', () => {
    const named = [...text.matchAll(/`((?:[\w-]+\/)*[a-z][\w-]*\.tsx?)`/g)].map(([, file]) => file!);
    const own = path === 'CHANGELOG.md' ? [] : named.filter((file) => !file.endsWith('.config.ts'));
    expect(own.filter((file) => !sources.some((source) => source.endsWith(`/${file}`)))).toEqual([]);
  });

  it('names the package as package.json does', () => {
    const named = text.matchAll(/\bnpm (?:i|install)(?: -\S+)* ([@\w][^\s`]*)|\bfrom '((?:@[^/]+\/)?calendar(?:\/[^']*)?)'/g);
    for (const [, installed, imported] of named) expect((installed ?? imported)!.replace(/(?<=.)[@/].*/, '')).toBe(name);
  });

  it('names commands and options that there are', () => {
    const code = [...text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, span]) => span!);
    const run = blocks.filter(({ language }) => language === 'sh').map(({ text }) => text.replaceAll(/ #.*/g, ''));
    const shown = blocks.filter(({ language }) => language === 'console').flatMap((block) => shownIn(block).map(({ command }) => command));
    const settings = blocks.filter(({ language }) => ['yaml', 'json'].includes(language)).map(({ text }) => text.replaceAll(/"/g, '`'));
    const declared = [...text.matchAll(/fields add \w+ (\w+)/g)].map(([, name]) => `--${name!.replaceAll('_', '-')}`);
    for (const command of [...code, ...run, ...shown, ...settings].flatMap(commandsIn)) {
      expect(commands, command).toContain(command.split(' ')[1]!.replace(/\W+$/, ''));
      for (const option of command.match(/(?<= )--[a-z][a-z-]*/g) ?? []) expect([...options, ...declared], command).toContain(option);
    }
  });

  it('has blocks of a known language, which are sound', async () => {
    for (const { language, text, line, title } of blocks) {
      expect(
        ['', 'sh', 'console', 'java', 'js', 'ts', 'tsx', 'json', 'yaml', 'dockerfile', 'text', 'python', 'php', 'go', 'swift', 'kotlin'],
        `line ${line}`,
      ).toContain(language);
      if (['js', 'ts', 'tsx'].includes(language)) await transform(text, { loader: language as 'ts' });
      if (language === 'yaml') expect(parse(text), `line ${line}`).toBeTypeOf('object');
      if (language === 'json' && title) JSON.parse(text);
    }
  });
});
