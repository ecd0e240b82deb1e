import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { failures } from '../../src/model/failures.ts';
import { compileApp, ownFailures } from '../../src/web/compile.ts';

const { files, metafile } = await compileApp();
const scripts = files.filter(({ name }) => name.endsWith('.js'));
const outputs = Object.fromEntries(Object.entries(metafile.outputs).map(([path, output]) => [path.split('/').pop()!, output]));
const gzippedKb = (names: Iterable<string>) =>
  [...names].reduce((sum, name) => sum + gzipSync(scripts.find((file) => file.name === name)!.bytes).length / 1024, 0);

/** Returns a script and those that it imports statically. */
function withImports(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  for (const { path, kind } of outputs[name]!.imports) if (kind === 'import-statement') withImports(path.split('/').pop()!, found);
  return found;
}
const first = withImports(scripts.find(({ name }) => name.startsWith('main-'))!.name);
const importedLater = (names: Iterable<string>) =>
  [...names].flatMap((name) =>
    outputs[name]!.imports.filter(({ kind }) => kind === 'dynamic-import').map(({ path }) => path.split('/').pop()!),
  );
const views = importedLater(first);

/** Returns the scripts of a view, and those with each of its dialogs open. */
function statesOf(view: string, before: ReadonlySet<string>): Set<string>[] {
  const loaded = withImports(view, new Set(before));
  const parts = importedLater([...loaded].filter((name) => !before.has(name)));
  return [loaded, ...parts.flatMap((part) => statesOf(part, loaded))];
}

it('the page contains no schemas and unused parts of the model', () => {
  const used = Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput ? [path] : [])),
  );
  expect(used.filter((path) => /zod|model\/(resources|operations\/(all|data|operation))/.test(path))).toEqual([]);
});

it('the page contains the failures that its scripts throw', () => {
  const text = scripts.map(({ bytes }) => Buffer.from(bytes).toString()).join('\n');
  const codes = [...text.matchAll(/new [\w$]+\("([\w-]+)",/g)].map(([, code]) => code!).filter((code) => Object.hasOwn(failures, code));
  expect(codes.length).toBeGreaterThan(0);
  expect(Object.keys(ownFailures)).toEqual(expect.arrayContaining(codes));
});

it('the first view loads at most 30 KB of compressed script, any view with any of its dialogs 45 KB, and all of them 110 KB', () => {
  expect(views.length).toBeGreaterThan(3);
  expect(gzippedKb(first)).toBeLessThan(30);
  const states = views.flatMap((view) => statesOf(view, first));
  expect(states.length).toBeGreaterThan(views.length);
  for (const state of states)
    expect({ scripts: [...state], kb: gzippedKb(state) }).toMatchObject({ kb: expect.toSatisfy((kb) => kb < 45) });
  expect(gzippedKb(scripts.map(({ name }) => name))).toBeLessThan(110);
});
