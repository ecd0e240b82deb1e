/** Builds dist/calendar.js, the one file that runs alone, and THIRD-PARTY-NOTICES from what went into it. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join, sep } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { build, type Metafile, type Plugin, transform } from 'esbuild';

const require = createRequire(import.meta.url);

/** The parts of the program by name, as they stand behind the head of the bundle: see bin/loader.ts. */
const parts = new Map<string, string>();
const pack = (name: string, bytes: Uint8Array) => parts.set(name, deflateRawSync(bytes, { level: 9 }).toString('base64'));

/** The bytes that a file of a library holds as base64, and the file without them. */
function base64In(path: string): { bytes: Buffer; without: string } {
  const code = readFileSync(path, 'utf8');
  const [text = ''] = /[A-Za-z0-9+/=]{20000,}/.exec(code) ?? [];
  if (!text) throw new Error(`${path} holds no base64 any more`);
  return { bytes: Buffer.from(text, 'base64'), without: code.replace(text, '') };
}

/** Makes WebAssembly and fixtures compressed parts of their own, each unpacked when its module is first used. Saves 590 KB. */
const compressed: Plugin = {
  name: 'compressed',
  setup({ onLoad }) {
    const packed = (name: string, bytes: Uint8Array) => {
      pack(`part:${name}`, bytes);
      return `require('part:${name}')`;
    };
    onLoad({ filter: /[\\/]store[\\/]wasm\.ts$/ }, () => ({
      contents: `export const wasm = () => ${packed('sqlite.wasm', readFileSync(require.resolve('sql.js/dist/sql-wasm.wasm')))};`,
    }));
    onLoad({ filter: /[\\/]fixtures[\\/][\w-]+\.json$/ }, ({ path }) => {
      const text = JSON.stringify(JSON.parse(readFileSync(path, 'utf8')));
      return { contents: `export default JSON.parse(${packed(basename(path), Buffer.from(text))}.toString());` };
    });
    onLoad({ filter: /llhttp_simd-wasm\.js$/ }, ({ path }) => ({
      contents: `module.exports = ${packed('llhttp.wasm', base64In(path).bytes)};`,
    }));
    onLoad({ filter: /yoga-wasm-base64-esm\.js$/ }, ({ path }) => {
      const { bytes, without } = base64In(path);
      return { contents: `${without}\nexport const bytes = () => ${packed('yoga.wasm', bytes)};` };
    });
    // The same as its own module, but without waiting, which a part cannot do.
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

/** The React developer tools, which ink asks for while it is being debugged, stay out, and with them all that it would wait for. */
const withoutDevtools: Plugin = {
  name: 'without-devtools',
  setup({ onResolve, onLoad }) {
    onLoad({ filter: /ink[\\/]build[\\/]reconciler\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll('isDev()', 'false').replaceAll('await ', ''),
    }));
    onResolve({ filter: /^\.\/devtools\.js$/ }, ({ path }) => ({ path, namespace: 'none' }));
    onLoad({ filter: /.*/, namespace: 'none' }, () => ({ contents: '' }));
  },
};

/** Commander without what starts commands that are programs of their own: there are none. */
const slimCommander: Plugin = {
  name: 'slim-commander',
  setup({ onLoad }) {
    onLoad({ filter: /commander[\\/]lib[\\/]command\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace("require('node:child_process')", '{}'),
    }));
  },
};

/** Of undici only what sends requests: its index would bring fetch, caches, mocks and a second parser for machines without SIMD. Saves 340 KB. */
const slimUndici: Plugin = {
  name: 'slim-undici',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^undici$/ }, ({ path }) => ({ path, namespace: 'slim' }));
    onLoad({ filter: /.*/, namespace: 'slim' }, () => ({
      resolveDir: process.cwd(),
      contents: `
        import api from 'undici/lib/api/index.js';
        export { default as Agent } from 'undici/lib/dispatcher/agent.js';
        export { default as EnvHttpProxyAgent } from 'undici/lib/dispatcher/env-http-proxy-agent.js';
        export const request = (url, { dispatcher, ...options }) => {
          const { origin, pathname, search } = new URL(url);
          return api.request.call(dispatcher, { ...options, origin, path: pathname + search });
        };`,
    }));
    onLoad({ filter: /llhttp[\\/]llhttp-wasm\.js$/ }, () => ({ contents: "throw new Error('this machine has no WebAssembly SIMD')" }));
  },
};

/** The packages whose code the bundle holds, by folder. */
function packagesIn({ outputs }: Metafile): string[] {
  const folders = new Set<string>();
  for (const output of Object.values(outputs))
    for (const [input, { bytesInOutput }] of Object.entries(output.inputs)) {
      const folder = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input.split(sep).join('/'))?.[1];
      if (folder && bytesInOutput > 0) folders.add(folder);
    }
  return [...folders.add('node_modules/sql.js')].sort();
}

function noticeOf(folder: string): string {
  const { name, version, license, homepage } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (/GPL/.test(license)) throw new Error(`${name} is under ${license}`);
  const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)/i.test(entry) && statSync(join(folder, entry)).isFile());
  const text = file ? readFileSync(join(folder, file), 'utf8').trim() : `Licensed under ${license}.`;
  return `${name} ${version} (${license})${homepage ? `\n${homepage}` : ''}\n\n${text}\n`;
}

/** Parts with more characters than this are libraries that few commands need: they are kept small rather than quick. */
const large = 60_000;

/** What all code has in common. */
const minified = { platform: 'node', target: 'node20', minify: true, legalComments: 'none' } as const;

// Every part is what one import, or several together, first ask for; node compiles no other.
const { outputFiles, metafile } = await build({
  ...minified,
  entryPoints: ['bin/calendar.ts'],
  bundle: true,
  splitting: true,
  format: 'esm',
  outdir: 'dist',
  write: false,
  metafile: true,
  jsx: 'automatic',
  external: ['part:*'],
  define: { 'process.env.NODE_ENV': '"production"' },
  plugins: [compressed, withoutDevtools, slimCommander, slimUndici],
});
for (const { path, text } of outputFiles) {
  const name = `./${basename(path)}`;
  const { code } = await transform(text, { ...minified, format: 'cjs', supported: { 'dynamic-import': false } });
  if (code.length > large) pack(name, Buffer.from(code));
  else parts.set(name, JSON.stringify(code));
}

const head = await transform(readFileSync('bin/loader.ts', 'utf8'), { ...minified, loader: 'ts' });
const lines = [...parts].map(([name, text]) => `//${name} ${text}`);
mkdirSync('dist', { recursive: true });
writeFileSync('dist/calendar.js', `#!/usr/bin/env node\n${head.code}${lines.join('\n')}\n`);
chmodSync('dist/calendar.js', 0o755);
// Else the bundle were an ES module here, for the sources are.
writeFileSync('dist/package.json', '{ "type": "commonjs" }\n');

const rule = `\n${'-'.repeat(80)}\n\n`;
writeFileSync(
  'THIRD-PARTY-NOTICES',
  `The bundle dist/calendar.js holds code of these packages.\n${rule}${packagesIn(metafile).map(noticeOf).join(rule)}`,
);
