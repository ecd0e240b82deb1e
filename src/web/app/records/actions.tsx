import type { ComponentChildren } from 'preact';
import { listAddress, navigate } from '../address.ts';
import { copyAddress, editAddress, kinds, type RecordKind } from '../forms/address.ts';
import { type Post, pathOf } from '../record.ts';
import { toast } from '../toast.tsx';
import { deleteWithUndo } from './undo.ts';

interface Properties {
  kind: RecordKind;
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
    <p class="back">
      <a href={address}>{address.startsWith('/_calendar') ? 'Data' : 'Calendar'}</a>
    </p>
  );
}

/** The buttons of a record. */
export function Actions({ kind, record, title, canEdit, canDelete, onDeleted, children }: Properties) {
  const deleteRecord = async () => {
    try {
      await deleteWithUndo(kinds[kind], record, title);
      if (onDeleted) onDeleted();
      else navigate(listAddress());
    } catch (error) {
      toast(`Couldn’t delete “${title}”: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  return (
    <div class="actions">
      {canEdit && (
        <a class="button main" href={editAddress(pathOf(record))}>
          Edit
        </a>
      )}
      {canEdit && (
        <a class="button" href={copyAddress(kind, record.id)}>
          Duplicate
        </a>
      )}
      {children}
      {canDelete && (
        <button type="button" class="button danger" onClick={deleteRecord}>
          Delete
        </button>
      )}
    </div>
  );
}
