/**
 * Changes one expression of the sources at a time in a copy of the checkout, and runs the quick tests that import the file until one fails:
 * `npm run mutate -- [FILE…] [--count 10] [--seed N] [--line N]`. Without files, it draws from all of `src`, at least four in each top folder. Prints
 * each change that no test noticed.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { parseAst } from 'rolldown/parseAst';
import { between, createRandom, oneOf } from '../src/model/generate/random.ts';

/** A node of the syntax tree (ESTree). */
interface SyntaxNode extends Record<string, unknown> {
  type: string;
  start: number;
  end: number;
}
interface Mutation {
  path: string;
  line: number;
  start: number;
  end: number;
  text: string;
}

/** Operators and what replaces them: boundaries, opposites, arithmetic and logic. */
const operators: Record<string, string[]> = {
  ...{ '<': ['<=', '>='], '<=': ['<', '>'], '>': ['>=', '<='], '>=': ['>', '<'], '===': ['!=='], '!==': ['==='] },
  ...{ '+': ['-'], '-': ['+'], '*': ['/'], '/': ['*'], '%': ['*'], '&&': ['||'], '||': ['&&'], '??': ['&&'], '+=': ['-='], '-=': ['+='] },
};

/** The texts that can replace a node. */
function replacements(node: SyntaxNode, text: string, parent: SyntaxNode): string[] {
  const part = (name: string) => node[name] as SyntaxNode;
  const within = (from: number, to: number) => text.slice(from, to);
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
    case 'AssignmentExpression': {
      const between = within(part('left').end, part('right').start);
      const [before, after] = [within(node.start, part('left').end), within(part('right').start, node.end)];
      return (operators[String(node.operator)] ?? []).map((operator) => before + between.replace(String(node.operator), operator) + after);
    }
    case 'UnaryExpression':
      return node.operator === '!' ? [within(part('argument').start, node.end)] : [];
    case 'ExpressionStatement':
      return /Call|Await|Yield/.test(part('expression').type) ? [';'] : [];
    case 'ReturnStatement':
      return node.argument ? ['return undefined;'] : [];
    case 'Literal':
      if (parent.type === 'Property' && parent.key === node) return [];
      if (typeof node.value === 'number') return [String(node.value + 1), ...(node.value > 1 ? [String(node.value - 1)] : [])];
      return typeof node.value === 'boolean' ? [String(!node.value)] : [];
    case 'SpreadElement':
      return [parent.type === 'ObjectExpression' ? '...{}' : '...[]'];
    default:
      if (parent.type !== 'IfStatement' && parent.type !== 'ConditionalExpression') return [];
      return parent.test === node ? ['true', 'false'] : [];
  }
}

const isNode = (value: unknown): value is SyntaxNode => typeof (value as SyntaxNode | null)?.type === 'string';

/** The changes of a file that stay on one line, types and imports excepted. */
function mutationsOf(path: string): Mutation[] {
  const text = readFileSync(path, 'utf8');
  const found: Mutation[] = [];
  const visit = (node: SyntaxNode, parent: SyntaxNode) => {
    const isType = /^TS(?!As|NonNull|Satisfies)/.test(node.type);
    if (isType || /^(Import|ExportAll)/.test(node.type)) return;
    const line = text.slice(0, node.start).split('\n').length;
    if (!text.slice(node.start, node.end).includes('\n'))
      for (const each of replacements(node, text, parent)) found.push({ path, line, start: node.start, end: node.end, text: each });
    for (const value of Object.values(node)) for (const child of [value].flat()) if (isNode(child)) visit(child, node);
  };
  const program = parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }) as unknown as SyntaxNode;
  visit(program, program);
  return found;
}

/** Copies what the tests need, with links to the packages. */
function copied(): string {
  const folder = mkdtempSync(join(tmpdir(), 'calendar-mutations-'));
  const skipped = ['.git', 'node_modules', 'dist'];
  for (const name of readdirSync('.')) if (!skipped.includes(name)) cpSync(name, join(folder, name), { recursive: true });
  mkdirSync(join(folder, 'node_modules'));
  for (const name of readdirSync('node_modules'))
    if (!name.startsWith('.') || name === '.bin')
      symlinkSync(join(process.cwd(), 'node_modules', name), join(folder, 'node_modules', name));
  return folder;
}

/** True if a quick test fails: those beside the file first, then those of its folder, then all that import it. */
function isNoticed(folder: string, { path }: Mutation): boolean {
  const quick = ['--run', '--project', 'quick', '--bail', '1'];
  const fails = (...args: string[]) => spawnSync('npx', ['vitest', ...args, ...quick], { cwd: folder, timeout: 900_000 }).status !== 0;
  let folderOfTests = dirname(path).replace(/^src/, 'test');
  // The tests of the page compile it, and import none of its files.
  while (!existsSync(folderOfTests)) folderOfTests = dirname(folderOfTests);
  const near = [join(folderOfTests, basename(path).replace(/\.tsx?$/, '.test.ts')), folderOfTests];
  return near.some((each) => existsSync(each) && fails('run', each, '--passWithNoTests')) || fails('related', path);
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { count: { type: 'string' }, seed: { type: 'string' }, line: { type: 'string' } },
});
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const random = createRandom(String(seed));

/** Draws lines, then one change of each. */
function draw(paths: readonly string[], count: number): Mutation[] {
  const byLine = new Map<string, Mutation[]>();
  for (const each of paths.flatMap(mutationsOf)) {
    if (values.line !== undefined && each.line !== Number(values.line)) continue;
    const place = `${each.path}:${each.line}`;
    byLine.set(place, [...(byLine.get(place) ?? []), each]);
  }
  const lines = [...byLine.values()];
  return Array.from({ length: Math.min(count, lines.length) }, () => {
    const [changes] = lines.splice(between(random, 0, lines.length - 1), 1);
    return oneOf(random, changes!);
  });
}

const folder = copied();
const count = Number(values.count ?? (positionals.length ? 10 : 60));
const all = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((name) => `src/${name}`)
  .filter((path) => /(?<!\.d)\.tsx?$/.test(path))
  .sort();
const folders = [...new Set(all.map((path) => path.split('/')[1]!))];
const perFolder = folders.flatMap((name) =>
  positionals.length
    ? []
    : draw(
        all.filter((path) => path.startsWith(`src/${name}/`)),
        4,
      ),
);
const chosen = [...perFolder, ...draw(positionals.length ? positionals : all, Math.max(0, count - perFolder.length))];
console.error(`${chosen.length} mutations, seed ${seed}`);
let survivors = 0;
try {
  for (const mutation of chosen) {
    const target = join(folder, mutation.path);
    // The checkout may have changed since the copy was made.
    const original = readFileSync(target, 'utf8');
    writeFileSync(target, original.slice(0, mutation.start) + mutation.text + original.slice(mutation.end));
    const noticed = isNoticed(folder, mutation);
    writeFileSync(target, original);
    if (!noticed) survivors++;
    const change = `${original.slice(mutation.start, mutation.end)} -> ${mutation.text}`;
    console.log(`${noticed ? 'noticed ' : 'SURVIVED'} ${mutation.path}:${mutation.line}  ${change}`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${chosen.length - survivors} of ${chosen.length} noticed`);
process.exitCode = survivors ? 1 : 0;
