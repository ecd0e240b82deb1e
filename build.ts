/** Builds dist/calendar.js, the one file that runs alone, and THIRD-PARTY-NOTICES from what went into it. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, sep } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { build, type Metafile, type Plugin } from 'esbuild';

const require = createRequire(import.meta.url);
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

/** Puts SQLite's WebAssembly into the bundle, compressed; unpacked when a file is opened. */
const embeddedSqlite: Plugin = {
  name: 'embedded-sqlite',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]store[\\/]wasm\.ts$/ }, () => {
      const bytes = readFileSync(require.resolve('sql.js/dist/sql-wasm.wasm'));
      const packed = brotliCompressSync(bytes, {
        params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
      });
      return {
        loader: 'js',
        contents: `import { brotliDecompressSync } from 'node:zlib';\nexport const wasm = () => brotliDecompressSync(Buffer.from(${JSON.stringify(packed.toString('base64'))}, 'base64'));`,
      };
    });
  },
};

/** ink asks for the React developer tools only while debugging; they stay out. */
const withoutDevtools: Plugin = {
  name: 'without-devtools',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^react-devtools-core$/ }, ({ path }) => ({ path, namespace: 'none' }));
    onLoad({ filter: /.*/, namespace: 'none' }, () => ({ contents: 'export default {};' }));
  },
};

/** The packages whose code the bundle holds, by folder. */
function packagesIn(metafile: Metafile): string[] {
  const folders = new Set<string>();
  for (const output of Object.values(metafile.outputs))
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
  entryPoints: ['bin/calendar.ts'],
  outfile: 'dist/calendar.js',
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  minify: true,
  legalComments: 'none',
  metafile: true,
  jsx: 'automatic',
  define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"', __VERSION__: JSON.stringify(version) },
  banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url); const __dirname = import.meta.dirname;" },
  plugins: [embeddedSqlite, withoutDevtools],
});
if (existsSync('dist/calendar.js')) writeFileSync('dist/meta.json', JSON.stringify(metafile));

const rule = `\n${'-'.repeat(80)}\n\n`;
writeFileSync(
  'THIRD-PARTY-NOTICES',
  `The bundle dist/calendar.js holds code of these packages.\n${rule}${packagesIn(metafile).map(noticeOf).join(rule)}`,
);
