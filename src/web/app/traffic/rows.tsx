import { useState } from 'preact/hooks';
import type { JournaledRequest } from '../../../model/operation-types.ts';
import { isFailed, outcomeText } from '../../../model/operations/request-outcome.ts';
import { timeOfText } from '../format.ts';
import { Method } from '../parts/code.tsx';
import { durationText } from '../workbench/action.tsx';
import { clientName, isCommand } from './client.ts';
import type { ListedRequest } from './filter.ts';
import { shortPath } from './request.ts';
import type { TrafficRow } from './use-requests.ts';
import './request.css';

/** The status of a request, or its outcome without one. */
export const Outcome = ({ request }: { request: JournaledRequest }) => (
  <span class={`request-code ${isFailed(request) || Number(request.status) >= 400 ? 'bad' : Number(request.status) >= 200 ? 'good' : ''}`}>
    {outcomeText(request)}
  </span>
);

/** A request on one line. */
const Line = ({ request }: { request: ListedRequest }) => {
  const { time, method, path, query, took, world, reason, client, fault } = request;
  return (
    <>
      <time dateTime={time}>{timeOfText(time)}</time>
      <Method name={method} />
      <span class="request-target cut" title={path}>
        <bdi>{shortPath(path)}</bdi>
        {query && <bdi class="quiet">?{query}</bdi>}
      </span>
      {world && (
        <span class="request-world cut" title={world.id}>
          <bdi>{world.name ?? world.id}</bdi>
        </span>
      )}
      <bdi class="request-reason cut" title={reason ?? undefined}>
        {[fault, reason].filter(Boolean).join(' ')}
      </bdi>
      <bdi class={`request-client cut${isCommand(client) ? ' command' : ''}`} title={client ?? undefined}>
        {clientName(client)}
      </bdi>
      <Outcome request={request} />
      <span class="request-took">{took !== null && durationText(took)}</span>
    </>
  );
};

interface RowsProperties {
  requests: readonly TrafficRow[];
  selected?: string;
  compared?: string;
  /** Leaves out the time, the reason and the client. */
  isShort: boolean;
  onSelect(key: string): void;
}

/** The row that a key moves to from another one. */
const rowAt = (list: Element, from: Element, key: string): Element | null | undefined => {
  const item = from.closest('li');
  if (key === 'ArrowDown') return item?.nextElementSibling;
  if (key === 'ArrowUp') return item?.previousElementSibling;
  if (key === 'Home') return list.firstElementChild;
  return key === 'End' ? list.lastElementChild : null;
};

/** A list of requests to select from. Tab reaches it in one stop, arrow keys move between its rows. */
export function RequestRows({ requests, selected, compared, isShort, onSelect }: RowsProperties) {
  const [active, setActive] = useState<string>();
  const hasKey = (key: string | undefined) => key !== undefined && requests.some((request) => request.key === key);
  const stop = [active, selected].find(hasKey) ?? requests[0]?.key;
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rowAt(event.currentTarget as Element, event.target as Element, event.key)?.querySelector('button');
    if (!row || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    row.focus();
  };
  return (
    <ol class="request-list scrolling" aria-label="Requests" onKeyDown={onKeyDown}>
      {requests.map((request) => (
        <li key={request.key}>
          <button
            type="button"
            class={`request${request.isOld ? ' old' : ''}${isShort ? ' short' : ''}`}
            tabIndex={request.key === stop ? 0 : -1}
            aria-pressed={request.key === selected || request.key === compared}
            onFocus={() => setActive(request.key)}
            onClick={() => onSelect(request.key)}
          >
            <Line request={request} />
          </button>
        </li>
      ))}
    </ol>
  );
}

/** A list of links to requests. */
export const RequestLinks = ({ requests }: { requests: readonly JournaledRequest[] }) => (
  <ol class="request-list">
    {requests.map((request) => (
      <li key={request.id}>
        <a class="request short" href={`/_calendar/traffic?request=${request.id}`}>
          <Line request={request} />
        </a>
      </li>
    ))}
  </ol>
);
