import { useRef } from 'preact/hooks';
import { capitalized } from '../../../model/grammar.ts';
import { definitions, type FieldDefinition, labels } from '../../definitions.ts';
import { formOrigin, returnAddress } from '../address.ts';
import { useLoaded } from '../loading.ts';
import { Button, Main, Notice, usePageTitle } from '../parts/controls.tsx';
import { type Post, permalinkPath } from '../record.ts';
import { kinds } from './address.ts';
import { FieldControl } from './control.tsx';
import { type FormSource, type FormState, useRecordForm } from './state.ts';
import { controlLabel, loadTyped } from './values.ts';
import './form-page.css';

/** A message about a field as a sentence; one that begins with a verb starts with its label. */
const errorSentence = (label: string, text: string) =>
  `${/^(is|must|has|can|needs)\b/.test(text) ? `${label} ${text}` : capitalized(text)}.`;

interface FormProperties extends FormSource {
  /** True if the record was deleted while the form was open. */
  isDeleted?: boolean;
}

/** The form of a new or existing record. Its fields come from the definition of the resource. */
function RecordForm({ isDeleted = false, ...source }: FormProperties) {
  const { kind, record } = source;
  const form = useRecordForm(source);
  const { mainFields, fields } = definitions[kinds[kind]!];
  const others = fields.filter(({ name }) => !mainFields.includes(name));
  const hasHiddenErrors = others.some(({ name }) => form.failure?.fields[name]);
  const heading = record ? `Edit ${kind}` : `New ${kind}`;
  usePageTitle(heading);
  return (
    <Main class="form-page">
      <form
        ref={form.element}
        onSubmit={(event) => {
          event.preventDefault();
          void form.save(false);
        }}
        noValidate
      >
        <h1>{heading}</h1>
        <FormMessages kind={kind} form={form} isDeleted={isDeleted} />
        <div class="form-page-fields">
          {mainFields.map((name, index) => (
            <FormField key={name} kind={kind} form={form} field={fields.find((field) => field.name === name)!} isWide={index === 0} />
          ))}
        </div>
        {others.length > 0 && (
          <details open={hasHiddenErrors || undefined}>
            <summary>More options</summary>
            <div class="form-page-fields">
              {others.map((field) => (
                <FormField key={field.name} kind={kind} form={form} field={field} />
              ))}
            </div>
          </details>
        )}
        <p class="form-actions">
          <Button
            label={form.isSaving ? 'Saving…' : record ? 'Save' : `Create ${kind}`}
            look="main"
            type="submit"
            disabled={form.isSaving || isDeleted || (record !== undefined && !form.isDirty)}
          />
          <Button label="Cancel" href={formOrigin() ?? (record ? permalinkPath(record) : returnAddress())} />
        </p>
      </form>
    </Main>
  );
}

interface PartProperties {
  kind: string;
  form: FormState;
}

/** A restored draft, a change by somebody else, a deletion, and the failure of the last attempt to save. */
function FormMessages({ kind, form, isDeleted }: PartProperties & { isDeleted: boolean }) {
  const { failure } = form;
  const invalidFields = Object.keys(failure?.fields ?? {}).length;
  return (
    <>
      {form.isDraft && (
        <p class="message" role="status">
          Restored your draft.
          <Button label="Discard draft" look="small" onClick={form.reload} />
        </p>
      )}
      {form.hasChangedElsewhere && !isDeleted && (
        <p class="message changed" role="alert" tabIndex={-1}>
          <span>This {kind} changed meanwhile.</span>
          <Button label="Reload" look="small" onClick={form.reload} />
          <Button label="Overwrite" look="small" disabled={form.isSaving || !form.isDirty} onClick={() => form.save(true)} />
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
    </>
  );
}

function FormField({ kind, form, field, isWide = false }: PartProperties & { field: FieldDefinition; isWide?: boolean }) {
  const { name, hint } = field;
  const label = controlLabel(name, labels[kinds[kind]!].label);
  const error = form.failure?.fields[name];
  return (
    <FieldControl
      field={field}
      label={label}
      hint={hint}
      value={form.values[name]!}
      error={error && errorSentence(label, error)}
      wholeDays={form.values.all_day === true && /^(start|end)_date$/.test(name)}
      isWide={isWide}
      onChange={(value) => form.set(name, value)}
    />
  );
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
