/**
 * The one place that says that records may have changed: what shows any loads them again. This tab says so of what it wrote, other tabs
 * through a channel, the server by its notices, and a tab that is looked at again assumes it. Many changes at once are one; a tab that
 * nobody looks at waits.
 */
const listeners = new Set<() => void>();
const channel = new BroadcastChannel('calendar');

/** Milliseconds that changes are collected for, and that lie at least between two reloads. */
const pause = 100;
const rest = 1000;

let due: ReturnType<typeof setTimeout> | undefined;
let told = Number.NEGATIVE_INFINITY;
let changed = Number.NEGATIVE_INFINITY;

/** When something was changed last, by the clock of the document, in milliseconds. */
export const lastChange = (): number => changed;

const tell = () => {
  clearTimeout(due);
  due = undefined;
  told = performance.now();
  for (const listener of [...listeners]) listener();
};

/** Says that something may have changed; what somebody did here is shown at once. */
export function noteChange(here = false): void {
  changed = performance.now();
  if (document.visibilityState !== 'visible' || (due && !here)) return;
  clearTimeout(due);
  due = setTimeout(tell, here ? pause : Math.max(pause, told + rest - changed));
}

/** Tells of changes until the function that it gives is called. */
export function onChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Says, here and in other tabs, that something was changed. */
export function announceChange(): void {
  channel.postMessage('changed');
  noteChange(true);
}

channel.addEventListener('message', () => noteChange());
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState !== 'visible') return;
  changed = performance.now();
  tell();
});
