import { useRef, useState } from 'preact/hooks';
import type { ResourceName } from '../../../model/calendar.ts';
import { durationForms, readLength } from '../../../model/time/date-steps.ts';
import { definitions, labels } from '../../definitions.ts';
import { navigate } from '../address.ts';
import { countText } from '../format.ts';
import { copyAddress } from '../forms/address.ts';
import { FieldControl } from '../forms/control.tsx';
import { changedFields, controlLabel, type FormValue, initialValues, typedFields } from '../forms/values.ts';
import { Button, ErrorText, Form } from '../parts/controls.tsx';
import { Floating, LayerTitle } from '../parts/dialog.tsx';
import { toast } from '../parts/toast.tsx';
import { type ChangeText, changeInBulk } from '../records/change-many.tsx';
import { messageOf } from '../server/api.ts';
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

/** A change of records: new values, dates that are moved, or without both their deletion. */
type Change = { fields?: Record<string, unknown>; shift?: string };

/** Changes records, grouped by their resource. */
function change(rows: readonly DataRow[], parts: Change, text: Omit<ChangeText, 'what'>): Promise<boolean> {
  const names = [...new Set(rows.map(({ resource }) => resource))];
  const all = names.length === 1 ? names[0]! : 'records';
  const what = (count: number) => `${countText(count)} ${count === 1 ? all.replace(/ies$/, 'y').replace(/s$/, '') : all}`;
  const changes = names.map((resource) => ({
    resource,
    ids: rows.filter((row) => row.resource === resource).map(({ id }) => id),
    ...parts,
  }));
  return changeInBulk(changes, { ...text, what });
}

/** The actions on the selected records. Those that aren't available are disabled, with the reason. */
export function Selection({ rows, state: { table, selected }, onSelect }: Properties) {
  const [form, setForm] = useState<'field' | 'shift'>();
  const bar = useRef<HTMLDivElement>(null);
  const selectedRows = rows.filter(({ id }) => selected.has(id));
  const locked = selectedRows.some(({ isLocked }) => isLocked) ? lockReason() : undefined;
  const run = (parts: Change, verb: string, done: string, note?: string) => {
    setForm(undefined);
    const isGone = table === 'trash' || !(parts.fields || parts.shift);
    void change(selectedRows, parts, { verb, done, note }).then((isDone) => isDone && isGone && onSelect(new Set()));
  };
  const isTrashable = trashable.some((name) => name === table);
  const actions: Action[] =
    table === 'trash'
      ? [
          // The API doesn't tell the former status.
          { label: 'Restore', run: () => run({ fields: { status: 'publish' } }, 'Restore', 'Restored') },
          { label: 'Restore as draft', run: () => run({ fields: { status: 'draft' } }, 'Restore', 'Restored') },
        ]
      : [
          {
            label: 'Publish',
            reason: isTrashable ? undefined : `Records of ${table} have no status.`,
            run: () => run({ fields: { status: 'publish' } }, 'Publish', 'Published'),
          },
          { label: 'Edit field…', run: () => setForm('field') },
          { label: 'Shift', reason: table === 'events' ? undefined : 'Only for events.', run: () => setForm('shift') },
          {
            label: 'Duplicate',
            reason: selectedRows.length === 1 ? undefined : 'Select one record.',
            run: () => navigate(copyAddress(labels[table].kind, selectedRows[0]!.id)),
          },
          {
            label: 'Delete',
            isDanger: true,
            run: () => run({}, 'Delete', 'Deleted', isTrashable ? 'They are moved to the trash.' : 'Their events stay.'),
          },
        ];
  const none = selectedRows.length ? undefined : 'None of the selected records are in this list.';
  return (
    <div class="message screen-only" ref={bar}>
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
          label={form === 'shift' ? 'Shift events' : 'Edit field'}
          hasMenu
          anchor={() => bar.current}
          onClose={() => setForm(undefined)}
        >
          <LayerTitle>{form === 'shift' ? 'Shift events' : 'Edit field'}</LayerTitle>
          {form === 'shift' && <Shift onApply={(shift) => run({ shift }, 'Move', 'Moved')} />}
          {form === 'field' && table !== 'trash' && (
            <EditField resource={table} onApply={(fields) => run({ fields }, 'Update', 'Updated')} />
          )}
        </Floating>
      )}
    </div>
  );
}

function Shift({ onApply }: { onApply(by: string): void }) {
  const [text, setText] = useState('');
  const [errorText, setErrorText] = useState('');
  const apply = () => (readLength(text) ? onApply(text) : setErrorText(`Invalid duration “${text}”. Write it like ${durationForms}.`));
  return (
    <Form submit="Shift" onSubmit={apply}>
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
        <ErrorText text={errorText} />
      </div>
    </Form>
  );
}

/** Fields that several records can't have in common. */
const ownFields = ['slug', 'uid'];

/** Chooses a field and the value that all selected records get. */
function EditField({ resource, onApply }: { resource: ResourceName; onApply(fields: Record<string, unknown>): void }) {
  const definition = definitions[resource];
  const { label } = labels[resource];
  const fields = definition.fields.filter(({ name }) => !ownFields.includes(name));
  const [field, setField] = useState(() => fields.find(({ name }) => name === 'categories') ?? fields[0]!);
  const [value, setValue] = useState<FormValue>(() => initialValues(definition)[field.name]!);
  const [errorText, setErrorText] = useState<string>();
  const select = (name: string) => {
    setField(fields.find((each) => each.name === name)!);
    setValue(initialValues(definition)[name]!);
    setErrorText(undefined);
  };
  const apply = () => {
    try {
      onApply(typedFields(definition, changedFields({ ...definition, fields: [field] }, { [field.name]: value }, {})));
    } catch (error) {
      setErrorText(messageOf(error));
    }
  };
  return (
    <Form submit="Save" onSubmit={apply}>
      <div class="field">
        <label for="edit-field">Field</label>
        <select id="edit-field" value={field.name} onChange={({ currentTarget }) => select(currentTarget.value)}>
          {fields.map(({ name }) => (
            <option key={name} value={name}>
              {controlLabel(name, label)}
            </option>
          ))}
        </select>
      </div>
      <FieldControl
        key={field.name}
        field={field}
        label={controlLabel(field.name, label)}
        hint="Replaces the value of all selected records."
        value={value}
        error={errorText}
        onChange={setValue}
      />
    </Form>
  );
}
