import type { Plugin } from 'esbuild';
import { compileApp } from '../src/web/compile.ts';

/** Makes what the page is made of compressed parts of the bundle; `packed` keeps bytes under a name and says how to get them. */
export const webAssets = (packed: (name: string, bytes: Uint8Array) => string): Plugin => ({
  name: 'web-assets',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]web[\\/]assets\.ts$/ }, async () => {
      const { script, style } = await compileApp();
      return {
        contents: `export const assets = async () => ({ script: ${packed('web.js-text', script)}, style: ${packed('web.css', style)} });`,
      };
    });
  },
});
