import { Main } from '../landmark.tsx';
import { Notice } from '../notice.tsx';
import { useRecord } from '../records/load.ts';
import type { RecordKind } from './address.ts';
import { RecordForm } from './form.tsx';

export { RecordForm };

/** The form of a new record, or of a copy of the record whose ID is in the address. */
export function NewRecord({ kind, parameters }: { kind: RecordKind; parameters: URLSearchParams }) {
  const copied = parameters.get('copy');
  if (!copied || !/^\d+$/.test(copied)) return <RecordForm kind={kind} parameters={parameters} />;
  return <CopyForm kind={kind} id={copied} parameters={parameters} />;
}

function CopyForm({ kind, id, parameters }: { kind: RecordKind; id: string; parameters: URLSearchParams }) {
  const { value, error } = useRecord({ kind, path: id });
  if (value) return <RecordForm kind={kind} original={value.record} parameters={parameters} />;
  if (!error) return <Main class="form-page" aria-busy="true" />;
  return (
    <Main class="form-page">
      <Notice title={`Couldn’t copy the ${kind}`}>
        <p>{error.message}</p>
      </Notice>
    </Main>
  );
}
