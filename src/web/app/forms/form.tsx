import { useEffect, useRef, useState } from 'preact/hooks';
import type { ResourceName } from '../../../model/calendar.ts';
import { capitalized } from '../../../model/grammar.ts';
import { definitions, type FieldDefinition, type FormDefinition, labels } from '../../definitions.ts';
import { currentAddress, formOrigin, navigate, returnAddress } from '../address.ts';
import { context } from '../context.ts';
import { isDay, plusMinutes } from '../days.ts';
import { useLoaded } from '../loading.ts';
import { Button, Main, Notice, usePageTitle } from '../parts/controls.tsx';
import type { Option } from '../parts/picker.tsx';
import { type Post, permalinkPath } from '../record.ts';
import { createWithUndo, titleWithDay, updateWithUndo } from '../records/undo.ts';
import { ApiError } from '../server/api.ts';
import { kinds } from './address.ts';
import { FieldControl } from './control.tsx';
import { deleteDraft, loadDraft, saveDraft } from './drafts.ts';
import {
  changedFields,
  controlLabel,
  type FormValue,
  type FormValues,
  initialValues,
  isEqualForm,
  isSelfExplanatory,
  loadTyped,
  typedFields,
} from './values.ts';
import './form-page.css';

const toSentence = (text: string) => `${capitalized(text)}.`;

/** A message about a field as a sentence; one that begins with a verb starts with its label. */
const errorSentence = (label: string, text: string) => (/^(is|must|has|can|needs)\b/.test(text) ? `${label} ${text}.` : toSentence(text));

/** Fields that a copy doesn't have in common with its original. */
const ownFields = ['slug', 'date', 'date_utc', 'status', 'uid'];

/** The initial values of a new record: those of the original for a copy, otherwise with the start from the address. */
function newValues(resource: ResourceName, parameters: URLSearchParams, original?: Post): FormValues {
  const definition = definitions[resource];
  const { isPost, label } = labels[resource];
  const start = parameters.get('start') ?? '';
  const values = initialValues(definition);
  if (original) {
    const copied = Object.entries(initialValues(definition, original)).filter(([name]) => !ownFields.includes(name));
    const copy: FormValues = { ...values, ...Object.fromEntries(copied) };
    // Terms need different names.
    return isPost ? copy : { ...copy, [label]: `${copy[label]} (copy)` };
  }
  if (parameters.has('values')) return { ...values, ...valuesIn(parameters.get('values')!, values) };
  if (!isDay(start.slice(0, 10))) return values;
  const end = parameters.get('end') ?? '';
  if (isDay(start)) return { ...values, start_date: start, end_date: isDay(end) ? end : start, all_day: true, timezone: context.timezone };
  const isEnd = isDay(end.slice(0, 10)) && end > start;
  return { ...values, start_date: start, end_date: isEnd ? end : plusMinutes(`${start}:00`, 60).slice(0, 16), timezone: context.timezone };
}

function valuesIn(text: string, controls: FormValues): FormValues {
  try {
    const isOption = (each: unknown) => typeof (each as Option)?.value === 'string' && typeof (each as Option).label === 'string';
    const isLike = (value: unknown, other: FormValue) =>
      Array.isArray(other) ? Array.isArray(value) && value.every(isOption) : typeof value === typeof other;
    const entries = Object.entries(JSON.parse(text) as FormValues);
    return Object.fromEntries(entries.filter(([name, value]) => Object.hasOwn(controls, name) && isLike(value, controls[name]!)));
  } catch {
    return {};
  }
}

/** The values that differ from others, in the API's format. Dates of all-day events have no time. */
const toBody = (definition: FormDefinition, values: FormValues, others: FormValues): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(changedFields(definition, values, others)).map(([name, value]) => [
      name,
      values.all_day === true && /^(start|end)_date$/.test(name) ? String(value).slice(0, 10) : value,
    ]),
  );

interface FormProperties {
  kind: string;
  /** The record to edit; undefined for a new one. */
  record?: Post;
  /** The record to copy. */
  original?: Post;
  /** True if the record was deleted while the form was open. */
  isDeleted?: boolean;
  parameters: URLSearchParams;
}

