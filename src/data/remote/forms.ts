import type { Entry, Resource, ResourceName } from '../../model/calendar.ts';
import type { LocalCalendar } from '../../store/calendar.ts';
import type { RecordForm, SiteState, StoredPair } from '../../store/identity/sites.ts';
import { fullEntries } from '../../store/records/dump.ts';
import { formOf, type Linked, Pair, utcDates } from './pair.ts';

/** The members of records that forms are made of, beside those of fields. */
const identifying = ['id', 'slug', 'url', ...utcDates];

/** The forms of local records by ID, with the fields that no response contains. Missing records and those in the trash have none. */
export function localForms(local: LocalCalendar, name: ResourceName, ids: readonly number[]): Map<number, RecordForm> {
  const resource: Resource = local.resources[name];
  const members = new Set([...identifying, ...resource.fields.map((field) => field.name)]);
  const entries = [...fullEntries(local.context, name, ids, members)];
  return new Map(entries.map(([id, { entry, secrets }]) => [id, Object.assign(formOf(resource, entry), secrets)]));
}

/** Parts of a pair that were read before. */
interface KnownParts {
  row?: StoredPair;
  linked?: Linked;
  form?: RecordForm;
}

const linkedIn =
  (state: SiteState): Linked =>
  (to, id) =>
    state.localOf(to, id) ?? `remote ${id}`;

/** Reads the pair of a local record and one of a site. */
export function pairOf(
  local: LocalCalendar,
  state: SiteState,
  name: ResourceName,
  id: number,
  entry: Entry,
  { row = state.ofRemote(name, entry.id), linked = linkedIn(state), form }: KnownParts = {},
): Pair {
  return new Pair({
    ...{ resource: local.resources[name], id, entry, row, linked },
    form: form ?? localForms(local, name, [id]).get(id) ?? {},
    // Only pairs of the first version need it.
    modified: row?.localBase ? undefined : local.source(name, id)?.modified_utc,
  });
}
