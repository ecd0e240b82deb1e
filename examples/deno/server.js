import { createCalendar } from 'local-calendar/web';
// Deno loads the module itself, so that no permission to read files is needed.
import source wasm from 'local-calendar/web/sqlite.wasm';

const calendar = await createCalendar({ seed: 'demo', wasm });

Deno.serve((request) => calendar.handler(request));
