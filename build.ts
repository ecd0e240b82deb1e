/**
 * Builds dist/calendar.js, a single file that runs alone; the entry points of the package, which load their parts from that file; the man page; and
 * THIRD-PARTY-NOTICES.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire, type SourceMapPayload } from 'node:module';
import { basename } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { build, type Metafile, type Plugin, transform } from 'esbuild';
import type { SourceMaps } from './bin/stack-trace.ts';
import { noticesOf, packagesIn } from './build/licenses.ts';
import { declarationsOf } from './build/types.ts';
import { webAssets } from './build/web.ts';
import { writeRecordTypes } from './scripts/record-types.ts';
import { operationCalls } from './src/model/operations/calls.ts';
import { families } from './src/model/resources/families.ts';
import { emptyCalendar } from './src/store/empty-calendar.ts';

const require = createRequire(import.meta.url);

/** The parts of the bundle by name. They follow the head of the bundle: see bin/loader.ts. */
const parts = new Map<string, string>();
const pack = (name: string, bytes: Uint8Array) => parts.set(name, brotliCompressSync(bytes).toString('base64'));

/** Adds bytes as a part. Returns the expression that loads them. */
const packed = (name: string, bytes: Uint8Array) => {
  pack(`part:${name}`, bytes);
  return `require('part:${name}')`;
};

/** Returns the only match of a pattern in a library's file. Throws if there is not exactly one. */
function passageIn(code: string, path: string, pattern: RegExp): string {
  const texts = [...code.matchAll(pattern)].map(([text]) => text);
  if (texts.length !== 1) throw new Error(`${path} has ${texts.length} passages like ${pattern}; the build knows what to do with one`);
  return texts[0]!;
}

/** Compresses WebAssembly, the empty calendar and fixtures, which are unpacked on first use, and inlines what clients know about resources and operations. */
const compressed: Plugin = {
  name: 'compressed',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]store[\\/]file[\\/]wasm\.ts$/ }, () => ({
      contents: `export const wasm = () => ${packed('sqlite.wasm', readFileSync(require.resolve('sql.js/dist/sql-wasm.wasm')))};`,
    }));
    onLoad({ filter: /[\\/]store[\\/]empty-calendar\.ts$/ }, async () => ({
      contents: `let calendar; export const emptyCalendar = async () => (calendar ??= ${packed('empty.db', await emptyCalendar())});`,
    }));
    onLoad({ filter: /[\\/]cli[\\/]serving[\\/]import-module\.ts$/ }, () => ({
      contents: `export const importModule = require('part:import');`,
    }));
    onLoad({ filter: /[\\/]resources[\\/]families\.ts$/ }, () => ({
      contents: `export const families = ${JSON.stringify(families)};`,
    }));
    onLoad({ filter: /[\\/]operations[\\/]calls\.ts$/ }, () => ({
      contents: `export const operationCalls = ${JSON.stringify(operationCalls)};`,
    }));
    onLoad({ filter: /[\\/]fixtures[\\/][\w-]+\.json$/ }, ({ path }) => {
      const text = JSON.stringify(JSON.parse(readFileSync(path, 'utf8')));
      return { contents: `export default JSON.parse(${packed(basename(path), Buffer.from(text))}.toString());` };
    });
    onLoad({ filter: /yoga-wasm-base64-esm\.js$/ }, ({ path }) => {
      const code = readFileSync(path, 'utf8');
      const base64 = passageIn(code, path, /[A-Za-z0-9+/=]{20000,}/g);
      return { contents: `${code.replace(base64, '')}\nexport const bytes = () => ${packed('yoga.wasm', Buffer.from(base64, 'base64'))};` };
    });
  },
};

