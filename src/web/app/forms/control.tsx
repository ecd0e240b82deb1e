import { useState } from 'preact/hooks';
import type { ResourceName } from '../../../model/calendar.ts';
import type { FieldDefinition } from '../../definitions.ts';
import { context } from '../context.ts';
import { useLoaded } from '../loading.ts';
import { ErrorText } from '../parts/controls.tsx';
import { isSameOrigin } from '../parts/html.tsx';
import { type Option, Picker } from '../parts/picker.tsx';
import { messageOf, sendImage } from '../server/api.ts';
import { loadOptions, suggestions, suggestionsById } from '../suggestions.ts';
import type { FormValue } from './values.ts';
import './control.css';

interface Properties {
  field: FieldDefinition;
  label: string;
  hint?: string;
  value: FormValue;
  error?: string;
  /** True if the field is a date without a time. */
  wholeDays?: boolean;
  /** True for the width of the form. */
  isWide?: boolean;
  onChange(value: FormValue): void;
}

const zones = Intl.supportedValuesOf('timeZone');
const suggestZones = async (text: string) => {
  const searchText = text.toLowerCase().replaceAll(' ', '_');
  return ['UTC', ...zones]
    .filter((zone) => zone.toLowerCase().includes(searchText))
    .slice(0, 12)
    .map((zone) => ({ value: zone, label: zone }));
};

/** The controls that need the width of the form. */
const wideControls = ['text', 'terms', 'records'];

/** A form field with its label, hint and error message. */
export function FieldControl(properties: Properties) {
  const { field, label, hint, error, value, isWide, onChange } = properties;
  const id = `field-${field.name}`;
  const messages = <Messages id={id} hint={hint} error={error} />;
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined;
  if (typeof value === 'boolean')
    return (
      <div class="field">
        <label class="check">
          <input
            type="checkbox"
            id={id}
            checked={value}
            aria-describedby={describedBy}
            onChange={({ currentTarget }) => onChange(currentTarget.checked)}
          />
          {label}
        </label>
        {messages}
      </div>
    );
  return (
    <div class={`field control${isWide || wideControls.includes(field.control) ? ' whole-row' : ''}`}>
      <label for={id}>
        {label}
        {field.required && <span class="control-required"> required</span>}
      </label>
      <Input {...properties} id={id} describedBy={describedBy} />
      {messages}
    </div>
  );
}

const Messages = ({ id, hint, error }: Pick<Properties, 'hint' | 'error'> & { id: string }) => (
  <>
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

interface RecordPickerProperties {
  id: string;
  label: string;
  links: ResourceName;
  selected: readonly Option[];
  onChange(value: Option[]): void;
}

/** Selects one record, whose ID is the value. Its name is loaded. */
function RecordPicker({ links, selected: [selected], ...properties }: RecordPickerProperties) {
  const id = selected?.value === selected?.label ? selected?.value : undefined;
  const { value: named } = useLoaded(id && `record ${links} ${id}`, (signal) => loadOptions(links, [id!], signal, true));
  const option = named?.[0] ?? selected;
  return <Picker {...properties} single placeholder="None" selected={option ? [option] : []} suggest={suggestionsById[links]} />;
}

function Input({ field, label, value, error, wholeDays, onChange, id, describedBy }: Properties & { id: string; describedBy?: string }) {
  const state = { id, 'aria-describedby': describedBy, 'aria-invalid': error ? true : undefined, 'aria-required': field.required } as const;
  const textInput = {
    ...state,
    value: String(value),
    onInput: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  };
  const picker = { id, label, describedBy, invalid: error !== undefined };
  switch (field.control) {
    case 'record':
      return <RecordPicker {...picker} links={field.links!} selected={value as Option[]} onChange={onChange} />;
    case 'records':
    case 'terms':
      return (
        <Picker
          {...picker}
          allowNew
          placeholder="Search or create"
          selected={value as never}
          suggest={suggestions[field.links!]}
          onChange={onChange}
        />
      );
    case 'zone':
      return (
        <Picker
          {...picker}
          single
          allowNew
          placeholder="Default"
          selected={value ? [{ value: String(value), label: String(value) }] : []}
          suggest={suggestZones}
          onChange={([option]) => onChange(option?.label ?? '')}
        />
      );
    case 'date': {
      const [day = '', time = ''] = String(value).split(' ');
      const setDate = (nextDay: string, nextTime: string) => onChange(nextDay && (nextTime ? `${nextDay} ${nextTime}` : nextDay));
      return (
        <span class="control-moment">
          <input {...state} type="date" max="9999-12-31" value={day} onInput={({ currentTarget }) => setDate(currentTarget.value, time)} />
          {!wholeDays && (
            <input
              type="time"
              aria-label={`${label}, time`}
              aria-invalid={state['aria-invalid']}
              value={time}
              onInput={({ currentTarget }) => setDate(day, currentTarget.value)}
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
      return <textarea rows={field.name === 'description' ? 8 : 3} {...textInput} />;
    case 'image':
      return <ImageInput input={textInput} label={label} value={String(value)} onChange={onChange} />;
    case 'number':
      return <input type="text" inputMode="decimal" {...textInput} />;
    case 'address':
      return <input type="url" placeholder="https://" {...textInput} />;
    default:
      return <input type="text" autocomplete="off" {...textInput} />;
  }
}

interface ImageProperties {
  /** The properties of the text with the address. */
  input: object;
  label: string;
  value: string;
  onChange(value: string): void;
}

/** The address of an image, with its preview. A file is uploaded if the server takes images: chosen, or dropped here. */
function ImageInput({ input, label, value, onChange }: ImageProperties) {
  const [state, setState] = useState<{ isBusy?: boolean; errorText?: string }>({});
  const upload = async (file: File | undefined) => {
    if (!file || context.uploads === null) return;
    setState({ isBusy: true });
    try {
      onChange(await sendImage(context.uploads, file));
      setState({});
    } catch (error) {
      setState({ errorText: messageOf(error) });
    }
  };
  if (context.uploads === null) return <input type="text" autocomplete="off" {...input} />;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button uploads too.
    <div
      class="control-image"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        void upload(event.dataTransfer?.files[0]);
      }}
    >
      {value && isSameOrigin(value) && <img src={value} alt={`Preview of ${label}`} />}
      <div class="buttons">
        <input class="grow" type="text" autocomplete="off" placeholder="Address, or drop a picture here" {...input} />
        <label class="button">
          {state.isBusy ? 'Uploading…' : 'Upload'}
          <input
            type="file"
            class="unseen"
            accept="image/*"
            disabled={state.isBusy}
            onChange={({ currentTarget }) => void upload(currentTarget.files?.[0])}
          />
        </label>
      </div>
      <ErrorText text={state.errorText ?? ''} />
    </div>
  );
}
