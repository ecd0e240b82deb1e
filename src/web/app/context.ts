import type { ClockState } from '../../model/operation-types.ts';
import { wallOf } from '../../model/time/time.ts';
import type { PageContext } from '../../model/web-page.ts';

/** The server's settings, embedded in the document. */
export const context: PageContext = JSON.parse(document.getElementById('context')!.textContent!);

/** The document may have arrived long before its scripts. */
const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];

let clock = { now: context.now, at: navigation?.responseStart ?? performance.now(), frozen: false };

/** Sets the page's clock to the server's. */
export const setClock = ({ now, frozen }: Pick<ClockState, 'now' | 'frozen'>): void => {
  clock = { now: Date.parse(now), at: performance.now(), frozen };
};

/** The server's time, in ms since the epoch. */
export const now = (): number => clock.now + (clock.frozen ? 0 : performance.now() - clock.at);

/** The current time in the calendar's zone: 'YYYY-MM-DD HH:MM:SS'. */
export const wallNow = (): string => wallOf(now(), context.timezone);

/** The current day in the calendar's zone. */
export const today = (): string => wallNow().slice(0, 10);
