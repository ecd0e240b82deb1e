import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { definitions } from './definitions.ts';

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Compiles the page, and says what went into it. What the model says of fields goes in as data. */
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
    define: { DEFINITIONS: JSON.stringify(definitions) },
  });
  const ending = (suffix: string) => outputFiles.find(({ path }) => path.endsWith(suffix))!.contents;
  return { script: ending('.js'), style: ending('.css'), metafile };
}
