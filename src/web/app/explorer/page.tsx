import { useMemo, useRef, useState } from 'preact/hooks';
import { Headers, Method } from '../code.tsx';
import { context } from '../context.ts';
import { Form } from '../controls.tsx';
import { countText } from '../format.ts';
import { toResults, useShortcuts } from '../keys/shortcuts.ts';
import { Main, usePageTitle } from '../landmark.tsx';
import { useLoaded } from '../loading.ts';
import { Notice } from '../notice.tsx';
import { requestApi } from '../server/api.ts';
import { announceChange } from '../server/changes.ts';
import { controlAuthorization, useUserName } from '../server/session.ts';
import { buildRequest, type FormInput } from './build-request.ts';
import { Description } from './description.tsx';
import { type ApiOperation, type ApiParameter, choicesOf, groupOperations, type OpenApi, operationsOf, typeOf } from './document.ts';
import { addToHistory, RequestHistory } from './history.tsx';
import { BodyView } from './json-tree.tsx';
import { prefillFor } from './prefill.ts';
import { type ApiResponse, sendRequest } from './request.ts';
import { Members, Responses } from './responses.tsx';
import { Samples } from './samples.tsx';

const addressOf = ({ id }: ApiOperation) => `/_calendar/api?operation=${id}`;

/** All operations of the API, and a form to send a request. The address contains the selected operation. */
export function ExplorerPage({ address }: { address: URL }) {
  const { value, error, loading } = useLoaded('openapi', async (signal) =>
    operationsOf((await requestApi<OpenApi>('GET', '/openapi.json', { signal })).value),
  );
  const request = address.searchParams.get('request');
  const prefill = useMemo(() => (value && request ? prefillFor(value, request) : undefined), [value, request]);
  const selected = prefill?.operation ?? value?.find(({ id }) => id === address.searchParams.get('operation')) ?? value?.[0];
  usePageTitle(`${selected ? `${selected.summary} – ` : ''}API`);
  return (
    <Main class="explorer" aria-busy={loading && !value}>
      {error && !value && <Notice title="Couldn’t load the API description">{error.message}</Notice>}
      {value && selected && (
        <>
          <Operations operations={value} selected={selected} />
          <OperationForm key={`${selected.id} ${request}`} operation={selected} operations={value} initial={prefill?.input} />
        </>
      )}
    </Main>
  );
}

function Operations({ operations, selected }: { operations: readonly ApiOperation[]; selected: ApiOperation }) {
  const [search, setSearch] = useState('');
  const input = useRef<HTMLInputElement>(null);
  useShortcuts([{ key: '/', label: 'Search operations', run: () => input.current?.focus() }]);
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const groups = useMemo(() => groupOperations(operations), [operations]).filter(({ variants }) =>
    variants.some(({ id, method, path, summary }) => {
      const text = `${id} ${method} ${path} ${summary}`.toLowerCase();
      return words.every((word) => text.includes(word));
    }),
  );
  const tags = [...new Set(groups.map(({ main }) => main.tag))];
  // On narrow screens the list is collapsed initially and after each selection.
  const isWide = () => matchMedia('(min-width: 60rem)').matches;
  const [open, setOpen] = useState(isWide);
  return (
    <nav class="operations" aria-label="Operations">
      <details open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>All operations</summary>
        <input
          ref={input}
          type="search"
          class="table-search"
          placeholder="Search"
          aria-label="Search operations"
          value={search}
          onKeyDown={toResults('.operations li a')}
          onInput={({ currentTarget }) => setSearch(currentTarget.value)}
        />
        {!groups.length && <p class="quiet">No matching operations.</p>}
        {tags.map((tag) => (
          <section key={tag}>
            <h2>{tag}</h2>
            <ul>
              {groups
                .filter(({ main }) => main.tag === tag)
                .map(({ main, variants }) => (
                  <li key={main.id}>
                    <a
                      href={addressOf(main)}
                      aria-current={variants.includes(selected) ? 'page' : undefined}
                      onClick={() => setOpen(isWide())}
                    >
                      <Method name={main.method} />
                      <span>
                        {main.summary}
                        <small class="quiet">{main.path}</small>
                      </span>
                    </a>
                  </li>
                ))}
            </ul>
          </section>
        ))}
        <p class="quiet">
          Source: <a href={`${context.root}/openapi.json`}>openapi.json</a>
        </p>
      </details>
    </nav>
  );
}

/** Links to the same operation by slug and with other methods. */
function Variants({ operations, selected }: { operations: readonly ApiOperation[]; selected: ApiOperation }) {
  const { variants } = groupOperations(operations).find((group) => group.variants.includes(selected))!;
  if (variants.length < 2) return null;
  return (
    <nav class="tabs" aria-label="Variants">
      {variants.map((each) => (
        <a key={each.id} href={addressOf(each)} aria-current={each === selected ? 'page' : undefined}>
          {each.method} {each.path}
        </a>
      ))}
    </nav>
  );
}

