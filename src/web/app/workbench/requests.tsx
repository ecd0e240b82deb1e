import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { RequestSummary } from '../../../model/operations/requests.ts';
import { ApiError } from '../server/api.ts';
import { callAndReload, callOperation } from '../server/control.ts';
import { onServerEvent } from '../server/stream.ts';
import { useAction } from './action.ts';
import { Card } from './card.tsx';
import { RequestList } from './request-list.tsx';

/** The server records the same number. */
const maxRequests = 500;

/** Returns the recorded requests, newest first, and adds new ones as they arrive. */
export function useRequests() {
  const [requests, setRequests] = useState<RequestSummary[]>();
  const [failure, setFailure] = useState<ApiError>();
  const queue = useRef<RequestSummary[]>([]);
  useEffect(() => {
    const controller = new AbortController();
    const load = async () => {
      try {
        const { value } = await callOperation('requests', { brief: true }, controller.signal);
        queue.current = [];
        setRequests(value.requests.reverse());
        setFailure(undefined);
      } catch (error) {
        if (error instanceof ApiError) setFailure(error);
      }
    };
    // Render new requests in batches.
    const timer = setInterval(() => {
      const batch = queue.current.splice(0).reverse();
      if (batch.length) setRequests((before = []) => [...batch, ...before.filter(({ id }) => id < batch.at(-1)!.id)].slice(0, maxRequests));
    }, 200);
    const stops = [
      onServerEvent('request', (request) => queue.current.push(request as RequestSummary)),
      onServerEvent('reset', load),
      onServerEvent('open', load),
    ];
    void load();
    return () => {
      controller.abort();
      clearInterval(timer);
      for (const stop of stops) stop();
    };
  }, []);
  return { requests, failure, clear: () => setRequests([]) };
}

const kinds = { all: 'All', changes: 'Changes', errors: 'Errors' } as const;
type Kind = keyof typeof kinds;

const filters: Record<Kind, (request: RequestSummary) => boolean> = {
  all: () => true,
  changes: ({ method }) => !['GET', 'HEAD', 'OPTIONS'].includes(method),
  errors: ({ status }) => status >= 400,
};

/** The text that the filter searches. All words must occur in it. */
const textOf = ({ method, path, query, status, user }: RequestSummary) =>
  `${method} ${targetOf({ path, query })} ${status} ${user ?? ''}`.toLowerCase();
const targetOf = ({ path, query }: Pick<RequestSummary, 'path' | 'query'>) => (query ? `${path}?${query}` : path);

/** The requests that the server received. */
export function Requests({ canEdit }: { canEdit: boolean }) {
  const { requests, failure, clear: clearList } = useRequests();
  const action = useAction();
  const [kind, setKind] = useState<Kind>('all');
  const [filter, setFilter] = useState('');
  const shown = useMemo(() => {
    const words = filter.toLowerCase().split(' ').filter(Boolean);
    return (requests ?? []).filter((request) => filters[kind](request) && words.every((word) => textOf(request).includes(word)));
  }, [requests, kind, filter]);
  const clear = () =>
    action.run(async () => {
      await callAndReload('clearRequests');
      clearList();
    });
  return (
    <Card
      title="Requests"
      failure={failure ?? action.failure}
      aside={
        <div class="buttons request-tools">
          <fieldset class="views" aria-label="Type of requests">
            {(Object.keys(kinds) as Kind[]).map((each) => (
              <button key={each} type="button" aria-pressed={each === kind} onClick={() => setKind(each)}>
                {kinds[each]}
              </button>
            ))}
          </fieldset>
          <input
            type="search"
            placeholder="Filter"
            aria-label="Filter requests"
            value={filter}
            onInput={({ currentTarget }) => setFilter(currentTarget.value)}
          />
          {canEdit && (
            <button type="button" class="button" disabled={action.isBusy || !requests?.length} onClick={clear}>
              Clear
            </button>
          )}
        </div>
      }
    >
      <RequestList requests={shown} />
      {requests && !shown.length && (
        <p class="quiet empty">{requests.length ? 'No matching requests.' : 'No requests yet. Requests to the API appear here.'}</p>
      )}
    </Card>
  );
}
