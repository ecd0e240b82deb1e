import { isLoopback } from '../../model/addresses.ts';
import type { Entry, ResourceName } from '../../model/calendar.ts';
import type { Problem } from '../../model/error.ts';
import type { Conflict, PartialSync } from '../../model/operation-types.ts';
import { resourceNames } from '../../model/resources/names.ts';
import { lastId, setLastId } from '../records/lookups.ts';
import type { Database, Sql } from '../sqlite/sql.ts';

/** The compared values of a record, by field. */
export type RecordForm = Record<string, unknown>;

/** Why a local copy shows less than the site's record has: visitors of the site don't see it, its password is not known, or both are in the trash. Empty for most. */
export type Withheld = '' | 'status' | 'password' | 'trash';

/** A local record and the record of a site that it is a copy of. */
export interface StoredPair {
  remote: number;
  local: number;
  /** When the site's record was last changed, as far as it is known. */
  modified: string;
  /** Forms of both records, with the IDs of their own calendars, when they last agreed. Absent in pairs that were never pulled or pushed. */
  localBase?: RecordForm;
  remoteBase?: RecordForm;
  /** Values that the site did not accept, by field. */
  refused?: RecordForm;
  withheld: Withheld;
}

type PairRow = Pick<StoredPair, 'remote' | 'local' | 'modified' | 'withheld'> &
  Record<'local_base' | 'remote_base' | 'refused', string | null>;

const pairColumns = 'remote, local, modified, local_base, remote_base, refused, withheld';

/** A local base as it is stored: the members of the remote base that it lacks, and those that differ. */
type LocalDifference = [lacking: string[], different: RecordForm];

function differenceOf(local: RecordForm, remote: RecordForm): LocalDifference {
  const isSame = (name: string) => local[name] === remote[name] || JSON.stringify(local[name]) === JSON.stringify(remote[name]);
  return [
    Object.keys(remote).filter((name) => !(name in local)),
    Object.fromEntries(Object.entries(local).filter(([name]) => !(name in remote) || !isSame(name))),
  ];
}

function pairIn({ local_base, remote_base, refused, ...row }: PairRow): StoredPair {
  const pair: StoredPair = refused === null ? row : { ...row, refused: JSON.parse(refused) };
  if (local_base === null || remote_base === null) return pair;
  const remoteBase: RecordForm = JSON.parse(remote_base);
  const [lacking, different]: LocalDifference = JSON.parse(local_base);
  const shared = Object.entries(remoteBase).filter(([name]) => !lacking.includes(name));
  return { ...pair, localBase: { ...Object.fromEntries(shared), ...different }, remoteBase };
}

/**
 * The name of a site in a file: host and path of its API, without the scheme and `www.`. All names of this machine are one host, and `index.php` and `rest_route` are other spellings of
 * `/wp-json`. `root` is the address that its routes start with.
 */
export function siteKey(root: string): string {
  const { hostname, port, pathname, searchParams } = new URL(root);
  const host = isLoopback(hostname) ? 'localhost' : hostname.replace(/^www\./, '');
  const path = pathname.replace(/\/index\.php(?=\/|$)/, '').replace(/(?<!\/)\/+$/, '');
  const route = searchParams.get('rest_route')?.replace(/(?<!\/)\/+$/, '');
  return `${host}${port && `:${port}`}${route === undefined ? path : `${path.replace(/\/wp-json$/, '')}/wp-json${route}`}`;
}

/** The host and port in a {@link siteKey}. */
export const hostIn = (key: string): string => key.replace(/\/.*/, '');

/** True if two keys differ only in `/wp-json`, as those of a server of this program with and without it do. */
const isSameSpelling = (a: string, b: string): boolean => a.replace('/wp-json', '') === b.replace('/wp-json', '');

/** A site that was pulled from or pushed to. */
interface StoredSite {
  site: string;
  pulled: string | null;
  pushed: string | null;
  /** Number of records that were changed there and not copied by the last push. */
  remote_changes: number;
  /** Namespace of its API, if a server was started with its copy. */
  namespace: string | null;
  /** Where its API was found: scheme, host, path and `rest_route`. */
  address: string | null;
  /** Notes about it that were printed, as JSON. */
  told: string | null;
  /** Records of the site that the last whole pull or push did not copy, as JSON. */
  leftovers: string | null;
  /** The last pull or push of some resources since, as JSON. */
  part: string | null;
  /** 1 if the file has records that only a user of the site sees. */
  hides: 0 | 1;
}

/** Number of notes that are remembered. */
const maxTold = 20;

/** First ID of the records that are made in the copy that a server has of a site. */
const firstLocalId = 1_000_000_000;

/** The pairs of a file with the records of one site, and the state of its pulls and pushes. */
export class SiteState {
  /** `site` is a {@link siteKey}. */
  constructor(
    private readonly db: Database,
    readonly site: string,
  ) {}

