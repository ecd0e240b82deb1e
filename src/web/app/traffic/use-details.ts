import { useEffect, useState } from 'preact/hooks';
import type { JournaledRequest } from '../../../model/operations/requests.ts';
import { callOperation } from '../server/control.ts';
import type { ListedRequest } from './use-requests.ts';

/** Loads the headers and bodies of a request; null if the server no longer has them. */
export function useDetails(request: ListedRequest | undefined): JournaledRequest | null | undefined {
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
