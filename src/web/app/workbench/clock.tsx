import type { ClockState } from '../../../model/operations/clock.ts';
import { useWallNow } from '../clock.ts';
import { context, setClock } from '../context.ts';
import { Button } from '../controls.tsx';
import { dayOf } from '../days.ts';
import { clockText, dayText } from '../format.ts';
import { lazy } from '../lazy.tsx';
import { noteChange } from '../server/changes.ts';
import { callOperation } from '../server/control.ts';
import { useAction } from './action.ts';
import { Card } from './card.tsx';

const ClockForm = lazy(async () => (await import('./clock-form.tsx')).ClockForm, null);

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
      <p class="time-now">
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
