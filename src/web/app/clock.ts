import { useEffect, useState } from 'preact/hooks';
import { wallNow } from './context.ts';
import { onChange } from './server/changes.ts';

/** The current time in the calendar's zone. Updates every `intervalMs` and when the clock is set. */
export function useWallNow(intervalMs: number): string {
  const [wall, setWall] = useState(wallNow);
  useEffect(() => {
    const update = () => setWall(wallNow());
    const timer = setInterval(update, intervalMs);
    const stop = onChange(update);
    return () => {
      clearInterval(timer);
      stop();
    };
  }, [intervalMs]);
  return wall;
}
