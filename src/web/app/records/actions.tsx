import type { ComponentChildren } from 'preact';
import { listAddress, navigate } from '../address.ts';
import { copyAddress, editAddress, kinds } from '../forms/address.ts';
import { useLoaded } from '../loading.ts';
import { Button } from '../parts/controls.tsx';
import { toast } from '../parts/toast.tsx';
import { type Post, permalinkPath } from '../record.ts';
import { messageOf, requestApi } from '../server/api.ts';
import { deleteWithUndo } from './undo.ts';
import './record.css';

/** Loads a record and whether the user may edit and delete it. */
export const useRecord = ({ kind, path }: { kind: string; path: string }) =>
  useLoaded(`record ${kind} ${path}`, async (signal) => {
    const { value, allow } = await requestApi<Post>('GET', `/${kinds[kind]}/${path}`, { signal, query: { context: 'edit' } });
    return { record: value, canEdit: allow.includes('PATCH'), canDelete: allow.includes('DELETE') };
  });

interface Properties {
  kind: string;
  record: Post;
  title: string;
  canEdit: boolean;
  canDelete: boolean;
  /** Called after the record was deleted (default: return to where it was opened). */
  onDeleted?(): void;
  /** Further actions, between the common ones and Delete. */
  children?: ComponentChildren;
}

/** The link to the calendar view or table from which a record was opened. */
export function BackLink({ fallback }: { fallback?: string }) {
  const address = listAddress(fallback);
  return (
    <p class="record-back screen-only">
      <a href={address}>{address.startsWith('/_calendar') ? 'Data' : 'Calendar'}</a>
    </p>
  );
}

/** The buttons of a record. */
export function Actions({ kind, record, title, canEdit, canDelete, onDeleted, children }: Properties) {
  const deleteRecord = async () => {
    try {
      await deleteWithUndo(kinds[kind]!, record, title);
      if (onDeleted) onDeleted();
      else navigate(listAddress());
    } catch (error) {
      toast(`Couldn’t delete “${title}”: ${messageOf(error)}`);
    }
  };
  return (
    <div class="record-actions buttons">
      {canEdit && <Button label="Edit" look="main" href={editAddress(permalinkPath(record))} />}
      {canEdit && <Button label="Duplicate" href={copyAddress(kind, record.id)} />}
      {children}
      {canDelete && <Button label="Delete" look="danger" onClick={deleteRecord} />}
    </div>
  );
}
