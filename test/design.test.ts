import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Every file under some folders, as paths from the root with slashes. */
function filesIn(...folders: string[]): string[] {
  const found: string[] = [];
  for (const folder of folders)
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
      if (entry.isFile()) found.push(relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'));
  return found;
}
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const sources = filesIn('bin', 'src').filter((file) => /\.tsx?$/.test(file));

/** The modules that a file imports, in any form. */
const importsOf = (text: string) =>
  [
    ...text.matchAll(
      /^(?:import|export)\b[^'"();=]*?\bfrom\s*['"]([^'"\n]+)|^import\s*['"]([^'"\n]+)|(?<![.\w])import\(\s*['"]([^'"\n]+)/gm,
    ),
  ].map((found) => (found[1] ?? found[2] ?? found[3])!);

/** The layer of a file, or of what it imports. */
const layerOf = (path: string) => (path.startsWith('src/') ? path.split('/')[1]! : path.split('/')[0]!);

/** Rule 1: what each layer may import of this project. */
const layers: Record<string, string[]> = {
  bin: ['bin', 'cli', 'testing', 'model'],
  cli: ['cli', 'data', 'store', 'server', 'client', 'web', 'model', 'package.json'],
  testing: ['testing', 'data', 'store', 'server', 'client', 'web', 'model', 'package.json'],
  data: ['data', 'store', 'server', 'client', 'model', 'fixtures', 'package.json'],
  store: ['store', 'model'],
  server: ['server', 'model', 'package.json'],
  client: ['client', 'model'],
  web: ['web', 'model'],
  model: ['model'],
};
/** And of other packages; `node:` stands for what opens things. */
const packages: Record<string, RegExp> = {
  bin: /^node:/,
  cli: /./,
  testing: /^node:/,
  data: /^(node:.*|zod)$/,
  store: /^(node:.*|sql\.js(\/.*)?)$/,
  server: /^(node:.*|content-disposition|fresh|negotiator|rfc6902|vary|zod)$/,
  client: /^(node:.*|undici|zod)$/,
  web: /^(node:.*|esbuild|preact(\/.*)?)$/,
  model: /^(?!node:|sql\.js|undici|commander|ink|react|picocolors|@bomb)/,
};

describe('rule 1: bin -> {cli, testing} -> data -> {store, server, client} -> model', () => {
  it('holds for the layers there are', () => expect([...new Set(sources.map(layerOf))].sort()).toEqual(Object.keys(layers).sort()));
  it.each(sources)('%s', (file) => {
    for (const name of importsOf(read(file))) {
      if (name.startsWith('.'))
        expect([name, layers[layerOf(file)]]).toEqual([
          name,
          expect.arrayContaining([layerOf(relative(root, join(root, file, '..', name)))]),
        ]);
      else expect(`${file} imports ${name}`).toMatch(new RegExp(`imports ${packages[layerOf(file)]!.source.replace(/^\^/, '')}`));
    }
  });
  it.each([
    [`import { a } from './a.ts';`, ['./a.ts']],
    [`import type { A } from '../model/a.ts';\nexport * from "x"`, ['../model/a.ts', 'x']],
    [`const { a } = await import('../store/open.ts');`, ['../store/open.ts']],
    [`import 'node:fs';\nexport { b } from './b.ts';`, ['node:fs', './b.ts']],
  ])('imports are found in %j', (text, names) => expect(importsOf(text)).toEqual(names));
});

/** The files of this project that each file imports, types too. */
const graph = new Map(
  sources.map((file) => [
    file,
    importsOf(read(file))
      .filter((name) => name.startsWith('.'))
      .map((name) =>
        relative(root, join(root, file, '..', name))
          .split(sep)
          .join('/'),
      )
      .filter((name) => sources.includes(name)),
  ]),
);

/** Every file that can be reached from one by following imports. */
function reachableFrom(file: string): Set<string> {
  const found = new Set<string>();
  const next = [...graph.get(file)!];
  for (let each = next.pop(); each !== undefined; each = next.pop())
    if (!found.has(each)) {
      found.add(each);
      next.push(...graph.get(each)!);
    }
  return found;
}

it('no files import each other in a circle', () => {
  expect(sources.filter((file) => reachableFrom(file).has(file))).toEqual([]);
});

it('no two exported types have one name', () => {
  const places = new Map<string, string[]>();
  for (const file of sources)
    for (const [, name = ''] of read(file).matchAll(/^export (?:declare )?(?:abstract )?(?:class|interface|type|enum) (\w+)/gm))
      places.set(name, [...(places.get(name) ?? []), file]);
  expect([...places].filter(([, files]) => files.length > 1)).toEqual([]);
});

it('the file layer of the store does not depend on the calendar', () => {
  const known = sources.filter((file) => /^src\/store\/(file|sqlite)\//.test(file)).flatMap((file) => graph.get(file)!);
  expect([...new Set(known)].filter((file) => !/^src\/(store\/(file|sqlite)\/|model\/(error|grammar|record)\.ts)/.test(file))).toEqual([]);
});

it('cli/commands holds one file for each command', () => {
  const named = [...read('src/cli/registry.ts').matchAll(/import\('\.\/commands\/(\w+)\.ts'\)/g)].map(
    ([, name]) => `src/cli/commands/${name}.ts`,
  );
  expect(sources.filter((file) => file.startsWith('src/cli/commands/')).sort()).toEqual([...new Set(named)].sort());
});

describe('rule 9: src is handed the terminal', () => {
  it.each(sources.filter((file) => file.startsWith('src/')))('%s', (file) => {
    expect(read(file).match(/process\s*\.\s*(exit|argv|stdout|stdin|exitCode)\b|console\.\w+/g)).toBeNull();
  });
});

it.each(sources.filter((file) => file.startsWith('src/web/app/')))('lengths in pixels are in style sheets only: %s', (file) => {
  expect(read(file).match(/\w*[a-z]Px\b|\b\d[\d.]* ?px\b/g)).toBeNull();
});

/** The calls in a text that start a process, with their arguments. */
function* startsIn(text: string): Generator<string> {
  for (const { index } of text.matchAll(
    /\b(?:spawn|spawnSync|fork|exec|execSync|execFile|execFileSync|promisify\(\w+\)|run)\((?=process\.execPath|[\w'"])/g,
  )) {
    let depth = 0;
    let end = index;
    for (; end < text.length; end++) {
      if (text[end] === '(') depth++;
      if (text[end] === ')' && --depth === 0 && text[end + 1] !== '(') break;
    }
    yield text.slice(index, end);
  }
}

describe('what tests start has the mark of their run', () => {
  const starting = filesIn('test').filter((file) => /\.tsx?$/.test(file) && importsOf(read(file)).includes('node:child_process'));
  it.each(starting)('%s', (file) => {
    const text = read(file);
    const isSeparate = [...startsIn(text)].some((call) => /\benv\b(?! =)/.test(call.replace(/'[^']*'/g, '')));
    // An environment that is not given is inherited.
    if (isSeparate) expect(text).toMatch(/\bprocess\.env\b(?![.[])|\.\.\.runMark\b/);
  });
  it.each([
    ["spawn('a', ['b'], { env })", true],
    ["promisify(execFile)(program, args, { cwd, env: { A: 'b' } })", true],
    ["spawn('env', ['-i'])", false],
  ])('%s has a separate environment: %s', (text, isSeparate) =>
    expect([...startsIn(text)].some((call) => /\benv\b/.test(call.replace(/'[^']*'/g, '')))).toBe(isSeparate),
  );
});

it('files are nouns', () => {
  expect(sources.filter((file) => /(^|\/)(utils?|helpers?|common|types|index|misc|shared)\.tsx?$/.test(file))).toEqual([]);
});

it('the brand of the reference is not named', () => {
  const words = [
    ['tri', 'be'],
    ['the events ', 'calendar'],
  ].map((parts) => parts.join(''));
  const named = new RegExp(words.join('|'), 'i');
  const files = [...filesIn('bin', 'src', 'test', 'fixtures', 'docs'), 'README.md', 'package.json'];
  expect(files.filter((file) => named.test(file) || named.test(read(file)))).toEqual([]);
});

it('no folder but cli/commands has more than 24 files', () => {
  const counts = new Map<string, number>();
  for (const file of filesIn('src')) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  counts.delete('src/cli/commands');
  expect([...counts].filter(([, count]) => count > 24)).toEqual([]);
});
