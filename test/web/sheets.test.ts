import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const app = fileURLToPath(new URL('../../src/web/app/', import.meta.url));
const paths = readdirSync(app, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll('\\', '/'));
const read = (path: string) => readFileSync(join(app, path), 'utf8');
const components = paths.filter((path) => path.endsWith('.tsx')).map((path) => ({ path, text: read(path) }));
const sheets = paths.filter((path) => path.endsWith('.css')).map((path) => ({ path, text: read(path).replace(/\/\*[\s\S]*?\*\//g, '') }));
const isShared = ({ path }: { path: string }) => path.startsWith('styles/');
const own = sheets.filter((sheet) => !isShared(sheet));

/** The components that import a sheet. */
const importersOf = (sheet: string) =>
  components.filter(({ path, text }) =>
    [...text.matchAll(/^import '(.*\.css)';$/gm)].some(([, name]) => join(dirname(path), name!) === sheet),
  );
/** The selectors of a sheet, without those of keyframes. */
const selectorsOf = (text: string) =>
  [...text.replace(/@keyframes[^{]*\{(?:[^{}]*\{[^}]*\})*\s*\}/g, '').matchAll(/([^{};]+)\{/g)]
    .map(([, selector]) => selector!.trim())
    .filter((selector) => !selector.startsWith('@'));
/** Declarations as pairs. */
const declarationsOf = (text: string) => [...text.matchAll(/([\w-]+):\s*([^;{}]+);/g)].map(([, name, value]) => [name!, value!] as const);
const classesIn = (selector: string) => [...selector.matchAll(/\.([a-z][\w-]*)/g)].map(([, name]) => name!);
const isOwn = (name: string, prefix: string) => name === prefix || name.startsWith(`${prefix}-`);
/** The classes that shared sheets define. */
const sharedClasses = new Set(sheets.filter(isShared).flatMap(({ text }) => selectorsOf(text).flatMap(classesIn)));
/** The classes that a component writes, also in the strings of an expression. */
const writtenIn = (text: string) =>
  [...text.matchAll(/\bclass=(?:("[^"]*")|\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\})/g)].flatMap(([, plain, code]) =>
    [...(plain ?? code!).matchAll(/"([^"]*)"|'([^']*)'|`([^`$]*)/g)].flatMap(([, ...texts]) => texts.join(' ').split(/\s+/)),
  );

/** Faults of a selector in the sheet of a component. */
function faultsOf(selector: string, prefix: string, code: string): string[] {
  return selector.split(/,(?![^(]*\))/).flatMap((each) => {
    const names = classesIn(each);
    const compounds = each.replace(/\[[^\]]*\]/g, '').split(/[\s>+~]+/);
    return [
      ...(names.some((name) => isOwn(name, prefix)) ? [] : [`${each}: has no own class`]),
      ...compounds.flatMap((compound) => {
        const states = classesIn(compound).filter((name) => !isOwn(name, prefix));
        return states.length && states.length === classesIn(compound).length && !compound.startsWith(':')
          ? [`${each}: ${compound} is of another sheet`]
          : [];
      }),
      ...names
        .filter((name) => !isOwn(name, prefix) && sharedClasses.has(name) && name.includes('-'))
        .map((name) => `${each}: ${name} is shared`),
      ...[...each.replace(/\[[^\]]*\]|:{1,2}[a-z-]+(?!\w*\()|[.#][\w-]+/g, ' ').matchAll(/(?<![\w-])([a-z][a-z0-9]*)(?![\w-]*\()/g)]
        .map(([, element]) => element!)
        .filter((element) => !new RegExp(`<${element}\\b`).test(code) && element !== 'app')
        .map((element) => `${each}: does not write ${element}`),
    ];
  });
}

describe('a sheet belongs to a component', () => {
  it('a shared sheet has no class that a component uses as a state: it would style or hide the component', () => {
    const compoundsIn = (text: string) => selectorsOf(text).flatMap((selector) => selector.split(/[\s>+~,]+/));
    const alone = new Set(sheets.filter(isShared).flatMap(({ text }) => compoundsIn(text).filter((each) => /^\.[\w-]+$/.test(each))));
    const states = own.flatMap(({ path, text }) => {
      const prefix = basename(path, '.css');
      return compoundsIn(text).flatMap((each) => classesIn(each).filter((name) => !isOwn(name, prefix) && classesIn(each).length > 1));
    });
    expect([...new Set(states)].filter((name) => alone.has(`.${name}`))).toEqual([]);
  });

  it.each(own)('$path', ({ path, text }) => {
    const importers = importersOf(path);
    const prefix = basename(path, '.css');
    const code = importers.map((each) => each.text).join('\n');
    expect(importers.map((each) => dirname(each.path)).filter((folder) => folder !== dirname(path))).toEqual([]);
    expect(prefix === 'prose' ? [] : selectorsOf(text).flatMap((selector) => faultsOf(selector, prefix, code))).toEqual([]);
    const others = components.filter(
      (each) => !importers.includes(each) && writtenIn(each.text).some((name) => isOwn(name, prefix) && !sharedClasses.has(name)),
    );
    expect(others.map((each) => each.path)).toEqual([]);
  });
  it('no two sheets have one name', () => expect(new Set(own.map(({ path }) => basename(path))).size).toBe(own.length));
  it.each([
    ['.layer .columns', 'columns is of another sheet'],
    ['.layer h2', 'does not write h2'],
    ['.open', 'no own class'],
    ['.layer:has(.open)', ''],
    ['.layer.open > .layer-close', ''],
  ])('%s: %s', (selector, fault) => expect(faultsOf(selector, 'layer', '<dialog>').join() || '').toContain(fault));
});

describe('one scale', () => {
  const literal = /(?<![\w-])-?(?!0(?![.\d]))[\d.]+(?:px|rem)/;
  it.each(sheets)('$path', ({ path, text }) => {
    const declarations = declarationsOf(text);
    const spaces = declarations.filter(
      ([name, value]) => /^(padding|margin|gap|row-gap|column-gap|border(-\w+)*-radius)/.test(name) && literal.test(value),
    );
    const layers = declarations.filter(
      ([name, value]) => name === 'z-index' && !/^(var\(--layer-\w+\)|[123]|var\(--column\)|calc\(var\(--columns\) \+ 1\))$/.test(value),
    );
    const widths = [...text.matchAll(/@media[^{]*?(?:\bwidth\s*[<>]=?|-width:)\s*([\d.]+\w+)/g)].map(([, width]) => width!);
    expect([path, ...spaces, ...layers]).toEqual([path]);
    expect(widths.filter((width) => !['40rem', '64rem', '100rem'].includes(width))).toEqual([]);
  });
  it('has six spaces, three radii and four layers', () => {
    const tokens = declarationsOf(read('styles/tokens.css'));
    const named = (prefix: string) => tokens.filter(([name]) => name.startsWith(prefix)).map(([, value]) => value);
    expect(named('--space-').map((value) => (Number.parseFloat(value) * 16) % 4)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(named('--radius')).toHaveLength(3);
    expect(tokens.filter(([name]) => /^--layer-(?!gap)/.test(name))).toHaveLength(4);
  });
  it('has at most 1,665 declarations', () => expect(sheets.flatMap(({ text }) => declarationsOf(text)).length).toBeLessThanOrEqual(1665));
});
