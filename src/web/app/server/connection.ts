import { useEffect, useState } from 'preact/hooks';

/** The loads and streams that are failing at the moment. */
const failing = new Set<unknown>();
const listeners = new Set<() => void>();

/** Delay before a retry. Doubles after each failed attempt. */
const minRetryMs = 1000;
const maxRetryMs = 30_000;

/** Returns the delay before the next attempt after a number of failed attempts. */
export const retryDelayMs = (attempts: number): number => Math.min(minRetryMs * 2 ** (attempts - 1), maxRetryMs);

/** Records whether a load or stream is failing. */
export function setFailing(source: unknown, isFailing: boolean): void {
  if (failing.has(source) === isFailing) return;
  if (isFailing) failing.add(source);
  else failing.delete(source);
  for (const listener of listeners) listener();
}

/** Returns whether any load or stream is failing. */
export function useConnectionLost(): boolean {
  const [isLost, setLost] = useState(failing.size > 0);
  useEffect(() => {
    const update = () => setLost(failing.size > 0);
    update();
    listeners.add(update);
    return () => void listeners.delete(update);
  }, []);
  return isLost;
}
