import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { definitions, operationRoutes } from './definitions.ts';

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Compiles the page and returns it with esbuild's metafile. The model's fields and operations are embedded as data. */
export async function compileApp() {
  const { outputFiles, metafile } = await build({
    entryPoints: [file('app/main.tsx'), file('app/styles/main.css')],
    tsconfig: file('app/tsconfig.json'),
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    format: 'iife',
    outdir: 'app',
    target: ['chrome111', 'firefox113', 'safari16.4'],
    legalComments: 'none',
    define: { DEFINITIONS: JSON.stringify(definitions), OPERATIONS: JSON.stringify(operationRoutes) },
  });
  const contentsOf = (extension: string) => outputFiles.find(({ path }) => path.endsWith(extension))!.contents;
  return { script: contentsOf('.js'), style: contentsOf('.css'), metafile };
}
