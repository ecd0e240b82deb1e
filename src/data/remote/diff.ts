import { type Entry, type Resource, type ResourceName, resourceNames } from '../../model/calendar.ts';
import type { Problem } from '../../model/error.ts';
import { type Extra, unknownMembers } from '../../model/fields/extra.ts';
import { embedded } from '../../model/fields/link.ts';
import { isRedacted } from '../../model/formats/remote-record.ts';
import { isTerms } from '../../model/resources/names.ts';
import { hasDates, linkFields } from '../../model/resources/relations.ts';
import { owner } from '../../model/viewer.ts';
import type { LocalCalendar, Store } from '../../store/calendar.ts';
import type { SiteState } from '../../store/identity/sites.ts';
import { countElsewhere } from '../../store/records/counts.ts';
import { Identities } from '../ingest/identity.ts';
import type { OnProgress } from '../summary.ts';
import { recordLabel } from '../transaction.ts';
import { identityOf } from './copy.ts';
import { openEdits } from './deletions.ts';
import { pairOf } from './forms.ts';
import { type DifferingFields, isEqual } from './pair.ts';
import { changesBeside, isChangedSince } from './seen.ts';
import { meet, type Site } from './site.ts';
import { walk } from './walk.ts';

/** A record that differs between a file and a site. */
export interface Difference {
  resource: ResourceName;
  /** IDs in both calendars; undefined if missing there. */
  local?: number;
  remote?: number;
  name: string;
  fields: DifferingFields;
  /** Fields whose values the site did not accept, or that can't be sent. They don't count. */
  refused?: string[];
  /** True for a record with a password, which is not sent. It doesn't count. */
  protected?: boolean;
}

/** A field that no record of a site has. */
export interface MissingField {
  resource: ResourceName;
  field: string;
  /** Number of compared records. */
  records: number;
}

interface DiffOptions {
  only?: readonly ResourceName[];
  onProgress?: OnProgress;
  /** Receives what the site does not show, or shows in part. */
  problems: Problem[];
}

/** Yields the differences between a file and a site by resource: records of the site in order, then local-only records, and fields that the site lacks in all of its records. */
export async function* diff(
  store: Store,
  remote: Site,
  { only = resourceNames, onProgress, problems }: DiffOptions,
): AsyncGenerator<Difference | MissingField> {
  const home = store.settings.get('home');
  const local = store.local(owner, { home, root: home });
  const { state, mayWrite } = await meet(store, remote, problems, { yes: true, dryRun: true });
  const identities = new Identities(local, 'site', state);
  const locals = new Map<string, number>();
  const linked = (to: ResourceName, id: number) => locals.get(`${to}:${id}`) ?? state.localOf(to, id) ?? `remote ${id}`;
  const matched = new Set<string>();
  /** Members that any record of a resource has on the site, and the number of its records. */
  const there = new Map<ResourceName, { members: Set<string>; records: number }>();
  const counts = new TermCounts(local, state);
  let count = 0;
  const compare = (name: ResourceName, entry: Entry, isInList = true): Difference | undefined => {
    const definition = local.resources[name];
    const { id } = identities.find({ name, identity: identityOf(name, entry), remote: entry.id });
    const own = id === undefined ? undefined : local.entry(name, id);
    const redacted = isRedacted(definition, entry);
    onProgress?.(++count);
    const { members, records } = there.get(name) ?? { members: new Set(), records: 0 };
    for (const member of Object.keys(entry)) members.add(member);
    there.set(name, { members, records: records + 1 });
    counts.add(name, entry);
    if (!own) return redacted ? undefined : { resource: name, remote: entry.id, name: recordLabel(name, entry), fields: {} };
    locals.set(`${name}:${entry.id}`, own.id);
    matched.add(`${name}:${own.id}`);
    const { fields, refused } = pairOf(local, state, name, own.id, entry, { linked }).diff();
    const [mine, theirs] = [unknownMembers(definition, own), redacted ? {} : unknownMembers(definition, entry)];
    if (!redacted && !Object.keys(fields).length) Object.assign(fields, changesBeside(local, state, name, own.id, entry));
    const added = isInList && !redacted && state.ofRemote(name, entry.id) ? (local.source(name, own.id)?.extra as Extra | undefined) : {};
    for (const member of new Set([...Object.keys(theirs), ...Object.keys(added?.list ?? {})]))
      if (!isEqual(mine[member], theirs[member])) fields[member] = { local: mine[member], remote: theirs[member], direction: 'there' };
    if (!Object.keys(fields).length && !refused.length) return undefined;
    const isUnsent = Object.values(fields).every(({ direction }) => direction === 'here') && local.source(name, own.id)?.post_password;
    const isProtected = isUnsent && state.ofRemote(name, entry.id)?.withheld !== 'password';
    const difference = {
      ...{ resource: name, local: own.id, remote: entry.id, name: recordLabel(name, own), fields },
      ...(isProtected ? { protected: true } : {}),
    };
    return refused.length ? { ...difference, refused } : difference;
  };
  const steps = walk(remote, { only, state, mayWrite, resources: store.resources, summary: { problems, notes: [] } });
  const differencesOf = new Map<ResourceName, Difference[]>();
  for await (const { name, entries, missing } of steps) {
    const list = differencesOf.get(name) ?? [];
    differencesOf.set(name, list);
    for (const entry of entries ?? []) list.push(...[compare(name, entry) ?? []].flat());
    for (const [pair, entry] of missing ?? [])
      if (typeof entry === 'object') list.push(...[compare(name, entry, false) ?? []].flat());
      else if (entry === 'hidden') {
        matched.add(`${name}:${pair.local}`);
        const fields = Object.entries(openEdits(local, name, pair)).map(([field, value]) => {
          return [field, { local: value, remote: pair.localBase?.[field], direction: 'here' as const }] as const;
        });
        if (fields.length)
          list.push({
            ...{ resource: name, local: pair.local, remote: pair.remote, name: recordLabel(name, local.entry(name, pair.local)!) },
            fields: Object.fromEntries(fields),
          });
      }
  }
  for (const { resource, id, entry, values } of only.some(hasDates) ? counts.changes() : []) {
    const list = differencesOf.get(resource)!;
    const difference = list.find((each) => each.local === id) ?? {
      resource,
      local: id,
      remote: entry.id,
      name: recordLabel(resource, entry),
      fields: {},
    };
    difference.fields.count = values;
    if (!list.includes(difference)) list.push(difference);
  }
  for (const [name, differences] of differencesOf) {
    const { members = new Set(), records = 0 } = there.get(name) ?? {};
    // Sparse records omit empty fields.
    const { sparse } = (local.resources[name] as Resource).response;
    const absent = new Set(
      sparse || !there.has(name)
        ? []
        : differences
            .flatMap(({ fields }) => Object.keys(fields))
            .filter((path) => !members.has(path) && !members.has(path.split('.')[0]!)),
    );
    for (const { fields, ...difference } of differences) {
      const present = Object.fromEntries(Object.entries(fields).filter(([field]) => !absent.has(field)));
      const isGrouped = Object.keys(fields).length > 0 && Object.keys(present).length === 0;
      if (!isGrouped || difference.refused) yield { ...difference, fields: present };
    }
    for (const field of absent) yield { resource: name, field, records };
    for (const entry of local.entries(name))
      if (!matched.has(`${name}:${entry.id}`) && isListed(entry))
        yield {
          ...{ resource: name, local: entry.id, name: recordLabel(name, entry), fields: {} },
          ...(local.source(name, entry.id)?.post_password ? { protected: true } : {}),
        };
  }
}

