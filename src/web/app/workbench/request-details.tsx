import type { JournaledRequest, Payload } from '../../../model/operations/requests.ts';
import { Code, Headers, indented } from '../code.tsx';
import { context } from '../context.ts';
import { dayOf, wallOf } from '../days.ts';
import { explorerAddress, hand } from '../explorer/handed.ts';
import { clockText, shortDayText } from '../format.ts';
import { bytesText } from './work.ts';

/** An instant in ISO 8601 by the calendar's clock. */
function calendarMoment(instant: string): string {
  const wall = wallOf(Date.parse(instant), context.timezone);
  return `${shortDayText(dayOf(wall))}, ${clockText(wall)}`;
}

/** What a request brought, and what it got. */
export function RequestDetails({ request, user }: { request: JournaledRequest; user: string | null }) {
  const { method, path, query, now, request: sent, response: answered } = request;
  const target = query ? `${path}?${query}` : path;
  return (
    <div class="request-details">
      <p class="quiet">
        {user !== null && (
          <>
            By <bdi>{user}</bdi>.{' '}
          </>
        )}
        {now && `The calendar’s clock stood at ${calendarMoment(now)}. `}
        <a href={explorerAddress(method, target)} onClick={() => sent?.body && hand(method, target, indented(sent.body))}>
          Open in the explorer
        </a>
      </p>
      {sent && answered ? (
        <div class="sides">
          <Side name="Request" payload={sent} />
          <Side name="Answer" payload={answered} />
        </div>
      ) : (
        <p class="quiet">What it brought and what it got is shown to who may control this server, and kept for a while only.</p>
      )}
    </div>
  );
}

function Side({ name, payload: { headers, body, bytes } }: { name: string; payload: Payload }) {
  const list = Object.entries(headers);
  return (
    <section aria-label={name}>
      <h3>
        {name} <small>{bytes > 0 ? bytesText(bytes) : 'without a body'}</small>
      </h3>
      <details>
        <summary>{list.length === 1 ? '1 header' : `${list.length} headers`}</summary>
        <Headers headers={list} />
      </details>
      {body && <Code label={`Body of the ${name.toLowerCase()}`} text={indented(body)} />}
    </section>
  );
}
