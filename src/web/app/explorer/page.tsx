import { useEffect, useMemo, useState } from 'preact/hooks';
import { Code, Headers } from '../code.tsx';
import { context } from '../context.ts';
import { useLoaded } from '../loading.ts';
import { Main } from '../main-part.tsx';
import { Method } from '../method.tsx';
import { Notice } from '../notice.tsx';
import { ask } from '../server/api.ts';
import { announceChange } from '../server/changes.ts';
import { type ApiOperation, type ApiParameter, choicesOf, type OpenApi, operationsOf, typeOf } from './document.ts';
import { handedTo } from './handed.ts';
import { type ApiAnswer, type ApiRequest, type Filled, requestOf, samplesOf, send } from './request.ts';

const addressOf = ({ id }: ApiOperation) => `/_calendar/api?operation=${id}`;

/** Every operation of the API, each with a form to try it. The address names the one that is shown. */
export function ExplorerPage({ address }: { address: URL }) {
  const { value, error, loading } = useLoaded('openapi', async (signal) =>
    operationsOf((await ask<OpenApi>('GET', '/openapi.json', { signal })).value),
  );
  const request = address.searchParams.get('request');
  const handed = useMemo(() => (value && request ? handedTo(value, request) : undefined), [value, request]);
  const shown = handed?.operation ?? value?.find(({ id }) => id === address.searchParams.get('operation')) ?? value?.[0];
  useEffect(() => {
    document.title = `${shown ? `${shown.summary} – ` : ''}API – ${context.title}`;
  }, [shown]);
  return (
    <Main class="explorer" aria-busy={loading && !value}>
      {error && !value && <Notice title="The description of the API could not be loaded">{error.message}</Notice>}
      {value && shown && (
        <>
          <Operations operations={value} shown={shown} />
          <Try key={`${shown.id} ${request}`} operation={shown} filled={handed?.filled} />
        </>
      )}
    </Main>
  );
}

function Operations({ operations, shown }: { operations: readonly ApiOperation[]; shown: ApiOperation }) {
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  // Where there is no room beside, the list is folded, and folds again once something was chosen.
  const isWide = () => matchMedia('(min-width: 60rem)').matches;
  const [open, setOpen] = useState(isWide);
  return (
    <nav class="operations" aria-label="Operations">
      <details open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>All operations</summary>
        {tags.map((tag) => (
          <section key={tag}>
            <h2>{tag}</h2>
            <ul>
              {operations
                .filter((each) => each.tag === tag)
                .map((each) => (
                  <li key={each.id}>
                    <a href={addressOf(each)} aria-current={each === shown ? 'page' : undefined} onClick={() => setOpen(isWide())}>
                      <Method name={each.method} />
                      {each.summary}
                    </a>
                  </li>
                ))}
            </ul>
          </section>
        ))}
        <p class="quiet">
          Made from <a href={`${context.root}/openapi.json`}>openapi.json</a>
        </p>
      </details>
    </nav>
  );
}

/** A text of the document, in which code stands between backticks. */
const Words = ({ text }: { text: string }) => <>{text.split('`').map((part, at) => (at % 2 ? <code key={part}>{part}</code> : part))}</>;

function Try({ operation, filled }: { operation: ApiOperation; filled?: Filled }) {
  const { method, root, path, summary, description, parameters, body } = operation;
  const [values, setValues] = useState<Readonly<Record<string, string>>>(filled?.values ?? {});
  const [text, setText] = useState(filled?.body || (body?.example === undefined ? '' : JSON.stringify(body.example, null, 2)));
  const [answer, setAnswer] = useState<ApiAnswer>();
  const [failure, setFailure] = useState('');
  const [sending, setSending] = useState(false);
  const request = requestOf(operation, { values, body: text });
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    setSending(true);
    setFailure('');
    try {
      const found = await send(request);
      setAnswer(found);
      if (method !== 'GET' && found.ok) announceChange();
    } catch {
      setAnswer(undefined);
      setFailure('The server does not answer. Is it still running?');
    }
    setSending(false);
  };
  const field = (parameter: ApiParameter) => (
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
      <p>
        <Words text={description} />
      </p>
      <form onSubmit={submit}>
        <div class="fields">{parameters.filter((each) => each.required).map(field)}</div>
        {body && (
          <div class="field">
            <label for="request-body">Body, as JSON</label>
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
          <details open={(!body && parameters.length < 15) || parameters.some((each) => !each.required && values[each.name])}>
            <summary>Parameters</summary>
            <div class="fields">{parameters.filter((each) => !each.required).map(field)}</div>
          </details>
        )}
        {body && (
          <details>
            <summary>What the body may hold</summary>
            <dl class="members">
              {body.members.map(({ name, required, schema }) => (
                <div key={name}>
                  <dt>
                    <code>{name}</code> <small>{[required && 'required', typeOf(schema)].filter(Boolean).join(', ')}</small>
                  </dt>
                  <dd>
                    <Words text={schema.description ?? ''} />
                  </dd>
                </div>
              ))}
            </dl>
          </details>
        )}
        <p class="form-actions">
          <button type="submit" class="button main" disabled={sending}>
            Send
          </button>
        </p>
      </form>
      <div role="status">
        {failure && <p class="form-error">{failure}</p>}
        {answer && <Answer answer={answer} />}
      </div>
      <Samples request={request} />
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
        <Words text={[description, !choices && schema.type !== 'string' && `(${typeOf(schema)})`].filter(Boolean).join(' ')} />
      </p>
    </div>
  );
}

function Answer({ answer: { status, ok, took, bytes, headers, body } }: { answer: ApiAnswer }) {
  return (
    <section class="answer" aria-label="Answer">
      <h2>
        <span class={`status ${ok ? 'good' : 'bad'}`}>{status}</span>
        <small>
          {took < 10 ? took.toFixed(1) : Math.round(took)} ms, {bytes.toLocaleString()} bytes
        </small>
      </h2>
      <details>
        <summary>{headers.length} headers</summary>
        <Headers headers={headers} />
      </details>
      {body && <Code label="Body of the answer" text={body} />}
    </section>
  );
}

const languages: Record<string, string> = { curl: 'curl', calendar: 'calendar', fetch: 'JavaScript' };

function Samples({ request }: { request: ApiRequest }) {
  return (
    <section class="samples" aria-label="The same request elsewhere">
      {Object.entries(samplesOf(request)).map(([name, text]) => (
        <div key={name}>
          <h2>{languages[name]}</h2>
          <Code label={`The request for ${languages[name]}`} text={text} />
        </div>
      ))}
    </section>
  );
}
