import { defineConfig } from 'cypress';

// `calendar exec` sets these addresses.
const { CALENDAR_URL: url, CALENDAR_CONTROL_URL: control, CALENDAR_ROOT_URL: root } = process.env;

// The page of the calendar, instead of your site.
export default defineConfig({ e2e: { baseUrl: root }, env: { url, control, root } });
