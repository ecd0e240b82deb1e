import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { failures } from '../model/failures.ts';
import { definitions, filterDefinitions, labels, operationRoutes, tables } from './definitions.ts';

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The script and the style sheet of the page. Their names contain a hash of the content. */
export type Assets = { name: string; bytes: Uint8Array }[];

/** The failures that the page's parts of the model throw. */
export const ownFailures = (({ 'bad-request': bad, rest_invalid_param }) => ({ 'bad-request': bad, rest_invalid_param }))(failures);

/** The exports of modules that the compiled page contains as data instead of the model that they are derived from, by path. */
const derived: Record<string, Record<string, unknown>> = {
  'model/failures.ts': { failures: ownFailures },
  'web/definitions.ts': { definitions, filterDefinitions, labels, operationRoutes, tables },
};

const embedded: Plugin = {
  name: 'embedded',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/]\w+[\\/][\w-]+\.ts$/ }, ({ path }) => {
      const module = derived[path.split(/[\\/]/).slice(-2).join('/')];
      if (!module) return undefined;
      // The document of a calendar with declared fields has its own definitions.
      const own = `JSON.parse(document.getElementById('context').textContent).definitions`;
      const values = Object.entries(module).map(([name, value]) => `export const ${name} = own?.${name} ?? ${JSON.stringify(value)};`);
      return { contents: [`const own = ${own};`, ...values].join('\n') };
    });
  },
};

/** Compiles the page to one script and one style sheet. The model's fields and operations are embedded as data. Returns the files with esbuild's metafile. */
export async function compileApp() {
  const { outputFiles, metafile } = await build({
    entryPoints: [file('app/main.tsx')],
    tsconfig: file('app/tsconfig.json'),
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    format: 'esm',
    outdir: 'app',
    entryNames: '[name]-[hash]',
    target: ['chrome111', 'firefox113', 'safari16.4'],
    legalComments: 'none',
    plugins: [embedded],
  });
  const files: Assets = outputFiles.map(({ path, contents }) => ({ name: basename(path), bytes: contents }));
  return { files, metafile };
}
