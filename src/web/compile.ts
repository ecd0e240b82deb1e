import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { definitions, operationRoutes } from './definitions.ts';

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Compiles the page and returns it with its metafile. Fields and operations of the model are compiled in as data. */
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
  const ending = (suffix: string) => outputFiles.find(({ path }) => path.endsWith(suffix))!.contents;
  return { script: ending('.js'), style: ending('.css'), metafile };
}
