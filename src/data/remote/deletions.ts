import { type ResourceName, resourceNames } from '../../model/calendar.ts';
import type { ConflictSide } from '../../model/operations/sync.ts';
import { linkFields } from '../../model/resources/relations.ts';
import type { LocalCalendar } from '../../store/calendar.ts';
import type { RecordForm, SiteState, StoredPair } from '../../store/identity/sites.ts';
import { idsSelected } from '../../store/records/list.ts';
import { hasRow, setColumns } from '../../store/records/queries.ts';
import type { Summary } from '../summary.ts';
import { recordLabel } from '../transaction.ts';
import type { ConflictLog } from './conflict-log.ts';
import { localForms } from './forms.ts';
import { asOnSite, isBase, isBuried, isEqual, isUnchangedHere, utcDates, winnerOf } from './pair.ts';

/** The context in which a copied record is changed that the site doesn't show any more. */
interface Missing {
  local: LocalCalendar;
  state: SiteState;
  summary: Summary;
  conflicts: ConflictLog;
  prefer?: ConflictSide;
  /** True to delete; otherwise deletions are only reported. */
  deletes?: boolean;
}

function isEditedHere({ local }: Missing, name: ResourceName, pair: StoredPair): boolean {
  const form = localForms(local, name, [pair.local]).get(pair.local);
  return form !== undefined && !isUnchangedHere(form, pair);
}

/** The values of a copied record that were changed here since both sides last agreed, also those that the site did not accept. */
function editsOf(local: LocalCalendar, name: ResourceName, pair: StoredPair): RecordForm {
  const form = localForms(local, name, [pair.local]).get(pair.local) ?? {};
  const isEdited = ([field, value]: [string, unknown]) => !utcDates.includes(field) && !isEqual(value, pair.localBase?.[field]);
  return Object.fromEntries(Object.entries(asOnSite(form, pair)).filter(isEdited));
}

/** The edits of a record that the site does not show, without those that are noted as not accepted. */
export const openEdits = (local: LocalCalendar, name: ResourceName, pair: StoredPair): RecordForm =>
  Object.fromEntries(Object.entries(editsOf(local, name, pair)).filter(([field, value]) => !isEqual(pair.refused?.[field], value)));

function forget({ state, conflicts }: Missing, name: ResourceName, { remote }: StoredPair): void {
  state.drop(name, remote);
  conflicts.drop(name, remote);
}

/** True if the copy of a record was deleted here. A pair of the first version, without forms, doesn't tell that if the copy is not in the trash. */
export const isDeletedHere = (local: LocalCalendar, name: ResourceName, pair: StoredPair): boolean =>
  !local.has(name, pair.local) && (pair.remoteBase !== undefined || hasRow(local.context.db, name, pair.local));

/** Notes that both sides deleted a record: what one of them restores from its trash is the record of the other again. */
export function bury(
  { local, state, conflicts }: Pick<Missing, 'local' | 'state' | 'conflicts'>,
  name: ResourceName,
  pair: StoredPair,
): void {
  if (!hasRow(local.context.db, name, pair.local)) state.drop(name, pair.remote);
  else if (!isBuried(pair)) state.set(name, { ...pair, withheld: 'trash' });
  conflicts.drop(name, pair.remote);
}

/** Settles that a record stays deleted which was deleted here: later pulls and pushes ignore an edit of the site until now. */
export function keepDeletion(
  { state, conflicts }: Pick<Missing, 'state' | 'conflicts'>,
  name: ResourceName,
  pair: StoredPair,
  theirs: RecordForm,
): void {
  if (!isBase(theirs, pair.remoteBase))
    state.set(name, { ...pair, localBase: pair.localBase ?? {}, remoteBase: { ...pair.remoteBase, ...theirs } });
  conflicts.drop(name, pair.remote);
}

