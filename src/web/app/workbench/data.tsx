import { useState } from 'preact/hooks';
import { type SeedName, seedNames } from '../../../model/operations/seeds.ts';
import type { Health } from '../../../model/operations/server.ts';
import type { Done } from '../../../model/operations/summary.ts';
import { change } from '../server/control.ts';
import { Card } from './card.tsx';
import { milliseconds, undoably, useWork } from './work.ts';

const doneText = (what: string, { took }: Done) => ({ text: `${what} in ${milliseconds(took)}.` });

/** Brings the records back to a state that is known, or fills the calendar with others. */
export function Data({ health: { file, seed } }: { health: Health }) {
  const { busy, failure, run } = useWork();
  const [chosen, setChosen] = useState<SeedName>(seed && seed in seedNames ? (seed as SeedName) : 'demo');
  const reset = (to: 'start' | 'empty') =>
    run(() =>
      undoably('reset', file, async () => {
        const done = await change('reset', { to });
        return { ...doneText(to === 'start' ? 'Back at the start' : 'Emptied', done), undo: done.undo };
      }),
    );
  const plant = (how: 'replace' | 'append') =>
    run(() =>
      undoably('seed', file, async () => {
        const done = await change('seed', { seed: chosen, [how]: true });
        return { ...doneText(`${done.created.toLocaleString()} records of ${chosen} were made`, done), undo: done.undo };
      }),
    );
  return (
    <Card title="Records" failure={failure}>
      <div class="buttons">
        <button type="button" class="button main" disabled={busy} onClick={() => reset('start')}>
          Reset to the start
        </button>
        <button type="button" class="button" disabled={busy} onClick={() => reset('empty')}>
          Empty
        </button>
      </div>
      <div class="field">
        <label for="seed">Seed</label>
        <div class="buttons">
          <select
            id="seed"
            value={chosen}
            onChange={({ currentTarget }) => setChosen(currentTarget.value as SeedName)}
            aria-describedby="seed-hint"
          >
            {Object.keys(seedNames).map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
          <button type="button" class="button" disabled={busy} onClick={() => plant('replace')}>
            Replace all
          </button>
          <button type="button" class="button" disabled={busy} onClick={() => plant('append')}>
            Add
          </button>
        </div>
        <p class="hint" id="seed-hint">
          {seedNames[chosen][0]!.toUpperCase() + seedNames[chosen].slice(1)}.
        </p>
      </div>
    </Card>
  );
}
