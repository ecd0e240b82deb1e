import { useState } from 'preact/hooks';
import { urlInWorld } from '../../../model/addresses.ts';
import type { Payload } from '../../../model/operation-types.ts';
import { formatFaultLine } from '../../../model/operations/fault-line.ts';
import { dayOf } from '../../../model/time/days.ts';
import { wallOf } from '../../../model/time/time.ts';
import { context } from '../context.ts';
import { clockText, shortDayText } from '../format.ts';
import { BodyView, copyText, Headers } from '../parts/code.tsx';
import { Button } from '../parts/controls.tsx';
import { textOfHtml } from '../parts/html.tsx';
import { permalinkPath } from '../record.ts';
import { bytesText, durationText } from '../workbench/action.tsx';
import { FaultLine } from '../workbench/faults.tsx';
import type { Draft } from './new-request.tsx';
import { type FaultKind, faultFor, records, toApiRequest } from './request.ts';
import { Outcome } from './rows.tsx';
import { createSamples } from './samples.tsx';
import type { TrafficRow } from './use-requests.ts';
import { useDetails } from './use-requests.ts';
import './pane.css';

/** Formats an ISO 8601 instant in the calendar's time zone. */
function calendarTimeText(instant: string): string {
  const wall = wallOf(Date.parse(instant), context.timezone);
  return `${shortDayText(dayOf(wall))}, ${clockText(wall)} (${context.timezone})`;
}

interface Properties {
  request: TrafficRow;
  canEdit: boolean;
  onCompare(): void;
  onReplay(request: Draft): void;
}

/** Everything about a request, with actions. */
export function Details({ request, canEdit, onCompare, onReplay }: Properties) {
  const details = useDetails(request);
  const [form, setForm] = useState<FaultKind>();
  const toggle = (name: FaultKind) => ({
    'aria-expanded': form === name,
    onClick: () => setForm(form === name ? undefined : name),
  });
  const { method, path, query, took, user, reason, client, world } = request;
  const addressIn = (address: string) => (world ? urlInWorld(new URL(address, location.origin).href, world.id) : address);
  const full = { ...(details ?? request), world };
  const samples = createSamples(toApiRequest(full), user ?? undefined);
  return (
    <section class="pane" aria-label="Request details">
      <h2>
        <Outcome request={request} /> {method} <bdi>{path}</bdi>
      </h2>
      {reason && <p class={request.status !== null && request.status < 400 ? 'hint' : 'form-error'}>{reason}</p>}
      <div class="buttons">
        {Object.entries({ curl: samples.curl, fetch: samples.fetch, command: samples.calendar }).map(([name, text]) => (
          <Button key={name} label={`Copy as ${name}`} look="small" onClick={() => copyText(text!)} />
        ))}
        <Button label="Replay" look="small" onClick={() => onReplay({ ...toApiRequest(full), recordedUser: user })} />
        {canEdit && (
          <>
            <Button label="Fail this" look="small" {...toggle('fail')} />
            <Button label="Hold next" look="small" {...toggle('hold')} />
            <Button label="Patch response" look="small" {...toggle('patch')} />
            <Button label="Save as fault" look="small" disabled={!details?.response} {...toggle('save')} />
          </>
        )}
        <Button label="Compare" look="small" onClick={onCompare} />
      </div>
      {form && (
        <FaultLine key={form} initial={formatFaultLine(faultFor(full, form))} world={world?.id} onAdded={() => setForm(undefined)} />
      )}
      <dl class="pane-facts">
        <Row name="Time" text={took === null ? null : durationText(took)} />
        {'now' in full && full.now && <Row name="Server clock" text={calendarTimeText(full.now)} />}
        {world && <Row name="World" text={world.name ?? world.id} />}
        <Row name="User" text={user ?? 'none'} />
        <Row name="Client" text={client} />
      </dl>
      {query && <Query query={query} />}
      {details?.response && <Records payload={details.response} addressIn={addressIn} />}
      {details?.request && <Side name="Request" payload={details.request} />}
      {details?.response && <Side name="Response" payload={details.response} />}
      {details === null && <p class="quiet">The server no longer has the headers and bodies of this request.</p>}
      {details && !details.request && <p class="quiet">Headers and bodies are available only with access to the control API.</p>}
    </section>
  );
}

/** A fact in the list; nothing without a text. */
const Row = ({ name, text }: { name: string; text: string | null | undefined }) =>
  text ? (
    <>
      <dt>{name}</dt>
      <dd>
        <bdi>{text}</bdi>
      </dd>
    </>
  ) : null;

const Query = ({ query }: { query: string }) => (
  <section aria-label="Query">
    <h3>Query</h3>
    <Headers headers={[...new URLSearchParams(query)]} />
  </section>
);

/** Links to the records in a response. */
function Records({ payload, addressIn }: { payload: Payload; addressIn(address: string): string }) {
  const links = records(payload.body);
  if (!links.length) return null;
  return (
    <section aria-label="Records">
      <h3>Records</h3>
      <ul>
        {links.map((record) => (
          <li key={record.url}>
            <a href={addressIn(permalinkPath(record))}>
              <bdi>{textOfHtml(record.name)}</bdi>
            </a>
          </li>
        ))}
      </ul>
    </section>
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
      {body && <BodyView label={`${name} body`} text={body} />}
    </section>
  );
}
