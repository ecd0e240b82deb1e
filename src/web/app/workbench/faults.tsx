import { useEffect, useState } from 'preact/hooks';
import { type ConnectionFault, connectionFaults } from '../../../model/operations/connection-faults.ts';
import type { Delay, FaultInfo, FaultInput } from '../../../model/operations/faults.ts';
import { countText } from '../format.ts';
import { Icon } from '../icon.tsx';
import { callAndReload } from '../server/control.ts';
import { onServerEvent } from '../server/stream.ts';
import { useAction } from './action.ts';
import { Card } from './card.tsx';

const faultTexts: Record<ConnectionFault, string> = {
  reset: 'Reset the connection',
  empty: 'Close without a response',
  malformed: 'Send a malformed chunk',
  garbage: 'Send invalid HTTP',
  truncate: 'Truncate the response',
  hang: 'Never respond',
};

const delayText = (delay: Delay): string => {
  if (typeof delay === 'number') return `${countText(delay)} ms`;
  if ('uniform' in delay) return `${delay.uniform[0]}–${delay.uniform[1]} ms`;
  return `about ${delay.lognormal.median} ms`;
};

/** Describes the effect of a fault: 'delay 20 ms, return 503'. */
function effectText({ then, delay, slow_body, at }: FaultInfo): string {
  const response = then === undefined ? undefined : typeof then === 'string' ? faultTexts[then] : `Return ${then.status}`;
  const parts = [
    delay !== undefined && `delay ${delayText(delay)}`,
    slow_body !== undefined && `slow down the body, ${delayText(slow_body)}`,
    response && `${response[0]!.toLowerCase()}${response.slice(1)}`,
    at === 'after' && response && 'after handling the request',
  ];
  return parts.filter(Boolean).join(', ') || 'no effect';
}

/** Describes the requests that a fault matches: 'GET /events'. */
function matchText({ match: { method, path, query, headers } }: FaultInfo): string {
  const pairs = [...Object.entries(query ?? {}).map(([name, value]) => `${name}=${value ?? 'none'}`), ...Object.keys(headers ?? {})];
  return [[method ?? 'Any'].flat().join(', '), path ?? 'request', ...pairs].join(' ');
}

/** Describes when a fault applies and how often it did: '50%, 1 hit, 2 remaining'. */
function hitsText({ hits, remaining, after, every, probability }: FaultInfo): string {
  const conditions = [
    after && `skip first ${after}`,
    every && every > 1 && `1 in ${every}`,
    probability !== undefined && `${Math.round(probability * 100)}%`,
  ];
  return [...conditions, `${hits} ${hits === 1 ? 'hit' : 'hits'}`, remaining !== null && `${remaining} remaining`]
    .filter(Boolean)
    .join(', ');
}

const methods = ['', 'GET', 'POST', 'PATCH', 'PUT', 'DELETE'];

/** The initial values of the form. */
const emptyForm = {
  method: '',
  path: '',
  effect: 'status',
  status: '503',
  delay: '',
  times: '1',
  after: '',
  every: '',
  probability: '',
  at: 'before',
};
type Form = typeof emptyForm;

const parseNumber = (text: string) => (text.trim() === '' ? undefined : Number(text));

/** Converts the form to the input of the operation. */
function toFaultInput({ method, path, effect, status, delay, times, after, every, probability, at }: Form): FaultInput {
  const percent = parseNumber(probability);
  const match = { ...(method && { method }), ...(path && { path }) };
  const input: FaultInput = {
    match: Object.keys(match).length ? match : undefined,
    times: parseNumber(times),
    after: parseNumber(after),
    every: parseNumber(every),
    probability: percent === undefined ? undefined : percent / 100,
    delay: parseNumber(delay),
    then: effect === 'status' ? { status: Number(status) } : effect === 'none' ? undefined : (effect as ConnectionFault),
    at: at === 'after' && effect !== 'none' ? 'after' : undefined,
  };
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}

interface Properties {
  faults: readonly FaultInfo[];
  canEdit: boolean;
  /** Reloads the faults. Hits don't change records and so don't trigger a reload. */
  reload(): void;
}

