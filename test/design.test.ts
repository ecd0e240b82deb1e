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
  bin: ['bin', 'cli', 'testing', 'data', 'store', 'web', 'model', 'machine.ts'],
  cli: ['cli', 'machine.ts', 'data', 'store', 'server', 'client', 'web', 'model', 'package.json'],
  testing: ['testing', 'machine.ts', 'data', 'store', 'server', 'client', 'web', 'model', 'package.json'],
  data: ['data', 'machine.ts', 'store', 'server', 'client', 'model', 'fixtures', 'package.json'],
  store: ['store', 'machine.ts', 'model'],
  server: ['server', 'machine.ts', 'model', 'package.json'],
  client: ['client', 'model'],
  web: ['web', 'model'],
  model: ['model'],
  'machine.ts': [],
};
/** And of other packages; `node:` stands for what opens things. */
const packages: Record<string, RegExp> = {
  bin: /^(node:|@noble\/hashes\/|sql\.js$)/,
  cli: /./,
  testing: /^node:/,
  data: /^(node:.*|zod)$/,
  store: /^(node:.*|sql\.js(\/.*)?)$/,
  server: /^(node:.*|content-disposition|fresh|negotiator|rfc6902|vary|zod)$/,
  client: /^(node:.*|undici|zod)$/,
  web: /^(node:.*|esbuild|preact(\/.*)?)$/,
  'machine.ts': /^sql\.js$/,
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

/** The modules that a file loads when it is loaded: no types, and nothing that it imports on use. */
const loadedBy = (file: string): string[] =>
  [...read(file).matchAll(/^(?:import|export) (?!type )(?:(\{[^}]*\})|[^'{;]*) ?from '([^']+)'/gm)]
    .filter(([, names]) => names === undefined || /[{,]\s*(?!type )\w/.test(names))
    .map(([, , module = '']) => (module.startsWith('.') ? join(dirname(file), module).split(sep).join('/') : module));

/** Everything that is loaded with a file. */
function loadedWith(start: string): Set<string> {
  const found = new Set([start]);
  for (const file of found) if (sources.includes(file)) for (const module of loadedBy(file)) found.add(module);
  return found;
}

it('a command loads no resources and no database with its machine', () => {
  const found = loadedWith('bin/machine/node.ts');
  expect(found).toContain('src/store/snapshot-folder.ts');
  expect([...found].filter((module) => /^src\/(model\/resources|store\/(records|sqlite|file\/database))/.test(module))).toEqual([]);
});

it('a calendar of a test loads no validator and no parser before it needs one', () => {
  const found = loadedWith('src/testing/serve.ts');
  expect(found.size).toBeGreaterThan(200);
  expect([...found].filter((module) => /^(zod|ical\.js|windows-iana|undici|papaparse|rrule.*|entities|ink)$/.test(module))).toEqual([]);
});

/** The modules that a file imports on use. */
const loadedOnUse = (file: string): string[] =>
  [...read(file).matchAll(/(?<![.\w])import\(\s*['"]([^'"]+)/g)].map(([, module = '']) =>
    module.startsWith('.') ? join(dirname(file), module).split(sep).join('/') : module,
  );

/** The uses of globals that browsers lack, comments aside. Timers of browsers are numbers. */
const nodeGlobals = (text: string): string[] =>
  text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/(?<!:)\/\/.*$/gm, '')
    .match(
      /(?<![.\w])(?:Buffer\b|process(?=\??\.\w|\[)|(?:set|clear)Immediate\b|__(?:dir|file)name\b|require\()|\bimport\.meta\.\w+|\.unref\(/g,
    ) ?? [];

describe('a calendar in memory loads only what browsers have', () => {
  it('its modules, and those that they import on use', () => {
    const found = new Set(['src/testing/serve.ts']);
    const needed: string[] = [];
    for (const file of found) {
      for (const module of [...loadedBy(file), ...loadedOnUse(file)])
        if (sources.includes(module)) found.add(module);
        else if (module.startsWith('node:')) needed.push(`${file}: ${module}`);
      for (const name of nodeGlobals(read(file))) needed.push(`${file}: ${name}`);
    }
    expect(found.size).toBeGreaterThan(250);
    expect(needed).toEqual([]);
  });
  it.each([
    ['process.env.A ?? process?.cwd()', ['process', 'process']],
    ['const bytes: Buffer = Buffer.from(text);', ['Buffer', 'Buffer']],
    ['setImmediate(wake); timer.unref();', ['setImmediate', '.unref(']],
    ['timer.unref?.(); new ArrayBuffer(8); ending.process.run()', []],
    ["// process.env\nconst hint = 'Stop that process.'; /* Buffer */", []],
  ])('globals are found in %j', (text, names) => expect(nodeGlobals(text)).toEqual(names));
});

/** The exports of each file of `src`: their names. */
const exportsOf = new Map(
  sources
    .filter((file) => file.startsWith('src/'))
    .map((file) => [
      file,
      [...read(file).matchAll(/^export (?:declare |abstract |async )*(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm)].map(
        ([, name]) => name!,
      ),
    ]),
);
/** The imports of names, as `FILE NAME`, with the files that import them. A module that is taken as a whole, as `import * as` does, is used by every word of the file. */
const uses = new Map<string, Set<string>>();
function noteUse(from: string, module: string, name: string): void {
  const key = `${join(dirname(from), module).split(sep).join('/')} ${name}`;
  uses.set(key, (uses.get(key) ?? new Set()).add(from));
}
for (const file of [...filesIn('bin', 'src', 'test', 'scripts', 'bench', 'build'), 'build.ts'].filter((name) =>
  /\.([cm]?ts|tsx|mjs)$/.test(name),
)) {
  const text = read(file);
  for (const [, names = '', module = ''] of text.matchAll(/^(?:import|export) (?:type )?(?:\w+, )?\{([^}]*)\} from '(\.[^']*)'/gm))
    for (const name of names.split(',')) {
      noteUse(file, module, name.trim().replace(/^type | as .*/g, ''));
      // It writes a file of imports that a checkout has not yet.
      if (file === 'scripts/record-types.ts') noteUse('src/model/resources/record-types.ts', module, name.trim());
    }
  for (const [, one, all] of text.matchAll(/import\(\s*'(\.[^']*)'\s*\)|^(?:import|export) (?:type )?\* (?:as \w+ )?from '(\.[^']*)'/gm))
    for (const word of new Set(text.match(/\w+/g))) noteUse(file, (one ?? all)!, word);
}
// Names that a file exports again are used where it is.
for (const file of exportsOf.keys())
  for (const [, module = ''] of read(file).matchAll(/^export \* from '(\.[^']*)'/gm))
    for (const key of [...uses.keys()]) if (key.startsWith(`${file} `)) noteUse(file, module, key.slice(file.length + 1));

/** True for a type that the compiler names in the declarations of the package: of the input of an operation, or of a member of a field. */
const isDeclared = (file: string, name: string): boolean =>
  /^src\/model\/(operation-types\.ts|operations\/|resources\/declared\.ts|fields\/field\.ts)/.test(file) &&
  new RegExp(`^export (?:interface|type) ${name}\\b`, 'm').test(read(file));

it('what only its file uses is not exported', () => {
  const all = [...exportsOf].flatMap(([file, names]) => names.map((name) => ({ file, name })));
  expect(all.filter(({ file, name }) => !uses.has(`${file} ${name}`) && !isDeclared(file, name))).toEqual([]);
});

/** The exported names that occur more than once, with the reason. The list only becomes shorter. */
const sameNames: Record<string, string> = {
  counted: 'a count with its noun; the page groups digits like the browser',
  dayText: 'a day as the terminal and as the page show it',
  daysText: 'the same of several days',
  monthText: 'the same of a month',
  timeText: 'the same of a time',
  weekdayText: 'the same of a weekday',
  today: 'the current day of a calendar; the page has one',
  wallNow: 'the current time of a calendar; the page has one',
  faults: 'the operations, and the step of a request that injects faults',
  flag: 'a kind of field, and the filter of its values',
  wordFlag: 'a kind of field, and the filter of its values',
  status: 'a kind of field, and the filter of its values',
};

it('an exported name is unique, or means the same everywhere', () => {
  const places = new Map<string, string[]>();
  for (const [file, names] of exportsOf) for (const name of names) places.set(name, [...(places.get(name) ?? []), file]);
  const isByRule = ([name, files]: [string, string[]]) =>
    (name === 'build' && files.every((file) => file.startsWith('src/cli/commands/'))) ||
    // An operation and its implementation.
    files.every((file) => /^src\/(model|data)\/operations\//.test(file)) ||
    // A type and a component.
    (/^[A-Z]/.test(name) && files.length === 2 && files.some((file) => file.endsWith('.tsx')));
  expect(
    [...places]
      .filter((place) => place[1].length > 1 && !isByRule(place))
      .map(([name]) => name)
      .sort(),
  ).toEqual(Object.keys(sameNames).sort());
});

/** The names of functions of more than one file of a folder, which mean the same. The list only becomes shorter. */
const sameFunctions: Record<string, string> = {
  'src/model/fields flag': 'a kind of field, and the filter of its values',
  'src/model/fields wordFlag': 'a kind of field, and the filter of its values',
  'src/model/fields status': 'a kind of field, and the filter of its values',
};

it('a function of a file has no other meaning in its folder', () => {
  const places = new Map<string, string[]>();
  for (const file of exportsOf.keys())
    if (!file.startsWith('src/cli/commands/'))
      for (const [, one, other] of read(file).matchAll(
        /^(?:export )?(?:(?:async )?function\*? (\w+)|const (\w+)(?:: [^=\n]+)? =(?: async)? (?:<.*>)?\([^\n]*=>)/gm,
      )) {
        const key = `${dirname(file)} ${one ?? other}`;
        places.set(key, [...(places.get(key) ?? []), file]);
      }
  const twice = [...places].filter(([, files]) => new Set(files).size > 1).map(([key]) => key);
  expect(twice.sort()).toEqual(Object.keys(sameFunctions).sort());
});

it('the glossary has the types that cross a folder', () => {
  const glossary = read('docs/architecture.md').split('## Glossary')[1]!;
  const named = [...glossary.matchAll(/^\| [^|]+ \| ([^|]*) \|/gm)].flatMap(([, types = '']) => types.match(/\w+/g) ?? []);
  const types = [...exportsOf].flatMap(([file]) =>
    [...read(file).matchAll(/^export (?:declare |abstract )*(?:class|interface|type) (\w+)/gm)].map(([, name]) => ({ file, name: name! })),
  );
  const crossing = types
    .filter(({ file }) => /^src\/(store|server|client|data)\//.test(file))
    .filter(({ file, name }) =>
      [...(uses.get(`${file} ${name}`) ?? [])].some((user) => user.startsWith('src/') && layerOf(user) !== layerOf(file)),
    );
  expect(crossing.map(({ name }) => name).filter((name) => !named.includes(name))).toEqual([]);
  expect(named.filter((name) => name !== 'Types' && !types.some((type) => type.name === name))).toEqual([]);
});

it('the file layer of the store does not depend on the calendar', () => {
  const known = sources.filter((file) => /^src\/store\/(file|sqlite)\//.test(file)).flatMap((file) => graph.get(file)!);
  expect(
    [...new Set(known)].filter((file) => !/^src\/(store\/(file|sqlite)\/|machine\.ts|model\/(error|grammar|record)\.ts)/.test(file)),
  ).toEqual([]);
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
