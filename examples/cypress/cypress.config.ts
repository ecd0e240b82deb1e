import { defineConfig } from 'cypress';

// The page of the calendar, instead of your site.
export default defineConfig({ e2e: { baseUrl: 'http://localhost:8787' } });
