import type { JournaledRequest, Payload } from '../../../model/operations/requests.ts';
import { Code, formatJson, Headers } from '../code.tsx';
import { context } from '../context.ts';
import { dayOf, wallOf } from '../days.ts';
import { explorerAddress, saveBody } from '../explorer/prefill.ts';
import { clockText, shortDayText } from '../format.ts';
import { bytesText } from './action.ts';

/** Formats an ISO 8601 instant in the calendar's time zone. */
function calendarTimeText(instant: string): string {
  const wall = wallOf(Date.parse(instant), context.timezone);
  return `${shortDayText(dayOf(wall))}, ${clockText(wall)}`;
}

/** Headers and bodies of a request and its response. */
export function RequestDetails({ request, user }: { request: JournaledRequest; user: string | null }) {
  const { method, path, query, now, request: requestPayload, response: responsePayload } = request;
  const target = query ? `${path}?${query}` : path;
  return (
    <div class="request-details">
      <p class="quiet">
        {user !== null && (
          <>
            User: <bdi>{user}</bdi> ·{' '}
          </>
        )}
        {now && `Server clock: ${calendarTimeText(now)} · `}
        <a
          href={explorerAddress(method, target)}
          onClick={() => requestPayload?.body && saveBody(method, target, formatJson(requestPayload.body))}
        >
          Open in API explorer
        </a>
      </p>
      {requestPayload && responsePayload ? (
        <div class="sides">
          <Side name="Request" payload={requestPayload} />
          <Side name="Response" payload={responsePayload} />
        </div>
      ) : (
        <p class="quiet">Headers and bodies are available only with access to the control API, and only for recent requests.</p>
      )}
    </div>
  );
}

function Side({ name, payload: { headers, body, bytes } }: { name: string; payload: Payload }) {
  const list = Object.entries(headers);
  return (
    <section aria-label={name}>
      <h3>
        {name} <small>{bytes > 0 ? bytesText(bytes) : 'no body'}</small>
      </h3>
      <details>
        <summary>{list.length === 1 ? '1 header' : `${list.length} headers`}</summary>
        <Headers headers={list} />
      </details>
      {body && <Code label={`${name} body`} text={formatJson(body)} />}
    </section>
  );
}
