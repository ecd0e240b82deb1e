import type { FieldDefinition } from '../../definition.ts';
import { Picker } from '../picker.tsx';
import { suggestions } from '../suggestions.ts';
import type { FormValue } from './values.ts';

interface Properties {
  field: FieldDefinition;
  /** What the field is called. */
  label: string;
  hint?: string;
  value: FormValue;
  error?: string;
  /** What happened to it elsewhere. */
  note?: string;
  /** Whether days count and hours do not. */
  wholeDays?: boolean;
  onChange(value: FormValue): void;
}

/** All zones that the browser knows. */
const zones = Intl.supportedValuesOf('timeZone');
const suggestZones = async (text: string) => {
  const sought = text.toLowerCase().replaceAll(' ', '_');
  return ['UTC', ...zones]
    .filter((zone) => zone.toLowerCase().includes(sought))
    .slice(0, 12)
    .map((zone) => ({ value: zone, label: zone }));
};

/** A field of a form with its label, its hint, and what is wrong with it. */
export function FieldControl(properties: Properties) {
  const { field, label, hint, error, note, value, onChange } = properties;
  const id = `field-${field.name}`;
  const remarks = <Remarks id={id} hint={hint} error={error} note={note} />;
  const described = [hint && `${id}-hint`, note && `${id}-note`, error && `${id}-error`].filter(Boolean).join(' ') || undefined;
  if (typeof value === 'boolean')
    return (
      <div class="field">
        <label class="check">
          <input
            type="checkbox"
            id={id}
            checked={value}
            aria-describedby={described}
            onChange={({ currentTarget }) => onChange(currentTarget.checked)}
          />
          {label}
        </label>
        {remarks}
      </div>
    );
  return (
    <div class={`field field-${field.control}`}>
      <label for={id}>
        {label}
        {field.required && <span class="required"> required</span>}
      </label>
      <Input {...properties} id={id} described={described} />
      {remarks}
    </div>
  );
}

const Remarks = ({ id, hint, error, note }: Pick<Properties, 'hint' | 'error' | 'note'> & { id: string }) => (
  <>
    {note && (
      <p class="note" id={`${id}-note`} role="status">
        {note}
      </p>
    )}
    {hint && (
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
    )}
    {error && (
      <p class="error" id={`${id}-error`}>
        {error}
      </p>
    )}
  </>
);

function Input({ field, label, value, error, wholeDays, onChange, id, described }: Properties & { id: string; described?: string }) {
  const state = { id, 'aria-describedby': described, 'aria-invalid': error ? true : undefined, 'aria-required': field.required } as const;
  const typed = {
    ...state,
    value: String(value),
    onInput: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  };
  const picked = { id, label, describedBy: described, invalid: error !== undefined };
  switch (field.control) {
    case 'records':
    case 'terms':
      return (
        <Picker
          {...picked}
          free
          placeholder="Type a name, known or new"
          chosen={value as never}
          suggest={suggestions[field.links!]}
          onChange={onChange}
        />
      );
    case 'zone':
      return (
        <Picker
          {...picked}
          single
          free
          placeholder="The calendar’s own"
          chosen={value ? [{ value: String(value), label: String(value) }] : []}
          suggest={suggestZones}
          onChange={([option]) => onChange(option?.label ?? '')}
        />
      );
    case 'date': {
      const [day = '', time = ''] = String(value).split(' ');
      const put = (nextDay: string, nextTime: string) => onChange(nextDay && (nextTime ? `${nextDay} ${nextTime}` : nextDay));
      return (
        <span class="moment">
          <input {...state} type="date" max="9999-12-31" value={day} onInput={({ currentTarget }) => put(currentTarget.value, time)} />
          {!wholeDays && (
            <input
              type="time"
              aria-label={`${label}, time`}
              aria-invalid={state['aria-invalid']}
              value={time}
              onInput={({ currentTarget }) => put(day, currentTarget.value)}
            />
          )}
        </span>
      );
    }
    case 'choice':
      return (
        <select {...state} value={String(value)} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
          {field.choices!.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      );
    case 'text':
      return <textarea rows={field.name === 'description' ? 8 : 3} {...typed} />;
    case 'number':
      return <input type="text" inputMode="decimal" {...typed} />;
    case 'address':
      return <input type="url" placeholder="https://" {...typed} />;
    default:
      return <input type="text" autocomplete="off" {...typed} />;
  }
}
