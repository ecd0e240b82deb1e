import calendar from 'local-calendar/vite';
import { defineConfig } from 'vite';

export default defineConfig({
  // `npm run dev` has the calendar in the same server.
  plugins: [calendar({ seed: 'shapes' })],
  // The built app calls the API of its site at the same address.
  preview: { proxy: { '/calendar': process.env.API_ORIGIN ?? 'http://127.0.0.1:8787' } },
});