/** Tells which credentials a request is sent with. */
function Authentication({ root }: { root: string }) {
  const user = useUserName();
  if (root === '' && controlAuthorization()) return <p class="hint">Sends the control token of this tab.</p>;
  if (!context.users) return <p class="hint">No authentication: this calendar has no users.</p>;
  return (
    <p class="hint">
      Basic authentication. {user === undefined ? 'Sends as a visitor. Sign in above to send as a user.' : `Sends as ${user}.`}
    </p>
  );
}

function OperationForm({
  operation,
  operations,
  initial,
}: {
  operation: ApiOperation;
  operations: readonly ApiOperation[];
  initial?: FormInput;
}) {
  const { method, root, path, summary, description, parameters, body } = operation;
  const [values, setValues] = useState<Readonly<Record<string, string>>>(initial?.values ?? {});
  const [text, setText] = useState(initial?.body || (body?.example === undefined ? '' : JSON.stringify(body.example, null, 2)));
  const [response, setResponse] = useState<ApiResponse>();
  const [errorText, setErrorText] = useState('');
  const [isSending, setSending] = useState(false);
  const request = buildRequest(operation, { values, body: text });
  const submit = async () => {
    setSending(true);
    setErrorText('');
    try {
      const result = await sendRequest(request);
      setResponse(result);
      addToHistory(request, result.status);
      if (method !== 'GET' && result.ok) announceChange();
    } catch {
      setResponse(undefined);
      setErrorText('Couldn’t reach the server. Check that it is running.');
    }
    setSending(false);
  };
  const fieldFor = (parameter: ApiParameter) => (
    <ParameterField
      key={parameter.name}
      parameter={parameter}
      value={values[parameter.name] ?? ''}
      onChange={(value) => setValues({ ...values, [parameter.name]: value })}
    />
  );
  return (
    <div class="operation">
      <h1>{summary}</h1>
      <p class="route">
        <Method name={method} />
        <code>{path === '/' ? root || '/' : root + path}</code>
      </p>
      <Variants operations={operations} selected={operation} />
      <p>
        <Description text={description} />
      </p>
      <div class="side-by-side">
        <div>
          <Form submit="Send" isBusy={isSending} onSubmit={submit}>
            <div class="fields">{parameters.filter((each) => each.required).map(fieldFor)}</div>
            {body && (
              <div class="field">
                <label for="request-body">Body (JSON)</label>
                <textarea
                  id="request-body"
                  rows={Math.min(16, text.split('\n').length + 1)}
                  spellcheck={false}
                  value={text}
                  onInput={({ currentTarget }) => setText(currentTarget.value)}
                />
              </div>
            )}
            {parameters.some((each) => !each.required) && (
              <section aria-label="Parameters">
                <h2>Parameters</h2>
                <div class="fields">{parameters.filter((each) => !each.required).map(fieldFor)}</div>
              </section>
            )}
            {body && (
              <details>
                <summary>Body fields</summary>
                <Members members={body.members} />
              </details>
            )}
            <Authentication root={root} />
          </Form>
          <div role="status">
            {errorText && <p class="form-error">{errorText}</p>}
            {response && <ResponseView response={response} />}
          </div>
        </div>
        <Samples request={request} operationId={operation.id} />
      </div>
      <RequestHistory />
      <Responses responses={operation.responses} />
    </div>
  );
}

interface FieldProperties {
  parameter: ApiParameter;
  value: string;
  onChange(value: string): void;
}

function ParameterField({ parameter: { name, required, description, schema }, value, onChange }: FieldProperties) {
  const id = `parameter-${name}`;
  const choices = choicesOf(schema);
  const common = { id, value, required, 'aria-describedby': `${id}-hint` };
  return (
    <div class="field">
      <label for={id}>
        <code>{name}</code>
        {required && <span class="required"> required</span>}
      </label>
      {choices ? (
        <select {...common} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
          <option value="" />
          {choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      ) : (
        <input
          {...common}
          type="text"
          autocomplete="off"
          spellcheck={false}
          placeholder={schema.default === undefined ? undefined : String(schema.default)}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
      <p class="hint" id={`${id}-hint`}>
        <Description text={[description, !choices && schema.type !== 'string' && `(${typeOf(schema)})`].filter(Boolean).join(' ')} />
      </p>
    </div>
  );
}

function ResponseView({ response: { status, ok, durationMs, bytes, headers, body } }: { response: ApiResponse }) {
  return (
    <section class="response" aria-label="Response">
      <h2>
        <span class={`status ${ok ? 'good' : 'bad'}`}>{status}</span>
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
