import { useEffect, useState } from 'preact/hooks';

/**
 * Notifies views that records may have changed, so that they reload. Changes come from this tab, from other tabs through a
 * BroadcastChannel, and from the server's event stream; a tab that becomes visible again always reloads. Changes in quick succession
 * are combined, and hidden tabs don't reload.
 */
const listeners = new Set<() => void>();
const channel = new BroadcastChannel('calendar');

/** Time during which changes are combined, and the minimum time between two reloads. */
const debounceMs = 100;
const minIntervalMs = 1000;

let timer: ReturnType<typeof setTimeout> | undefined;
let lastNotified = Number.NEGATIVE_INFINITY;
let lastChanged = Number.NEGATIVE_INFINITY;

/** The time of the last change, on the document's clock in ms. */
export const lastChange = (): number => lastChanged;

const notify = () => {
  clearTimeout(timer);
  timer = undefined;
  lastNotified = performance.now();
  for (const listener of [...listeners]) listener();
};

/** Schedules a reload. Changes made in this tab are shown without waiting for the minimum interval. */
export function noteChange(isOwn = false): void {
  lastChanged = performance.now();
  if (document.visibilityState !== 'visible' || (timer && !isOwn)) return;
  clearTimeout(timer);
  timer = setTimeout(notify, isOwn ? debounceMs : Math.max(debounceMs, lastNotified + minIntervalMs - lastChanged));
}

/** Calls the listener after changes. Returns a function that removes it. */
export function onChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Reports a change made in this tab to this and all other tabs. */
export function announceChange(): void {
  channel.postMessage('changed');
  noteChange(true);
}

channel.addEventListener('message', () => noteChange());
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState !== 'visible') return;
  lastChanged = performance.now();
  notify();
});

/** The loads and streams that are failing at the moment. */
const failing = new Set<unknown>();
const connectionListeners = new Set<() => void>();

/** Delay before a retry. Doubles after each failed attempt. */
const minRetryMs = 1000;
const maxRetryMs = 30_000;

/** The delay before the next attempt after a number of failed attempts. */
export const retryDelayMs = (attempts: number): number => Math.min(minRetryMs * 2 ** (attempts - 1), maxRetryMs);

/** Records whether a load or stream is failing. */
export function setFailing(source: unknown, isFailing: boolean): void {
  if (failing.has(source) === isFailing) return;
  if (isFailing) failing.add(source);
  else failing.delete(source);
  for (const listener of connectionListeners) listener();
}

export function useConnectionLost(): boolean {
  const [isLost, setLost] = useState(failing.size > 0);
  useEffect(() => {
    const update = () => setLost(failing.size > 0);
    update();
    connectionListeners.add(update);
    return () => void connectionListeners.delete(update);
  }, []);
  return isLost;
}
