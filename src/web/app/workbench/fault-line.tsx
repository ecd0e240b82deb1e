import { useEffect, useRef, useState } from 'preact/hooks';
import { parseFaultLine } from '../../../model/operations/fault-line.ts';
import { Button } from '../controls.tsx';
import { callAndReload } from '../server/control.ts';
import { useAction } from './action.ts';
import { ErrorMessage } from './card.tsx';

/** Common faults by name. */
const presets: Record<string, string> = {
  'Rate limited': "429 --response-header 'Retry-After: 5' --times 3",
  'Slow 3G': '--delay 400 --slow-body 2000',
  'Every third fails': '503 --every 3',
  'Lost response': 'empty --at after --times 1',
};

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
    <form class="field fault-line" onSubmit={add}>
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
      <div class="buttons presets">
        {Object.entries(presets).map(([name, text]) => (
          <Button key={name} label={name} look="small" onClick={() => setLine(text)} />
        ))}
      </div>
      <p class="hint" id="fault-line-hint">
        As in <code>calendar fault add</code>: a status, hold, patch, reset, empty, malformed, garbage, truncate or hang, with --delay,
        --slow-body, --path, -X, --times, --every and others.
      </p>
      {failure && <ErrorMessage error={failure} />}
    </form>
  );
}
