import { createHash } from 'node:crypto';
import type { Input, Resource, ResourceName } from '../../model/calendar.ts';
import { resources } from '../../model/resources/all.ts';
import { hasDates, isTerms } from '../../model/resources/relations.ts';
import type { LocalCalendar } from '../../store/calendar.ts';
import type { SyncState } from '../../store/identity/sync-state.ts';
import { labelOf } from '../record.ts';

/** What identifies a record of a source. */
export interface RecordIdentity {
  name: ResourceName;
  /** Its UID, slug, name and dates, as an input has them. */
  identity: Input;
  /** Its ID on the site that it comes from. */
  remote?: number;
}

/** Where records are looked up: this calendar, and which of its records are copies of those of a site. */
interface Known {
  local: LocalCalendar;
  state?: SyncState;
  /** The hash of the content of the record, numbered among equal ones. */
  mark(): string | undefined;
}

type Find = (known: Known, record: RecordIdentity) => number | undefined;

const uidOf = ({ name, identity }: RecordIdentity) => (isTerms(name) ? '' : String(identity.uid ?? ''));

const bySlug: Find = ({ local, state }, { name, identity: { slug } }) => {
  const id = typeof slug === 'string' ? local.idBy(name, 'slug', slug) : undefined;
  return id !== undefined && state?.ofLocal(name, id) ? undefined : id;
};

/** The ways to identify a record. Numbers and names alone identify nothing. */
const ways = {
  /** By UID, or as an event that was copied from the one with this UID. */
  uid: ({ local }, record) => {
    const uid = uidOf(record);
    if (uid === '') return undefined;
    const hasLineage = 'lineage' in (resources[record.name] as Resource).derived;
    return local.idBy(record.name, 'uid', uid) ?? (hasLineage ? local.idBy(record.name, 'lineage', uid) : undefined);
  },
  /** By site and ID there. A copy of a record with another UID is a different one: another calendar is at that address now. */
  remote: ({ local, state }, record) => {
    const copy = record.remote === undefined ? undefined : state?.ofRemote(record.name, record.remote);
    const isSame = copy && (copy.uid === '' || copy.uid === uidOf(record));
    return isSame && local.source(record.name, copy.local) ? copy.local : undefined;
  },
  slug: bySlug,
  /** By slug, for categories and tags, which have no UIDs. */
  termSlug: (known, record) => (isTerms(record.name) ? bySlug(known, record) : undefined),
  /** By a hash of its content that an earlier import left, or as a record of this calendar that was exported without its UID. */
  content: (known, { name, identity }) => {
    const mark = known.mark();
    if (mark === undefined) return undefined;
    const id = known.local.marks.find(name, mark);
    if (id !== undefined || typeof identity.id !== 'number' || identity.slug === undefined || identity.date_utc === undefined) return id;
    const own = known.local.source(name, identity.id);
    return own && ['slug', 'date_utc', 'start_date'].every((field) => String(own[field] ?? '') === String(identity[field] ?? ''))
      ? own.id
      : undefined;
  },
} satisfies Record<string, Find>;

/** How the records of each kind of source are identified: the first way that finds a record counts. */
export const identification = {
  /** Exports, tables, fixtures with keys and iCalendar. */
  file: ['uid', 'termSlug', 'content'],
  /** Responses of another site. */
  site: ['uid', 'remote', 'termSlug'],
  /** Seeds that are loaded again. */
  slug: ['slug'],
  /** Seeds that are added. */
  none: [],
} as const satisfies Record<string, readonly (keyof typeof ways)[]>;

export type Identification = keyof typeof identification;

/** What is known of a record of a source. */
export interface KnownRecord {
  /** The record that it is; undefined for a new one. */
  id?: number;
  /** The hash by which a record without a UID is found again. */
  mark?: string;
  /** True if an earlier record of the same file has its UID. */
  isRepeated?: boolean;
}

/** Finds the records of this calendar that the records of one source are. */
export class Identities {
  readonly #created = new Set<string>();
  readonly #repeats = new Map<string, number>();

  constructor(
    private readonly local: LocalCalendar,
    private readonly by: Identification,
    private readonly state?: SyncState,
  ) {}

  find(record: RecordIdentity): KnownRecord {
    const mark = this.by === 'file' && uidOf(record) === '' && !isTerms(record.name) ? this.#markOf(record) : undefined;
    const known: Known = { local: this.local, state: this.state, mark: () => mark };
    for (const way of identification[this.by]) {
      const id = ways[way](known, record);
      if (id === undefined) continue;
      if (this.by !== 'file' || !this.#created.has(`${record.name}:${id}`) || isTerms(record.name)) return { id, mark };
      return way === 'uid' ? { isRepeated: true } : { mark };
    }
    return { mark };
  }

  /** Remembers a record that was created. */
  created(name: ResourceName, id: number, { mark }: KnownRecord): void {
    this.#created.add(`${name}:${id}`);
    if (mark !== undefined) this.local.marks.set(name, mark, id);
  }

  /** The hash of what tells a record from others: its name and, of events, when and where they take place. Equal ones of a source are numbered. */
  #markOf({ name, identity }: RecordIdentity): string {
    const { slug = '', start_date = '', timezone = '', venue = '' } = identity;
    const hash = hashOf(JSON.stringify([slug, labelOf(name, identity), ...(hasDates(name) ? [start_date, timezone, venue] : [])]));
    const repeat = (this.#repeats.get(`${name}:${hash}`) ?? 0) + 1;
    this.#repeats.set(`${name}:${hash}`, repeat);
    return repeat === 1 ? hash : `${hash}#${repeat}`;
  }
}

/** The first 20 hexadecimal digits of a text's SHA-256. */
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 20);
