/**
 * Builds dist/calendar.js, a single file that runs alone; the entry points of the package, which load their parts from that file; and
 * THIRD-PARTY-NOTICES.
 */
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire, type SourceMapPayload } from 'node:module';
import { basename, resolve } from 'node:path';
import { build, type Metafile, type Plugin, transform } from 'esbuild';
import type { SourceMaps } from './bin/stack-trace.ts';
import { BundleParts } from './build/bundle-parts.ts';
import { englishOnly, lazySegmenter, ownSubcommands, passageIn, sendingOnly, withoutWaiting } from './build/libraries.ts';
import { noticesOf, packagesIn } from './build/licenses.ts';
import { loadedParts, rarelyUsedParts } from './build/parts.ts';
import { declarationsOf } from './build/types.ts';
import { webAssets } from './build/web.ts';
import { writeRecordTypes } from './scripts/record-types.ts';
import { operationCalls } from './src/client/operation-calls.ts';
import { families } from './src/model/resources/families.ts';
import { emptyCalendar } from './src/store/empty-calendar.ts';

const require = createRequire(import.meta.url);

/** The parts of the bundle. */
const parts = new BundleParts();
const packed = (name: string, bytes: Uint8Array, archive?: string) => parts.addBytes(name, bytes, archive);

/** Compresses WebAssembly, the empty calendar and fixtures, which are unpacked on first use, and inlines what clients know about resources and operations. */
const compressed: Plugin = {
  name: 'compressed',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]store[\\/]sqlite[\\/]wasm\.ts$/ }, () => ({
      contents: `export const wasm = () => ${packed('sqlite.wasm', readFileSync(require.resolve('sql.js/dist/sql-wasm.wasm')))};`,
    }));
    onLoad({ filter: /[\\/]store[\\/]empty-calendar\.ts$/ }, async () => ({
      contents: `let calendar; export const emptyCalendar = async () => (calendar ??= ${packed('empty.db', await emptyCalendar())});`,
    }));
    onLoad({ filter: /[\\/]cli[\\/]serving[\\/]import-module\.ts$/ }, () => ({
      contents: `export const importModule = require('part:import');`,
    }));
    onLoad({ filter: /[\\/]cli[\\/]connect[\\/]load-next\.ts$/ }, () => ({
      contents: `export const loadNext = require('part:next');`,
    }));
    onLoad({ filter: /[\\/]resources[\\/]families\.ts$/ }, () => ({
      contents: `export const families = ${JSON.stringify(families)};`,
    }));
    onLoad({ filter: /[\\/]operation-calls\.ts$/ }, () => ({
      contents: `export const operationCalls = ${JSON.stringify(operationCalls)};`,
    }));
    onLoad({ filter: /[\\/]fixtures[\\/][\w-]+\.json$/ }, ({ path }) => {
      const text = JSON.stringify(JSON.parse(readFileSync(path, 'utf8')));
      return { contents: `export default JSON.parse(${packed(basename(path), Buffer.from(text), 'code')}.toString());` };
    });
    onLoad({ filter: /yoga-wasm-base64-esm\.js$/ }, ({ path }) => {
      const code = readFileSync(path, 'utf8');
      const base64 = passageIn(code, path, /[A-Za-z0-9+/=]{20000,}/g);
      return { contents: `${code.replace(base64, '')}\nexport const bytes = () => ${packed('yoga.wasm', Buffer.from(base64, 'base64'))};` };
    });
  },
};

/** Maximum size of the bundle in bytes. */
const limit = 2_500_000;

/** Options of all bundles. */
const minified = { platform: 'node', target: 'node20', minify: true, legalComments: 'none' } as const;
const mapped = <T extends 'inline' | 'external'>(sourcemap: T) => ({ sourcemap, sourcesContent: false });

writeRecordTypes();
const declarations = declarationsOf('bin/library.ts');

/** esbuild's metadata of the page. */
const pages: Metafile[] = [];

