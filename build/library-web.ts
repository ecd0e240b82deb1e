import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { plainZod, sqlJsModule } from './libraries.ts';
import { prebuilt } from './prebuilt.ts';

const wasm = createRequire(import.meta.url).resolve('sql.js/dist/sql-wasm.wasm');

/** Maximum sizes in bytes, compressed by gzip: what `index.mjs` loads at once, and `single.mjs`. Neither has SQLite. */
const limits = { index: 245_000, single: 550_000 };

/** Stores assets compressed in modules, which every bundler understands, and which are loaded on use. */
function storedAssets(): Plugin[] {
  const stored = new Map<string, string>();
  const bytes = (name: string, content: Uint8Array) => {
    stored.set(name, gzipSync(content, { level: 9 }).toString('base64'));
    return `await (await import('asset:unpacked')).unpacked((await import('asset:${name}')).default)`;
  };
  const unpacked = `export async function unpacked(text) {
    const bytes = Uint8Array.from(atob(text), (each) => each.charCodeAt(0));
    return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer());
  }`;
  const assets: Plugin = {
    name: 'assets',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^asset:/ }, ({ path }) => ({ path: path.slice('asset:'.length), namespace: 'asset' }));
      onLoad({ filter: /^/, namespace: 'asset' }, ({ path }) => ({
        contents: path === 'unpacked' ? unpacked : `export default '${stored.get(path)}';`,
      }));
    },
  };
  return [assets, prebuilt({ bytes, json: (_, data) => `(${JSON.stringify(data)})` })];
}

const options = {
  bundle: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  minify: true,
  legalComments: 'none',
  outExtension: { '.js': '.mjs' },
  outdir: 'dist/web',
  write: false,
  metafile: true,
} satisfies BuildOptions;

/** The size in bytes, compressed, of a file and of those that it imports at once. */
function sizeAtOnce({ outputs }: Metafile, file: string, sizes: ReadonlyMap<string, number>): number {
  const loaded = new Set([file]);
  for (const each of loaded)
    for (const { path, kind, external } of outputs[each]!.imports) if (kind === 'import-statement' && !external) loaded.add(path);
  return [...loaded].reduce((sum, each) => sum + sizes.get(basename(each))!, 0);
}

/**
 * Writes the web build to `dist/web`: `index.mjs`, whose parts are loaded on use, `single.mjs`, which is one file for service workers, and `sqlite.wasm`. Returns esbuild's
 * metadata. Throws if a size is beyond its limit.
 */
export async function buildWebLibrary(): Promise<Metafile[]> {
  rmSync('dist/web', { recursive: true, force: true });
  mkdirSync('dist/web', { recursive: true });
  writeFileSync('dist/web/sqlite.wasm', readFileSync(wasm));
  const plugins = () => [...storedAssets(), sqlJsModule, plainZod];
  const builds = await Promise.all([
    build({ ...options, entryPoints: { index: 'bin/web.ts' }, splitting: true, chunkNames: 'part-[hash]', plugins: plugins() }),
    build({ ...options, entryPoints: { single: 'bin/web.ts' }, plugins: plugins() }),
  ]);
  const sizes = new Map<string, number>();
  for (const { path, contents } of builds.flatMap(({ outputFiles }) => outputFiles)) {
    sizes.set(basename(path), gzipSync(contents, { level: 9 }).length);
    writeFileSync(path, contents);
  }
  for (const [index, name] of (['index', 'single'] as const).entries()) {
    const size = sizeAtOnce(builds[index]!.metafile, `dist/web/${name}.mjs`, sizes);
    console.log(`dist/web/${name}.mjs: ${Math.round(size / 1000)} KB of at most ${limits[name] / 1000} KB compressed`);
    if (size > limits[name]) throw new Error(`dist/web/${name}.mjs has ${size} bytes compressed; it may have ${limits[name]}`);
  }
  return builds.map(({ metafile }) => metafile);
}
