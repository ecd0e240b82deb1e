import { useRef } from 'preact/hooks';
import { capitalized } from '../../../model/grammar.ts';
import { labels } from '../../labels.ts';
import { returnAddress } from '../address.ts';
import { Button } from '../controls.tsx';
import { kinds } from '../forms/address.ts';
import { Main, usePageTitle } from '../landmark.tsx';
import { lazy } from '../lazy.tsx';
import { plain } from '../markup.ts';
import { Notice } from '../notice.tsx';
import { ApiError } from '../server/api.ts';
import type { RecordAddress } from './address.ts';
import { useRecord } from './load.ts';

const ProtectedEvent = lazy(async () => (await import('./details.tsx')).ProtectedEvent);
const RecordDetails = lazy(async () => (await import('./details.tsx')).RecordDetails);
const EditRecord = lazy(async () => (await import('../forms/new.tsx')).EditRecord);

/** The page of a record, or its edit form. */
export function RecordPage({ recordAddress, address }: { recordAddress: RecordAddress; address: URL }) {
  const { value: loaded, error: loadError, loading } = useRecord(recordAddress);
  const { kind, path } = recordAddress;
  const isEditing = address.searchParams.has('edit');
  // The form stays open if the record is deleted or can't be reloaded.
  const previous = useRef(loaded);
  if (loaded || !isEditing) previous.current = loaded;
  const value = loaded ?? previous.current;
  const error = value ? undefined : loadError;
  const label = value?.record[labels[kinds[kind]!].label];
  // The name of a password-protected venue isn't a string.
  const title = value && (typeof label === 'string' ? plain(label) : `Password-protected ${kind}`);
  usePageTitle(isEditing ? undefined : (title ?? (error && 'Not found')));
  if (error instanceof ApiError && error.code === 'event-password-protected') return <ProtectedEvent path={path} />;
  if (error) return <LoadFailed kind={kind} error={error} />;
  if (!value) return <Main class="record" aria-busy={loading} />;
  const { record, canEdit } = value;
  if (isEditing && canEdit)
    return <EditRecord key={record.id} kind={kind} id={record.id} isDeleted={isNotFound(loadError)} parameters={address.searchParams} />;
  return <RecordDetails kind={kind} {...value} title={title!} />;
}

const isNotFound = (error: Error | undefined): boolean => error instanceof ApiError && [400, 404, 410].includes(error.status);

function LoadFailed({ kind, error }: { kind: string; error: Error }) {
  const notFound = isNotFound(error);
  const isForbidden = error instanceof ApiError && [401, 403].includes(error.status);
  return (
    <Main class="record">
      <h1 class="unseen">{notFound ? 'Not found' : 'Couldn’t load'}</h1>
      <Notice
        title={
          notFound
            ? `${capitalized(kind)} not found`
            : isForbidden
              ? `You don’t have permission to view this ${kind}`
              : `Couldn’t load this ${kind}`
        }
      >
        <p>
          {notFound ? 'It may have been deleted or renamed.' : isForbidden ? 'Sign in with an account that has access.' : error.message}
        </p>
        <Button label="Go to calendar" look="main" href={returnAddress()} />
        <Button label="Show upcoming events" href="/?view=list" />
      </Notice>
    </Main>
  );
}
