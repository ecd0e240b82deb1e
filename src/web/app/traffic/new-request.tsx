import { useId, useState } from 'preact/hooks';
import { context } from '../context.ts';
import { countText } from '../format.ts';
import { useLoaded } from '../loading.ts';
import { BodyView, Headers } from '../parts/code.tsx';
import { Button } from '../parts/controls.tsx';
import { requestApi } from '../server/api.ts';
import { announceChange } from '../server/changes.ts';
import { controlAuthorization, useUserName } from '../server/session.ts';
import { type ApiOperation, methods, type OpenApi, operationFor, operationsOf, type Suggestion } from './openapi.ts';
import { type ApiRequest, type ApiResponse, Samples, sendRequest } from './samples.tsx';
import './pane.css';
import './new-request.css';

/** A request to fill the form with. */
export interface Draft extends ApiRequest {
  /** User of the recorded request that it repeats; null for a visitor. */
  recordedUser?: string | null;
}

/** The request in the address of the form: a method and a path with its query. */
export function draftIn(text: string): Draft {
  const [, method = 'GET', path] = /^(\w+) (.*)$/.exec(text) ?? [];
  return { method, path: path || `${context.root}/events`, headers: {} };
}

type Parameters = readonly (readonly [name: string, value: string])[];

const splitTarget = (target: string): { path: string; parameters: Parameters } => {
  const [path = '', query = ''] = target.split(/\?(.*)/s);
  return { path, parameters: [...new URLSearchParams(query)] };
};

const targetOf = (path: string, parameters: Parameters): string => {
  const filled = parameters.filter(([, value]) => value).map(([name, value]) => [name, value]);
  const query = String(new URLSearchParams(filled)).replaceAll('%2C', ',');
  return query ? `${path}?${query}` : path;
};

