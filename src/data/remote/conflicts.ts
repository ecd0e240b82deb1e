import type { Entry, Resource, ResourceName } from '../../model/calendar.ts';
import { choiceOf, choicesOf } from '../../model/conflict-choices.ts';
import { didYouMean } from '../../model/did-you-mean.ts';
import { Failure } from '../../model/error.ts';
import type { Field } from '../../model/fields/field.ts';
import type { Conflict, ResolveInput } from '../../model/operation-types.ts';
import type { ConflictSide } from '../../model/operations/sync.ts';
import { storableInput } from '../../model/validate.ts';
import { owner } from '../../model/viewer.ts';
import type { LocalCalendar, Store } from '../../store/calendar.ts';
import { SiteState, type StoredConflict, StoredConflicts, type StoredPair } from '../../store/identity/sites.ts';
import { type OperationOptions, Summary } from '../summary.ts';
import { inTransaction, recordLabel } from '../transaction.ts';
import { ConflictLog } from './conflict-log.ts';
import { Copier } from './copy.ts';
import { deleteHere, withdrawHere } from './deletions.ts';
import { localForms } from './forms.ts';
import { type SideOf, takenReason } from './pair.ts';

/** The stored conflicts with the names of their records, and the values that sites did not accept. */
export function conflictsIn(store: Store): Conflict[] {
  const home = store.settings.get('home');
  const local = store.local(owner, { home, root: home });
  const nameOf = (resource: ResourceName, id: number, entry?: Entry) => {
    const record = local.entry(resource, id) ?? entry;
    return record ? recordLabel(resource, record) : '';
  };
  const conflicts = new StoredConflicts(store.db)
    .all()
    .map(({ entry, local: id, ...conflict }): Conflict => ({ ...conflict, id, name: nameOf(conflict.resource, id, entry) }));
  const refusals = refusalsIn(store, local).map(
    ({ site, resource, pair: { remote, local: id }, fields }): Conflict => ({
      ...{ resource, id, remote, site, name: nameOf(resource, id), kind: 'not-accepted', fields },
    }),
  );
  return [...conflicts, ...refusals];
}

interface Refusal {
  site: string;
  resource: ResourceName;
  pair: StoredPair;
  fields: Conflict['fields'];
}

/** The pairs with values that their site did not accept, unless they changed since. */
export function refusalsIn({ db }: Pick<Store, 'db'>, local: LocalCalendar): Refusal[] {
  const rows = db.all<{ site: string; resource: ResourceName; remote: number }>(
    'select site, resource, remote from copies where refused is not null order by site, resource, local',
  );
  return rows.flatMap(({ site, resource, remote }) => {
    const pair = new SiteState(db, site).ofRemote(resource, remote)!;
    const form = localForms(local, resource, [pair.local]).get(pair.local);
    const fields = Object.entries(pair.refused!).filter(([field, value]) => JSON.stringify(form?.[field]) === JSON.stringify(value));
    const values = fields.map(([field, value]) => [
      field,
      { base: pair.localBase?.[field], local: value, remote: pair.remoteBase?.[field] },
    ]);
    return values.length ? [{ site, resource, pair, fields: Object.fromEntries(values) }] : [];
  });
}

/** Resolves conflicts in favor of one side, as a whole or by field. What wins here is sent by the next push. */
export async function resolve(store: Store, { resource, id, prefer, fields }: ResolveInput, options: OperationOptions): Promise<Summary> {
  if ((prefer === undefined) === (fields === undefined)) throw new Failure('bad-request', 'Pass either prefer or fields');
  if (fields && id === undefined) throw new Failure('bad-request', 'Fields are those of one record', 'See: calendar conflicts list');
  const summary = new Summary(options);
  const isSelected = (each: { resource: ResourceName; local: number }) =>
    (resource === undefined || each.resource === resource) && (id === undefined || each.local === id);
  const conflicts = new StoredConflicts(store.db).all().filter(isSelected);
  const withdrawn = new Set(conflicts.flatMap(({ kind, resource, remote }) => (kind === 'withdrawn' ? `${resource}:${remote}` : [])));
  await inTransaction(store, options.dryRun ?? false, (local) => {
    const refused = () => refusalsIn(store, local).filter(({ resource, pair }) => isSelected({ resource, local: pair.local }));
    if (id !== undefined && conflicts.length + refused().length === 0)
      throw new Failure('not-found', `There is no conflict of the record ${id}`);
    const sideOf = fields && sidesIn(fields, [...conflicts, ...refused()]);
    const copiers = new Map<string, Copier>();
    const copierOf = (site: string): Copier => {
      const state = new SiteState(store.db, site);
      const copier =
        copiers.get(site) ?? new Copier(state, summary, new ConflictLog(store, site, summary), { prefer, sideOf, isPull: true });
      copiers.set(site, copier);
      return copier;
    };
    for (const conflict of conflicts) resolveConflict(local, conflict, copierOf(conflict.site), { prefer, sideOf }, summary);
    for (const copier of copiers.values()) copier.finish(local);
    // Some of them went with a conflict.
    const others = refused().filter(({ resource, pair }) => !withdrawn.has(`${resource}:${pair.remote}`));
    for (const refusal of others) resolveRefusal(store, local, refusal, sideOf ?? (() => prefer), summary);
  });
  return summary;
}

