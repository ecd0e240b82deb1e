/**
 * The one place that says that records may have changed: what shows any loads them again. This tab says so of what it wrote, other tabs
 * through a channel, and a tab that is looked at again assumes it. Notices of the server come in here too.
 */
const listeners = new Set<() => void>();
const channel = new BroadcastChannel('calendar');

const notify = () => {
  for (const listener of [...listeners]) listener();
};

/** Tells of changes until the function that it gives is called. */
export function onChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Says, here and in other tabs, that something was changed. */
export function announceChange(): void {
  channel.postMessage('changed');
  notify();
}

channel.addEventListener('message', notify);
document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && notify());
