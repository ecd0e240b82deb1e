import { useEffect, useState } from 'preact/hooks';
import type { JournaledRequest, RequestSummary } from '../../../model/operations/requests.ts';
import { context } from '../context.ts';
import { timeOfText } from '../format.ts';
import { Method } from '../method.tsx';
import { callOperation } from '../server/control.ts';
import { durationText } from './action.ts';
import { RequestDetails } from './request-details.tsx';

/** Removes the namespace, which most paths share. */
const shortPath = (path: string): string => (path.startsWith(`${context.root}/`) ? path.slice(context.root.length) : path);

/** A request on one line, with expandable details. */
function RequestItem({ request, isOpen, onToggle }: { request: RequestSummary; isOpen: boolean; onToggle(): void }) {
  const { id, time, method, path, query, status, took, user } = request;
  const [details, setDetails] = useState<JournaledRequest | null>();
  useEffect(() => {
    if (!isOpen || details) return;
    // Old requests are deleted from the log: null if this one is missing.
    callOperation('requests', { after: id - 1, limit: 1 }).then(
      ({ value }) => setDetails(value.requests.find((each) => each.id === id) ?? null),
      () => setDetails(null),
    );
  }, [isOpen, id, details]);
  return (
    <li>
      <button type="button" class="request" aria-expanded={isOpen} onClick={onToggle}>
        <time dateTime={time}>{timeOfText(time)}</time>
        <Method name={method} />
        <span class="target" title={path}>
          <bdi>{shortPath(path)}</bdi>
          {query && <bdi class="quiet">?{query}</bdi>}
        </span>
        <span class={`code code-${Math.floor(status / 100)}`}>{status}</span>
        <span class="took">{durationText(took)}</span>
      </button>
      {isOpen && details !== undefined && <RequestDetails request={details ?? { ...request, now: '' }} user={user} />}
    </li>
  );
}

/** A list of requests. The details of one of them can be open. */
export function RequestList({ requests }: { requests: readonly RequestSummary[] }) {
  const [openId, setOpenId] = useState<number>();
  if (!requests.length) return null;
  return (
    <ol class="requests">
      {requests.map((request) => (
        <RequestItem
          key={request.id}
          request={request}
          isOpen={request.id === openId}
          onToggle={() => setOpenId(request.id === openId ? undefined : request.id)}
        />
      ))}
    </ol>
  );
}
