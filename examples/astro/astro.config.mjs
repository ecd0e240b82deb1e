import node from '@astrojs/node';
import { defineConfig } from 'astro/config';
import calendar from 'local-calendar/vite';

export default defineConfig({
  output: 'server',
  adapter: node({ mode: 'standalone' }),
  // `npm run dev` has the calendar in the same server.
  vite: { plugins: [calendar({ seed: 'shapes' })] },
});
