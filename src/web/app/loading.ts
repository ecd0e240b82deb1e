import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from './server/api.ts';
import { lastChange, onChange, retryDelayMs, setFailing } from './server/changes.ts';
import { authorization } from './server/session.ts';

/** The state of a load. The previous value stays until the new one has arrived, also if the server can't be reached. */
interface Loading<T> {
  value?: T;
  error?: Error;
  loading: boolean;
}

type Load<T> = (signal: AbortSignal) => Promise<T>;

interface CacheEntry {
  value: unknown;
  /** Start of the load, on the document's clock in ms. */
  at: number;
}

/** Loaded values by key, least recently used first, so that Back shows the previous view immediately. */
const cache = new Map<string, CacheEntry>();
const maxCacheEntries = 24;

/** Age up to which a cached value is used without a request. Older values are shown until the new one arrives. */
const maxAgeMs = 10_000;

const isFresh = (entry: CacheEntry | undefined): entry is CacheEntry =>
  entry !== undefined && entry.at > lastChange() && performance.now() - entry.at < maxAgeMs;

/** Loads and caches a value. Its age counts from the start of the load. */
async function loadIntoCache<T>(key: string, load: Load<T>, signal: AbortSignal): Promise<T> {
  const at = performance.now();
  const value = await load(signal);
  if (signal.aborted) return value;
  cache.delete(key);
  cache.set(key, { value, at });
  for (const oldest of cache.keys()) if (cache.size > maxCacheEntries) cache.delete(oldest);
  return value;
}

/** Cache entries are separate for each user. */
const cacheKeyOf = (key: string) => `${authorization() ?? ''} ${key}`;

/** True if a load may succeed later: the server couldn't be reached or has failed. */
const isTemporary = (error: Error): boolean => error instanceof ApiError && (error.status === 0 || error.status >= 500);

/**
 * Loads the value of a key, and again after changes. Retries temporary errors with increasing delays. Loads nothing if the key is
 * undefined.
 */
export function useLoaded<T>(key: string | undefined, load: Load<T>): Loading<T> {
  const cacheKey = key === undefined ? undefined : cacheKeyOf(key);
  const [state, setState] = useState<Loading<T> & { key?: string }>({ loading: true });
  const latestLoad = useRef(load);
  latestLoad.current = load;
  useEffect(() => {
    if (cacheKey === undefined) return;
    const controller = new AbortController();
    const { signal } = controller;
    let isLoading = false;
    let isOutdated = false;
    let attempts = 0;
    let retryTimer: ReturnType<typeof setTimeout> | undefined;
    const finish = () => {
      isLoading = false;
      if (isOutdated) run();
    };
    const onLoaded = (value: T) => {
      if (signal.aborted) return;
      attempts = 0;
      setFailing(signal, false);
      setState({ key: cacheKey, value, loading: false });
      finish();
    };
    const onError = (error: Error) => {
      if (signal.aborted) return;
      const willRetry = isTemporary(error);
      setFailing(signal, willRetry);
      if (willRetry) retryTimer = setTimeout(run, retryDelayMs(++attempts));
      const previous = willRetry ? (cache.get(cacheKey)?.value as T | undefined) : undefined;
      setState(({ key, value }) => ({
        key: cacheKey,
        value: willRetry && key === cacheKey ? (value ?? previous) : previous,
        error,
        loading: false,
      }));
      finish();
    };
    // One load at a time. A change during a load starts another one afterwards.
    const run = () => {
      isOutdated = isLoading;
      if (isLoading) return;
      isLoading = true;
      clearTimeout(retryTimer);
      loadIntoCache(cacheKey, latestLoad.current, signal).then(onLoaded, onError);
    };
    const cached = cache.get(cacheKey);
    if (isFresh(cached)) setState({ key: cacheKey, value: cached.value as T, loading: false });
    else run();
    const stop = onChange(run);
    return () => {
      stop();
      clearTimeout(retryTimer);
      controller.abort();
      setFailing(signal, false);
    };
  }, [cacheKey]);
  if (cacheKey === undefined) return { loading: false };
  if (state.key === cacheKey) return state;
  const cached = cache.get(cacheKey);
  return { value: cached?.value as T | undefined, loading: !isFresh(cached) };
}
