import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { definitions, operationRoutes } from './definitions.ts';

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The scripts and the style sheet of the page. Names contain a hash of the content; those of the entry points begin with `main-`. */
export type Assets = { name: string; bytes: Uint8Array }[];

/**
 * Compiles the page. Views that are imported dynamically get their own files. The model's fields and operations are embedded as data.
 * Returns the files with esbuild's metafile.
 */
export async function compileApp() {
  const { outputFiles, metafile } = await build({
    entryPoints: [file('app/main.tsx'), file('app/styles/main.css')],
    tsconfig: file('app/tsconfig.json'),
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    minify: true,
    format: 'esm',
    outdir: 'app',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    target: ['chrome111', 'firefox113', 'safari16.4'],
    legalComments: 'none',
    define: { DEFINITIONS: JSON.stringify(definitions), OPERATIONS: JSON.stringify(operationRoutes) },
  });
  const files: Assets = outputFiles.map(({ path, contents }) => ({ name: basename(path), bytes: contents }));
  return { files, metafile };
}
