import type { Metafile, Plugin } from 'esbuild';
import { compileApp } from '../src/web/compile.ts';

/** Makes what the page is made of compressed parts of the bundle; `packed` keeps bytes under a name and says how to get them, `report` hears what went into it. */
export const webAssets = (packed: (name: string, bytes: Uint8Array) => string, report: (metafile: Metafile) => void): Plugin => ({
  name: 'web-assets',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]web[\\/]assets\.ts$/ }, async () => {
      const { script, style, metafile } = await compileApp();
      report(metafile);
      return {
        contents: `export const assets = async () => ({ script: ${packed('web.js-text', script)}, style: ${packed('web.css', style)} });`,
      };
    });
  },
});
