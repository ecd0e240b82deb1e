import { useEffect, useState } from 'preact/hooks';
import { type ConnectionFault, connectionFaults } from '../../../model/operations/connection-faults.ts';
import type { Delay, FaultInfo, FaultInput } from '../../../model/operations/faults.ts';
import { Icon } from '../icon.tsx';
import { change } from '../server/control.ts';
import { onNotice } from '../server/follow.ts';
import { Card } from './card.tsx';
import { useWork } from './work.ts';

/** What befalls a connection, in words. */
const befalls: Record<ConnectionFault, string> = {
  reset: 'connection reset',
  empty: 'closed without an answer',
  malformed: 'a broken chunk after the head',
  garbage: 'bytes that are no HTTP',
  truncate: 'half of the answer',
  hang: 'no answer, ever',
};

const delayText = (delay: Delay): string => {
  if (typeof delay === 'number') return `${delay.toLocaleString()} ms`;
  if ('uniform' in delay) return `${delay.uniform[0]}–${delay.uniform[1]} ms`;
  return `about ${delay.lognormal.median} ms`;
};

/** What goes wrong, in a few words. */
function effectOf({ then, delay, slow_body, at }: FaultInfo): string {
  const answer = then === undefined ? undefined : typeof then === 'string' ? befalls[then] : `status ${then.status}`;
  const parts = [
    delay !== undefined && `late by ${delayText(delay)}`,
    slow_body !== undefined && `slow body, ${delayText(slow_body)}`,
    answer,
  ];
  return `${parts.filter(Boolean).join(', ') || 'nothing'}${at === 'after' && answer ? ', after it is done' : ''}`;
}

/** Which requests it meets, in a few words. */
function aimOf({ match: { method, path, query, headers } }: FaultInfo): string {
  const pairs = [...Object.entries(query ?? {}).map(([name, value]) => `${name}=${value ?? 'none'}`), ...Object.keys(headers ?? {})];
  return [[method ?? 'Any'].flat().join(', '), path ?? 'request', ...pairs].join(' ');
}

/** How often it was met, and will be. */
function countText({ hits, remaining, after, every, probability }: FaultInfo): string {
  const when = [
    after && `after ${after}`,
    every && every > 1 && `every ${every}th`,
    probability !== undefined && `${Math.round(probability * 100)} %`,
  ];
  return [...when, `met ${hits} ${hits === 1 ? 'time' : 'times'}`, remaining !== null && `${remaining} to come`].filter(Boolean).join(', ');
}

const methods = ['', 'GET', 'POST', 'PATCH', 'PUT', 'DELETE'];

