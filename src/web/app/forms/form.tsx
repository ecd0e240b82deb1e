import { useEffect, useRef, useState } from 'preact/hooks';
import type { FieldDefinition, FormDefinition } from '../../definition.ts';
import { go } from '../address.ts';
import { context } from '../context.ts';
import { isDay, plusMinutes } from '../days.ts';
import { definitions } from '../definitions.ts';
import { Main } from '../main-part.tsx';
import { type Post, pathOf } from '../record.ts';
import { ApiError, create, update } from '../server/api.ts';
import { toast } from '../toast.tsx';
import { kinds, type RecordKind } from './address.ts';
import { FieldControl } from './control.tsx';
import { changedMeanwhile, changesOf, type FormValue, type FormValues, textOf, valuesOf } from './values.ts';

/** The fields that stand first, in this order; all others follow, folded away. */
const foremost: Record<RecordKind, readonly string[]> = {
  event: [
    'title',
    'start_date',
    'end_date',
    'all_day',
    'timezone',
    'venue',
    'organizer',
    'categories',
    'tags',
    'cost',
    'website',
    'description',
    'image',
    'status',
  ],
  venue: ['venue', 'address', 'city', 'zip', 'country', 'phone', 'website', 'description', 'image'],
  organizer: ['organizer', 'email', 'phone', 'website', 'description', 'image'],
};

const labels: Record<string, string> = {
  start_date: 'Starts',
  end_date: 'Ends',
  all_day: 'All day',
  timezone: 'Time zone',
  organizer: 'Organizers',
  zip: 'Postal code',
  date: 'Published',
  date_utc: 'Published (UTC)',
  stateprovince: 'State or province',
  geo_lat: 'Latitude',
  geo_lng: 'Longitude',
  post_password: 'Password',
  post_parent: 'Part of event',
};
/** Whether a field needs no more words than its label: its control says the rest. */
const isClear = ({ name, control }: FieldDefinition) => control === 'records' || control === 'terms' || wellKnown.has(name);
/** Fields that are known to everybody. */
const wellKnown = new Set([
  'title',
  'start_date',
  'end_date',
  'all_day',
  'timezone',
  'address',
  'city',
  'zip',
  'country',
  'phone',
  'email',
]);

const labelOf = (name: string, { label }: FormDefinition) =>
  name === label
    ? name === 'title'
      ? 'Title'
      : 'Name'
    : (labels[name] ?? `${name[0]!.toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`);
const capitalized = (text: string) => `${text[0]!.toUpperCase()}${text.slice(1)}.`;

/** What a new record begins with, as its address says. */
function begun(definition: FormDefinition, parameters: URLSearchParams): FormValues {
  const start = parameters.get('start') ?? '';
  const values = valuesOf(definition);
  if (!isDay(start.slice(0, 10))) return values;
  return { ...values, start_date: start, end_date: plusMinutes(`${start}:00`, 60).slice(0, 16), timezone: context.timezone };
}

/** A day alone, where hours do not count. */
const sentDate = (value: unknown, wholeDays: boolean) => (wholeDays ? String(value).slice(0, 10) : value);

interface Properties {
  kind: RecordKind;
  /** The record to change; a new one without. */
  record?: Post;
  /** Whether it was deleted since. */
  gone?: boolean;
  parameters: URLSearchParams;
}

