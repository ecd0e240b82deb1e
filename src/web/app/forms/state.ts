import { useEffect, useRef, useState } from 'preact/hooks';
import type { ResourceName } from '../../../model/calendar.ts';
import { definitions, type FormDefinition, labels } from '../../definitions.ts';
import { currentAddress, formOrigin, navigate } from '../address.ts';
import { context } from '../context.ts';
import { isDay, plusMinutes } from '../days.ts';
import type { Option } from '../parts/picker.tsx';
import { type Post, permalinkPath } from '../record.ts';
import { createWithUndo, titleWithDay, updateWithUndo } from '../records/undo.ts';
import { ApiError } from '../server/api.ts';
import { kinds } from './address.ts';
import { deleteDraft, loadDraft, saveDraft } from './drafts.ts';
import { changedFields, type FormValue, type FormValues, initialValues, isEqualForm, loadTyped, typedFields } from './values.ts';

/** The record of a form. */
export interface FormSource {
  kind: string;
  /** The record to edit; undefined for a new one. */
  record?: Post;
  /** The record to copy. */
  original?: Post;
  parameters: URLSearchParams;
}

/** The state of a form, and the steps that change it. */
export type FormState = ReturnType<typeof useRecordForm>;

/** The state of the form of a new or existing record: the values that are typed, with which it began, and of the record as it was loaded last. */
export function useRecordForm({ kind, record, original, parameters }: FormSource) {
  const resource = kinds[kind]!;
  const definition = definitions[resource];
  const [address] = useState(currentAddress);
  const [start] = useState(() => (record ? initialValues(definition, record) : newValues(resource, parameters, original)));
  const [draft, setDraft] = useState(() => loadDraft(address));
  const [initial, setInitial] = useState<FormValues>(() => ({ ...initialValues(definition, record), ...draft?.initial }));
  const [values, setValues] = useState<FormValues>(() => ({ ...start, ...draft?.values }));
  const [latest, setLatest] = useState<FormValues>(initial);
  const [failure, setFailure] = useState<ApiError>();
  const [isSaving, setSaving] = useState(false);
  const element = useRef<HTMLFormElement>(null);
  const differs = (others: FormValues) => Object.keys(changedFields(definition, values, others)).length > 0;
  const isDirty = differs(initial);
  const hasInput = record ? isDirty : differs(start);
  const focus = (selector: string) => element.current?.querySelector<HTMLElement>(selector)?.focus();

  useLeaveGuard(hasInput && !isSaving);
  useEffect(() => {
    if (isSaving) return;
    if (hasInput) saveDraft(address, { values, initial });
    else deleteDraft(address);
  }, [address, values, initial, hasInput, isSaving]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: compares the record with the form at the time of its arrival.
  useEffect(() => {
    if (!record) return;
    const arrived = initialValues(definition, record);
    setLatest(arrived);
    if (hasInput) return;
    setValues(arrived);
    setInitial(arrived);
  }, [record]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: moves the focus once.
  useEffect(() => {
    if (!record) focus('input');
  }, []);

  return {
    element,
    values,
    failure,
    isSaving,
    isDirty,
    isDraft: draft !== undefined,
    hasChangedElsewhere: record !== undefined && !isEqualForm(latest, initial),
    /** Changes a field, and removes its error. */
    set(name: string, value: FormValue) {
      setValues((before) => ({ ...before, [name]: value, ...(name === 'start_date' && moveEnd(before, String(value))) }));
      if (!failure?.fields[name]) return;
      const { [name]: _gone, ...fields } = failure.fields;
      setFailure(new ApiError(failure.status, failure.code, failure.message, fields));
    },
    /** Discards what was typed. */
    reload() {
      setValues(record ? latest : start);
      setInitial(latest);
      setDraft(undefined);
    },
    /** Saves the record, and leaves the form; stays if the record was changed elsewhere, unless `isOverwriting` is set. */
    async save(isOverwriting: boolean) {
      setSaving(true);
      try {
        const result = await saveForm(resource, record, values, initial, isOverwriting);
        if ('saved' in result) {
          deleteDraft(address);
          return navigate(addressAfterSaving(kind, result.saved), { replace: true });
        }
        setLatest(result.changed);
        requestAnimationFrame(() => focus('.changed'));
      } catch (error) {
        const failed = error instanceof ApiError ? error : new ApiError(0, '', String(error));
        setFailure(failed);
        // Not while the errors are corrected.
        requestAnimationFrame(() => focus(Object.keys(failed.fields).length ? '[aria-invalid="true"]' : '.form-error'));
      }
      setSaving(false);
    },
  };
}

/** Saves what a form changed. Returns the record, or its values if they were changed elsewhere and nothing was saved. */
async function saveForm(
  resource: ResourceName,
  record: Post | undefined,
  values: FormValues,
  initial: FormValues,
  isOverwriting: boolean,
): Promise<{ saved: Post } | { changed: FormValues }> {
  const definition = definitions[resource];
  const title = String(values[labels[resource].label]);
  const changes = (after: FormValues, before: FormValues) => typedFields(definition, toBody(definition, after, before));
  const body = changes(values, initial);
  if (!record) return { saved: await createWithUndo<Post>(resource, body, title) };
  // The record may have changed a moment ago, or while the server couldn't be reached.
  const load = async () => initialValues(definition, await loadTyped(resource, record.id));
  const before = await load();
  if (!isOverwriting && !isEqualForm(before, initial)) return { changed: before };
  // A change of one date can move the other.
  const undo = async () => changes(before, await load());
  const text = (after: Post) => `Saved ${titleWithDay(title, after)}.`;
  return { saved: await updateWithUndo<Post>(resource, record.id, body, undo, { text, title }) };
}

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
