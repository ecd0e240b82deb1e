import { useState } from 'preact/hooks';
import type { FieldDefinition } from '../../definitions.ts';
import { definitions, labels } from '../../definitions.ts';
import { FieldControl } from '../forms/control.tsx';
import { changedFields, type FormValue, initialValues, loadTyped, typedFields } from '../forms/values.ts';
import { useLoaded } from '../loading.ts';
import { Form } from '../parts/controls.tsx';
import { Floating, LayerTitle } from '../parts/dialog.tsx';
import type { Post } from '../record.ts';
import { titleWithDay, updateWithUndo } from '../records/undo.ts';
import { ApiError } from '../server/api.ts';
import { type DataRow, lockReason } from './records.ts';

/** A cell that is being edited. */
export interface EditedCell {
  row: DataRow;
  column: string;
  cell: HTMLElement;
}

/** The field of a column; undefined if it can't be edited. */
const fieldOf = ({ resource }: DataRow, column: string): FieldDefinition | undefined =>
  definitions[resource].fields.find(({ name }) => name === (column === 'title' ? labels[resource].label : column));

/** The control of one field beside its cell. */
export function EditCell({ row, column, cell, onClose }: EditedCell & { onClose(): void }) {
  const field = fieldOf(row, column);
  const { value: record, error } = useLoaded(`cell ${row.resource} ${row.id}`, (signal) => loadTyped(row.resource, row.id, signal));
  const reason = row.isLocked ? lockReason() : !field ? `The server sets ${column}.` : error?.message;
  const close = () => {
    onClose();
    cell.focus();
  };
  return (
    <Floating label={`Edit ${column}`} hasMenu anchor={() => cell} onClose={close} busy={!record && !reason}>
      <LayerTitle>Edit {column}</LayerTitle>
      {reason ? <p>{reason}</p> : record && <CellForm row={row} field={field!} record={record} onClose={close} />}
    </Floating>
  );
}

function CellForm({ row, field, record, onClose }: { row: DataRow; field: FieldDefinition; record: Post; onClose(): void }) {
  const definition = definitions[row.resource];
  const [initial] = useState(() => initialValues(definition, record));
  const [value, setValue] = useState<FormValue>(initial[field.name]!);
  const [errorText, setErrorText] = useState<string>();
  const [isSaving, setSaving] = useState(false);
  const save = async () => {
    const changes = changedFields({ ...definition, fields: [field] }, { [field.name]: value }, initial);
    if (!Object.keys(changes).length) return onClose();
    const before = changedFields({ ...definition, fields: [field] }, initial, { [field.name]: value });
    setSaving(true);
    const title = row.texts[labels[row.resource].label] || String(row.id);
    try {
      const [after, earlier] = [changes, before].map((each) => typedFields(definition, each));
      await updateWithUndo(row.resource, row.id, after!, earlier!, {
        text: (saved) => `Saved ${field.name} of ${titleWithDay(title, saved)}.`,
        title,
      });
      onClose();
    } catch (error) {
      const failure = error as ApiError;
      setErrorText((failure instanceof ApiError && failure.fields[field.name]) || failure.message);
      setSaving(false);
    }
  };
  const isLine = typeof value === 'string' && field.control !== 'text';
  return (
    <Form submit="Save" isBusy={isSaving} onSubmit={save} onCancel={onClose}>
      <FieldControl
        field={field}
        label={field.name}
        hint={isLine ? undefined : field.hint}
        value={value}
        error={errorText}
        wholeDays={record.all_day === true}
        onChange={setValue}
      />
    </Form>
  );
}
