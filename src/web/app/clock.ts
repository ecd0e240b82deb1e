import { useEffect, useState } from 'preact/hooks';
import type { ClockState } from '../../model/operations/clock.ts';
import { now, setClock, wallNow } from './context.ts';
import { noteChange, onChange } from './server/changes.ts';
import { control } from './server/control.ts';
import { onNotice } from './server/follow.ts';

/** Milliseconds by which two clocks may differ before what is shown by one is shown again by the other. */
const slack = 1000;

function setTo(state: ClockState): void {
  const before = now();
  setClock(state);
  if (Math.abs(now() - before) > slack) noteChange();
}

/** Keeps the page's clock with that of the server, which may be stopped and moved. */
export function followClock(): void {
  const ask = () => void control('clock').then(({ value }) => setTo(value), ignore);
  onNotice('open', ask);
  onNotice('reset', ask);
  onNotice('clock', (state) => setTo(state as ClockState));
}

/** Without an answer it runs on as it did. */
const ignore = () => {};

/** The moment it is in the calendar's zone, again after so many milliseconds and when it was changed. */
export function useWallNow(every: number): string {
  const [wall, setWall] = useState(wallNow);
  useEffect(() => {
    const show = () => setWall(wallNow());
    const timer = setInterval(show, every);
    const stop = onChange(show);
    return () => {
      clearInterval(timer);
      stop();
    };
  }, [every]);
  return wall;
}
