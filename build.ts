/**
 * Builds dist/calendar.js, a single file that runs alone; the entry points of the package, which load their parts from that file; and
 * THIRD-PARTY-NOTICES.
 */
import { isAscii } from 'node:buffer';
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire, type SourceMapPayload } from 'node:module';
import { basename } from 'node:path';
import { brotliCompressSync, deflateRawSync } from 'node:zlib';
import { build, type Metafile, type Plugin, transform } from 'esbuild';
import './bin/machine/here.ts';
import type { SourceMaps } from './bin/stack-trace.ts';
import { lazySegmenter, ownSubcommands, passageIn, plainZod, sendingOnly, sqlJsFiles, withoutWaiting } from './build/libraries.ts';
import { buildWebLibrary } from './build/library-web.ts';
import { noticesOf, packagesIn } from './build/licenses.ts';
import { prebuilt } from './build/prebuilt.ts';
import { declarationsOf } from './build/types.ts';
import { webAssets } from './build/web.ts';
import { writeOperationTypes } from './scripts/operation-types.ts';
import { writeRecordTypes } from './scripts/record-types.ts';
import { writeOptionTypes } from './scripts/server-options.ts';

const require = createRequire(import.meta.url);

/** The parts of the bundle by name: chunks of code and assets, which bin/loader.ts loads on first use. */
const parts = new Map<string, Buffer>();

/** Adds an asset. Returns the expression that loads its bytes. */
function packed(name: string, bytes: Uint8Array): string {
  parts.set(`part:${name}`, Buffer.from(bytes));
  return `require('part:${name}')`;
}

/** Adds data as an asset. Returns the expression that parses it. */
const packedJson = (name: string, data: unknown): string => `JSON.parse(${packed(name, Buffer.from(JSON.stringify(data)))}.toString())`;

/** Makes WebAssembly assets. */
const compressed: Plugin = {
  name: 'compressed',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]store[\\/]sqlite[\\/]wasm\.ts$/ }, () => ({
      contents: `export const wasm = () => ${packed('sqlite.wasm', readFileSync(require.resolve('sql.js/dist/sql-wasm.wasm')))};`,
    }));
    onLoad({ filter: /[\\/]cli[\\/]serving[\\/]import-module\.ts$/ }, () => ({
      contents: `export const importModule = require('part:import');`,
    }));
    onLoad({ filter: /yoga-wasm-base64-esm\.js$/ }, ({ path }) => {
      const code = readFileSync(path, 'utf8');
      const base64 = passageIn(code, path, /[A-Za-z0-9+/=]{20000,}/g);
      return { contents: `${code.replace(base64, '')}\nexport const bytes = () => ${packed('yoga.wasm', Buffer.from(base64, 'base64'))};` };
    });
  },
};

/** Maximum size of the bundle in bytes. */
const limit = 2_400_000;

/** Size in bytes from which code is compressed. */
const maxPlain = 8_000;

/** Options of all bundles. */
const minified = { platform: 'node', target: 'node20', minify: true, legalComments: 'none' } as const;
const mapped = <T extends 'inline' | 'external'>(sourcemap: T) => ({ sourcemap, sourcesContent: false });

writeRecordTypes();
writeOptionTypes();
writeOperationTypes();
const declarations = Promise.all([declarationsOf('bin/library.ts'), declarationsOf('bin/web.ts')]);

/** esbuild's metadata of the page. */
const pages: Metafile[] = [];

// Each dynamic import becomes a chunk, and so does code that several of them share.
const { outputFiles, metafile } = await build({
  ...minified,
  entryPoints: { calendar: 'bin/calendar.ts', library: 'bin/library.ts' },
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
    prebuilt({ bytes: packed, json: packedJson }),
    webAssets(packed, (page) => pages.push(page)),
    withoutWaiting,
    lazySegmenter,
    sqlJsFiles,
    plainZod,
    ownSubcommands,
    sendingOnly(packed),
  ],
});

