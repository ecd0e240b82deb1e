import { useEffect, useRef, useState } from 'preact/hooks';
import { onChange } from './changes.ts';
import { authorization } from './session.ts';

/** What is loaded, or being loaded. What was there before stays until the new is there. */
export interface Loading<T> {
  value?: T;
  error?: Error;
  loading: boolean;
}

/** Results by what was asked, the least lately used first, so that going back shows at once what stood there. */
const kept = new Map<string, unknown>();
const mostKept = 60;

function keep(key: string, value: unknown): void {
  kept.delete(key);
  kept.set(key, value);
  for (const oldest of kept.keys()) if (kept.size > mostKept) kept.delete(oldest);
}

/** Loads what a key names, again when records changed. Undefined keys load nothing. */
export function useLoaded<T>(key: string | undefined, load: (signal: AbortSignal) => Promise<T>): Loading<T> {
  const asked = key === undefined ? undefined : `${authorization() ?? ''} ${key}`;
  const [state, setState] = useState<Loading<T> & { key?: string }>({ loading: true });
  const current = useRef(load);
  current.current = load;
  useEffect(() => {
    if (asked === undefined) return;
    let controller = new AbortController();
    const run = () => {
      controller.abort();
      controller = new AbortController();
      const { signal } = controller;
      current.current(signal).then(
        (value) => {
          if (signal.aborted) return;
          keep(asked, value);
          setState({ key: asked, value, loading: false });
        },
        (error: Error) => signal.aborted || setState({ key: asked, error, loading: false }),
      );
    };
    run();
    const stop = onChange(run);
    return () => {
      stop();
      controller.abort();
    };
  }, [asked]);
  if (asked === undefined) return { loading: false };
  if (state.key === asked) return state;
  return { value: kept.get(asked) as T | undefined, loading: true };
}
