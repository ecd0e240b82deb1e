import { type Entry, type Resource, type ResourceName, resourceNames } from '../../model/calendar.ts';
import type { Problem } from '../../model/error.ts';
import { unknownMembers } from '../../model/fields/extra.ts';
import { isRedacted } from '../../model/formats/remote-record.ts';
import { owner } from '../../model/viewer.ts';
import type { Store } from '../../store/calendar.ts';
import { Identities } from '../ingest/identity.ts';
import type { OnProgress } from '../summary.ts';
import { recordLabel } from '../transaction.ts';
import { identityOf } from './copy.ts';
import { openEdits } from './deletions.ts';
import { pairOf } from './forms.ts';
import { type DifferingFields, isEqual } from './pair.ts';
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
  let count = 0;
  const compare = (name: ResourceName, entry: Entry): Difference | undefined => {
    const definition = local.resources[name];
    const { id } = identities.find({ name, identity: identityOf(name, entry), remote: entry.id });
    const own = id === undefined ? undefined : local.entry(name, id);
    const redacted = isRedacted(definition, entry);
    onProgress?.(++count);
    const { members, records } = there.get(name) ?? { members: new Set(), records: 0 };
    for (const member of Object.keys(entry)) members.add(member);
    there.set(name, { members, records: records + 1 });
    if (!own) return redacted ? undefined : { resource: name, remote: entry.id, name: recordLabel(name, entry), fields: {} };
    locals.set(`${name}:${entry.id}`, own.id);
    matched.add(`${name}:${own.id}`);
    const { fields, refused } = pairOf(local, state, name, own.id, entry, { linked }).diff();
    const [mine, theirs] = [unknownMembers(definition, own), redacted ? {} : unknownMembers(definition, entry)];
    for (const member of Object.keys(theirs))
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
      if (typeof entry === 'object') list.push(...[compare(name, entry) ?? []].flat());
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
  for (const [name, differences] of differencesOf) {
    const { members = new Set(), records = 0 } = there.get(name) ?? {};
    // Sparse records omit empty fields.
    const { sparse } = (local.resources[name] as Resource).response;
    const absent = new Set(
      sparse || !there.has(name) ? [] : differences.flatMap(({ fields }) => Object.keys(fields)).filter((field) => !members.has(field)),
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

/** True if lists include a record. Others cannot be expected in remote lists. */
const isListed = (entry: Entry): boolean => entry.hide_from_listings !== true;
