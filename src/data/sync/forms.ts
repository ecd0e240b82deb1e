import type { Entry, Resource, ResourceName } from '../../model/calendar.ts';
import { comparable } from '../../model/formats/remote-record.ts';
import type { LocalCalendar } from '../../store/calendar.ts';
import type { RecordForm, SyncedRecord } from '../../store/identity/sync-state.ts';

/** Returns the form of a record in a response, with the IDs of that server. */
export const formOf = (resource: Resource, entry: Entry, linked: (to: ResourceName, id: number) => unknown = (_, id) => id): RecordForm =>
  comparable(resource, entry, linked, entry.slug === undefined ? {} : { slug: entry.slug });

/** The members of records that forms are made of, beside those of fields. */
const identifying = ['id', 'slug', 'url'];

/** Returns the forms of local records by ID, with the fields that no response contains; those that are missing or in the trash have none. */
export function localFormsOf(local: LocalCalendar, name: ResourceName, ids: readonly number[]): Map<number, RecordForm> {
  const { fields }: Resource = local.resources[name];
  const entries = [...local.fullEntries(name, ids, new Set([...identifying, ...fields.map((field) => field.name)]))];
  return new Map(entries.map(([id, { entry, secrets }]) => [id, Object.assign(formOf(local.resources[name], entry), secrets)]));
}

/** Returns the form of a local record. */
export const localFormOf = (local: LocalCalendar, name: ResourceName, id: number): RecordForm | undefined =>
  localFormsOf(local, name, [id]).get(id);

export const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The forms of a pair when both sides last agreed. A field that is missing has no base. */
export interface Bases {
  local: RecordForm;
  remote: RecordForm;
}

/** Returns the bases of a pair. Pairs of earlier versions have only the time of the last change, and other pairs none. */
export function basesOf(
  row: SyncedRecord | undefined,
  mine: RecordForm,
  theirs: RecordForm,
  modified: () => { local: unknown; remote: unknown },
): Bases {
  if (row?.localBase && row.remoteBase) return { local: row.localBase, remote: row.remoteBase };
  const isKnown = row !== undefined && row.modified !== '';
  const { local, remote } = modified();
  return {
    local: isKnown && local === row.modified ? mine : {},
    remote: isKnown && remote === row.modified ? theirs : {},
  };
}

/** The fields of a pair by what has to be done with them. Fields that are equal, or changed on neither side, are in none. */
export interface Merge {
  fromRemote: string[];
  fromLocal: string[];
  /** Fields that were changed differently on both sides. */
  conflicts: string[];
}

/** Compares each side with its own base, so that a site that rewrites texts doesn't cause conflicts. `here` is the remote form with local IDs. */
export function merge(mine: RecordForm, theirs: RecordForm, here: RecordForm, bases: Bases): Merge {
  const result: Merge = { fromRemote: [], fromLocal: [], conflicts: [] };
  for (const field of new Set([...Object.keys(mine), ...Object.keys(theirs)])) {
    const isShown = field in theirs;
    const isChangedHere = isShown
      ? !(field in bases.local) || !isEqual(mine[field], bases.local[field])
      : !isEqual(mine[field], bases.local[field] ?? '');
    const isChangedThere = isShown && (!(field in bases.remote) || !isEqual(theirs[field], bases.remote[field]));
    if (isShown && isEqual(mine[field], here[field])) continue;
    if (isChangedHere && isChangedThere) result.conflicts.push(field);
    else if (isChangedHere && field in mine) result.fromLocal.push(field);
    else if (isChangedThere) result.fromRemote.push(field);
  }
  return result;
}

/** Returns a form without some fields. */
export const without = (form: RecordForm, fields: readonly string[]): RecordForm =>
  Object.fromEntries(Object.entries(form).filter(([field]) => !fields.includes(field)));

/** Returns some fields of a form, as far as it has them. */
export const only = (form: RecordForm, fields: readonly string[]): RecordForm =>
  Object.fromEntries(Object.entries(form).filter(([field]) => fields.includes(field)));
