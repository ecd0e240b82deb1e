import { useEffect, useRef, useState } from 'preact/hooks';
import type { JournaledRequest, WorldInfo } from '../../../model/operation-types.ts';
import { context } from '../context.ts';
import { ApiError } from '../server/api.ts';
import { callOperation } from '../server/control.ts';
import { onServerEvent } from '../server/stream.ts';
import type { ListedRequest } from './filter.ts';

/** Number of requests in the list. */
const maxRequests = 500;
/** Interval in which new requests are rendered. */
const batchMs = 200;

/** A request in the list. IDs start again after a reset, keys don't. */
export interface TrafficRow extends ListedRequest {
  key: string;
  /** True if it was sent before the last reset: the server no longer has its headers and bodies. */
  isOld: boolean;
}

const listed = (epoch: number, request: ListedRequest): TrafficRow => ({
  ...request,
  key: [epoch, request.world?.id, request.id, request.time].join(' '),
  isOld: false,
});

/** The newest requests first, each as it was reported last: at its arrival, or at the end of its response. */
function merged(added: readonly TrafficRow[], requests: readonly TrafficRow[]): TrafficRow[] {
  const all = new Map<string, TrafficRow>();
  for (const request of [...added, ...requests]) if (!all.has(request.key)) all.set(request.key, request);
  return [...all.values()].sort((one, other) => Date.parse(other.time) - Date.parse(one.time)).slice(0, maxRequests);
}

/** Returns the recorded requests, newest first, and adds new ones as they arrive, unless paused. `preserve` keeps them across resets. With full access, requests of the server's worlds are included. */
export function useRequests({ isPaused = false, preserve = false, hasWorlds = false }) {
  const [state, setState] = useState<{ epoch: number; requests: TrafficRow[] }>();
  const [failure, setFailure] = useState<ApiError>();
  const [waiting, setWaiting] = useState(0);
  const [reports, setReports] = useState(0);
  const queue = useRef<ListedRequest[]>([]);
  const worlds = useWorlds(hasWorlds, maxRequests, (requests) => queue.current.push(...requests));
  const options = useRef({ isPaused, preserve });
  options.current = { isPaused, preserve };
  useEffect(() => {
    const controller = new AbortController();
    /** The requests that arrived since a load began whose response is awaited and may lack them. */
    let arrived: JournaledRequest[] | undefined;
    const load = async () => {
      const meanwhile: JournaledRequest[] = [];
      arrived = meanwhile;
      try {
        const { value } = await callOperation('requests', { brief: true, limit: maxRequests }, controller.signal);
        // A later load replaces this one, which may be of an earlier epoch.
        if (arrived !== meanwhile) return;
        const last = value.requests.at(-1)?.id ?? 0;
        queue.current = [...queue.current.filter(({ world }) => world), ...meanwhile.filter(({ id, took }) => id > last || took !== null)];
        setState((before) => {
          const { epoch, requests } = before ?? { epoch: 1, requests: [] };
          const loaded = value.requests.map((each) => listed(epoch, each)).reverse();
          return {
            epoch,
            requests: merged(
              loaded,
              requests.filter(({ isOld, world }) => isOld || world),
            ),
          };
        });
        setFailure(undefined);
      } catch (error) {
        if (error instanceof ApiError) setFailure(error);
      } finally {
        if (arrived === meanwhile) arrived = undefined;
      }
    };
    const startEpoch = () => {
      queue.current = queue.current.filter(({ world }) => world);
      setState((before) => ({
        epoch: (before?.epoch ?? 0) + 1,
        requests: (before?.requests ?? [])
          .filter(({ world }) => world || options.current.preserve)
          .map((each) => ({ ...each, isOld: each.isOld || !each.world })),
      }));
      void load();
    };
    const timer = setInterval(() => {
      const paused = options.current.isPaused ? queue.current : [];
      setReports(paused.length);
      setWaiting(new Set(paused.map(({ id, world }) => `${world?.id} ${id}`)).size);
      if (options.current.isPaused || !queue.current.length) return;
      const batch = queue.current.splice(0).reverse();
      setState((before) => {
        const { epoch, requests } = before ?? { epoch: 1, requests: [] };
        return {
          epoch,
          requests: merged(
            batch.map((each) => listed(epoch, each)),
            requests,
          ),
        };
      });
    }, batchMs);
    const stops = [
      onServerEvent('request', (request) => {
        queue.current.push(request as JournaledRequest);
        arrived?.push(request as JournaledRequest);
      }),
      onServerEvent('reset', startEpoch),
      onServerEvent('open', () => void load()),
    ];
    void load();
    return () => {
      controller.abort();
      clearInterval(timer);
      for (const stop of stops) stop();
    };
  }, []);
  /** Removes the requests of a world, or all. */
  const clear = (world?: string) =>
    setState((before) => ({
      epoch: (before?.epoch ?? 0) + 1,
      requests: (before?.requests ?? []).filter((request) => world !== undefined && (request.world?.id ?? 'server') !== world),
    }));
  return { requests: state?.requests, worlds, failure, waiting, reports, clear };
}

/** Intervals in which the worlds are read, with and without any. */
const [intervalMs, idleIntervalMs] = [1000, 10_000];

/** The worlds of the server, for callers with full access. The page of the server reports their new requests, the last `maxRequests` of each at first. */
function useWorlds(isEnabled: boolean, maxRequests: number, onRequests: (requests: ListedRequest[]) => void): readonly WorldInfo[] {
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

/** Loads the headers and bodies of a request; null if the server no longer has them. */
export function useDetails(request: TrafficRow | undefined): JournaledRequest | null | undefined {
  const [loaded, setLoaded] = useState<{ key: string; details: JournaledRequest | null }>();
  // A pending request gets more of them when it ends.
  const key = request && `${request.key} ${request.took}`;
  useEffect(() => {
    if (!request || !key || loaded?.key === key) return;
    const { id, time, isOld, world } = request;
    const set = (details: JournaledRequest | null) => setLoaded({ key, details });
    if (isOld) return set(null);
    callOperation('requests', { after: id - 1, limit: 1 }, undefined, world?.id).then(
      ({ value }) => set(value.requests.find((each) => each.id === id && each.time === time) ?? null),
      () => set(null),
    );
  }, [request, key, loaded]);
  return loaded && loaded.key === key ? loaded.details : undefined;
}
