/** Longest delay of a timer, in ms. */
const maxDelayMs = 2 ** 31 - 1;

/**
 * Runs a task with a signal that aborts with the given one, or with a TimeoutError after a time in ms. `AbortSignal.timeout()` is not used:
 * if only `AbortSignal.any()` refers to its signal, it may be garbage-collected before it fires.
 */
export async function withTimeout<T>(ms: number, signal: AbortSignal, task: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const timeout = new AbortController();
  const abort = () => timeout.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
  const timer = setTimeout(abort, Math.min(Math.max(0, Math.ceil(ms)), maxDelayMs));
  try {
    return await task(AbortSignal.any([signal, timeout.signal]));
  } finally {
    clearTimeout(timer);
  }
}
