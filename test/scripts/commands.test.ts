import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { afterAll, describe, expect, it } from 'vitest';
import { apiPage } from '../../scripts/api-page.ts';
import { programPages } from '../../scripts/command-pages.ts';
import { commandReference, documentedProgram, openApiDocument } from '../../scripts/commands.ts';
import { globalsFor } from '../../src/cli/global-options.ts';
import { commands } from '../../src/cli/registry.ts';
import { folder, run } from '../support/transcript.ts';

const place = folder();
afterAll(place.remove);
const print = async (...args: string[]) => {
  const { stdout, stderr, exit } = await run(args, { cwd: place.path });
  expect([args, exit, stderr]).toEqual([args, 0, '']);
  return stdout;
};
const reference = readFileSync('docs/commands.md', 'utf8');

const tree = documentedProgram();
const shown = commands.filter(({ hidden }) => !hidden);
const program = tree.root;
for (const command of program.commands) await tree.load(command);

interface Leaf {
  path: string[];
  command: Command;
}
const leavesOf = (command: Command, path: string[]): Leaf[] =>
  command.commands.length
    ? command.commands.filter((below) => below.name() !== 'help').flatMap((below) => leavesOf(below, [...path, below.name()]))
    : [{ path, command }];
const leaves = shown.flatMap(({ name }) => leavesOf(program.commands.find((each) => each.name() === name)!, [name]));

/** Hidden options: not the opposite of a switch. */
const unsaid = ['--color'];
/** The flags that a command takes: its own, and the ways of naming a calendar that matter to it. */
const flagsOf = ({ command }: Leaf): string[] => {
  const globals = globalsFor(command).map(({ long }) => long!);
  const own = command.options.filter(({ hidden, negate, long }) => !hidden || negate || globals.includes(long!));
  return [...new Set([...own.map(({ long }) => long!), ...globals])].filter((flag) => !unsaid.includes(flag));
};
/** Those that a text does not name. */
const missingIn = (text: string, flags: readonly string[]) =>
  flags.filter((flag) => !new RegExp(`(?<![\\w-])${flag}(?![\\w-])`).test(text));

it('there are commands, and options', () => {
  expect(leaves.length).toBeGreaterThan(60);
  expect(leaves.flatMap(flagsOf).length).toBeGreaterThan(1000);
});

it('docs/commands.md is what npm run commands makes', async () => {
  expect(reference).toBe(commandReference(await programPages(documentedProgram())));
});

it('docs/api.md is what npm run codegen makes', async () => {
  expect(readFileSync('docs/api.md', 'utf8')).toBe(apiPage(await openApiDocument()));
});

it('docs/agents.md is what calendar help agents prints', async () => {
  expect(readFileSync('docs/agents.md', 'utf8')).toBe(await print('help', 'agents'));
});

it('the links of docs/commands.md lead to its headings', () => {
  const headings = [...reference.matchAll(/^#+ (.*)$/gm)].map(([, text]) => text!.toLowerCase().replaceAll(' ', '-'));
  const links = [...reference.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor!);
  expect(links.filter((anchor) => !headings.includes(anchor))).toEqual([]);
  expect(new Set(headings).size).toBe(headings.length);
});

describe.each(leaves.map((leaf) => ({ ...leaf, words: leaf.path.join(' ') })))('calendar $words', (leaf) => {
  const { path, words } = leaf;
  const flags = flagsOf(leaf);

  it('is listed in the help of its parent, with its options in its own help', async () => {
    expect(await print('help', ...path.slice(0, -1))).toMatch(new RegExp(`^  ${path.at(-1)}\\b`, 'm'));
    expect(missingIn(await print('help', '--all', ...path), flags)).toEqual([]);
  });

  it('has every option in docs/commands.md', () => {
    const [, section = ''] = reference.split(new RegExp(`^#{2,4} calendar ${words}$`, 'm'));
    expect(missingIn(section.split(/^#/m)[0]!, flags)).toEqual([]);
  });

  it('is completed, and so is every option', async () => {
    expect(await print('complete', '--', ...path)).toMatch(new RegExp(`^${path.at(-1)}\\t`, 'm'));
    const offered = (await print('complete', '--', ...path, '--')).split('\n').map((line) => line.split('\t')[0]);
    expect(flags.filter((flag) => !offered.includes(flag))).toEqual([]);
  });
});

it('options of the program itself are in all three', async () => {
  const flags = program.options.filter(({ hidden }) => !hidden).map(({ long }) => long!);
  const texts = [await print('--help'), reference, await print('complete', '--', '--')];
  expect(texts.map((text) => missingIn(text, flags))).toEqual([[], [], []]);
});
