import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { RequestSummary } from '../../../model/operations/requests.ts';
import { ApiError } from '../server/api.ts';
import { change, control } from '../server/control.ts';
import { onNotice } from '../server/follow.ts';
import { Card } from './card.tsx';
import { RequestList } from './request-list.tsx';
import { useWork } from './work.ts';

/** As many as a server keeps. */
const most = 500;

/** The requests that a server has answered, the newest first, as they come. */
export function useRequests() {
  const [requests, setRequests] = useState<RequestSummary[]>();
  const [failure, setFailure] = useState<ApiError>();
  const waiting = useRef<RequestSummary[]>([]);
  useEffect(() => {
    const controller = new AbortController();
    const load = async () => {
      try {
        const { value } = await control('requests', { brief: true }, controller.signal);
        waiting.current = [];
        setRequests(value.requests.reverse());
        setFailure(undefined);
      } catch (error) {
        if (error instanceof ApiError) setFailure(error);
      }
    };
    // Many that come at once are shown at once.
    const timer = setInterval(() => {
      const come = waiting.current.splice(0).reverse();
      if (come.length) setRequests((before = []) => [...come, ...before.filter(({ id }) => id < come.at(-1)!.id)].slice(0, most));
    }, 200);
    const stops = [
      onNotice('request', (request) => waiting.current.push(request as RequestSummary)),
      onNotice('reset', load),
      onNotice('open', load),
    ];
    void load();
    return () => {
      controller.abort();
      clearInterval(timer);
      for (const stop of stops) stop();
    };
  }, []);
  return { requests, failure, forget: () => setRequests([]) };
}

const kinds = { all: 'All', changes: 'Changes', failures: 'Failures' } as const;
type Kind = keyof typeof kinds;

const isOf: Record<Kind, (request: RequestSummary) => boolean> = {
  all: () => true,
  changes: ({ method }) => !['GET', 'HEAD', 'OPTIONS'].includes(method),
  failures: ({ status }) => status >= 400,
};

/** A request as it is written and looked for: every word has to be there. */
const textOf = ({ method, path, query, status, user }: RequestSummary) =>
  `${method} ${targetOf({ path, query })} ${status} ${user ?? ''}`.toLowerCase();
const targetOf = ({ path, query }: Pick<RequestSummary, 'path' | 'query'>) => (query ? `${path}?${query}` : path);

/** What was asked of the server, as it comes, each with what it brought and what it got. */
export function Requests({ mayChange }: { mayChange: boolean }) {
  const { requests, failure, forget } = useRequests();
  const work = useWork();
  const [kind, setKind] = useState<Kind>('all');
  const [sought, setSought] = useState('');
  const shown = useMemo(() => {
    const wanted = sought.toLowerCase().split(' ').filter(Boolean);
    return (requests ?? []).filter((request) => isOf[kind](request) && wanted.every((word) => textOf(request).includes(word)));
  }, [requests, kind, sought]);
  const clear = () =>
    work.run(async () => {
      await change('clearRequests');
      forget();
    });
  return (
    <Card
      title="Requests"
      failure={failure ?? work.failure}
      aside={
        <div class="buttons request-tools">
          <fieldset class="views" aria-label="Which requests">
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
            value={sought}
            onInput={({ currentTarget }) => setSought(currentTarget.value)}
          />
          {mayChange && (
            <button type="button" class="button" disabled={work.busy || !requests?.length} onClick={clear}>
              Clear
            </button>
          )}
        </div>
      }
    >
      <RequestList requests={shown} />
      {requests && !shown.length && (
        <p class="quiet empty">{requests.length ? 'No request matches.' : 'Nothing was asked yet. Requests stand here as they come.'}</p>
      )}
    </Card>
  );
}
