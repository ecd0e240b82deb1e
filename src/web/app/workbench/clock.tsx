import { useState } from 'preact/hooks';
import type { ClockState } from '../../../model/operations/clock.ts';
import { useWallNow } from '../clock.ts';
import { context, setClock } from '../context.ts';
import { dayOf, instantOfWall } from '../days.ts';
import { clockText, dayText } from '../format.ts';
import { noteChange } from '../server/changes.ts';
import { control } from '../server/control.ts';
import { Card } from './card.tsx';
import { useWork } from './work.ts';

const steps = { PT1H: '+1 hour', P1D: '+1 day', P7D: '+1 week' };

interface Properties {
  clock: ClockState;
  mayChange: boolean;
}

/** The moment that counts as now: it can be stopped and moved, and what is due by then is published. */
export function Clock({ clock: { frozen, ahead }, mayChange }: Properties) {
  const { busy, failure, run } = useWork();
  const wall = useWallNow(1000);
  const [by, setBy] = useState('');
  const [at, setAt] = useState('');
  const asked = (asking: Promise<{ value: ClockState }>) =>
    run(async () => {
      setClock((await asking).value);
      noteChange(true);
    });
  const advance = (duration: string) => asked(control('advanceClock', { by: duration }));
  return (
    <Card
      title="Clock"
      aside={<span class={`pill${frozen ? ' cold' : ''}`}>{frozen ? 'stopped' : aheadText(ahead)}</span>}
      failure={failure}
    >
      <p class="time-now">
        <time dateTime={wall.replace(' ', 'T')}>{clockText(wall)}</time>
        <span>
          {dayText(dayOf(wall))} <span class="quiet">{context.timezone}</span>
        </span>
      </p>
      {mayChange && (
        <>
          <div class="buttons">
            <button
              type="button"
              class="button"
              disabled={busy}
              onClick={() => asked(frozen ? control('resumeClock') : control('freezeClock'))}
            >
              {frozen ? 'Resume' : 'Freeze'}
            </button>
            <button type="button" class="button" disabled={busy} onClick={() => asked(control('resetClock'))}>
              To the start
            </button>
          </div>
          <div class="buttons">
            {Object.entries(steps).map(([duration, text]) => (
              <button key={duration} type="button" class="button" disabled={busy} onClick={() => advance(duration)}>
                {text}
              </button>
            ))}
          </div>
          <form
            class="field"
            onSubmit={(event) => {
              event.preventDefault();
              void advance(by);
            }}
          >
            <label for="clock-by">Advance by</label>
            <div class="buttons">
              <input
                id="clock-by"
                class="grow"
                type="text"
                placeholder="P1DT2H, or -P1M to go back"
                autocomplete="off"
                spellcheck={false}
                required
                value={by}
                onInput={({ currentTarget }) => setBy(currentTarget.value)}
              />
              <button type="submit" class="button" disabled={busy}>
                Advance
              </button>
            </div>
          </form>
          <form
            class="field"
            onSubmit={(event) => {
              event.preventDefault();
              const instant = new Date(instantOfWall(`${at.replace('T', ' ')}:00`.slice(0, 19), context.timezone));
              void asked(control('setClock', { now: instant.toISOString() }));
            }}
          >
            <label for="clock-at">Stop at</label>
            <div class="buttons">
              <input
                id="clock-at"
                class="grow"
                type="datetime-local"
                max="9999-12-31T23:59"
                required
                value={at}
                onInput={({ currentTarget }) => setAt(currentTarget.value)}
              />
              <button type="submit" class="button" disabled={busy}>
                Set
              </button>
            </div>
          </form>
        </>
      )}
    </Card>
  );
}

const hour = 3_600_000;

/** How far a running clock is from that of the system. */
function aheadText(ahead: number): string {
  const size = Math.abs(ahead);
  if (size < 1000) return 'running';
  const length =
    size >= 48 * hour
      ? `${Math.round(size / hour / 24)} days`
      : size >= 2 * hour
        ? `${Math.round(size / hour)} hours`
        : `${Math.max(1, Math.round(size / 60_000))} min`;
  return `running, ${length} ${ahead > 0 ? 'ahead' : 'behind'}`;
}