/** The form of a new or existing record. Its fields come from the definition of the resource. */
function RecordForm({ kind, record, original, isDeleted, parameters }: FormProperties) {
  const resource = kinds[kind]!;
  const definition = definitions[resource];
  const { label } = labels[resource];
  const [address] = useState(currentAddress);
  const [start] = useState(() => (record ? initialValues(definition, record) : newValues(resource, parameters, original)));
  const [draft, setDraft] = useState(() => loadDraft(address));
  const [initial, setInitial] = useState<FormValues>(() => ({ ...initialValues(definition, record), ...draft?.initial }));
  const [values, setValues] = useState<FormValues>(() => ({ ...start, ...draft?.values }));
  /** The values of the record that were loaded last. */
  const [latest, setLatest] = useState<FormValues>(initial);
  const [failure, setFailure] = useState<ApiError>();
  const [isSaving, setSaving] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const wholeDays = values.all_day === true;
  const changes = changedFields(definition, values, initial);
  const isDirty = Object.keys(changes).length > 0;
  const hasInput = record ? isDirty : Object.keys(changedFields(definition, values, start)).length > 0;
  useLeaveGuard(hasInput && !isSaving);
  useEffect(() => {
    if (isSaving) return;
    if (hasInput) saveDraft(address, { values, initial });
    else deleteDraft(address);
  }, [address, values, initial, hasInput, isSaving]);
  const hasChangedElsewhere = record !== undefined && !isEqualForm(latest, initial);
  /** Discards what was typed. */
  const reload = () => {
    setValues(record ? latest : start);
    setInitial(latest);
    setDraft(undefined);
  };
  const isNew = record === undefined;
  const heading = record ? `Edit ${kind}` : `New ${kind}`;
  usePageTitle(heading);
  useEffect(() => {
    if (isNew) form.current?.querySelector('input')?.focus();
  }, [isNew]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: compares the record with the form at the time of its arrival.
  useEffect(() => {
    if (!record) return;
    const arrived = initialValues(definition, record);
    setLatest(arrived);
    if (hasInput) return;
    setValues(arrived);
    setInitial(arrived);
  }, [record]);
  useEffect(() => {
    const { current } = form;
    const invalid =
      failure && (current?.querySelector<HTMLElement>('[aria-invalid="true"]') ?? current?.querySelector<HTMLElement>('.form-error'));
    invalid?.focus();
  }, [failure]);

  const set = (name: string, value: FormValue) => {
    setValues((before) => ({ ...before, [name]: value, ...(name === 'start_date' && moveEnd(before, String(value))) }));
    if (failure?.fields[name]) {
      const { [name]: _gone, ...fields } = failure.fields;
      setFailure(new ApiError(failure.status, failure.code, failure.message, fields));
    }
  };
  const save = async (isOverwriting: boolean) => {
    setSaving(true);
    const title = String(values[label]);
    try {
      const body = typedFields(definition, toBody(definition, values, initial));
      // The record may have changed a moment ago, or while the server couldn't be reached.
      const before = record && initialValues(definition, await loadTyped(resource, record.id));
      if (before && !isOverwriting && !isEqualForm(before, initial)) {
        setLatest(before);
        setSaving(false);
        return void requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('.changed')?.focus());
      }
      const saved = before
        ? await updateWithUndo<Post>(
            resource,
            record.id,
            body,
            // A change of one date can move the other.
            async () =>
              typedFields(definition, toBody(definition, before, initialValues(definition, await loadTyped(resource, record.id)))),
            { text: (after) => `Saved ${titleWithDay(title, after)}.`, title },
          )
        : await createWithUndo<Post>(resource, body, title);
      deleteDraft(address);
      navigate(addressAfterSaving(kind, saved), { replace: true });
    } catch (error) {
      setFailure(error instanceof ApiError ? error : new ApiError(0, '', String(error)));
      setSaving(false);
    }
  };

  const controlFor = (field: FieldDefinition, isWide = false) => (
    <FieldControl
      key={field.name}
      field={field}
      label={controlLabel(field.name, label)}
      hint={isSelfExplanatory(field) || field.name === label ? undefined : toSentence(field.about)}
      value={values[field.name]!}
      error={failure?.fields[field.name] && errorSentence(controlLabel(field.name, label), failure.fields[field.name]!)}
      wholeDays={wholeDays && /^(start|end)_date$/.test(field.name)}
      isWide={isWide}
      onChange={(value) => set(field.name, value)}
    />
  );
  const fieldNamed = (name: string) => definition.fields.find((field) => field.name === name)!;
  const others = definition.fields.filter(({ name }) => !definition.mainFields.includes(name));
  const invalidFields = Object.keys(failure?.fields ?? {}).length;
  const hasHiddenErrors = others.some(({ name }) => failure?.fields[name]);
  return (
    <Main class="form-page">
      <form
        ref={form}
        onSubmit={(event) => {
          event.preventDefault();
          void save(false);
        }}
        noValidate
      >
        <h1>{heading}</h1>
        {draft && (
          <p class="message" role="status">
            Restored your draft.
            <Button label="Discard draft" look="small" onClick={reload} />
          </p>
        )}
        {hasChangedElsewhere && !isDeleted && (
          <p class="message changed" role="alert" tabIndex={-1}>
            <span>This {kind} changed meanwhile.</span>
            <Button label="Reload" look="small" onClick={reload} />
            <Button label="Overwrite" look="small" disabled={isSaving || !isDirty} onClick={() => save(true)} />
          </p>
        )}
        {isDeleted && (
          <p class="form-error" role="alert">
            This {kind} was deleted. You can copy your text, but you can’t save it.
          </p>
        )}
        {failure && (
          <p class="form-error" role="alert" tabIndex={-1}>
            {invalidFields
              ? `Couldn’t save. Fix ${invalidFields === 1 ? '1 field' : `${invalidFields} fields`} below.`
              : `Couldn’t save: ${failure.message}`}
          </p>
        )}
        <div class="form-page-fields">{definition.mainFields.map((name, index) => controlFor(fieldNamed(name), index === 0))}</div>
        {others.length > 0 && (
          <details open={hasHiddenErrors || undefined}>
            <summary>More options</summary>
            <div class="form-page-fields">{others.map((field) => controlFor(field))}</div>
          </details>
        )}
        <p class="form-actions">
          <Button
            label={isSaving ? 'Saving…' : record ? 'Save' : `Create ${kind}`}
            look="main"
            type="submit"
            disabled={isSaving || isDeleted || (record !== undefined && !isDirty)}
          />
          <Button label="Cancel" href={formOrigin() ?? (record ? permalinkPath(record) : returnAddress())} />
        </p>
      </form>
    </Main>
  );
}

