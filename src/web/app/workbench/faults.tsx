import { useEffect, useRef, useState } from 'preact/hooks';
import type { FaultInfo } from '../../../model/operation-types.ts';
import { formatFaultLine, parseFaultLine } from '../../../model/operations/fault-line.ts';
import { counted, countText } from '../format.ts';
import { Button } from '../parts/controls.tsx';
import { callAndReload } from '../server/control.ts';
import { onServerEvent } from '../server/stream.ts';
import { Card, ErrorMessage, useAction } from './action.tsx';
import './card.css';

/** Describes how often a fault was used: '1 hit, 2 remaining' or '1 hit, used up'. */
const hitsText = ({ hits, remaining }: FaultInfo): string =>
  [counted(hits, 'hit'), remaining === 0 ? 'used up' : remaining !== null && `${countText(remaining)} remaining`]
    .filter(Boolean)
    .join(', ');

/** Delay between a request and the reload of the number of hits. */
const reloadDelayMs = 500;

interface Properties {
  faults: readonly FaultInfo[];
  canEdit: boolean;
  /** Reloads the faults. Hits don't change records and so don't trigger a reload. */
  reload(): void;
}

/** The injected faults, and a line to add one. */
export function Faults({ faults, canEdit, reload }: Properties) {
  const { isBusy, failure, run } = useAction();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onServerEvent('request', () => {
      if (faults.length) timer ??= setTimeout(reload, reloadDelayMs);
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
        canEdit &&
        faults.length > 0 && (
          <Button label="Remove all" look="small" disabled={isBusy} onClick={() => run(() => callAndReload('clearFaults'))} />
        )
      }
    >
      {canEdit && <FaultLine />}
      {faults.length > 0 && (
        <ul>
          {faults.map((fault) => (
            <li key={fault.id} class={`card-item${fault.remaining === 0 ? ' used' : ''}`}>
              <span class="grow">
                <code>{formatFaultLine(fault)}</code> <small>{hitsText(fault)}</small>
              </span>
              {canEdit && (
                <Button
                  icon="close"
                  look="small square"
                  disabled={isBusy}
                  onClick={() => run(() => callAndReload('removeFault', { id: fault.id }))}
                  aria-label={`Remove fault: ${formatFaultLine(fault)}`}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {!faults.length && <p class="quiet">{canEdit ? 'No faults. Add one to delay, break or drop responses.' : 'No faults.'}</p>}
    </Card>
  );
}

/** Common faults by name. */
const presets: Record<string, string> = {
  'Rate limited': "429 --response-header 'Retry-After: 5' --times 3",
  'Slow 3G': '--delay 400 --slow-body 2000',
  'Every third fails': '503 --every 3',
  'Lost response': 'empty --at after --times 1',
};

/** A preset for the requests that a line meets. Throws like {@link parseFaultLine} for an invalid line. */
function withPreset(line: string, preset: string): string {
  if (!line.trim()) return preset;
  const { match } = parseFaultLine(line);
  return formatFaultLine({ ...parseFaultLine(preset), match });
}

/** One line with the arguments of `calendar fault add`, and a button that adds the fault, to the page's world by default. */
export function FaultLine({ initial = '', world, onAdded }: { initial?: string; world?: string; onAdded?(): void }) {
  const { isBusy, failure, run } = useAction();
  const [line, setLine] = useState(initial);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (initial) input.current?.focus();
  }, [initial]);
  const add = async (event: SubmitEvent) => {
    event.preventDefault();
    const isAdded = await run(async () => callAndReload('addFault', parseFaultLine(line), world));
    if (!isAdded) return;
    setLine('');
    onAdded?.();
  };
  return (
    <form class="field" onSubmit={add}>
      <label for="fault-line">Fault</label>
      <div class="buttons">
        <input
          ref={input}
          id="fault-line"
          class="grow"
          type="text"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          required
          placeholder="503:10% -X POST --path /events"
          aria-describedby="fault-line-hint"
          value={line}
          onInput={({ currentTarget }) => setLine(currentTarget.value)}
        />
        <Button label="Add fault" type="submit" disabled={isBusy} />
      </div>
      <div class="buttons card-presets">
        {Object.entries(presets).map(([name, text]) => (
          <Button key={name} label={name} look="small" onClick={() => run(async () => setLine(withPreset(line, text)))} />
        ))}
      </div>
      <p class="hint" id="fault-line-hint">
        As in <code>calendar fault add</code>: a status, reset, hang and others, or what live sites do, like site:challenge, with --delay,
        --path, -X, --times and others.
      </p>
      {failure && <ErrorMessage error={failure} />}
    </form>
  );
}
