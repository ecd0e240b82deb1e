import { useEffect, useRef, useState } from 'preact/hooks';
import type { RequestSummary } from '../../../model/operations/requests.ts';
import { ApiError } from '../server/api.ts';
import { callOperation } from '../server/control.ts';
import { onServerEvent } from '../server/stream.ts';

/** Number of requests in the list. */
const maxRequests = 500;
/** Interval in which new requests are rendered. */
const batchMs = 200;

/** A request in the list. IDs start again after a reset, keys don't. */
export interface ListedRequest extends RequestSummary {
  key: string;
  /** True if it was sent before the last reset: the server no longer has its headers and bodies. */
  isOld: boolean;
}

const listed = (epoch: number, request: RequestSummary): ListedRequest => ({ ...request, key: `${epoch}-${request.id}`, isOld: false });

/** Returns the recorded requests, newest first, and adds new ones as they arrive, unless paused. `preserve` keeps them across resets. */
export function useRequests({ isPaused = false, preserve = false }) {
  const [state, setState] = useState<{ epoch: number; requests: ListedRequest[] }>();
  const [failure, setFailure] = useState<ApiError>();
  const [waiting, setWaiting] = useState(0);
  const queue = useRef<RequestSummary[]>([]);
  const options = useRef({ isPaused, preserve });
  options.current = { isPaused, preserve };
  useEffect(() => {
    const controller = new AbortController();
    const load = async () => {
      try {
        const { value } = await callOperation('requests', { brief: true, limit: maxRequests }, controller.signal);
        queue.current = [];
        setState((before) => {
          const { epoch, requests } = before ?? { epoch: 1, requests: [] };
          const loaded = value.requests.map((each) => listed(epoch, each)).reverse();
          return { epoch, requests: [...loaded, ...requests.filter(({ isOld }) => isOld)].slice(0, maxRequests) };
        });
        setFailure(undefined);
      } catch (error) {
        if (error instanceof ApiError) setFailure(error);
      }
    };
    const startEpoch = () => {
      queue.current = [];
      setState((before) => ({
        epoch: (before?.epoch ?? 0) + 1,
        requests: options.current.preserve ? (before?.requests ?? []).map((each) => ({ ...each, isOld: true })) : [],
      }));
      void load();
    };
    const timer = setInterval(() => {
      setWaiting(options.current.isPaused ? queue.current.length : 0);
      if (options.current.isPaused || !queue.current.length) return;
      const batch = queue.current.splice(0).reverse();
      setState((before) => {
        const { epoch, requests } = before ?? { epoch: 1, requests: [] };
        const added = batch.map((each) => listed(epoch, each));
        const keys = new Set(added.map(({ key }) => key));
        return { epoch, requests: [...added, ...requests.filter(({ key }) => !keys.has(key))].slice(0, maxRequests) };
      });
    }, batchMs);
    const stops = [
      onServerEvent('request', (request) => queue.current.push(request as RequestSummary)),
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
  const clear = () => setState((before) => ({ epoch: (before?.epoch ?? 0) + 1, requests: [] }));
  return { requests: state?.requests, failure, waiting, clear };
}
