import type { Extra } from '../../model/fields/extra.ts';
import type { SyncedRecord } from '../../store/identity/sync-state.ts';
import { isEqual } from './forms.ts';

/** Returns the members that other sites added to a record, without those that change with the records that embed it. */
export const ownExtra = ({ embedded: _, ...extra }: Extra): Extra => extra;

/** Returns whether members of other sites were changed here since a pair agreed. Pairs of earlier versions have only those of lists. */
export function isExtraChanged(now: Extra, row: SyncedRecord | undefined): boolean {
  if (!row?.localBase || !row.remoteBase) return false;
  const { extra } = row.localBase;
  return extra === undefined ? !isEqual(now.list ?? {}, row.remoteBase.extra ?? {}) : !isEqual(ownExtra(now), extra);
}
