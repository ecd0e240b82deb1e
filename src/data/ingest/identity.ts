import { machine } from '../../machine.ts';
import type { Input, ResourceName } from '../../model/calendar.ts';
import { htmlNameKey } from '../../model/html/plain-text.ts';
import { isTerms } from '../../model/resources/names.ts';
import { hasDates } from '../../model/resources/relations.ts';
import type { LocalCalendar } from '../../store/calendar.ts';
import type { SiteState, StoredPair } from '../../store/identity/sites.ts';
import { hasRow } from '../../store/records/queries.ts';
import { recordLabel } from '../transaction.ts';

/** The identifying properties of a record of a source. */
export interface RecordIdentity {
  name: ResourceName;
  /** UID, slug, name and dates, as in an input. */
  identity: Input;
  /** ID on the original site. */
  remote?: number;
  /** ID of the record that has the same key, in a table with keys. */
  keyed?: number;
  /** The pair of the remote record, if it was looked up before; null for none. */
  pair?: Pick<StoredPair, 'local'> | null;
}

/** Where records are looked up: the calendar, and the IDs of records copied from a site. */
interface Scope {
  local: LocalCalendar;
  state?: SiteState;
  /** The hash of the record's content, numbered among equal ones. */
  mark(): string | undefined;
}

export const isSameName = (name: ResourceName, one: Input, other: Input): boolean =>
  htmlNameKey(recordLabel(name, one)) === htmlNameKey(recordLabel(name, other));

type Find = (scope: Scope, record: RecordIdentity) => number | undefined;

const uidOf = ({ name, identity }: RecordIdentity) => (isTerms(name) ? '' : String(identity.uid ?? ''));

const bySlug: Find = ({ local, state }, { name, identity: { slug } }) => {
  const id = typeof slug === 'string' ? local.idBy(name, 'slug', slug) : undefined;
  return id !== undefined && state?.ofLocal(name, id) ? undefined : id;
};

/** By site and ID. */
const byRemote: Find = ({ local, state }, { name, remote, pair }) => {
  const id = pair ? pair.local : remote === undefined || pair === null ? undefined : state?.localOf(name, remote);
  return id !== undefined && hasRow(local.context.db, name, id) ? id : undefined;
};

/** The ways to identify a record. IDs and names alone are not sufficient. */
const ways = {
  /** By UID, or by the UID of the event it was copied from. */
  uid: ({ local }, record) => {
    const uid = uidOf(record);
    return uid === '' ? undefined : local.idBy(record.name, 'uid', uid);
  },
  remote: byRemote,
  /** Like `remote`, for hosts that several sites share: the slug and the name have to agree too. */
  sameRemote: (scope, record) => {
    const id = byRemote(scope, record);
    const own = id === undefined ? undefined : scope.local.entry(record.name, id);
    const isSame = own && own.slug === record.identity.slug && isSameName(record.name, own, record.identity);
    return isSame ? id : undefined;
  },
  key: (_scope, { keyed }) => keyed,
  slug: bySlug,
  /** By slug, for categories and tags, which have no UIDs. */
  termSlug: (scope, record) => (isTerms(record.name) ? bySlug(scope, record) : undefined),
  /** By the content hash of an earlier import, or as a record of this calendar that was exported without its UID. */
  content: (scope, { name, identity }) => {
    const mark = scope.mark();
    if (mark === undefined) return undefined;
    const id = scope.local.marks.find(name, mark);
    if (id !== undefined || typeof identity.id !== 'number' || identity.slug === undefined || identity.date_utc === undefined) return id;
    const own = scope.local.source(name, identity.id);
    return own && ['slug', 'date_utc', 'start_date'].every((field) => String(own[field] ?? '') === String(identity[field] ?? ''))
      ? own.id
      : undefined;
  },
} as const satisfies Record<string, Find>;

/** The ways to identify records by kind of source. The first match wins. */
const identification = {
  /** Exports, tables, fixtures with keys and iCalendar. */
  file: ['uid', 'termSlug', 'content'],
  /** Tables with keys. */
  key: ['key'],
  /** Responses of another site. */
  site: ['uid', 'remote', 'termSlug'],
  /** Responses of a server on a loopback address. */
  loopback: ['uid', 'sameRemote', 'termSlug', 'content'],
  /** Seeds with `upsert`. */
  slug: ['slug'],
  /** Seeds with `append` or `replace`. */
  none: [],
} as const satisfies Record<string, readonly (keyof typeof ways)[]>;

export type Identification = keyof typeof identification;

/** The result of looking up a record of a source. */
export interface KnownRecord {
  /** ID of the existing record; undefined for a new one. */
  id?: number;
  /** Hash that identifies a record without a UID. */
  mark?: string;
  /** True if an earlier record of the file has the same UID. */
  isRepeated?: boolean;
  /** True if an earlier record without a UID has the same content. */
  isEqual?: boolean;
}

/** Matches the records of one source with the records of this calendar. */
export class Identities {
  readonly #created = new Set<string>();
  readonly #repeats = new Map<string, number>();

  constructor(
    private readonly local: LocalCalendar,
    private readonly by: Identification,
    private readonly state?: SiteState,
  ) {}

  find(record: RecordIdentity): KnownRecord {
    const { mark, isEqual } = uidOf(record) === '' && !isTerms(record.name) ? this.#markOf(record) : {};
    const scope: Scope = { local: this.local, state: this.state, mark: () => mark };
    for (const way of identification[this.by]) {
      const id = ways[way](scope, record);
      if (id === undefined) continue;
      if (this.by !== 'file' || !this.#created.has(`${record.name}:${id}`) || isTerms(record.name)) return { id, mark, isEqual };
      return way === 'uid' ? { isRepeated: true } : { mark, isEqual };
    }
    return { mark, isEqual };
  }

  /** Remembers a record that was found. Another server on a loopback address may take its pair, and a row with a key may have other content. */
  matched(name: ResourceName, id: number, { mark }: KnownRecord): void {
    if ((this.by === 'loopback' || this.by === 'key') && mark !== undefined) this.local.marks.set(name, mark, id);
  }

  /** Remembers a record that was created. */
  created(name: ResourceName, id: number, { mark }: KnownRecord): void {
    this.#created.add(`${name}:${id}`);
    if (mark !== undefined) this.local.marks.set(name, mark, id);
  }

  /**
   * The hash of a record's slug, name and, in files, the start and venue of events. Equal records of a file are numbered. Of a server on a loopback address, the ID
   * counts as well.
   */
  #markOf({ name, identity, remote }: RecordIdentity): Pick<KnownRecord, 'mark' | 'isEqual'> {
    if (this.by === 'loopback') return { mark: hashOf(JSON.stringify(['loopback', remote, identity.slug, recordLabel(name, identity)])) };
    if (this.by !== 'file' && this.by !== 'key') return {};
    const { slug = '', start_date = '', timezone = '', venue = '' } = identity;
    const hash = hashOf(JSON.stringify([slug, recordLabel(name, identity), ...(hasDates(name) ? [start_date, timezone, venue] : [])]));
    const repeat = (this.#repeats.get(`${name}:${hash}`) ?? 0) + 1;
    this.#repeats.set(`${name}:${hash}`, repeat);
    return repeat === 1 ? { mark: hash } : { mark: `${hash}#${repeat}`, isEqual: true };
  }
}

/** The first 20 hexadecimal digits of the SHA-256 of a text. */
const hashOf = (text: string): string => machine.hash('sha256', text, 'hex').slice(0, 20);