/** The calendar with the event over it if the form was opened from there, the table of a term, otherwise the page of the record. */
function addressAfterSaving(kind: string, saved: Post): string {
  const resource = kinds[kind]!;
  if (!labels[resource].isPost) return formOrigin() ?? `/_calendar/data?table=${resource}`;
  const origin = new URL(formOrigin() ?? permalinkPath(saved), location.href);
  if (kind !== 'event' || origin.pathname !== '/' || origin.searchParams.has('p')) return permalinkPath(saved);
  origin.searchParams.set('event', String(saved.id));
  return origin.pathname + origin.search;
}

/** Moves the end with the start, so that the duration stays the same. */
function moveEnd({ start_date, end_date }: FormValues, start: string): FormValues {
  const [from, to, next] = [start_date, end_date, start].map((text) =>
    Date.parse(`${String(text).replace(' ', 'T')}${String(text).length > 10 ? ':00Z' : ''}`),
  );
  if ([from, to, next].some((time) => Number.isNaN(time))) return {};
  const end = new Date(next! + Math.max(0, to! - from!)).toISOString();
  return { end_date: `${end.slice(0, 10)} ${end.slice(11, 16)}` };
}

/** Makes the browser ask for confirmation before unsaved changes are lost. */
function useLeaveGuard(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return;
    const onBeforeUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', onBeforeUnload);
    return () => removeEventListener('beforeunload', onBeforeUnload);
  }, [isDirty]);
}

interface PageProperties {
  kind: string;
  id: number | string;
  parameters: URLSearchParams;
}

const useTypedRecord = ({ kind, id }: PageProperties) => useLoaded(`typed ${kind} ${id}`, (signal) => loadTyped(kinds[kind]!, id, signal));

const loading = <Main class="form-page" aria-busy="true" />;

/** The form of a record. It stays open if the record is deleted or can't be reloaded. */
export function EditRecord({ isDeleted, ...properties }: PageProperties & { isDeleted: boolean }) {
  const { value } = useTypedRecord(properties);
  const latest = useRef<Post | undefined>(undefined);
  latest.current = value ?? latest.current;
  if (!latest.current) return loading;
  return <RecordForm {...properties} record={latest.current} isDeleted={isDeleted} />;
}

/** The form of a new record, or of a copy of the record whose ID is in the address. */
export function NewRecord(properties: Omit<PageProperties, 'id'>) {
  const id = properties.parameters.get('copy');
  return id && /^\d+$/.test(id) ? <CopyForm {...properties} id={id} /> : <RecordForm {...properties} />;
}

function CopyForm(properties: PageProperties) {
  const { value, error } = useTypedRecord(properties);
  if (value) return <RecordForm {...properties} original={value} />;
  if (!error) return loading;
  return (
    <Main class="form-page">
      <h1 class="unseen">Couldn’t copy</h1>
      <Notice title={`Couldn’t copy the ${properties.kind}`}>
        <p>{error.message}</p>
      </Notice>
    </Main>
  );
}
