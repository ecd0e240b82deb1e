import { useEffect, useState } from 'preact/hooks';
import type { JournaledRequest, RequestSummary } from '../../../model/operations/requests.ts';
import { context } from '../context.ts';
import { timeOfText } from '../format.ts';
import { Method } from '../method.tsx';
import { control } from '../server/control.ts';
import { RequestDetails } from './request-details.tsx';
import { milliseconds } from './work.ts';

/** A path below the namespace without that, as it is the same of nearly all. */
const shortPath = (path: string): string => (path.startsWith(`${context.root}/`) ? path.slice(context.root.length) : path);

/** One request in a line, which opens. */
function RequestItem({ request, open, onToggle }: { request: RequestSummary; open: boolean; onToggle(): void }) {
  const { id, time, method, path, query, status, took, user } = request;
  const [whole, setWhole] = useState<JournaledRequest | null>();
  useEffect(() => {
    if (!open || whole) return;
    // One that is gone by now has nothing more to show.
    control('requests', { after: id - 1, limit: 1 }).then(
      ({ value }) => setWhole(value.requests.find((each) => each.id === id) ?? null),
      () => setWhole(null),
    );
  }, [open, id, whole]);
  return (
    <li>
      <button type="button" class="request" aria-expanded={open} onClick={onToggle}>
        <time dateTime={time}>{timeOfText(time)}</time>
        <Method name={method} />
        <span class="target" title={path}>
          <bdi>{shortPath(path)}</bdi>
          {query && <bdi class="quiet">?{query}</bdi>}
        </span>
        <span class={`code code-${Math.floor(status / 100)}`}>{status}</span>
        <span class="took">{milliseconds(took)}</span>
      </button>
      {open && whole !== undefined && <RequestDetails request={whole ?? { ...request, now: '' }} user={user} />}
    </li>
  );
}

/** Requests in lines, of which one is open at a time. */
export function RequestList({ requests }: { requests: readonly RequestSummary[] }) {
  const [open, setOpen] = useState<number>();
  if (!requests.length) return null;
  return (
    <ol class="requests">
      {requests.map((request) => (
        <RequestItem
          key={request.id}
          request={request}
          open={request.id === open}
          onToggle={() => setOpen(request.id === open ? undefined : request.id)}
        />
      ))}
    </ol>
  );
}