/** The numbers of events that a site counts for its terms. */
class TermCounts {
  readonly #terms: { resource: ResourceName; id: number; entry: Entry }[] = [];
  /** Published events of the site by term, and those of them that have a copy. */
  readonly #events = new Map<string, { all: number; copied: number }>();

  constructor(
    private readonly local: LocalCalendar,
    private readonly state: SiteState,
  ) {}

  add(resource: ResourceName, entry: Entry): void {
    const row = isTerms(resource) && typeof entry.count === 'number' ? this.state.ofRemote(resource, entry.id) : undefined;
    if (row && isChangedSince(entry, row)) this.#terms.push({ resource, id: row.local, entry });
    // Old releases show no status.
    if (!hasDates(resource) || (entry.status ?? 'publish') !== 'publish') return;
    for (const { name, links: to } of linkFields(resource))
      for (const { id: term } of isTerms(to) ? embedded(entry[name]) : []) {
        const { all, copied } = this.#events.get(`${to}:${term}`) ?? { all: 0, copied: 0 };
        const isCopied = ['', 'password'].includes(this.state.ofRemote(resource, entry.id)?.withheld ?? 'none');
        this.#events.set(`${to}:${term}`, { all: all + 1, copied: copied + (isCopied ? 1 : 0) });
      }
  }

  /** The terms whose count was changed by more than the events that the site lists. */
  *changes(): Generator<{ resource: ResourceName; id: number; entry: Entry; values: DifferingFields[string] }> {
    const { db } = this.local.context;
    for (const { resource, id, entry } of this.#terms) {
      const { all, copied } = this.#events.get(`${resource}:${entry.id}`) ?? { all: 0, copied: 0 };
      const before = countElsewhere(db, resource, id);
      const isChanged = [all, copied].every((number) => Number(entry.count) - number !== before);
      const values = { local: this.local.entry(resource, id)?.count, remote: entry.count, direction: 'there' } as const;
      if (isChanged) yield { resource, id, entry, values };
    }
  }
}

/** True if lists include a record. Others cannot be expected in remote lists. */
const isListed = (entry: Entry): boolean => entry.hide_from_listings !== true;
