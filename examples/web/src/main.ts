import { showAgenda } from './agenda.ts';

// The mock is loaded in development and in previews only: a production build without VITE_MOCK has none of it.
if (import.meta.env.DEV || import.meta.env.VITE_MOCK) await (await import('./mock.ts')).startMock();

const list = document.createElement('ul');
document.body.append(list);
await showAgenda(list);
