import { useRef, useState } from 'preact/hooks';
import { labels } from '../../definitions.ts';
import { navigate } from '../address.ts';
import { Button, Form } from '../controls.tsx';
import { Floating } from '../dialog.tsx';
import { countText } from '../format.ts';
import { copyAddress } from '../forms/address.ts';
import { type Option, Picker } from '../picker.tsx';
import { messageOf } from '../server/api.ts';
import { suggestions } from '../suggestions.ts';
import { toast } from '../toast.tsx';
import { deleteAll, reasonAgainst, restoreAll, shiftAll, updateAll } from './bulk.ts';
import { type DataRow, lockReason } from './records.ts';
import { type TableState, trashable } from './state.ts';

interface Properties {
  rows: readonly DataRow[];
  state: TableState;
  onSelect(ids: ReadonlySet<number>): void;
}

interface Action {
  label: string;
  /** Why it isn't available. */
  reason?: string;
  isDanger?: boolean;
  run(): unknown;
}

/** The actions on the selected records. Those that aren't available are disabled, with the reason. */
export function Selection({ rows, state: { table, selected }, onSelect }: Properties) {
  const [form, setForm] = useState<'category' | 'shift'>();
  const bar = useRef<HTMLDivElement>(null);
  const selectedRows = rows.filter(({ id }) => selected.has(id));
  const locked = selectedRows.some(({ isLocked }) => isLocked) ? lockReason() : undefined;
  const run = (work: () => Promise<void>, keep = false) => {
    setForm(undefined);
    work().then(
      () => keep || onSelect(new Set()),
      (error) => toast(messageOf(error)),
    );
  };
  const actions: Action[] =
    table === 'trash'
      ? [
          { label: 'Restore', run: () => run(() => restoreAll(selectedRows, 'publish')) },
          { label: 'Restore as draft', run: () => run(() => restoreAll(selectedRows, 'draft')) },
        ]
      : [
          {
            label: 'Publish',
            reason: trashable.includes(table) ? undefined : `Records of ${table} have no status.`,
            run: () => run(() => updateAll(selectedRows, 'Published', () => ({ status: 'publish' })), true),
          },
          { label: 'Set category', reason: reasonAgainst(selectedRows, 'events'), run: () => setForm('category') },
          { label: 'Shift', reason: reasonAgainst(selectedRows, 'events'), run: () => setForm('shift') },
          {
            label: 'Duplicate',
            reason: selectedRows.length === 1 ? undefined : 'Select one record.',
            run: () => navigate(copyAddress(labels[table].kind, selectedRows[0]!.id)),
          },
          { label: 'Delete', isDanger: true, run: () => run(() => deleteAll(selectedRows)) },
        ];
  const none = selectedRows.length ? undefined : 'None of the selected records are in this list.';
  return (
    <div class="table-selection" ref={bar}>
      <span role="status">{countText(selectedRows.length)} selected</span>
      {actions.map(({ label, reason, isDanger, run: onClick }) => {
        const why = none ?? reason ?? locked;
        return (
          <Button
            key={label}
            label={label}
            look={`small${isDanger ? ' danger' : ''}`}
            aria-disabled={why ? true : undefined}
            title={why}
            onClick={() => (why ? toast(why) : onClick())}
          />
        );
      })}
      <Button label="Clear selection" look="small" onClick={() => onSelect(new Set())} />
      {form && (
        <Floating
          label={form === 'shift' ? 'Shift events' : 'Set category'}
          class="cell-editor"
          anchor={() => bar.current}
          onClose={() => setForm(undefined)}
        >
          {form === 'shift' ? (
            <Shift onApply={(by) => run(() => shiftAll(selectedRows, by), true)} />
          ) : (
            <SetCategory
              onApply={(options) =>
                run(
                  () => updateAll(selectedRows, 'Updated', () => ({ categories: options.map(({ value }) => value.replace(/^new:/, '')) })),
                  true,
                )
              }
            />
          )}
        </Floating>
      )}
    </div>
  );
}

function Shift({ onApply }: { onApply(by: string): void }) {
  const [text, setText] = useState('');
  return (
    <Form submit="Shift" onSubmit={() => onApply(text)}>
      <div class="field">
        <label for="shift-by">Shift by</label>
        <input
          id="shift-by"
          type="text"
          required
          autocomplete="off"
          placeholder="2 days, -1 week or 1h30m"
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </div>
    </Form>
  );
}

function SetCategory({ onApply }: { onApply(options: Option[]): void }) {
  const [selected, setSelected] = useState<Option[]>([]);
  return (
    <Form submit="Save" onSubmit={() => onApply(selected)}>
      <div class="field">
        <label for="set-category">Categories</label>
        <Picker
          id="set-category"
          label="Categories"
          allowNew
          placeholder="Search or create"
          describedBy="set-category-hint"
          selected={selected}
          suggest={suggestions.categories}
          onChange={setSelected}
        />
        <p class="hint" id="set-category-hint">
          Replaces the categories of the selected events.
        </p>
      </div>
    </Form>
  );
}