// Each dynamic import becomes a part, and so does code that several of them share. Only parts that are used are compiled.
const { outputFiles, metafile } = await build({
  ...minified,
  entryPoints: { calendar: 'bin/calendar.ts', library: 'bin/library.ts', ...rarelyUsedParts },
  bundle: true,
  splitting: true,
  format: 'esm',
  outdir: 'dist',
  write: false,
  metafile: true,
  ...mapped('inline'),
  jsx: 'automatic',
  external: ['part:*'],
  define: { 'process.env.NODE_ENV': '"production"' },
  plugins: [
    compressed,
    webAssets(packed, (page) => pages.push(page)),
    withoutWaiting,
    lazySegmenter,
    englishOnly,
    ownSubcommands,
    sendingOnly(packed),
  ],
});

const maps: SourceMaps = {};
for (const { path, text } of outputFiles) {
  const name = `./${basename(path)}`;
  const { code: required, map } = await transform(text, {
    ...minified,
    ...mapped('external'),
    format: 'cjs',
    supported: { 'dynamic-import': false },
    sourcefile: name,
  });
  // Only dynamic imports load a part immediately. Both names have the same length: positions in the source map stay.
  const code = required.replace(/(?<==)require(?=\("(?:\.\/|node:))/g, 'linked_');
  const composed: SourceMapPayload = JSON.parse(map);
  maps[name] = { ...composed, sources: composed.sources.map((source) => source.replace(/^(\.\.\/)+/, '')) };
  // The loader reads parts as Latin-1. esbuild escapes other characters, except in regular expressions.
  const [unescaped] = /.{0,40}[\u0080-\uffff].{0,20}/.exec(code) ?? [];
  if (unescaped !== undefined) throw new Error(`${name} contains a character that needs an escape: ${unescaped}`);
  parts.addCode(name, code);
}

const loader = (isLibrary: boolean) =>
  transform(readFileSync('bin/loader.ts', 'utf8'), { ...minified, loader: 'ts', define: isLibrary ? { isLibrary: 'true' } : {} });
const head = await loader(false);
const writeBundle = (): number => {
  const bundle = `#!/usr/bin/env node\n${head.code}function parts() {\n${parts.comment()}\n}\n`;
  writeFileSync('dist/calendar.js', bundle);
  return bundle.length;
};
mkdirSync('dist', { recursive: true });
// The sources are ES modules, the bundle is CommonJS.
writeFileSync('dist/package.json', '{ "type": "commonjs" }\n');
// The library loads its parts from the bundle. The last line declares its exports for ES module importers.
const { exports: names } = Object.values(metafile.outputs).find(({ entryPoint }) => entryPoint === 'bin/library.ts')!;
writeFileSync('dist/index.cjs', `${(await loader(true)).code}0 && (module.exports = { ${names.join(', ')} });\n`);
// The first bundle shows which parts are used often.
writeBundle();
const { all, common } = loadedParts(resolve('dist/calendar.js'), resolve('dist/index.cjs'));
parts.compressAllExcept(all);
parts.common = common;
const size = writeBundle();
if (size > limit) throw new Error(`the bundle has ${size} bytes; it may have ${limit}`);
chmodSync('dist/calendar.js', 0o755);
writeFileSync('dist/calendar.js.map', JSON.stringify(maps));
// `await using` needs the disposable library.
writeFileSync('dist/index.d.cts', `/// <reference lib="esnext.disposable" />\n\n${await declarations}`);
cpSync('bin/runners', 'dist', { recursive: true });

const packages = packagesIn(metafile, ...pages);
writeFileSync('THIRD-PARTY-NOTICES', noticesOf(packages.keys()));

const largest = [...packages].sort(([, a], [, b]) => b - a).slice(0, 8);
const sizes = largest.map(([folder, bytes]) => `${folder.replace(/.*node_modules\//, '')} ${Math.round(bytes / 1000)}`);
console.log(`dist/calendar.js: ${(size / 1e6).toFixed(2)} MB in ${parts.count} parts; it may have ${limit / 1e6} MB`);
console.log(`largest libraries, in KB before compression: ${sizes.join(', ')}`);
