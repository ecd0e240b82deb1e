import { useState } from 'preact/hooks';
import { capitalized } from '../../../model/grammar.ts';
import { type SeedName, seedNames } from '../../../model/operations/formats.ts';
import type { Health } from '../../../model/operations/server.ts';
import { Button } from '../controls.tsx';
import { Confirm } from '../dialog.tsx';
import { countText } from '../format.ts';
import { callAndReload } from '../server/control.ts';
import { Card, durationText, runWithUndo, useAction } from './action.tsx';

/** Buttons to reset, delete and seed the records. */
export function Data({ health: { file, seed } }: { health: Health }) {
  const { isBusy, failure, run } = useAction();
  const [selected, setSelected] = useState<SeedName>(seed && seed in seedNames ? (seed as SeedName) : 'demo');
  const [confirming, setConfirming] = useState<'start' | 'empty'>();
  const reset = (to: 'start' | 'empty') => {
    setConfirming(undefined);
    return run(() =>
      runWithUndo('reset', file, async () => {
        const { took, undo } = await callAndReload('reset', { to });
        return { text: `${to === 'start' ? 'Reset the records' : 'Deleted all records'} in ${durationText(took)}.`, undo };
      }),
    );
  };
  const loadSeed = (mode: 'replace' | 'append') =>
    run(() =>
      runWithUndo('seed', file, async () => {
        const { created, took, undo } = await callAndReload('seed', { seed: selected, [mode]: true });
        return { text: `Created ${countText(created)} records from seed ${selected} in ${durationText(took)}.`, undo };
      }),
    );
  return (
    <Card title="Records" failure={failure}>
      <div class="buttons">
        <Button label="Reset records" disabled={isBusy} onClick={() => setConfirming('start')} />
        <Button label="Delete all" disabled={isBusy} onClick={() => setConfirming('empty')} />
      </div>
      <div class="field">
        <label for="seed">Seed</label>
        <div class="buttons">
          <select
            id="seed"
            value={selected}
            onChange={({ currentTarget }) => setSelected(currentTarget.value as SeedName)}
            aria-describedby="seed-hint"
          >
            {Object.keys(seedNames).map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
          <Button label="Load seed" disabled={isBusy} onClick={() => loadSeed('replace')} />
          <Button label="Add seed" disabled={isBusy} onClick={() => loadSeed('append')} />
        </div>
        <p class="hint" id="seed-hint">
          {capitalized(seedNames[selected])}.
        </p>
      </div>
      {confirming && (
        <Confirm
          title={confirming === 'start' ? 'Reset the records?' : 'Delete all records?'}
          text={
            confirming === 'start'
              ? 'Records, clock, faults and requests return to their state at the start. Undo restores the records.'
              : 'All records are deleted. Undo restores them.'
          }
          verb={confirming === 'start' ? 'Reset' : 'Delete'}
          onConfirm={() => void reset(confirming)}
          onCancel={() => setConfirming(undefined)}
        />
      )}
    </Card>
  );
}
