import type { ResourceName } from '../../../model/calendar.ts';
import { messageOf, requestApi } from '../server/api.ts';
import { announceChange, noteChange } from '../server/changes.ts';
import { authorization } from '../server/session.ts';
import { toast } from '../toast.tsx';

/** Records whose deletion has not been sent yet, as resource and ID. */
const pending = new Set<string>();
const keyOf = (resource: ResourceName, id: number) => `${resource} ${id}`;
/** Sends the pending deletions. */
const senders = new Set<() => void>();
addEventListener('pagehide', () => {
  for (const send of [...senders]) send();
});

/** Returns whether a record is hidden because its deletion is sent when its Undo expires. */
export const isPendingDeletion = (resource: ResourceName, id: number): boolean => pending.has(keyOf(resource, id));

/** Deletes records that have no trash: hides them now, and sends the deletion when the Undo button disappears or the page is closed. */
export function deleteLater(resource: ResourceName, ids: readonly number[], text: string): void {
  const user = authorization();
  for (const id of ids) pending.add(keyOf(resource, id));
  noteChange(true);
  const finish = () => {
    senders.delete(send);
    for (const id of ids) pending.delete(keyOf(resource, id));
    announceChange();
  };
  const send = () => {
    senders.delete(send);
    const requests = ids.map((id) => requestApi('DELETE', `/${resource}/${id}`, { authorization: user, keepalive: true }));
    Promise.all(requests)
      .catch((error) => toast(`Couldn’t delete: ${messageOf(error)}`))
      .finally(finish);
  };
  senders.add(send);
  toast(text, { label: 'Undo', run: finish }, send);
}
