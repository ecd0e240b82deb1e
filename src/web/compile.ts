import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { failures } from '../model/failures.ts';
import { definitions } from './definitions.ts';
import { filterDefinitions } from './filter-definitions.ts';
import { labels } from './labels.ts';
import { operationRoutes } from './operation-routes.ts';
import { tables } from './table-definitions.ts';

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The scripts and the style sheet of the page. Names contain a hash of the content; those of the entry points begin with `main-`. */
export type Assets = { name: string; bytes: Uint8Array }[];

/** The failures that the page's parts of the model throw. */
export const ownFailures = (({ 'bad-request': bad, rest_invalid_param }) => ({ 'bad-request': bad, rest_invalid_param }))(failures);

/** The exports of modules that the compiled page contains as data instead of the model that they are derived from, by path. */
const derived: Record<string, [name: string, value: unknown]> = {
  'model/failures.ts': ['failures', ownFailures],
  'web/definitions.ts': ['definitions', definitions],
  'web/filter-definitions.ts': ['filterDefinitions', filterDefinitions],
  'web/labels.ts': ['labels', labels],
  'web/operation-routes.ts': ['operationRoutes', operationRoutes],
  'web/table-definitions.ts': ['tables', tables],
};

const embedded: Plugin = {
  name: 'embedded',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/]\w+[\\/][\w-]+\.ts$/ }, ({ path }) => {
      const module = derived[path.split(/[\\/]/).slice(-2).join('/')];
      if (!module) return undefined;
      const [name, value] = module;
      // The document of a calendar with declared fields has its own definitions.
      const own = `JSON.parse(document.getElementById('context').textContent).definitions?.${name}`;
      return { contents: `export const ${name} = ${own} ?? ${JSON.stringify(value)};` };
    });
  },
};

/** Lets every view import the first one, which is always loaded before: what they share is then one file instead of many. */
const views: Plugin = {
  name: 'views',
  setup({ onResolve, onLoad, resolve }) {
    onResolve({ filter: /./ }, async ({ path, kind, pluginData, ...options }) => {
      if (kind !== 'dynamic-import' || pluginData === views) return undefined;
      const resolved = await resolve(path, { kind, ...options, pluginData: views });
      return { path: resolved.path, namespace: 'view' };
    });
    onLoad({ filter: /./, namespace: 'view' }, ({ path }) => ({
      contents: `import ${JSON.stringify(file('app/main.tsx'))}; export * from ${JSON.stringify(path)};`,
      resolveDir: dirname(path),
    }));
  },
};

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
    plugins: [embedded, views],
  });
  const files: Assets = outputFiles.map(({ path, contents }) => ({ name: basename(path), bytes: contents }));
  return { files, metafile };
}
