import { useRef } from 'preact/hooks';
import { Main } from '../landmark.tsx';
import { useLoaded } from '../loading.ts';
import { Notice } from '../notice.tsx';
import type { Post } from '../record.ts';
import { kinds } from './address.ts';
import { RecordForm } from './form.tsx';
import { loadTyped } from './values.ts';

interface Properties {
  kind: string;
  id: number | string;
  parameters: URLSearchParams;
}

const useTypedRecord = ({ kind, id }: Properties) => useLoaded(`typed ${kind} ${id}`, (signal) => loadTyped(kinds[kind]!, id, signal));

const loading = <Main class="form-page" aria-busy="true" />;

/** The form of a record. It stays open if the record is deleted or can't be reloaded. */
export function EditRecord({ isDeleted, ...properties }: Properties & { isDeleted: boolean }) {
  const { value } = useTypedRecord(properties);
  const latest = useRef<Post | undefined>(undefined);
  latest.current = value ?? latest.current;
  if (!latest.current) return loading;
  return <RecordForm {...properties} record={latest.current} isDeleted={isDeleted} />;
}

/** The form of a new record, or of a copy of the record whose ID is in the address. */
export function NewRecord(properties: Omit<Properties, 'id'>) {
  const id = properties.parameters.get('copy');
  return id && /^\d+$/.test(id) ? <CopyForm {...properties} id={id} /> : <RecordForm {...properties} />;
}

function CopyForm(properties: Properties) {
  const { value, error } = useTypedRecord(properties);
  if (value) return <RecordForm {...properties} original={value} />;
  if (!error) return loading;
  return (
    <Main class="form-page">
      <Notice title={`Couldn’t copy the ${properties.kind}`}>
        <p>{error.message}</p>
      </Notice>
    </Main>
  );
}