/** The chosen sides by field. Throws `bad-request` for names that are not in conflict, and for conflicts without fields. */
function sidesIn({ ours = [], theirs = [] }: Required<ResolveInput>['fields'], found: readonly Pick<StoredConflict, 'fields'>[]): SideOf {
  const choices = [...new Set(found.flatMap(choicesOf))];
  if (!found.length) return () => undefined;
  if (found.some(({ fields }) => !Object.keys(fields).length))
    throw new Failure(
      'bad-request',
      'The conflict has no fields, because one side deleted or withdrew the record',
      'Resolve it as a whole.',
    );
  const sides = new Map<string, ConflictSide>();
  for (const [side, names] of [
    ['ours', ours],
    ['theirs', theirs],
  ] as const)
    for (const name of names.map(choiceOf)) {
      if (!choices.includes(name))
        throw new Failure(
          'bad-request',
          `${JSON.stringify(name)} is not in conflict`,
          didYouMean(name, choices) ?? `Fields are ${choices.join(', ')}.`,
        );
      if (sides.has(name)) throw new Failure('bad-request', `${name} is named twice`);
      sides.set(name, side);
    }
  if (!sides.size) throw new Failure('bad-request', 'Missing names of fields', `Fields are ${choices.join(', ')}.`);
  return (field) => sides.get(choiceOf(field));
}

function resolveConflict(
  local: LocalCalendar,
  conflict: StoredConflict,
  copier: Copier,
  { prefer, sideOf }: { prefer?: ConflictSide; sideOf?: SideOf },
  summary: Summary,
): void {
  const { resource: name, remote, entry, kind } = conflict;
  const { state, conflicts } = copier;
  const row = state.ofRemote(name, remote);
  if (entry) copier.copy(local, name, [entry]);
  else if (row && kind === 'withdrawn') withdrawHere({ local, state, summary, conflicts, prefer }, name, row);
  else if (row) deleteHere({ local, state, summary, conflicts, prefer, deletes: true }, name, row);
  // By field, the copy drops it if none is left.
  if (!sideOf) conflicts.drop(name, remote);
}

/** Takes the site's values of fields that it did not accept; or keeps those here, which are sent again then. Fields without a side stay. */
function resolveRefusal(
  store: Store,
  local: LocalCalendar,
  { site, resource: name, pair, fields }: Refusal,
  sideOf: SideOf,
  summary: Summary,
): void {
  const state = new SiteState(store.db, site);
  const label = recordLabel(name, local.entry(name, pair.local)!);
  const slug = (pair.remoteBase as Entry | undefined)?.slug;
  const holder = slug === undefined ? undefined : local.idBy(name, 'slug', String(slug));
  // Another record here may have the slug of the site.
  const isTaken = holder !== undefined && holder !== pair.local;
  const fromSite = Object.keys(fields).filter((field) => sideOf(field) === 'theirs' && !(field === 'slug' && isTaken));
  if (isTaken && 'slug' in fields && sideOf('slug') === 'theirs')
    summary.left.push({
      at: `${name} ${pair.local} (${label})`,
      reason: takenReason(slug, name, holder),
    });
  const isOpen = ([field]: [string, unknown]) =>
    field in fields && (sideOf(field) === undefined || (sideOf(field) === 'theirs' && !fromSite.includes(field)));
  const refused = Object.fromEntries(Object.entries(pair.refused!).filter(isOpen));
  const open = Object.fromEntries(Object.entries(fields).filter(isOpen));
  const { local: id, remote } = pair;
  if (Object.keys(open).length)
    summary.conflict({ resource: name, id, remote, site, name: label, kind: 'not-accepted', fields: open }, true);
  if (!fromSite.length) {
    state.set(name, { ...pair, refused });
    summary.add('unchanged', name, label, pair.local);
    return;
  }
  const resource: Resource = local.resources[name];
  const theirs = pair.remoteBase as Entry;
  const inputs = fromSite.map((field) => [field, inputOfForm(resource.fields.find((each) => each.name === field)!, theirs, state)]);
  const { modified, modified_utc } = local.source(name, pair.local)!;
  const input = storableInput(resource, Object.fromEntries(inputs), local.context.request);
  local[name].update({ id: pair.local }, { ...input, ...(modified === undefined ? {} : { modified, modified_utc }) });
  const form = localForms(local, name, [pair.local]).get(pair.local) ?? {};
  const base = Object.fromEntries(fromSite.map((field) => [field, form[field]]));
  state.set(name, { ...pair, localBase: { ...pair.localBase, ...base }, refused });
  summary.add('updated', name, label, pair.local);
}

/** The input for a value in a remote form. */
function inputOfForm(
  { name, links: to, compared: { input: fromResponse }, nothing: { input: empty } }: Field,
  form: Entry,
  state: SiteState,
): unknown {
  const value = form[name];
  if (to === undefined) return fromResponse(value, form) ?? empty;
  if (to === 'images' || to === 'users') return value;
  const ids = [value ?? []].flat().flatMap((id) => state.localOf(to as ResourceName, Number(id)) ?? []);
  return Array.isArray(value) && ids.length ? ids : (ids[0] ?? empty);
}