/** Handles a copied record that the site deleted. */
export function deleteHere(missing: Missing, name: ResourceName, pair: StoredPair): void {
  const { local, summary, conflicts, prefer, deletes } = missing;
  const entry = local.entry(name, pair.local);
  if (!entry || isBuried(pair)) {
    // Restored here, it is a new record of the site.
    if (entry) forget(missing, name, pair);
    else bury(missing, name, pair);
    return;
  }
  const label = recordLabel(name, entry);
  const winner = winnerOf('theirs', isEditedHere(missing, name, pair), prefer);
  if (winner === 'conflict') {
    conflicts.add({ name, label, remote: pair.remote, local: pair.local, kind: 'deleted-there', fields: {} });
  } else if (winner === 'ours') {
    // The next push creates it again.
    forget(missing, name, pair);
    summary.add('unchanged', name, label, pair.local);
  } else if (deletes) {
    const restoreBases = releaseLinks(missing, name, pair.local, label);
    local[name].delete({ id: pair.local });
    restoreBases();
    bury(missing, name, pair);
    summary.add('deleted', name, label, pair.local);
  } else {
    summary.add('unchanged', name, label, pair.local);
    const note = { at: `${name} ${pair.local} (${label})`, reason: 'deleted on the site; pull --delete deletes it here' };
    summary.notes.push(note);
    summary.left.push(note);
  }
}

/**
 * Names the records whose links go with a deleted one. Call what it returns after the deletion: the links leave the bases of the local records too, because sites keep links of drafts to
 * records in the trash, and a push would send an edit that no user made.
 */
function releaseLinks({ local, state, summary }: Missing, to: ResourceName, id: number, label: string): () => void {
  const linked = resourceNames.flatMap((name) =>
    linkFields(name)
      .filter(({ links }) => links === to)
      .flatMap(({ name: field }) =>
        idsSelected(local.context, local.resources[name], { [field]: String(id) }).map((from) => ({ name, field, from })),
      ),
  );
  const formOf = ({ name, from }: (typeof linked)[number]) => localForms(local, name, [from]).get(from);
  const before = linked.map((each) => ({ ...each, value: formOf(each)?.[each.field] }));
  for (const { name, from } of linked) {
    const at = `${name} ${from} (${recordLabel(name, local.source(name, from)!)})`;
    summary.notes.push({ at, reason: `lost its link to ${to} ${id} (${label}), which the site deleted` });
  }
  return () => {
    for (const { value, ...each } of before) {
      const pair = state.ofLocal(each.name, each.from);
      if (pair?.localBase && isEqual(pair.localBase[each.field], value))
        state.set(each.name, { ...pair, localBase: { ...pair.localBase, [each.field]: formOf(each)?.[each.field] } });
    }
  };
}

/**
 * Handles a copied record that the site does not show any more. It is hidden until the site shows it again, which no push sends. What was changed here stays, and is noted as not accepted
 * once a side is chosen, until the record is public again: then it is an edit like others.
 */
export function withdrawHere(missing: Missing, name: ResourceName, pair: StoredPair): void {
  const { local, state, summary, conflicts, prefer } = missing;
  const entry = local.entry(name, pair.local);
  const wasPublic = entry?.status === 'publish' || pair.localBase?.status === 'publish';
  if (!entry || !wasPublic || pair.withheld !== '') return;
  const isEdited = Object.keys(openEdits(local, name, pair)).length > 0;
  // It was settled that the record stays as it is here.
  if (!isEdited && 'status' in (pair.refused ?? {})) return;
  const label = recordLabel(name, entry);
  const winner = winnerOf('theirs', isEdited, prefer);
  if (winner === 'conflict') {
    if (!conflicts.has(name, pair.remote))
      conflicts.add({ name, label, remote: pair.remote, local: pair.local, kind: 'withdrawn', fields: {} });
    return;
  }
  conflicts.drop(name, pair.remote);
  const edits = editsOf(local, name, pair);
  const refused = Object.keys(edits).length ? { ...edits, status: winner === 'ours' ? entry.status : 'publish' } : pair.refused;
  if (winner === 'ours') {
    state.set(name, { ...pair, refused });
    summary.add('unchanged', name, label, pair.local);
    return;
  }
  state.set(name, { ...pair, refused, withheld: 'status' });
  setColumns(local.context.db, name, pair.local, { status: 'private' });
  summary.add('updated', name, label, pair.local);
  summary.notes.push({ at: `${name} ${pair.local} (${label})`, reason: 'withdrawn by the site, and hidden here until it is public again' });
}