/** The injected faults, and a form to add one. */
export function Faults({ faults, canEdit, reload }: Properties) {
  const { isBusy, failure, run } = useAction();
  const [isAdding, setAdding] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onServerEvent('request', () => {
      if (faults.length) timer ??= setTimeout(reload, 500);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [faults, reload]);
  return (
    <Card
      title="Faults"
      failure={failure}
      aside={
        canEdit && (
          <span class="buttons">
            {faults.length > 0 && (
              <button type="button" class="button small" disabled={isBusy} onClick={() => run(() => callAndReload('clearFaults'))}>
                Remove all
              </button>
            )}
            <button type="button" class="button small" aria-expanded={isAdding} onClick={() => setAdding(!isAdding)}>
              {isAdding ? 'Cancel' : 'Add fault'}
            </button>
          </span>
        )
      }
    >
      {isAdding && (
        <FaultForm
          onAdd={(input) => run(() => callAndReload('addFault', input)).then((succeeded) => succeeded && setAdding(false))}
          isBusy={isBusy}
        />
      )}
      {faults.length > 0 && (
        <ul class="things">
          {faults.map((fault) => (
            <li key={fault.id}>
              <span class="grow">
                <b>
                  <bdi>{matchText(fault)}</bdi>: {effectText(fault)}
                </b>
                <small>{hitsText(fault)}</small>
              </span>
              {canEdit && (
                <button
                  type="button"
                  class="button small square"
                  disabled={isBusy}
                  onClick={() => run(() => callAndReload('removeFault', { id: fault.id }))}
                  aria-label={`Remove fault: ${matchText(fault)}`}
                >
                  <Icon name="close" />
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {!faults.length && !isAdding && (
        <p class="quiet">{canEdit ? 'No faults. Add one to delay, break or drop responses.' : 'No faults.'}</p>
      )}
    </Card>
  );
}

function FaultForm({ onAdd, isBusy }: { onAdd(input: FaultInput): void; isBusy: boolean }) {
  const [form, setForm] = useState(emptyForm);
  const bind = (name: keyof Form) => ({
    id: `fault-${name}`,
    value: form[name],
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) => setForm({ ...form, [name]: currentTarget.value }),
  });
  const numberField = (name: keyof Form, label: string, placeholder: string, min: number, max?: number) => (
    <div class="field">
      <label for={`fault-${name}`}>{label}</label>
      <input type="number" min={min} max={max} placeholder={placeholder} {...bind(name)} />
    </div>
  );
  return (
    <form
      class="fault-form"
      onSubmit={(event) => {
        event.preventDefault();
        onAdd(toFaultInput(form));
      }}
    >
      <div class="field">
        <label for="fault-method">Method</label>
        <select {...bind('method')}>
          {methods.map((method) => (
            <option key={method} value={method}>
              {method || 'Any'}
            </option>
          ))}
        </select>
      </div>
      <div class="field">
        <label for="fault-path">Path</label>
        <input type="text" placeholder="/events/*" autocomplete="off" spellcheck={false} {...bind('path')} />
      </div>
      <div class="field">
        <label for="fault-effect">Effect</label>
        <select {...bind('effect')}>
          <option value="status">Return a status</option>
          {connectionFaults.map((name) => (
            <option key={name} value={name}>
              {faultTexts[name]}
            </option>
          ))}
          <option value="none">Delay only</option>
        </select>
      </div>
      {form.effect === 'status' && numberField('status', 'Status', '503', 200, 599)}
      {numberField('delay', 'Delay (ms)', '0', 0, 600_000)}
      {numberField('times', 'Times', 'unlimited', 1)}
      <details>
        <summary>More options</summary>
        <div class="fault-form">
          {numberField('after', 'Skip first', '0', 0)}
          {numberField('every', 'Every nth request', '1', 1)}
          {numberField('probability', 'Probability (%)', '100', 0, 100)}
          <div class="field">
            <label for="fault-at">Apply</label>
            <select {...bind('at')}>
              <option value="before">Before handling the request</option>
              <option value="after">After handling the request</option>
            </select>
          </div>
        </div>
      </details>
      <button type="submit" class="button main" disabled={isBusy}>
        Add fault
      </button>
    </form>
  );
}