/** A form that sends any request as the current user, with suggestions from the API description, and its response. */
export function NewRequest({ draft, onClose }: { draft: Draft; onClose(): void }) {
  const id = useId();
  const [method, setMethod] = useState(draft.method);
  const [{ path, parameters }, setTarget] = useState(() => splitTarget(draft.path));
  const [typedBody, setBody] = useState(draft.body);
  const [response, setResponse] = useState<ApiResponse>();
  const [errorText, setErrorText] = useState('');
  const [isSending, setSending] = useState(false);
  const { value: operations = [] } = useLoaded('openapi', async (signal) =>
    operationsOf((await requestApi<OpenApi>('GET', '/openapi.json', { signal })).value),
  );
  const operation = operationFor(operations, method, path);
  const senderText = useSenderText(targetOf(path, parameters), draft);
  const hasBody = method !== 'GET' && method !== 'HEAD' && (method !== 'DELETE' || typedBody !== undefined);
  const body = hasBody
    ? (typedBody ?? (operation?.body?.example === undefined ? '' : JSON.stringify(operation.body.example, null, 2)))
    : '';
  const variable = /\{\w+\}/.exec(path)?.[0];
  const request: ApiRequest = {
    method,
    path: targetOf(path, parameters),
    headers: {
      // Without this header the root of the site returns the page.
      ...(path === '/' && { Accept: 'application/json' }),
      ...draft.headers,
      ...(body.trim() && !draft.headers['content-type'] && { 'Content-Type': 'application/json' }),
    },
    ...(body.trim() && { body }),
  };
  const setPath = (text: string) => {
    const target = splitTarget(text);
    setTarget({ path: target.path, parameters: [...parameters, ...target.parameters] });
  };
  const send = async (event: SubmitEvent) => {
    event.preventDefault();
    setSending(true);
    setErrorText('');
    try {
      const result = await sendRequest(request);
      setResponse(result);
      if (method !== 'GET' && result.ok) announceChange();
    } catch {
      setResponse(undefined);
      setErrorText('Couldn’t reach the server. Check that it is running.');
    }
    setSending(false);
  };
  return (
    <section class="pane new-request" aria-label="New request">
      <form onSubmit={send}>
        <div class="buttons">
          <select aria-label="Method" value={method} onChange={({ currentTarget }) => setMethod(currentTarget.value)}>
            {[...new Set([...methods, method])].map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
          <input
            class="new-request-path"
            type="text"
            aria-label="Path"
            aria-describedby={`${id}hint`}
            required
            pattern="/.*"
            autocomplete="off"
            spellcheck={false}
            list={`${id}paths`}
            value={path}
            onInput={({ currentTarget }) => setPath(currentTarget.value)}
          />
          <datalist id={`${id}paths`}>
            {operations
              .filter((each) => each.method === method)
              .map((each) => (
                <option key={each.id} value={each.path} label={each.summary} />
              ))}
          </datalist>
          <Button label="Send" look="main" type="submit" disabled={isSending || variable !== undefined} />
          <Button icon="close" look="square" aria-label="Close" onClick={onClose} />
        </div>
        <p class="hint" id={`${id}hint`}>
          {variable ? `Replace ${variable} in the path.` : [operation && `${operation.summary}.`, senderText].filter(Boolean).join(' ')}
        </p>
        {/\*{3,}|redacted/i.test(request.path + body) && <p class="hint">Some values were redacted. Replace them before sending.</p>}
        <div class="new-request-input">
          <ParameterList
            parameters={parameters}
            suggestions={operation?.parameters ?? []}
            onChange={(changed) => setTarget({ path, parameters: changed })}
          />
          {hasBody && <BodyInput text={body} operation={operation} onChange={setBody} />}
        </div>
      </form>
      <div class="new-request-output">
        <div role="status">
          {errorText && <p class="form-error">{errorText}</p>}
          {response && <ResponseView response={response} />}
        </div>
        <Samples request={request} operationId={operation?.id} />
      </div>
    </section>
  );
}

/** Describes the credentials that a request is sent with. Those of recorded requests are not stored. */
function useSenderText(path: string, { recordedUser }: Draft): string {
  const name = useUserName();
  if (path.startsWith('/_calendar/') && controlAuthorization()) return 'Sends the control token of this tab.';
  const sender = name !== undefined ? `Sends as ${name}.` : context.users ? 'Sends as a visitor.' : 'Sends without credentials.';
  return recordedUser && recordedUser !== name
    ? `${sender} The recorded request was sent by ${recordedUser}, whose password isn’t stored.`
    : sender;
}

interface ListProperties {
  parameters: Parameters;
  suggestions: readonly Suggestion[];
  onChange(parameters: Parameters): void;
}

/** The parameters of the query. The last row adds one. */
function ParameterList({ parameters, suggestions, onChange }: ListProperties) {
  const id = useId();
  const rows: Parameters = [...parameters, ['', '']];
  const set = (index: number, row: readonly [string, string]) =>
    onChange(rows.map((each, at) => (at === index ? row : each)).filter(([name, value]) => name || value));
  return (
    <fieldset>
      <legend>Parameters</legend>
      <datalist id={`${id}names`}>
        {suggestions.map(({ name, about }) => (
          <option key={name} value={name} label={about} />
        ))}
      </datalist>
      {rows.map(([name, value], index) => {
        const suggestion = suggestions.find((each) => each.name === name);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the name of a row changes while it is typed.
          <div class="new-request-parameter" key={index}>
            <input
              type="text"
              aria-label={`Name of parameter ${index + 1}`}
              placeholder="Parameter"
              autocomplete="off"
              spellcheck={false}
              list={`${id}names`}
              value={name}
              onInput={({ currentTarget }) => set(index, [currentTarget.value, value])}
            />
            <input
              type="text"
              aria-label={name || `Value of parameter ${index + 1}`}
              aria-describedby={suggestion && `${id}about${index}`}
              placeholder={suggestion?.initial ?? 'Value'}
              autocomplete="off"
              spellcheck={false}
              list={suggestion?.choices && `${id}choices${index}`}
              value={value}
              onInput={({ currentTarget }) => set(index, [name, currentTarget.value])}
            />
            <datalist id={`${id}choices${index}`}>
              {suggestion?.choices?.map((choice) => (
                <option key={choice} value={choice} />
              ))}
            </datalist>
            {name && <Button icon="close" look="small square" aria-label={`Remove ${name}`} onClick={() => set(index, ['', ''])} />}
            {suggestion && (
              <p class="hint" id={`${id}about${index}`}>
                {suggestion.about}
              </p>
            )}
          </div>
        );
      })}
    </fieldset>
  );
}

function BodyInput({ text, operation, onChange }: { text: string; operation?: ApiOperation; onChange(text: string): void }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>Body (JSON)</label>
      <textarea
        id={id}
        rows={Math.min(12, text.split('\n').length + 1)}
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      {operation?.body && operation.body.members.length > 0 && (
        <details>
          <summary>Members</summary>
          <dl class="pane-facts">
            {operation.body.members.map(({ name, about }) => (
              <>
                <dt>
                  <code>{name}</code>
                </dt>
                <dd>{about}</dd>
              </>
            ))}
          </dl>
        </details>
      )}
    </div>
  );
}

function ResponseView({ response: { status, ok, durationMs, bytes, headers, body } }: { response: ApiResponse }) {
  return (
    <section aria-label="Response">
      <h2>
        <span class={`new-request-status${ok ? ' good' : ''}`}>{status}</span>
        <small>
          {durationMs < 10 ? durationMs.toFixed(1) : Math.round(durationMs)} ms, {countText(bytes)} bytes
        </small>
      </h2>
      <details>
        <summary>{headers.length === 1 ? '1 header' : `${headers.length} headers`}</summary>
        <Headers headers={headers} />
      </details>
      {body && <BodyView label="Response body" text={body} />}
    </section>
  );
}
