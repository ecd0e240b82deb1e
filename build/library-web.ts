import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { plainZod, sqlJsModule } from './libraries.ts';
import { prebuilt } from './prebuilt.ts';

/** The programs, with the maximum size in bytes, compressed by gzip, of what each loads at once, without SQLite. `single` is one file for service workers, which have no `import()`, and also that of static sites. */
const programs = {
  index: { entry: 'bin/web.ts', splitting: true, maxSize: 235_000 },
  single: { entry: 'bin/worker.ts', splitting: false, maxSize: 550_000 },
};

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
  chunkNames: 'part-[hash]',
  write: false,
  metafile: true,
} satisfies BuildOptions;

/** The files that are loaded at once with one of them, by name. */
function loadedWith(file: string, outputs: Metafile['outputs']): string[] {
  const loaded = new Set([file]);
  for (const each of loaded)
    for (const { path, kind, external } of outputs[each]!.imports) if (kind === 'import-statement' && !external) loaded.add(path);
  return [...loaded].map((each) => basename(each));
}

/**
 * Writes the web build to a folder: `index.mjs`, whose parts are loaded on use, `single.mjs` and `sqlite.wasm`. Returns esbuild's metadata of the programs and their sizes in
 * bytes, compressed. Throws if one is too large.
 */
export function buildWebLibrary(folder: string): Promise<{ name: string; size: number; metafile: Metafile }[]> {
  mkdirSync(folder, { recursive: true });
  copyFileSync(createRequire(import.meta.url).resolve('sql.js/dist/sql-wasm.wasm'), join(folder, 'sqlite.wasm'));
  const builds = Object.entries(programs).map(async ([name, { entry, splitting, maxSize }]) => {
    const plugins = [...storedAssets(), sqlJsModule, plainZod];
    const { outputFiles, metafile } = await build({
      ...options,
      entryPoints: { [name]: entry },
      outdir: folder,
      splitting,
      plugins,
    });
    for (const { path, contents } of outputFiles) writeFileSync(path, contents);
    const [program] = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === entry)!;
    const loaded = loadedWith(program, metafile.outputs);
    const atOnce = outputFiles.filter(({ path }) => loaded.includes(basename(path)));
    const size = atOnce.reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).length, 0);
    if (size > maxSize) throw new Error(`${name}.mjs has ${size} bytes compressed; it may have ${maxSize}`);
    return { name, size, metafile };
  });
  return Promise.all(builds);
}
