import type { Input, PostResource } from '../../model/calendar.ts';
import { mayUseAnyHtml } from '../../model/viewer.ts';
import type { StoreContext } from '../records/context.ts';
import { rowWith } from '../records/lookups.ts';

/** The UID of a new record: the given one if it is unused and the viewer is an editor, else a new one. */
export function uidFor({ db, request }: StoreContext, { name }: PostResource, { uid }: Input): string {
  const isWanted = typeof uid === 'string' && /^[^\p{Cc}\p{Cs}]+$/u.test(uid) && mayUseAnyHtml(request.viewer);
  const find = () => db.get<{ id: number }>(`select id from ${name} where uid = ?`, String(uid))?.id;
  return isWanted && rowWith(db, name, ['uid'], uid, find) === undefined ? uid : request.newUid();
}
