import { useCallback, useEffect, useRef } from 'preact/hooks';

/** Pause in typing after which suggestions are requested, in ms. */
export const suggestDelayMs = 120;
/** Pause in typing after which a search changes the address, in ms. */
export const searchDelayMs = 250;

/**
 * Delays a callback until its calls pause. The latest callback runs, never after the component is gone. `cancel` drops the call that waits, as before an
 * immediate one.
 */
export function useDelayed<Values extends unknown[]>(run: (...values: Values) => void, ms: number) {
  const latest = useRef(run);
  latest.current = run;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const cancel = useCallback(() => clearTimeout(timer.current), []);
  useEffect(() => cancel, [cancel]);
  const delayed = useCallback(
    (...values: Values) => {
      cancel();
      timer.current = setTimeout(() => latest.current(...values), ms);
    },
    [cancel, ms],
  );
  return [delayed, cancel] as const;
}