  static all(db: Database): StoredSite[] {
    return db.all('select * from sites order by site');
  }

  /** The IDs of the records of a resource that have a pair with no site, also of those in the trash. */
  static unpaired(db: Database, resource: ResourceName): number[] {
    return db
      .all<{ id: number }>(`select id from ${resource} where id not in (select local from copies where resource = ?)`, resource)
      .map(({ id }) => id);
  }

  /** The sites that have pairs. */
  static named(db: Database): string[] {
    return db.all<{ site: string }>('select distinct site from copies order by site').map(({ site }) => site);
  }

  /** The site that a typed address stands for, if the user confirmed that it is another name of one. */
  static aliasOf(db: Database, typed: string): string | undefined {
    return db.get<{ site: string }>('select site from site_aliases where alias = ?', typed)?.site;
  }

  /** The site of a file whose pairs may belong to this one, since it is at another path of the same host; undefined if this one has pairs and the typed one has none. */
  otherPath(typed: string): { site: string; isSpelling: boolean } | undefined {
    const paired = SiteState.named(this.db);
    const others = paired.filter((each) => each !== this.site && hostIn(each) === hostIn(this.site));
    if (!others.includes(typed) && paired.includes(this.site)) return undefined;
    const pulled = (site: string) => new SiteState(this.db, site).row?.pulled ?? '';
    const [last] = others.sort((a, b) => (pulled(a) < pulled(b) ? 1 : -1));
    const site = [typed, ...others.filter((each) => isSameSpelling(each, this.site))].find((each) => others.includes(each)) ?? last;
    return site === undefined ? undefined : { site, isSpelling: isSameSpelling(site, this.site) };
  }

  #completed: string | null | undefined;

  /** When the last pull or push of the whole site was complete before this state was first asked, as records have times; undefined if none was. */
  get completed(): string | undefined {
    if (this.#completed === undefined) {
      const { pulled, pushed } = this.row ?? {};
      const times = [pulled, pushed].filter((time) => typeof time === 'string').sort();
      this.#completed = times.at(-1)?.slice(0, 19).replace('T', ' ') ?? null;
    }
    return this.#completed ?? undefined;
  }

  get row(): StoredSite | undefined {
    return this.db.get('select * from sites where site = ?', this.site);
  }

  readonly #told: string[] = [];

  /** A note on a standing fact of the site, marked if it was told before. */
  standing(note: Problem): Problem {
    this.#told.push(note.reason);
    return this.#toldBefore.includes(note.reason) ? { ...note, told: true } : note;
  }

