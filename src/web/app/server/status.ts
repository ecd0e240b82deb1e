import { useEffect, useState } from 'preact/hooks';
import type { ClockState, Health } from '../../../model/operation-types.ts';
import { context, now, setClock } from '../context.ts';
import { noteChange } from './changes.ts';
import { callOperation, onOperation } from './control.ts';
import { canUseControl, onSession } from './session.ts';
import { onServerEvent } from './stream.ts';

/** The state of the server as far as the page may know it, or why it may not. */
interface Status {
  health?: Health;
  error?: Error;
}

let status: Status = {};
const listeners = new Set<() => void>();

function setStatus(next: Status): void {
  status = next;
  for (const listener of listeners) listener();
}

/** The state of the server; empty until it is loaded, and for those who may not use the control API. */
export function useStatus(): Status {
  const [current, setCurrent] = useState(status);
  useEffect(() => {
    const update = () => setCurrent(status);
    update();
    listeners.add(update);
    return () => void listeners.delete(update);
  }, []);
  return current;
}

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

/** Time between two loads, and age from which a new connection loads the state again, in ms. */
const [minIntervalMs, interruptionMs] = [1000, 5000];

let timer: ReturnType<typeof setTimeout> | undefined;
let loadedAt = Number.NEGATIVE_INFINITY;

async function load(): Promise<void> {
  timer = undefined;
  loadedAt = performance.now();
  if (!canUseControl()) return setStatus({});
  const requested = now();
  try {
    const { value } = await callOperation('health');
    updateClock(value.clock, requested);
    setStatus({ health: value });
  } catch (error) {
    // The clock continues as it is while the server doesn't respond.
    setStatus({ ...status, error: error as Error });
  }
}

function loadSoon(): void {
  if (timer === undefined) timer = setTimeout(load, Math.max(0, loadedAt + minIntervalMs - performance.now()));
}

/** Loads the state of the server now and when it may have changed. */
export function startStatus(): void {
  onServerEvent('reset', loadSoon);
  // Requests use up faults.
  onServerEvent('request', () => status.health?.faults && loadSoon());
  onServerEvent('clock', (state) => {
    updateClock(state as ClockState);
    if (status.health) setStatus({ health: { ...status.health, clock: state as ClockState } });
  });
  onOperation(loadSoon);
  // After an interruption.
  onServerEvent('open', () => performance.now() - loadedAt > interruptionMs && loadSoon());
  onSession(() => {
    setStatus({});
    void load();
  });
  loadSoon();
}