/** A form that writes a record: what it shows is what the definition of the record says. */
export function RecordForm({ kind, record, gone, parameters }: Properties) {
  const definition = definitions[kinds[kind]];
  const [first, setFirst] = useState<FormValues>(() => valuesOf(definition, record));
  const [values, setValues] = useState<FormValues>(() => (record ? first : begun(definition, parameters)));
  const [meanwhile, setMeanwhile] = useState<FormValues>({});
  const [failure, setFailure] = useState<ApiError>();
  const [saving, setSaving] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const wholeDays = values.all_day === true;
  const changes = changesOf(definition, values, first);
  const dirty = Object.keys(changes).length > 0;
  useLeaveGuard(dirty && !saving);
  const isNew = record === undefined;
  const heading = record ? `Change ${kind}` : `New ${kind}`;
  useEffect(() => {
    document.title = `${heading} – ${context.title}`;
    if (isNew) form.current?.querySelector('input')?.focus();
  }, [heading, isNew]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is compared with the record is what the form held when it came.
  useEffect(() => {
    if (!record) return;
    const { untouched, crossed } = changedMeanwhile(values, first, valuesOf(definition, record));
    setValues({ ...values, ...untouched });
    setMeanwhile({ ...meanwhile, ...crossed });
    setFirst({ ...first, ...untouched, ...crossed });
  }, [record]);
  useEffect(() => {
    const { current } = form;
    const wrong =
      failure && (current?.querySelector<HTMLElement>('[aria-invalid="true"]') ?? current?.querySelector<HTMLElement>('.form-error'));
    wrong?.focus();
  }, [failure]);

  const set = (name: string, value: FormValue) => {
    setValues((before) => ({ ...before, [name]: value, ...(name === 'start_date' && kept(before, String(value))) }));
    if (failure?.fields[name]) {
      const { [name]: _gone, ...fields } = failure.fields;
      setFailure(new ApiError(failure.status, failure.code, failure.message, fields));
    }
  };
  const save = async (event: Event) => {
    event.preventDefault();
    setSaving(true);
    const body = Object.fromEntries(
      Object.entries(changes).map(([name, value]) => [
        name,
        name === 'start_date' || name === 'end_date' ? sentDate(value, wholeDays) : value,
      ]),
    );
    try {
      const saved = record ? await update<Post>(kinds[kind], record.id, body) : await create<Post>(kinds[kind], body);
      toast(record ? 'Saved.' : 'Created.');
      go(pathOf(saved), { replace: true });
    } catch (error) {
      setFailure(error instanceof ApiError ? error : new ApiError(0, '', String(error)));
      setSaving(false);
    }
  };

  const controlOf = (field: FieldDefinition) => (
    <FieldControl
      key={field.name}
      field={field}
      label={labelOf(field.name, definition)}
      note={meanwhile[field.name] !== undefined ? `Somebody else wrote meanwhile: ${textOf(meanwhile[field.name]!)}` : undefined}
      hint={isClear(field) || field.name === definition.label ? undefined : capitalized(field.about)}
      value={values[field.name]!}
      error={failure?.fields[field.name] && capitalized(failure.fields[field.name]!)}
      wholeDays={wholeDays && /^(start|end)_date$/.test(field.name)}
      onChange={(value) => set(field.name, value)}
    />
  );
  const named = (name: string) => definition.fields.find((field) => field.name === name)!;
  const others = definition.fields.filter(({ name }) => !foremost[kind].includes(name));
  const faults = others.some(({ name }) => failure?.fields[name]);
  return (
    <Main class="form-page">
      <form ref={form} onSubmit={save} noValidate>
        <h1>{heading}</h1>
        {gone && (
          <p class="form-error" role="alert">
            Somebody has deleted this {kind} meanwhile. What you wrote is still here, to be copied; it cannot be saved.
          </p>
        )}
        {failure && (
          <p class="form-error" role="alert" tabIndex={-1}>
            {Object.keys(failure.fields).length
              ? `Not saved: ${Object.keys(failure.fields).length} to mend below.`
              : `Not saved: ${failure.message}`}
          </p>
        )}
        <div class={`fields fields-${kind}`}>{foremost[kind].map((name) => controlOf(named(name)))}</div>
        <details open={faults || undefined}>
          <summary>More</summary>
          <div class="fields">{others.map(controlOf)}</div>
        </details>
        <p class="form-actions">
          <button type="submit" class="button main" disabled={saving || gone || (record !== undefined && !dirty)}>
            {saving ? 'Saving…' : record ? 'Save changes' : `Create ${kind}`}
          </button>
          <a class="button" href={record ? pathOf(record) : '/'}>
            Cancel
          </a>
        </p>
      </form>
    </Main>
  );
}

/** The end that keeps an event as long as it was, when its start moves. */
function kept({ start_date, end_date }: FormValues, start: string): FormValues {
  const [from, to, next] = [start_date, end_date, start].map((text) =>
    Date.parse(`${String(text).replace(' ', 'T')}${String(text).length > 10 ? ':00Z' : ''}`),
  );
  if ([from, to, next].some((time) => Number.isNaN(time))) return {};
  const end = new Date(next! + Math.max(0, to! - from!)).toISOString();
  return { end_date: `${end.slice(0, 10)} ${end.slice(11, 16)}` };
}

/** Has the browser ask before what was written is lost. */
function useLeaveGuard(dirty: boolean): void {
  useEffect(() => {
    if (!dirty) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [dirty]);
}
