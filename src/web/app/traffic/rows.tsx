import type { RequestSummary } from '../../../model/operations/requests.ts';
import { timeOfText } from '../format.ts';
import { Method } from '../method.tsx';
import { durationText } from '../workbench/action.ts';
import { shortPath } from './request.ts';
import type { ListedRequest } from './use-requests.ts';

/** A request on one line. */
const Line = ({ request: { time, method, path, query, status, fault, took } }: { request: RequestSummary }) => (
  <>
    <time dateTime={time}>{timeOfText(time)}</time>
    <Method name={method} />
    <span class="target" title={path}>
      <bdi>{shortPath(path)}</bdi>
      {query && <bdi class="quiet">?{query}</bdi>}
    </span>
    <span class={`code code-${Math.floor(status / 100)}`}>{fault ?? status}</span>
    <span class="took">{durationText(took)}</span>
  </>
);

interface RowsProperties {
  requests: readonly ListedRequest[];
  selected?: string;
  compared?: string;
  onSelect(key: string): void;
}

/** A list of requests to select from. */
export const RequestRows = ({ requests, selected, compared, onSelect }: RowsProperties) => (
  <ol class="requests" aria-label="Requests">
    {requests.map((request) => (
      <li key={request.key}>
        <button
          type="button"
          class={`request${request.isOld ? ' old' : ''}`}
          aria-pressed={request.key === selected || request.key === compared}
          onClick={() => onSelect(request.key)}
        >
          <Line request={request} />
        </button>
      </li>
    ))}
  </ol>
);

/** A list of links to requests. */
export const RequestLinks = ({ requests }: { requests: readonly RequestSummary[] }) => (
  <ol class="requests">
    {requests.map((request) => (
      <li key={request.id}>
        <a class="request" href={`/_calendar/traffic?request=${request.id}`}>
          <Line request={request} />
        </a>
      </li>
    ))}
  </ol>
);
