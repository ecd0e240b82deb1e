import type { Entry, ResourceName } from '../../model/calendar.ts';
import { unknownMembers } from '../../model/fields/extra.ts';
import { comparable, isRedacted } from '../../model/formats/remote-record.ts';
import type { LocalCalendar } from '../../store/calendar.ts';
import type { SyncState } from '../../store/identity/sync-state.ts';
import { Identities } from '../ingest/identity.ts';
import { identityOf } from '../ingest/remote.ts';

/** Differing fields of a local and a remote record, with both values. */
export type DifferingFields = Record<string, { local: unknown; remote: unknown }>;

/** The comparison of a remote record with its local counterpart. */
export interface ComparedRecord {
  /** Local counterpart, if any. */
  local?: Entry;
  /** True if the remote record is password-protected and incomplete. */
  isRedacted: boolean;
  fields: DifferingFields;
}

/** Compares two calendars record by record, linked resources before events. Keeps only IDs in memory. */
export class Comparison {
  /** Local IDs by `resource:remote ID`. */
  readonly #locals = new Map<string, number>();
  readonly #identities: Identities;

  constructor(
    private readonly local: LocalCalendar,
    private readonly state: SyncState,
  ) {
    this.#identities = new Identities(local, 'site', state);
  }

  /** Compares a remote record with its local counterpart, which is remembered for links to it. */
  compare(name: ResourceName, remote: Entry): ComparedRecord {
    const redacted = isRedacted(this.local.resources[name], remote);
    const { id } = this.#identities.find({ name, identity: identityOf(name, remote), remote: remote.id });
    const local = id === undefined ? undefined : this.local.entry(name, id);
    if (!local) return { isRedacted: redacted, fields: {} };
    this.#locals.set(`${name}:${remote.id}`, local.id);
    const here = comparable(this.local.resources[name], local, (_, linked) => linked);
    const there = comparable(
      this.local.resources[name],
      remote,
      (to, linked) => this.#locals.get(`${to}:${linked}`) ?? this.state.pairOf(to, linked)?.local ?? `remote ${linked}`,
    );
    const definition = this.local.resources[name];
    Object.assign(here, unknownMembers(definition, local));
    Object.assign(there, redacted ? {} : unknownMembers(definition, remote));
    const differing = Object.keys(there).filter((field) => JSON.stringify(here[field]) !== JSON.stringify(there[field]));
    const fields = Object.fromEntries(differing.map((field) => [field, { local: here[field], remote: there[field] }]));
    return { local, isRedacted: redacted, fields };
  }
}
