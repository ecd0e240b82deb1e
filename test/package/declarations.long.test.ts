import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'vite';
import { expect, it } from 'vitest';

/** A node of the syntax tree; its other members depend on the type. */
interface Node {
  type: string;
  start: number;
  id?: Node;
  key?: Node;
  name?: string;
  typeAnnotation?: Node | null;
  [name: string]: unknown;
}

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string';
/** Returns the nodes in a node, without the sides of a comparison of types, which declare nothing. */
const childrenOf = ({ checkType, extendsType, ...node }: Node): Node[] => Object.values(node).flat().filter(isNode);

const statements = /^(?:TSInterface|TSTypeAlias|TSDeclareFunction|Class|Variable|Function)(?:Declaration)?$/;
const members = /^(?:TSPropertySignature|TSMethodSignature|PropertyDefinition|MethodDefinition)$/;

/** Returns whether callers can call it: a function, a method, or a property with the type of a function. */
const isFunction = (node: Node): boolean =>
  (/Function|Method/.test(node.type) && node.kind !== 'get') || node.typeAnnotation?.typeAnnotation?.type === 'TSFunctionType';

/** Returns what has no text, or no example although it is a function. */
function missingTexts(declarations: string): string[] {
  const missing: string[] = [];
  const check = (node: Node, start: number, path: string): void => {
    const [comment] = /\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*$/.exec(declarations.slice(0, start)) ?? [];
    if (comment === undefined || /^[/*\s]*@/.test(comment)) missing.push(`${path} has no text`);
    else if (isFunction(node) && !comment.includes('@example')) missing.push(`${path} has no example`);
  };
  const visit = (node: Node, start: number, path: string): void => {
    let below = path;
    const named = node.key ?? node.id ?? (node.declarations as Node[] | undefined)?.[0]?.id;
    if ((statements.test(node.type) || members.test(node.type)) && named && node.kind !== 'constructor') {
      const name = declarations.slice(named.start, named.end as number).replace(/:.*/s, '');
      below = path ? `${path}.${name}` : name;
      check(node.declarations ? { ...node, ...named } : node, start, below);
    }
    // An export starts before what it declares.
    for (const child of childrenOf(node)) visit(child, /^Export/.test(node.type) ? node.start : child.start, below);
  };
  for (const node of childrenOf(parseAst(declarations, { lang: 'dts' }) as unknown as Node)) visit(node, node.start, '');
  return missing;
}

const files = readdirSync('dist').filter((file) => /\.d\.[cm]ts$/.test(file));

it('checks the declarations of every entry point', () => expect(files).toContain('index.d.cts'));

it.each(files)('%s has a text for everything public, and an example for every function', (file) => {
  expect(missingTexts(readFileSync(join('dist', file), 'utf8'))).toEqual([]);
});
