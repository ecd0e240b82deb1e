import { useState } from 'preact/hooks';
import { capitalized } from '../../../model/grammar.ts';
import type { Done, Health } from '../../../model/operation-types.ts';
import { type SeedName, seedNames } from '../../../model/operations/formats.ts';
import { countText } from '../format.ts';
import { Button } from '../parts/controls.tsx';
import { Confirm } from '../parts/dialog.tsx';
import { callAndReload, callOperation } from '../server/control.ts';
import { Card, durationText, runWithUndo, useAction } from './action.tsx';
import './card.css';

/** An operation that replaces records: what it is called, and what it would do or has done. */
interface Replacement {
  /** Word for the name of the snapshot before it. */
  what: 'reset' | 'empty' | 'seed';
  title: string;
  verb: string;
  /** Runs it, or with `dry_run` only counts. */
  call(dry_run?: true): Promise<Done>;
  textBefore(counts: Done): string;
  textAfter(counts: Done): string;
}

/** Everything that “Delete all” leaves as it is. */
const otherParts = ['users', 'settings', 'ids', 'clock', 'faults', 'requests'] as const;
const unchangedText = 'Users, settings, clock, faults and the request log stay as they are. You can undo this.';

const records = (count: number) => (count === 1 ? '1 record' : `${countText(count)} records`);

const replacements = {
  reset: (): Replacement => ({
    what: 'reset',
    title: 'Reset the calendar?',
    verb: 'Reset',
    call: (dry_run) => (dry_run ? callOperation('reset', { dry_run }).then(({ value }) => value) : callAndReload('reset', {})),
    textBefore: ({ deleted }) =>
      `${records(deleted)}, also those in the trash, are replaced with the ones of the start. Users, settings, clock and faults are restored, and the request log is cleared. Undo restores all but the log.`,
    textAfter: ({ deleted, created }) => `Reset: replaced ${records(deleted)} with ${countText(created)}`,
  }),
  empty: (): Replacement => ({
    what: 'empty',
    title: 'Delete all records?',
    verb: 'Delete',
    call: (dry_run) => {
      const input = { to: 'empty', keep: otherParts };
      return dry_run ? callOperation('reset', { ...input, dry_run }).then(({ value }) => value) : callAndReload('reset', input);
    },
    textBefore: ({ deleted }) => `${records(deleted)} are deleted, also those in the trash. ${unchangedText}`,
    textAfter: ({ deleted }) => `Deleted ${records(deleted)}`,
  }),
  seed: (seed: SeedName): Replacement => ({
    what: 'seed',
    title: `Load seed ${seed}?`,
    verb: 'Load seed',
    call: (dry_run) => {
      const input = { seed, replace: true, keep_settings: true };
      return dry_run ? callOperation('seed', { ...input, dry_run }).then(({ value }) => value) : callAndReload('seed', input);
    },
    textBefore: ({ deleted, created }) =>
      `${records(deleted)} are deleted, also those in the trash, and ${countText(created)} are created. ${unchangedText}`,
    textAfter: ({ deleted, created }) => `Deleted ${records(deleted)} and created ${countText(created)} from seed ${seed}`,
  }),
};

/** Buttons to reset, delete and seed the records. */
export function Data({ health: { file, seed } }: { health: Health }) {
  const { isBusy, failure, run } = useAction();
  const [selected, setSelected] = useState<SeedName>(seed && seed in seedNames ? (seed as SeedName) : 'demo');
  const [asked, setAsked] = useState<{ replacement: Replacement; counts: Done }>();
  const ask = (replacement: Replacement) => run(async () => setAsked({ replacement, counts: await replacement.call(true) }));
  const replace = ({ what, call, textAfter }: Replacement) => {
    setAsked(undefined);
    return run(() =>
      runWithUndo(what, file, async () => {
        const done = await call();
        return { text: `${textAfter(done)} in ${durationText(done.took)}.`, undo: done.undo };
      }),
    );
  };
  const addSeed = () =>
    run(() =>
      runWithUndo('seed', file, async () => {
        const { created, took, undo } = await callAndReload('seed', { seed: selected, append: true, keep_settings: true });
        return { text: `Created ${records(created)} from seed ${selected} in ${durationText(took)}.`, undo };
      }),
    );
  return (
    <Card title="Records" failure={failure}>
      <div class="buttons">
        <Button label="Reset" disabled={isBusy} onClick={() => ask(replacements.reset())} />
        <Button label="Delete all" disabled={isBusy} onClick={() => ask(replacements.empty())} />
      </div>
      <div class="field">
        <label for="seed">Seed</label>
        <div class="buttons">
          <select
            id="seed"
            class="card-choice"
            value={selected}
            onChange={({ currentTarget }) => setSelected(currentTarget.value as SeedName)}
            aria-describedby="seed-hint"
          >
            {Object.keys(seedNames).map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
          <Button label="Load seed" disabled={isBusy} onClick={() => ask(replacements.seed(selected))} />
          <Button label="Add seed" disabled={isBusy} onClick={addSeed} />
        </div>
        <p class="hint" id="seed-hint">
          {capitalized(seedNames[selected])}.
        </p>
      </div>
      {asked && (
        <Confirm
          title={asked.replacement.title}
          text={asked.replacement.textBefore(asked.counts)}
          verb={asked.replacement.verb}
          onConfirm={() => void replace(asked.replacement)}
          onCancel={() => setAsked(undefined)}
        />
      )}
    </Card>
  );
}