/** What the form holds: texts, as they were typed. */
const blank = {
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
type Form = typeof blank;

const numberOf = (text: string) => (text.trim() === '' ? undefined : Number(text));

/** The fault that a filled form stands for. */
function inputOf({ method, path, effect, status, delay, times, after, every, probability, at }: Form): FaultInput {
  const chance = numberOf(probability);
  const match = { ...(method && { method }), ...(path && { path }) };
  const input: FaultInput = {
    match: Object.keys(match).length ? match : undefined,
    times: numberOf(times),
    after: numberOf(after),
    every: numberOf(every),
    probability: chance === undefined ? undefined : chance / 100,
    delay: numberOf(delay),
    then: effect === 'status' ? { status: Number(status) } : effect === 'none' ? undefined : (effect as ConnectionFault),
    at: at === 'after' && effect !== 'none' ? 'after' : undefined,
  };
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}

interface Properties {
  faults: readonly FaultInfo[];
  mayChange: boolean;
  /** Has them loaded again: a request that meets one changes no record. */
  reload(): void;
}

/** What goes wrong with which requests, so that it can be seen what a client makes of it. */
export function Faults({ faults, mayChange, reload }: Properties) {
  const { busy, failure, run } = useWork();
  const [adding, setAdding] = useState(false);
  useEffect(() => {
    let due: ReturnType<typeof setTimeout> | undefined;
    const stop = onNotice('request', () => {
      if (faults.length) due ??= setTimeout(reload, 500);
    });
    return () => {
      clearTimeout(due);
      stop();
    };
  }, [faults, reload]);
  return (
    <Card
      title="Faults"
      failure={failure}
      aside={
        mayChange && (
          <span class="buttons">
            {faults.length > 0 && (
              <button type="button" class="button small" disabled={busy} onClick={() => run(() => change('clearFaults'))}>
                Remove all
              </button>
            )}
            <button type="button" class="button small" aria-expanded={adding} onClick={() => setAdding(!adding)}>
              {adding ? 'Close' : 'New fault'}
            </button>
          </span>
        )
      }
    >
      {adding && <FaultForm onAdd={(input) => run(() => change('addFault', input)).then((done) => done && setAdding(false))} busy={busy} />}
      {faults.length > 0 && (
        <ul class="things">
          {faults.map((fault) => (
            <li key={fault.id}>
              <span class="grow">
                <b>
                  <bdi>{aimOf(fault)}</bdi>: {effectOf(fault)}
                </b>
                <small>{countText(fault)}</small>
              </span>
              {mayChange && (
                <button
                  type="button"
                  class="button small square"
                  disabled={busy}
                  onClick={() => run(() => change('removeFault', { id: fault.id }))}
                  aria-label={`Remove the fault ${aimOf(fault)}`}
                >
                  <Icon name="close" />
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {!faults.length && !adding && (
        <p class="quiet">
          {mayChange ? 'All goes well. Have answers come late, cut or not at all, to see what a client makes of it.' : 'All goes well.'}
        </p>
      )}
    </Card>
  );
}

function FaultForm({ onAdd, busy }: { onAdd(input: FaultInput): void; busy: boolean }) {
  const [form, setForm] = useState(blank);
  const held = (name: keyof Form) => ({
    id: `fault-${name}`,
    value: form[name],
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) => setForm({ ...form, [name]: currentTarget.value }),
  });
  const count = (name: keyof Form, label: string, placeholder: string, least: number, most?: number) => (
    <div class="field">
      <label for={`fault-${name}`}>{label}</label>
      <input type="number" min={least} max={most} placeholder={placeholder} {...held(name)} />
    </div>
  );
  return (
    <form
      class="fault-form"
      onSubmit={(event) => {
        event.preventDefault();
        onAdd(inputOf(form));
      }}
    >
      <div class="field">
        <label for="fault-method">Method</label>
        <select {...held('method')}>
          {methods.map((method) => (
            <option key={method} value={method}>
              {method || 'Any'}
            </option>
          ))}
        </select>
      </div>
      <div class="field">
        <label for="fault-path">Path</label>
        <input type="text" placeholder="/events/*" autocomplete="off" spellcheck={false} {...held('path')} />
      </div>
      <div class="field">
        <label for="fault-effect">What happens</label>
        <select {...held('effect')}>
          <option value="status">another status</option>
          {connectionFaults.map((name) => (
            <option key={name} value={name}>
              {befalls[name]}
            </option>
          ))}
          <option value="none">it is late, no more</option>
        </select>
      </div>
      {form.effect === 'status' && count('status', 'Status', '503', 200, 599)}
      {count('delay', 'Late by (ms)', '0', 0, 600_000)}
      {count('times', 'Times', 'always', 1)}
      <details>
        <summary>More</summary>
        <div class="fault-form">
          {count('after', 'Spare the first', '0', 0)}
          {count('every', 'Every so many', '1', 1)}
          {count('probability', 'Chance (%)', '100', 0, 100)}
          <div class="field">
            <label for="fault-at">A change</label>
            <select {...held('at')}>
              <option value="before">is not made</option>
              <option value="after">is made first</option>
            </select>
          </div>
        </div>
      </details>
      <button type="submit" class="button main" disabled={busy}>
        Add the fault
      </button>
    </form>
  );
}
