import { useEffect, useRef, useState } from 'preact/hooks';
import { lastChange, onChange } from './server/changes.ts';
import { authorization } from './server/session.ts';

/** What is loaded, or being loaded. What was there before stays until the new is there. */
export interface Loading<T> {
  value?: T;
  error?: Error;
  loading: boolean;
}

type Load<T> = (signal: AbortSignal) => Promise<T>;

interface Kept {
  value: unknown;
  /** By the clock of the document, in milliseconds. */
  at: number;
}

/** Results by what was asked, the least lately used first, so that going back shows at once what stood there. */
const kept = new Map<string, Kept>();
const mostKept = 24;

/** What is being loaded ahead, and since when. */
const coming = new Map<string, { loading: Promise<unknown>; at: number }>();

/** Milliseconds for which a result is shown as it is; an older one is shown until it was asked for again, as any is once something changed. */
const freshFor = 10_000;

const isFresh = (found: Kept | undefined): found is Kept =>
  found !== undefined && found.at > lastChange() && performance.now() - found.at < freshFor;

/** What is on its way, unless it may be of before a change. */
const comingAs = (name: string): Promise<unknown> | undefined => {
  const found = coming.get(name);
  return found && found.at > lastChange() ? found.loading : undefined;
};

/** Loads and keeps; what began before a change is kept as older than that. */
async function loadInto<T>(name: string, load: Load<T>, signal: AbortSignal): Promise<T> {
  const at = performance.now();
  const value = await load(signal);
  if (signal.aborted) return value;
  kept.delete(name);
  kept.set(name, { value, at });
  for (const oldest of kept.keys()) if (kept.size > mostKept) kept.delete(oldest);
  return value;
}

/** What a key names, as whoever is signed in is shown it. */
const nameOf = (key: string) => `${authorization() ?? ''} ${key}`;

/** Loads what is likely to be looked at next. Never fails: who looks at it then sees what is wrong. */
export async function loadAhead<T>(key: string, load: Load<T>): Promise<void> {
  const name = nameOf(key);
  if (isFresh(kept.get(name)) || comingAs(name)) return;
  const loading = loadInto(name, load, new AbortController().signal);
  coming.set(name, { loading, at: performance.now() });
  await loading.catch(() => {});
  if (coming.get(name)?.loading === loading) coming.delete(name);
}

/** Loads what a key names, again when records changed. Undefined keys load nothing. */
export function useLoaded<T>(key: string | undefined, load: Load<T>): Loading<T> {
  const asked = key === undefined ? undefined : nameOf(key);
  const [state, setState] = useState<Loading<T> & { key?: string }>({ loading: true });
  const current = useRef(load);
  current.current = load;
  useEffect(() => {
    if (asked === undefined) return;
    const controller = new AbortController();
    const { signal } = controller;
    let busy = false;
    let again = false;
    const done = (state: Loading<T>) => {
      if (signal.aborted) return;
      setState({ key: asked, ...state });
      busy = false;
      if (again) run();
    };
    // One load at a time: what changes meanwhile is loaded after it.
    const run = () => {
      again = busy;
      if (busy) return;
      busy = true;
      const load = () => loadInto(asked, current.current, signal);
      const ahead = comingAs(asked) as Promise<T> | undefined;
      (ahead?.catch(load) ?? load()).then(
        (value) => done({ value, loading: false }),
        (error: Error) => done({ error, loading: false }),
      );
    };
    const found = kept.get(asked);
    if (isFresh(found)) setState({ key: asked, value: found.value as T, loading: false });
    else run();
    const stop = onChange(run);
    return () => {
      stop();
      controller.abort();
    };
  }, [asked]);
  if (asked === undefined) return { loading: false };
  if (state.key === asked) return state;
  const found = kept.get(asked);
  return { value: found?.value as T | undefined, loading: !isFresh(found) };
}