/** Names of the chunks with code of packages, which may do something when it is imported. */
const chunksOfPackages = new Set(
  Object.entries(metafile.outputs).flatMap(([path, { inputs }]) =>
    Object.keys(inputs).some((input) => input.includes('node_modules')) ? [basename(path)] : [],
  ),
);
/** Replaces imports without a name by spaces, so that source maps stay right: esbuild keeps the order of modules with side effects, which ours don't have. */
const withoutBareImports = (code: string): string =>
  code.replace(/import"\.\/([\w-]+\.js)";/g, (whole, chunk: string) => (chunksOfPackages.has(chunk) ? whole : ' '.repeat(whole.length)));

const maps: SourceMaps = {};
for (const { path, text } of outputFiles) {
  const name = `./${basename(path)}`;
  const { code, map } = await transform(withoutBareImports(text), {
    ...minified,
    ...mapped('external'),
    format: 'cjs',
    supported: { 'dynamic-import': false },
    sourcefile: name,
  });
  const composed: SourceMapPayload = JSON.parse(map);
  maps[name] = { ...composed, sources: composed.sources.map((source) => source.replace(/^(\.\.\/)+/, '')) };
  parts.set(name, Buffer.from(code));
}

const loader = (isLibrary: boolean) =>
  transform(readFileSync('bin/loader.ts', 'utf8'), { ...minified, loader: 'ts', define: isLibrary ? { isLibrary: 'true' } : {} });
// Short code as JSON, which takes less time to read, everything else compressed: images of seeds by Brotli, which makes them a third smaller.
const stored = (name: string, bytes: Buffer): string =>
  name.endsWith('.js') && bytes.length < maxPlain && isAscii(bytes)
    ? JSON.stringify(bytes.toString()).replaceAll('*/', '*\\/')
    : (name.endsWith('.image') ? brotliCompressSync(bytes) : deflateRawSync(bytes, { level: 9 })).toString('base64');
const lines = [...parts.keys()].sort().map((name) => `${name} ${stored(name, parts.get(name)!)}`);
const bundle = `#!/usr/bin/env node\n${(await loader(false)).code}function parts() {\n/*\n${lines.join('\n')}*/\n}\n`;
if (bundle.length > limit) throw new Error(`the bundle has ${bundle.length} bytes; it may have ${limit}`);
mkdirSync('dist', { recursive: true });
// The sources are ES modules, the bundle is CommonJS.
writeFileSync('dist/package.json', '{ "type": "commonjs" }\n');
// The library loads its parts from the bundle. The last line declares its exports for ES module importers.
const { exports: names } = Object.values(metafile.outputs).find(({ entryPoint }) => entryPoint === 'bin/library.ts')!;
writeFileSync('dist/index.cjs', `${(await loader(true)).code}0 && (module.exports = { ${names.join(', ')} });\n`);
writeFileSync('dist/calendar.js', bundle);
chmodSync('dist/calendar.js', 0o755);
writeFileSync('dist/calendar.js.map', JSON.stringify(maps));
rmSync('dist/web', { recursive: true, force: true });
const web = await buildWebLibrary('dist/web');
const [types, webTypes] = await declarations;
// `await using` needs the disposable library.
for (const [file, text] of [
  ['index.d.cts', types],
  ['web.d.mts', webTypes],
])
  writeFileSync(`dist/${file}`, `/// <reference lib="esnext.disposable" />\n\n${text}`);
cpSync('bin/runners', 'dist', { recursive: true });

writeFileSync('THIRD-PARTY-NOTICES', noticesOf(packagesIn(metafile, ...pages, ...web.map((program) => program.metafile))));

console.log(`dist/calendar.js: ${(bundle.length / 1e6).toFixed(2)} MB of at most ${limit / 1e6} MB`);
for (const { name, size } of web) console.log(`dist/web/${name}.mjs: ${Math.round(size / 1000)} KB compressed`);
