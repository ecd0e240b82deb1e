import type { Metafile, Plugin } from 'esbuild';
import { compileApp } from '../src/web/compile.ts';

/** Makes the files of the page assets of the bundle. `packed` adds an asset and returns the expression for its bytes; `report` receives esbuild's metafile. */
export const webAssets = (packed: (name: string, bytes: Uint8Array) => string, report: (metafile: Metafile) => void): Plugin => ({
  name: 'web-assets',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]web[\\/]assets\.ts$/ }, async () => {
      const { files, metafile } = await compileApp();
      report(metafile);
      const parts = files.map(({ name, bytes }) => `{ name: ${JSON.stringify(name)}, bytes: ${packed(`${name}-text`, bytes)} }`);
      return { contents: `export const assets = async () => [${parts}];` };
    });
  },
});
