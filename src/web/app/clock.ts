import { useEffect, useState } from 'preact/hooks';
import { controlPath } from '../../model/addresses.ts';
import type { ClockState } from '../../model/operations/clock.ts';
import { context, now, setClock, wallNow } from './context.ts';
import { fetchJson } from './server/api.ts';
import { noteChange, onChange } from './server/changes.ts';
import { controlAuthorization } from './server/session.ts';
import { onServerEvent } from './server/stream.ts';

/** Difference between the page's clock and the server's, in ms, above which all views are reloaded. */
const maxDriftMs = 1000;

/** Sets the page's clock. `requested` is its time when the state was requested: the server's time is between that and the current one. */
function updateClock(state: ClockState, requested = now()): void {
  const [time, latest] = [Date.parse(state.now), now()];
  setClock(state);
  // A frozen clock still shows the time of the document.
  if (time === context.now) return;
  if (time < requested - maxDriftMs || time > latest + maxDriftMs) noteChange();
}

/** Keeps the page's clock in sync with the server's, which can be frozen and moved. */
export function syncClock(): void {
  const reload = () => {
    const requested = now();
    fetchJson<ClockState>('GET', `${controlPath}/clock`, { authorization: controlAuthorization() }).then(
      ({ value }) => updateClock(value, requested),
      ignore,
    );
  };
  onServerEvent('open', reload);
  onServerEvent('reset', reload);
  onServerEvent('clock', (state) => updateClock(state as ClockState));
}

/** Keeps the clock running as it is when the server doesn't respond. */
const ignore = () => {};

/** Returns the current time in the calendar's zone. Updates every `intervalMs` and when the clock is set. */
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
