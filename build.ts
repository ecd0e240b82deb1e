/** Builds dist/calendar.js, the one file that runs alone, and THIRD-PARTY-NOTICES from what went into it. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, sep } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { build, type Metafile, type Plugin } from 'esbuild';

const require = createRequire(import.meta.url);

/** An expression that unpacks these bytes, as a Buffer. */
function packed(bytes: Uint8Array): string {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  return `brotliDecompressSync(Buffer.from('${brotliCompressSync(bytes, { params }).toString('base64')}', 'base64'))`;
}
const unpacking = "import { brotliDecompressSync } from 'node:zlib';\n";

/** Puts WebAssembly and fixtures into the bundle compressed; each is unpacked when its module is first used. Saves 590 KB. */
const compressed: Plugin = {
  name: 'compressed',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]store[\\/]wasm\.ts$/ }, () => ({
      contents: `${unpacking}export const wasm = () => ${packed(readFileSync(require.resolve('sql.js/dist/sql-wasm.wasm')))};`,
    }));
    onLoad({ filter: /[\\/]fixtures[\\/][\w-]+\.json$/ }, ({ path }) => {
      const text = JSON.stringify(JSON.parse(readFileSync(path, 'utf8')));
      return { contents: `${unpacking}export default JSON.parse(${packed(Buffer.from(text))}.toString());` };
    });
    onLoad({ filter: /(yoga-wasm-base64-esm|llhttp_simd-wasm)\.js$/ }, ({ path }) => {
      const code = readFileSync(path, 'utf8');
      const [text = ''] = /[A-Za-z0-9+/=]{20000,}/.exec(code) ?? [];
      if (!text) throw new Error(`${path} holds no base64 any more`);
      const before = code[code.indexOf(text) - 1]!;
      const quote = before === ',' ? '"' : before;
      const unpacked = `require('node:zlib').${packed(Buffer.from(text, 'base64'))}.toString('base64')`;
      return { contents: code.replace(text, () => `${quote}+${unpacked}+${quote}`) };
    });
  },
};

/** ink asks for the React developer tools, and these for WebSockets, only while debugging; they stay out. */
const withoutDevtools: Plugin = {
  name: 'without-devtools',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(react-devtools-core|ws)$/ }, ({ path }) => ({ path, namespace: 'none' }));
    onLoad({ filter: /.*/, namespace: 'none' }, () => ({ contents: 'export default {};' }));
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

/** What every build here has in common. */
const common = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  minify: true,
  legalComments: 'none',
  metafile: true,
  write: false,
  define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' },
} as const;

/** Libraries that few commands need, each with the modules that are asked for by name. */
const libraries: Record<string, readonly string[]> = {
  undici: ['undici'],
  screen: ['react', 'react/jsx-runtime', 'ink'],
  ical: ['ical.js'],
};
const parts: Metafile[] = [];

/** One module that gives those of a library, as a text of its own. */
async function bundled(modules: readonly string[]): Promise<Buffer> {
  const { outputFiles, metafile } = await build({
    ...common,
    stdin: { contents: modules.map((name, i) => `export * as m${i} from '${name}';`).join('\n'), resolveDir: process.cwd() },
    banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire('file:///');" },
    plugins: [compressed, withoutDevtools, slimUndici],
  });
  parts.push(metafile);
  return Buffer.from(outputFiles[0]!.contents);
}

/** What a module exports by name; of a default export too. */
const exportsOf = async (name: string): Promise<string[]> =>
  name === 'undici' ? ['Agent', 'EnvHttpProxyAgent', 'request'] : Object.keys(await import(name)).filter((key) => /^[\w$]+$/.test(key));

/** Keeps these libraries as compressed texts, which are no work until a command imports them: node compiles 0.6 MB less at every start. */
const onDemand: Plugin = {
  name: 'on-demand',
  setup({ onResolve, onLoad }) {
    const library = (name: string) => Object.entries(libraries).find(([, modules]) => modules.includes(name))![0];
    const asked = Object.values(libraries).flat().join('|').replaceAll('.', '\\.');
    onResolve({ filter: new RegExp(`^(${asked})$`) }, ({ path }) => ({ path, namespace: 'module' }));
    onResolve({ filter: /^library:/ }, ({ path }) => ({ path: path.slice('library:'.length), namespace: 'library' }));
    onLoad({ filter: /.*/, namespace: 'library' }, async ({ path }) => ({
      contents: `${unpacking}export const library = await import('data:text/javascript;base64,' + ${packed(await bundled(libraries[path]!))}.toString('base64'));`,
    }));
    onLoad({ filter: /.*/, namespace: 'module' }, async ({ path }) => {
      const from = `library.m${libraries[library(path)]!.indexOf(path)}`;
      const lines = (await exportsOf(path)).map((key) =>
        key === 'default' ? `export default ${from}.default;` : `export const ${key} = ${from}.${key};`,
      );
      return { contents: `import { library } from 'library:${library(path)}';\n${lines.join('\n')}`, resolveDir: process.cwd() };
    });
  },
};

/** The packages whose code the bundle holds, by folder. */
function packagesIn(metafiles: readonly Metafile[]): string[] {
  const folders = new Set<string>();
  for (const output of metafiles.flatMap((metafile) => Object.values(metafile.outputs)))
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

const { metafile } = await build({
  ...common,
  write: true,
  entryPoints: ['bin/calendar.ts'],
  outfile: 'dist/calendar.js',
  jsx: 'automatic',
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url); const __dirname = import.meta.dirname;",
  },
  plugins: [compressed, onDemand],
});
parts.push(metafile);

const rule = `\n${'-'.repeat(80)}\n\n`;
writeFileSync(
  'THIRD-PARTY-NOTICES',
  `The bundle dist/calendar.js holds code of these packages.\n${rule}${packagesIn(parts).map(noticeOf).join(rule)}`,
);
