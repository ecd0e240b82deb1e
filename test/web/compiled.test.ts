import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { compileApp } from '../../src/web/compile.ts';

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
const entry = scripts.find(({ name }) => name.startsWith('main-'))!.name;
const views = [...withImports(entry)].flatMap((name) =>
  outputs[name]!.imports.filter(({ kind }) => kind === 'dynamic-import').map(({ path }) => path.split('/').pop()!),
);

it('the page contains no schemas and unused parts of the model', () => {
  const used = Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput ? [path] : [])),
  );
  expect(used.filter((path) => /zod|model\/(resources|operations\/(all|data|operation))/.test(path))).toEqual([]);
});

it('the first view loads at most 30 KB of compressed script, any view 45 KB, and all of them 110 KB', () => {
  expect(views.length).toBeGreaterThan(3);
  expect(gzippedKb(withImports(entry))).toBeLessThan(30);
  for (const view of views)
    expect({ view, kb: gzippedKb(withImports(view, withImports(entry))) }).toMatchObject({ kb: expect.toSatisfy((kb) => kb < 45) });
  expect(gzippedKb(scripts.map(({ name }) => name))).toBeLessThan(110);
});
