import { useEffect, useRef, useState } from 'preact/hooks';
import type { WorldInfo } from '../../../model/operations/worlds.ts';
import { context } from '../context.ts';
import { callOperation } from '../server/control.ts';
import type { WorldRequest } from './filter.ts';

/** Intervals in which the worlds are read, with and without any. */
const [intervalMs, idleIntervalMs] = [1000, 10_000];

/** Returns the worlds of the server, for callers with full access. The page of the server reports their new requests, the last `maxRequests` of each at first. */
export function useWorlds(isEnabled: boolean, maxRequests: number, onRequests: (requests: WorldRequest[]) => void): readonly WorldInfo[] {
  const [worlds, setWorlds] = useState<readonly WorldInfo[]>([]);
  const report = useRef(onRequests);
  report.current = onRequests;
  useEffect(() => {
    if (!isEnabled) return;
    const controller = new AbortController();
    const { signal } = controller;
    let timer: ReturnType<typeof setTimeout> | undefined;
    /** Number of requests of each world that were read, and the ID up to which all of them have ended. */
    const read = new Map<string, { total: number; after: number }>();
    const readRequests = async (world: WorldInfo) => {
      const { total, after } = read.get(world.id) ?? { total: 0, after: undefined };
      if (world.requests === total && (after ?? 0) === total) return;
      const limit = after === undefined ? maxRequests : undefined;
      const { value } = await callOperation('requests', { brief: true, limit, after }, signal, world.id);
      const pending = value.requests.find(({ took }) => took === null);
      read.set(world.id, { total: value.total, after: pending ? pending.id - 1 : value.total });
      report.current(value.requests.map((request) => ({ ...request, world })));
    };
    const run = async () => {
      const all =
        document.visibilityState === 'visible' ? await callOperation('worlds', undefined, signal).catch(() => undefined) : undefined;
      if (signal.aborted) return;
      if (all) setWorlds(all.value.worlds);
      // A world may be deleted meanwhile.
      if (context.world === null) for (const world of all?.value.worlds ?? []) await readRequests(world).catch(() => {});
      if (!signal.aborted) timer = setTimeout(run, all?.value.worlds.length ? intervalMs : idleIntervalMs);
    };
    void run();
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [isEnabled, maxRequests]);
  return worlds;
}
