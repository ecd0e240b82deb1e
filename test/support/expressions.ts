import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';

export interface Expression {
  /** File below src, and the line. */
  at: string;
  source: string;
  flags: string;
}

interface Node {
  type?: string;
  start: number;
  regex?: { pattern: string; flags: string };
  callee?: { name?: string };
}

const folder = join(import.meta.dirname, '../../src');
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

function nodesIn(value: unknown): Node[] {
  if (Array.isArray(value)) return value.flatMap(nodesIn);
  return isNode(value) ? [value, ...Object.values(value).flatMap(nodesIn)] : [];
}

/** The regular expressions that a file, and those that it imports, make of texts when they are loaded. */
async function builtIn(file: string): Promise<Expression[]> {
  const built: Expression[] = [];
  const Original = globalThis.RegExp;
  const keep = (expression: RegExp) => {
    const [, at = file] = Original.prototype.exec.call(/\/src\/([^:?)]+\.tsx?)/, new Error().stack ?? '') ?? [];
    built.push({ at, source: expression.source, flags: expression.flags });
    return expression;
  };
  globalThis.RegExp = new Proxy(Original, {
    construct: (target, args) => keep(Reflect.construct(target, args)),
    apply: (target, self, args) => keep(Reflect.apply(target, self, args)),
  });
  try {
    await import(join(folder, file));
  } finally {
    globalThis.RegExp = Original;
  }
  return built;
}

/** Every regular expression of the sources: the literal ones, and those that are made of texts when a file is loaded, except in the page. */
export async function allExpressions(): Promise<Expression[]> {
  const found: Expression[] = [];
  for (const file of (readdirSync(folder, { recursive: true }) as string[]).filter((name) => /\.tsx?$/.test(name)).sort()) {
    const text = readFileSync(join(folder, file), 'utf8');
    const nodes = nodesIn(parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' }));
    for (const { regex, start } of nodes)
      if (regex) found.push({ at: `${file}:${text.slice(0, start).split('\n').length}`, source: regex.pattern, flags: regex.flags });
    if (!file.startsWith('web') && nodes.some(({ callee }) => callee?.name === 'RegExp')) found.push(...(await builtIn(file)));
  }
  return [...new Map(found.map((each) => [each.source + each.flags, each])).values()];
}

/** Expressions that may take the square of a text, and what keeps their texts short. */
const bounded: Record<string, string> = {
  'cli/usage-errors.ts': 'arguments of the command line',
  'data/json-position.ts': 'the message of the parser, which quotes a few characters',
  'server/hooks/hooks.ts': 'stack traces',
  'model/time/parse-date.ts': 'readPhpDate takes 200 characters',
  'model/time/typed': 'lines and dates that a person types; typedDate takes 200 characters',
  'model/fields/typed-cost.ts': 'typedCost takes 500 characters',
  'web/app': 'the page in the browser of the person who looks at it',
};

/** The expressions that see texts of any length. */
export const unboundedExpressions = async (): Promise<Expression[]> =>
  (await allExpressions()).filter(({ at }) => !Object.keys(bounded).some((start) => at.startsWith(start)));

/** Characters and words that an expression may consume: its own, and one of each class. */
export function piecesFor({ source }: Expression): string[] {
  const words = source.match(/[a-z]{2,}/gi) ?? [];
  const characters = source.replace(/\\[bBdDsSwWpPuxk]/g, '').match(/[^\\]/gu) ?? [];
  return [...new Set([...characters, ...words, '0', 'a', 'A', ' ', '\n', '\t', '\0', '.', '<', '/', '"'])];
}

const bestOf = (runs: number, work: () => void): number =>
  Math.min(
    ...Array.from({ length: runs }, () => {
      const start = performance.now();
      work();
      return performance.now() - start;
    }),
  );

/** A linear expression takes less for 2,000 characters, in ms. */
const suspiciousMs = 0.5;

/** The time that an expression takes for 20,000 characters of a repeated text, as a multiple of that for 2,000; undefined if it is quick. */
export function growthOf({ source, flags }: Expression, before: string, repeated: string, after: string): number | undefined {
  const expression = new RegExp(source, flags);
  const taking = (size: number) => {
    const text = before + repeated.repeat(Math.ceil(size / repeated.length)) + after;
    return () => {
      expression.lastIndex = 0;
      if (expression.global) text.replace(expression, '');
      else expression.exec(text);
    };
  };
  if (bestOf(1, taking(2000)) < suspiciousMs || bestOf(3, taking(2000)) < suspiciousMs) return undefined;
  return bestOf(3, taking(20_000)) / bestOf(3, taking(2000));
}
