import type { PageContext } from '../../model/web-page.ts';
import { wallOf } from './days.ts';

/** What the server says of itself in the document. */
export const context: PageContext = JSON.parse(document.getElementById('context')!.textContent!);

const loaded = performance.now();

/** The server's clock, in epoch milliseconds. */
export const now = (): number => context.now + performance.now() - loaded;

/** The moment it is in the calendar's zone: 'YYYY-MM-DD HH:MM:SS'. */
export const wallNow = (): string => wallOf(now(), context.timezone);

/** The day it is in the calendar's zone. */
export const today = (): string => wallNow().slice(0, 10);
