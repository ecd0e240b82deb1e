import { expect, it } from 'vitest';
import { failures } from '../../src/model/failures.ts';
import { compress } from '../../src/server/compression.ts';
import { sizeOf } from '../../src/server/http.ts';
import { compileApp, ownFailures } from '../../src/web/compile.ts';

const { files, metafile } = await compileApp();
const scripts = files.filter(({ name }) => name.endsWith('.js'));
const outputs = Object.fromEntries(Object.entries(metafile.outputs).map(([path, output]) => [path.split('/').pop()!, output]));
/** Sizes of the scripts in KB as the server sends them, with the coding that makes them larger. */
const sizes = new Map(
  await Promise.all(
    scripts.map(async ({ name, bytes }) => {
      const file = { status: 200, headers: { 'Content-Type': 'text/javascript; charset=utf-8' }, body: [bytes] };
      const responses = await Promise.all(['gzip', 'br'].map((coding) => compress(file, coding)));
      return [name, Math.max(...responses.map(({ body }) => sizeOf(body))) / 1024] as const;
    }),
  ),
);
const kbOf = (names: Iterable<string>) => [...names].reduce((sum, name) => sum + sizes.get(name)!, 0);

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
const scriptOf = (module: string) => Object.keys(outputs).find((name) => outputs[name]!.entryPoint?.endsWith(module))!;
const dialogs = withImports(scriptOf('keys/all-dialogs.ts'), new Set(first));
const [pages, parts] = [...new Set(importedLater(first))].reduce<[string[], string[]]>(
  (sorted, name) => {
    sorted[/\/(page|new)\.tsx$/.test(outputs[name]!.entryPoint!) ? 0 : 1].push(name);
    return sorted;
  },
  [[], []],
);
/** The calendar with its views and dialogs, all of which the calendar loads when the browser is idle. */
const calendar = parts.reduce((loaded, part) => withImports(part, loaded), new Set(first));

/** Returns the scripts of a view, and those with each of its dialogs open. */
function statesOf(view: string, before: ReadonlySet<string>): Set<string>[] {
  const loaded = withImports(view, new Set(before));
  const later = importedLater([...loaded].filter((name) => !before.has(name)));
  return [loaded, ...later.flatMap((part) => statesOf(part, loaded))];
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

it('the first view loads at most 30 KB of compressed script, any view with any of its dialogs 48 KB, and all of them 110 KB', () => {
  // A month can be dragged at once.
  expect(kbOf(withImports(scriptOf('edit/interaction.ts'), new Set(first)))).toBeLessThan(30);
  const states = [calendar, ...pages.flatMap((page) => [withImports(page, new Set(dialogs)), ...statesOf(page, first)])];
  expect(pages.map((name) => outputs[name]!.entryPoint!.split('/').at(-2)).sort()).toEqual(
    'data explorer forms records traffic workbench'.split(' '),
  );
  expect(states.map((names) => ({ scripts: [...names], kb: kbOf(names) })).filter(({ kb }) => kb >= 48)).toEqual([]);
  expect(kbOf(sizes.keys())).toBeLessThan(110);
});
