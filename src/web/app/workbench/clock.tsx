import { useState } from 'preact/hooks';
import type { ClockState } from '../../../model/operation-types.ts';
import { dayOf } from '../../../model/time/days.ts';
import { useWallNow } from '../clock.ts';
import { context, setClock } from '../context.ts';
import { clockText, dayText } from '../format.ts';
import { Button } from '../parts/controls.tsx';
import { readText, useTypedText } from '../server/api.ts';
import { noteChange } from '../server/changes.ts';
import { callOperation } from '../server/control.ts';
import { Card, useAction } from './action.tsx';
import './clock.css';

const steps = { PT1H: '+1 hour', P1D: '+1 day', P7D: '+1 week' };

interface Properties {
  clock: ClockState;
  canEdit: boolean;
}

/** The server's clock, with controls to freeze and move it. Scheduled events are published when their time comes. */
export function Clock({ clock: { frozen, ahead }, canEdit }: Properties) {
  const { isBusy, failure, run } = useAction();
  const wall = useWallNow(1000);
  const update = (response: Promise<{ value: ClockState }>) =>
    run(async () => {
      setClock((await response).value);
      noteChange(true);
    });
  const advance = (by: string) => update(callOperation('advanceClock', { by }));
  return (
    <Card
      title="Clock"
      aside={<span class={`pill${frozen ? ' cold' : ''}`}>{frozen ? 'Frozen' : aheadText(ahead)}</span>}
      failure={failure}
    >
      <p class="clock">
        <time dateTime={wall.replace(' ', 'T')}>{clockText(wall)}</time>
        <span>
          {dayText(dayOf(wall))} <span class="quiet">{context.timezone}</span>
        </span>
      </p>
      {canEdit && (
        <>
          <div class="buttons">
            <Button
              label={frozen ? 'Resume' : 'Freeze'}
              disabled={isBusy}
              onClick={() => update(frozen ? callOperation('resumeClock') : callOperation('freezeClock'))}
            />
            <Button label="Reset clock" disabled={isBusy} onClick={() => update(callOperation('resetClock'))} />
          </div>
          <div class="buttons">
            {Object.entries(steps).map(([step, text]) => (
              <Button key={step} label={text} disabled={isBusy} onClick={() => advance(step)} />
            ))}
          </div>
          <ClockForm
            isBusy={isBusy}
            onMove={(readInstant) => void update(readInstant().then((to) => callOperation('advanceClock', { to })))}
          />
        </>
      )}
    </Card>
  );
}

const hourMs = 3_600_000;

/** Describes the difference between the server's clock and the system clock. */
function aheadText(ahead: number): string {
  const difference = Math.abs(ahead);
  if (difference < 1000) return 'Running';
  const length =
    difference >= 48 * hourMs
      ? `${Math.round(difference / hourMs / 24)} days`
      : difference >= 2 * hourMs
        ? `${Math.round(difference / hourMs)} hours`
        : `${Math.max(1, Math.round(difference / 60_000))} min`;
  return `Running, ${length} ${ahead > 0 ? 'ahead' : 'behind'}`;
}

const hint = 'Write a duration such as 2 days, or a date such as march 1 9:00.';

/** A field that moves the clock by a duration or to a date, in words. */
function ClockForm({ isBusy, onMove }: { isBusy: boolean; onMove(readInstant: () => Promise<string>): void }) {
  const [text, setText] = useState('');
  const [read] = useTypedText(text, useWallNow(1000).slice(0, 16));
  const date = text.trim() ? read?.date : undefined;
  const isInvalid = text.trim() !== '' && read?.text === text && !date;
  const readInstant = async () => {
    const { date: target } = await readText(text);
    if (!target) throw new Error(hint);
    return new Date(target.instant).toISOString();
  };
  return (
    <form
      class="field"
      onSubmit={(event) => {
        event.preventDefault();
        onMove(readInstant);
      }}
    >
      <label for="clock-to">Move to</label>
      <div class="buttons">
        <input
          id="clock-to"
          class="grow"
          type="text"
          placeholder="in 2 hours, -1 day, friday 20:00"
          autocomplete="off"
          spellcheck={false}
          required
          aria-describedby="clock-preview"
          aria-invalid={isInvalid || undefined}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Button label="Move" type="submit" disabled={isBusy || isInvalid} />
      </div>
      <p class="hint" id="clock-preview" role="status">
        {date ? `${dayText(dayOf(date.wall))}, ${clockText(date.wall)}` : isInvalid && hint}
      </p>
    </form>
  );
}
