import type { Plugin } from 'vite';
import type { MountOptions } from './index.cjs';

/**
 * Mounts a calendar in the dev server of Vite, Astro or SvelteKit: the API and its control at their usual paths, the page below `/_calendar/page/`.
 * @example export default defineConfig({ plugins: [calendar({ seed: 'demo' })] });
 */
export default function calendar(options?: MountOptions): Plugin;