/** Removes top-level await from ink and its layout engine: a part is loaded synchronously. */
const withoutWaiting: Plugin = {
  name: 'without-waiting',
  setup({ onLoad }) {
    // ink loads the React developer tools with top-level await in development.
    onLoad({ filter: /ink[\\/]build[\\/]reconciler\.js$/ }, ({ path }) => {
      let code = readFileSync(path, 'utf8');
      for (const pattern of [/(?<=if \()isDev\(\)/g, /(?<== )isDev\(\)/g])
        if (passageIn(code, path, pattern)) code = code.replace(pattern, 'false');
      return { contents: code };
    });
    onLoad({ filter: /yoga-layout[\\/]dist[\\/]src[\\/]index\.js$/ }, () => ({
      contents: `
        import load, { bytes } from '../binaries/yoga-wasm-base64-esm.js';
        import wrapAssembly from './wrapAssembly.js';
        const assembly = {
          instantiateWasm(imports, done) {
            done(new WebAssembly.Instance(new WebAssembly.Module(bytes()), imports));
            return {};
          },
        };
        load(assembly);
        export default wrapAssembly(assembly);
        export * from './generated/YGEnums.js';`,
    }));
  },
};

/** Creates the segmenter of string-width on first use: it costs several milliseconds, and most text is ASCII. */
const lazySegmenter: Plugin = {
  name: 'lazy-segmenter',
  setup({ onLoad }) {
    onLoad({ filter: /string-width[\\/]index\.js$/ }, ({ path }) => {
      const code = readFileSync(path, 'utf8');
      const creation = passageIn(code, path, /^const segmenter = new Intl\.Segmenter\(\);/gm);
      const lazy = 'let created; const segmenter = { segment: (text) => (created ??= new Intl.Segmenter()).segment(text) };';
      return { contents: code.replace(creation, lazy) };
    });
  },
};

/**
 * Reduces undici to what sends text and bytes over HTTP/1.1: its fetch would replace the global one, and loading HTTP/2, forms and three clients takes longer
 * than the first request. The proxy agent is loaded when it is created.
 */
const sendingOnly: Plugin = {
  name: 'sending-only',
  setup({ onLoad }) {
    onLoad({ filter: /undici[\\/]index\.js$/ }, ({ path }) => {
      const code = readFileSync(path, 'utf8');
      const kept = [/const (?:Dispatcher|Agent|util|errors) = require\([^)]*\)/g, /const \{ InvalidArgumentError \} = errors/g].map(
        (pattern) => code.match(pattern),
      );
      const request = passageIn(code, path, /^function makeDispatcher[\s\S]*?^\}/gm).replace(' = getGlobalDispatcher()', '');
      return {
        contents: `${kept.flat().join('\n')}
          const api = { request: require('./lib/api/api-request'), connect: require('./lib/api/api-connect') };
          Object.assign(Dispatcher.prototype, api);
          ${request}
          module.exports = {
            Agent,
            get EnvHttpProxyAgent() { return require('./lib/dispatcher/env-http-proxy-agent'); },
            request: makeDispatcher(api.request),
          };`,
      };
    });
    // Its client and its helpers need node:http for a limit and for streams, which are never sent, and node:assert for one function.
    onLoad({ filter: /undici[\\/]lib[\\/]core[\\/]util\.js$|undici[\\/]lib[\\/]dispatcher[\\/]client\.js$/ }, ({ path }) => {
      const code = readFileSync(path, 'utf8');
      const loading = passageIn(code, path, /(?<== )require\('node:http'\)/g);
      return { contents: code.replace(loading, '{ maxHeaderSize: 16_384 }') };
    });
    // Of its tables, it reads two. The tree only saves the conversion of well-known header names.
    onLoad({ filter: /undici[\\/]lib[\\/]llhttp[\\/]constants\.js$/ }, ({ path }) => {
      const { ERROR, TYPE } = require(path);
      return { contents: `module.exports = ${JSON.stringify({ ERROR, TYPE })};` };
    });
    onLoad({ filter: /undici[\\/]lib[\\/]core[\\/]tree\.js$/ }, () => ({ contents: 'exports.tree = { lookup: () => undefined };' }));
    // HTTP/2 is off by default, and bodies are never forms.
    onLoad({ filter: /undici[\\/]lib[\\/](?:dispatcher[\\/]client-h2|web[\\/]fetch[\\/]body)\.js$/ }, () => ({ contents: '' }));
    // The parser that runs on every processor is fast enough.
    onLoad({ filter: /undici[\\/]lib[\\/]llhttp[\\/]llhttp(?:_simd)?-wasm\.js$/ }, ({ path }) => ({
      contents: `module.exports = ${packed('llhttp.wasm', require(path.replace('_simd', '')))};`,
    }));
  },
};

/** Maximum size of the bundle in bytes. */
const limit = 2_500_000;

/** Length above which a part is compressed: these are libraries that few commands load. */
const large = 60_000;

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
  entryPoints: ['bin/calendar.ts', 'bin/library.ts'],
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
  plugins: [compressed, webAssets(packed, (page) => pages.push(page)), withoutWaiting, lazySegmenter, sendingOnly],
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
  if (code.length > large) pack(name, Buffer.from(code));
  else parts.set(name, JSON.stringify(code));
}

const loader = (isLibrary: boolean) =>
  transform(readFileSync('bin/loader.ts', 'utf8'), { ...minified, loader: 'ts', define: isLibrary ? { isLibrary: 'true' } : {} });
const head = await loader(false);
// Plugins add parts in the order in which files are read. Sorting makes builds reproducible.
const lines = [...parts].map(([name, text]) => `//${name} ${text}`).sort();
const bundle = `#!/usr/bin/env node\n${head.code}${lines.join('\n')}\n`;
if (bundle.length > limit) throw new Error(`the bundle has ${bundle.length} bytes; it may have ${limit}`);
mkdirSync('dist', { recursive: true });
writeFileSync('dist/calendar.js', bundle);
chmodSync('dist/calendar.js', 0o755);
writeFileSync('dist/calendar.js.map', JSON.stringify(maps));
// The library loads its parts from the bundle. The last line declares its exports for ES module importers.
const { exports: names } = Object.values(metafile.outputs).find(({ entryPoint }) => entryPoint === 'bin/library.ts')!;
writeFileSync('dist/index.cjs', `${(await loader(true)).code}0 && (module.exports = { ${names.join(', ')} });\n`);
// `await using` needs the disposable library.
writeFileSync('dist/index.d.cts', `/// <reference lib="esnext.disposable" />\n\n${await declarations}`);
cpSync('bin/runners', 'dist', { recursive: true });
// The sources are ES modules, the bundle is CommonJS.
writeFileSync('dist/package.json', '{ "type": "commonjs" }\n');

rmSync('man', { recursive: true, force: true });
mkdirSync('man');
writeFileSync('man/calendar.1', execFileSync(process.execPath, ['dist/calendar.js', 'man']));

const packages = packagesIn(metafile, ...pages);
writeFileSync('THIRD-PARTY-NOTICES', noticesOf(packages.keys()));

const largest = [...packages].sort(([, a], [, b]) => b - a).slice(0, 8);
const sizes = largest.map(([folder, bytes]) => `${folder.replace(/.*node_modules\//, '')} ${Math.round(bytes / 1000)}`);
console.log(`dist/calendar.js: ${(bundle.length / 1e6).toFixed(2)} MB in ${parts.size} parts; it may have ${limit / 1e6} MB`);
console.log(`largest libraries, in KB before compression: ${sizes.join(', ')}`);