  get #toldBefore(): string[] {
    return JSON.parse(this.row?.told ?? '[]');
  }

  /** Records where the API of the site was found, and what was told about it. */
  keep(address: string): void {
    const { protocol, host, pathname, searchParams } = new URL(address);
    const route = searchParams.get('rest_route');
    const plain = `${protocol}//${host}${pathname}${route === null ? '' : `?rest_route=${route}`}`;
    const notes = JSON.stringify([...new Set([...this.#told, ...this.#toldBefore])].slice(0, maxTold));
    if (this.row?.address === plain && (this.row.told ?? '[]') === notes) return;
    this.db.run(
      'insert into sites (site, address, told) values (?, ?, ?) on conflict (site) do update set address = excluded.address, told = excluded.told',
      ...[this.site, plain, notes],
    );
  }

  /** Makes another key of this site an alias, and takes over its pairs, unless they are those of another calendar. */
  addAlias(alias: string, isOther = false): void {
    if (!isOther) mergeSites(this.db, [alias], this.site);
    if (!isOther) this.db.run('update site_aliases set site = ? where site = ?', this.site, alias);
    this.db.run('insert or replace into site_aliases (alias, site) values (?, ?)', alias, this.site);
  }

  ofRemote(resource: ResourceName, id: number): StoredPair | undefined {
    return this.#find('remote', resource, id);
  }

  ofLocal(resource: ResourceName, id: number): StoredPair | undefined {
    return this.#find('local', resource, id);
  }

  /** Number of the last change of the calendar. */
  get version(): number {
    return this.db.version;
  }

  /** The pairs of some remote records by their IDs. */
  ofPage(resource: ResourceName, ids: readonly number[]): Map<number, StoredPair> {
    const rows = this.db.all<PairRow>(
      `select ${pairColumns} from json_each(?) cross join copies where site = ? and resource = ? and remote = value`,
      JSON.stringify(ids),
      this.site,
      resource,
    );
    return new Map(rows.map((row) => [row.remote, pairIn(row)]));
  }

  /** The ID of the copy of a remote record, without reading the bases; undefined if both are in the trash. */
  localOf(resource: ResourceName, remote: number): number | undefined {
    const row = this.#row<Pick<PairRow, 'local' | 'withheld'>>('local, withheld', 'remote', resource, remote);
    return row?.withheld === 'trash' ? undefined : row?.local;
  }

  #find(side: 'remote' | 'local', resource: ResourceName, id: number): StoredPair | undefined {
    const row = this.#row<PairRow>(pairColumns, side, resource, id);
    return row && pairIn(row);
  }

  /** SQLite would search the other index by resource only. */
  #row<Row>(columns: string, side: 'remote' | 'local', resource: ResourceName, id: number): Row | undefined {
    const index = side === 'local' ? 'indexed by copies_local' : '';
    return this.db.get<Row>(
      `select ${columns} from copies ${index} where site = ? and resource = ? and ${side} = ?`,
      this.site,
      resource,
      id,
    );
  }

  /** The pairs of a resource, without those of some remote records. */
  pairs(resource: ResourceName, except: ReadonlySet<number> = new Set()): StoredPair[] {
    const rows = this.db.all<PairRow>(
      `select ${pairColumns} from copies where site = ? and resource = ? order by remote`,
      this.site,
      resource,
    );
    return rows.filter(({ remote }) => !except.has(remote)).map(pairIn);
  }

  /** Number of copied records that the site has published with each link of a field, by the ID there. What is hidden here doesn't count; old releases show no status. */
  linkedBy(resource: ResourceName, field: string): Map<number, number> {
    const rows = this.db.all<{ id: number; count: number }>(
      `select cast(link.value as integer) as id, count(*) as count from copies, json_each(remote_base, '$.' || ?) link
       where site = ? and resource = ? and withheld in ('', 'password') and json_extract(remote_base, '$.status') in ('publish', '') group by 1`,
      ...[field, this.site, resource],
    );
    return new Map(rows.map(({ id, count }) => [id, count]));
  }

  /** Records a pair; replaces earlier pairs of either record. Without both bases, those of the pair stay. */
  set(resource: ResourceName, { remote, local, modified, localBase, remoteBase, refused = {}, withheld }: StoredPair): void {
    const others = this.db.all<{ remote: number }>(
      'select remote from copies indexed by copies_local where site = ? and resource = ? and local = ?',
      this.site,
      resource,
      local,
    );
    for (const other of others) if (other.remote !== remote) this.drop(resource, other.remote);
    const hasBases = localBase !== undefined && remoteBase !== undefined;
    this.db.run(
      `insert into copies (site, resource, remote, local, modified, local_base, remote_base, refused, withheld) values (?, ?, ?, ?, ?, ?, ?, ?, ?)
       on conflict (site, resource, remote) do update set local = excluded.local, modified = excluded.modified, refused = excluded.refused,
       withheld = excluded.withheld, local_base = coalesce(excluded.local_base, local_base), remote_base = coalesce(excluded.remote_base, remote_base)`,
      ...[this.site, resource, remote, local, modified],
      hasBases ? JSON.stringify(differenceOf(localBase, remoteBase)) : null,
      hasBases ? JSON.stringify(remoteBase) : null,
      Object.keys(refused).length ? JSON.stringify(refused) : null,
      withheld,
    );
  }

  drop(resource: ResourceName, remote: number): void {
    this.db.run('delete from copies where site = ? and resource = ? and remote = ?', this.site, resource, remote);
  }

  /** Records the time of a whole pull or push, the number of remote changes that it did not copy, and the records that it left. */
  finish(what: 'pulled' | 'pushed', time: string, remoteChanges: number, left: readonly Problem[]): void {
    this.db.run(
      `insert into sites (site, ${what}, remote_changes, leftovers) values (?, ?, ?, ?) on conflict (site) do update set ${what} = excluded.${what},
       remote_changes = excluded.remote_changes, leftovers = excluded.leftovers, part = null`,
      ...[this.site, time, remoteChanges, left.length ? JSON.stringify(left) : null],
    );
  }

  /** Records a pull or a push of some resources. */
  finishPart(part: PartialSync): void {
    this.db.run(
      'insert into sites (site, part) values (?, ?) on conflict (site) do update set part = excluded.part',
      ...[this.site, JSON.stringify(part)],
    );
  }

  /** Number of records that were being sent when a push was interrupted. */
  get interrupted(): number {
    return this.db.get<{ count: number }>('select count(*) as count from sending where site = ?', this.site)!.count;
  }

  /** Records that a server has the copy of the site, at a namespace if that is known. IDs of the site are kept, so those of new local records start elsewhere. */
  serve(namespace: string | null, hides: boolean): void {
    for (const sequence of ['posts', 'terms'] as const) setLastId(this.db, sequence, Math.max(lastId(this.db, sequence), firstLocalId - 1));
    this.db.run(
      `insert into sites (site, namespace, hides) values (?, ?, ?) on conflict (site) do update set namespace = coalesce(excluded.namespace, namespace), hides = max(hides, excluded.hides)`,
      ...[this.site, namespace, hides ? 1 : 0],
    );
  }

  /** True if the file has records that are not copies of the site with the same IDs. */
  hasOthers(): boolean {
    const unpaired = (name: ResourceName) =>
      this.db.get(
        `select 1 from ${name} where id < ? and not exists (select 1 from copies where site = ? and resource = ? and local = ${name}.id and remote = ${name}.id)`,
        ...[firstLocalId, this.site, name],
      );
    return resourceNames.some((name) => unpaired(name) !== undefined);
  }

  /** Records that a new record is being sent, with its form. `after` is the highest ID that the site has: what it makes of the record gets a higher one. */
  mark(resource: ResourceName, local: number, after: number, form: RecordForm): void {
    this.db.run(
      'insert or replace into sending (site, resource, local, after, form) values (?, ?, ?, ?, ?)',
      ...[this.site, resource, local, after, JSON.stringify(form)],
    );
  }

  unmark(resource: ResourceName, local: number): void {
    this.db.run('delete from sending where site = ? and resource = ? and local = ?', this.site, resource, local);
  }

  /** The new records that were being sent when a push was interrupted. */
  marks(resource: ResourceName): { local: number; after: number; form: RecordForm }[] {
    return this.db
      .all<{ local: number; after: number; form: string }>(
        'select local, after, form from sending where site = ? and resource = ? order by local',
        ...[this.site, resource],
      )
      .map(({ form, ...mark }) => ({ ...mark, form: JSON.parse(form) }));
  }
}

const later = (one: string | null, other: string | null): string | null => ((one ?? '') > (other ?? '') ? one : other);

/** The row of a site that takes over that of another one. Counts and leftovers are those of the later pull or push. */
function mergedRow(own: StoredSite, other: StoredSite): StoredSite {
  const last = ({ pulled, pushed }: StoredSite) => later(pulled, pushed);
  return {
    ...(later(last(own), last(other)) === last(own) ? own : other),
    ...{ site: own.site, pulled: later(own.pulled, other.pulled), pushed: later(own.pushed, other.pushed) },
    namespace: own.namespace ?? other.namespace,
    hides: own.hides || other.hides,
    address: own.address ?? other.address,
    told: own.told && other.told ? JSON.stringify([...JSON.parse(own.told), ...JSON.parse(other.told)]) : (own.told ?? other.told),
  };
}

/** Makes the pairs, conflicts and times of some sites those of another one, where that has none of the same record. */
function mergeSites(db: Sql, from: readonly string[], to: string): void {
  for (const site of from.filter((each) => each !== to)) {
    for (const table of ['copies', 'conflicts', 'sending']) {
      db.run(`update or ignore ${table} set site = ? where site = ?`, to, site);
      db.run(`delete from ${table} where site = ?`, site);
    }
    const [own, other] = [to, site].map((each) => db.get<StoredSite>('select * from sites where site = ?', each));
    const merged = other && (own ? mergedRow(own, other) : { ...other, site: to });
    if (merged)
      db.run(
        `insert or replace into sites (${Object.keys(merged)}) values (${Object.keys(merged).map(() => '?')})`,
        ...Object.values(merged),
      );
    db.run('delete from sites where site = ?', site);
  }
}

/** A pair whose sides were changed differently. */
export type StoredConflict = Omit<Conflict, 'id' | 'name'> & {
  local: number;
  /** The remote record; undefined if it was deleted. */
  entry?: Entry;
};

type ConflictRow = Omit<StoredConflict, 'fields' | 'entry'> & { fields: string; entry: string | null };

/** Conflicts with sites, until they are resolved. */
export class StoredConflicts {
  constructor(private readonly db: Database) {}

  all(): StoredConflict[] {
    return this.db.all<ConflictRow>('select * from conflicts order by site, resource, local').map(({ fields, entry, ...row }) => ({
      ...row,
      fields: JSON.parse(fields),
      ...(entry === null ? {} : { entry: JSON.parse(entry) }),
    }));
  }

  set({ site, resource, remote, local, kind, fields, entry }: StoredConflict): void {
    this.db.run(
      'insert or replace into conflicts (site, resource, remote, local, kind, fields, entry) values (?, ?, ?, ?, ?, ?, ?)',
      ...[site, resource, remote, local, kind, JSON.stringify(fields), entry ? JSON.stringify(entry) : null],
    );
  }

  drop(site: string, resource: ResourceName, remote: number): void {
    this.db.run('delete from conflicts where site = ? and resource = ? and remote = ?', site, resource, remote);
  }
}
