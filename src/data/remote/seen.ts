import type { Entry, ResourceName, Row } from '../../model/calendar.ts';
import type { ViewOptions } from '../../model/context.ts';
import { hashOf, sayingRules } from '../../model/fields/sayings.ts';
import type { LocalCalendar } from '../../store/calendar.ts';
import type { SiteState, StoredPair } from '../../store/identity/sites.ts';
import { entriesOf } from '../../store/records/entries.ts';
import { compareForms, neutralView, topOf } from './neutral.ts';
import type { DifferingFields } from './pair.ts';

const seenHashes = new WeakMap<Entry, string>();

/** The hash of a record as its site shows it. Computed once. */
function seenHash(entry: Entry): string {
  const hash = seenHashes.get(entry) ?? hashOf(JSON.stringify(entry));
  seenHashes.set(entry, hash);
  return hash;
}

/** The text that tells a record of a list from a later one, and by which rules it was compared. */
export const seenText = (entry: Entry): string => `${sayingRules}:${seenHash(entry)}`;

/** True if a record was compared by the rules of this program, or never. */
export const isComparedNow = (seen: unknown): boolean => seen === undefined || String(seen).startsWith(`${sayingRules}:`);

/** True if a record of a list is not the one that was compared last, by these or other rules. */
export function isChangedSince(entry: Entry, { remoteBase }: StoredPair): boolean {
  const seen = remoteBase?.seen;
  return typeof seen === 'string' && seen.replace(/^\d+:/, '') !== seenHash(entry);
}

/** The members that no field has and that a site changed since it was copied, by path. Times of modification only if nothing else was changed. */
export function changesBeside(local: LocalCalendar, state: SiteState, name: ResourceName, id: number, entry: Entry): DifferingFields {
  const resource = local.resources[name];
  const pair = state.ofRemote(name, entry.id);
  if (!pair || !isChangedSince(entry, pair)) return {};
  const row = local.context.db.get<Row>(`select * from ${name} where id = ?`, id)!;
  const view: ViewOptions = { ...neutralView(local, state), asSite: 'all' };
  const [own, shown] = [view.site, local.context.site].map(
    (site) => entriesOf({ ...local.context, site }, resource, [row], { ...view, site })[0]!,
  );
  const isOfField = (path: string) => resource.fields.some(({ name: field }) => field === topOf(path) && field !== 'image');
  const changes = Object.keys(compareForms(state, resource, own!, entry, true)).filter((path) => !isOfField(path));
  const isTime = (path: string) => path.startsWith('modified');
  const valueAt = (path: string, record: unknown) =>
    path.split('.').reduce((value, part) => (value as Record<string, unknown> | undefined)?.[part], record);
  const valuesOf = (path: string) => ({ local: valueAt(path, shown), remote: valueAt(path, entry), direction: 'there' }) as const;
  return Object.fromEntries(changes.filter((path) => !isTime(path) || changes.every(isTime)).map((path) => [path, valuesOf(path)]));
}
