import type { Entry, ResourceName } from '../../model/calendar.ts';
import type { FieldConflicts } from '../../model/operations/sync.ts';
import type { Database } from '../file/sql.ts';

/** A local record, the remote record that it is a copy of, and the last known change of that. */
export interface SyncedRecord {
  remote: number;
  local: number;
  modified: string;
  /** UID of the remote record; empty if its server has none. */
  uid: string;
  /** Forms of both records, from the responses of their own servers, when they last agreed. */
  localBase?: RecordForm;
  remoteBase?: RecordForm;
}

/** The compared fields of a record. */
export type RecordForm = Record<string, unknown>;

type PairRow = Omit<SyncedRecord, 'localBase' | 'remoteBase'> & { local_base: string | null; remote_base: string | null };

const pairColumns = 'remote, local, modified, uid, local_base, remote_base';

/** A local base as it is stored: the members of the remote base that it lacks, and those that differ. */
type LocalDifference = [lacking: string[], different: RecordForm];

function differenceOf(local: RecordForm, remote: RecordForm): LocalDifference {
  const isSame = (name: string) => local[name] === remote[name] || JSON.stringify(local[name]) === JSON.stringify(remote[name]);
  return [
    Object.keys(remote).filter((name) => !(name in local)),
    Object.fromEntries(Object.entries(local).filter(([name]) => !(name in remote) || !isSame(name))),
  ];
}

function recordOf({ local_base, remote_base, ...row }: PairRow): SyncedRecord {
  if (local_base === null || remote_base === null) return row;
  const remoteBase: RecordForm = JSON.parse(remote_base);
  // Files of earlier versions contain the whole form.
  const stored: RecordForm | LocalDifference = JSON.parse(local_base);
  if (!Array.isArray(stored)) return { ...row, localBase: stored, remoteBase };
  const [lacking, different] = stored;
  const shared = Object.entries(remoteBase).filter(([name]) => !lacking.includes(name));
  return { ...row, localBase: { ...Object.fromEntries(shared), ...different }, remoteBase };
}

/** Where an interrupted pull continues; undefined for none. */
export interface ResumePoint {
  resource: ResourceName;
  page: number;
  /** Number of remote records. If it differs, the resource starts over. */
  total: number;
}

/** Pairs of local and remote records. `site` is the root URL of the remote API; `aliases` are URLs of the same site, whose pairs are found too. */
export class SyncState {
  constructor(
    private readonly db: Database,
    private readonly site: string,
    private readonly aliases: readonly string[] = [],
  ) {}

  static sitesIn(db: Database): string[] {
    return db.all<{ site: string }>('select distinct site from copies order by site').map(({ site }) => site);
  }

  /** Returns the sites that were pulled from or pushed to, with the times. */
  static synchronized(db: Database): { site: string; pulled: string | null; pushed: string | null; remote_changes: number }[] {
    return db.all('select site, pulled, pushed, remote_changes from sites order by site');
  }

  ofRemote(resource: ResourceName, id: number): SyncedRecord | undefined {
    return this.#find('remote', resource, id);
  }

  ofLocal(resource: ResourceName, id: number): SyncedRecord | undefined {
    return this.#find('local', resource, id);
  }

  /** Number of the last change of the calendar. */
  get version(): number {
    return this.db.version;
  }

  /** Returns the pairs of a page of remote records by their IDs. */
  ofPage(resource: ResourceName, ids: readonly number[]): Map<number, SyncedRecord | undefined> {
    if (this.aliases.length) return new Map(ids.map((id) => [id, this.ofRemote(resource, id)]));
    const rows = this.db.all<PairRow>(
      `select ${pairColumns} from json_each(?) cross join copies where site = ? and resource = ? and remote = value`,
      JSON.stringify(ids),
      this.site,
      resource,
    );
    return new Map(rows.map((row) => [row.remote, recordOf(row)]));
  }

  /** Returns a pair without its bases, which takes a fraction of the time. */
  pairOf(resource: ResourceName, remote: number): Pick<SyncedRecord, 'local' | 'uid'> | undefined {
    return this.#row<Pick<SyncedRecord, 'local' | 'uid'>>('local, uid', 'remote', resource, remote);
  }

  #find(side: 'remote' | 'local', resource: ResourceName, id: number): SyncedRecord | undefined {
    const row = this.#row<PairRow>(pairColumns, side, resource, id);
    return row && recordOf(row);
  }

  /** Returns columns of a pair; that of this site comes first. SQLite would search the other index by resource only. */
  #row<Row>(columns: string, side: 'remote' | 'local', resource: ResourceName, id: number): Row | undefined {
    const from = `select ${columns} from copies ${side === 'local' ? 'indexed by copies_local' : ''} where`;
    const rest = `and resource = ? and ${side} = ?`;
    if (!this.aliases.length) return this.db.get<Row>(`${from} site = ? ${rest}`, this.site, resource, id);
    const sites = [this.site, ...this.aliases];
    const sql = `${from} site in (${sites.map(() => '?').join(', ')}) ${rest} order by site <> ? limit 1`;
    return this.db.get<Row>(sql, ...sites, resource, id, this.site);
  }

  /** Returns the pairs of a resource that have bases. */
  pairs(resource: ResourceName): SyncedRecord[] {
    return this.db
      .all<PairRow>(
        `select ${pairColumns} from copies where site = ? and resource = ? and remote_base is not null order by remote`,
        this.site,
        resource,
      )
      .map(recordOf);
  }

  /** Returns the pairs of a resource that have bases, without those of some remote records. */
  pairsExcept(resource: ResourceName, remotes: ReadonlySet<number>): SyncedRecord[] {
    const rows = this.db.all<{ remote: number }>(
      'select remote from copies where site = ? and resource = ? and remote_base is not null order by remote',
      this.site,
      resource,
    );
    return rows.flatMap(({ remote }) => (remotes.has(remote) ? [] : this.ofRemote(resource, remote)!));
  }

  /** Records a pair; replaces earlier pairs of either record. Without both bases, those of the pair stay. */
  set(resource: ResourceName, { remote, local, modified, uid, localBase, remoteBase }: SyncedRecord): void {
    const others = this.db.all<{ remote: number }>(
      'select remote from copies indexed by copies_local where site = ? and resource = ? and local = ?',
      this.site,
      resource,
      local,
    );
    for (const other of others) if (other.remote !== remote) this.drop(resource, other.remote);
    this.db.run(
      `insert into copies (site, resource, remote, local, modified, uid, local_base, remote_base) values (?, ?, ?, ?, ?, ?, ?, ?)
       on conflict (site, resource, remote) do update set local = excluded.local, modified = excluded.modified, uid = excluded.uid,
       local_base = coalesce(excluded.local_base, local_base), remote_base = coalesce(excluded.remote_base, remote_base)`,
      this.site,
      resource,
      remote,
      local,
      modified,
      uid,
      localBase && remoteBase ? JSON.stringify(differenceOf(localBase, remoteBase)) : null,
      localBase && remoteBase ? JSON.stringify(remoteBase) : null,
    );
  }

  drop(resource: ResourceName, remote: number): void {
    this.db.run('delete from copies where site = ? and resource = ? and remote = ?', this.site, resource, remote);
  }

  /** Records the time of a pull or a push, and the number of remote changes that were not copied. */
  finish(what: 'pulled' | 'pushed', time: string, remoteChanges: number): void {
    this.db.run(
      `insert into sites (site, ${what}, remote_changes) values (?, ?, ?) on conflict (site) do update set ${what} = excluded.${what}, remote_changes = excluded.remote_changes`,
      this.site,
      time,
      remoteChanges,
    );
  }

  /** Where an interrupted pull goes on; undefined when there is none. */
  get resumePoint(): ResumePoint | undefined {
    const row = this.db.get<{ state: string }>('select state from copying where site = ?', this.site);
    return row && (JSON.parse(row.state) as ResumePoint);
  }

  /** Sets where an interrupted pull continues; undefined once it is complete. */
  resumeAt(point: ResumePoint | undefined): void {
    if (point)
      this.db.run(
        'insert into copying (site, state) values (?, ?) on conflict (site) do update set state = excluded.state',
        this.site,
        JSON.stringify(point),
      );
    else this.db.run('delete from copying where site = ?', this.site);
  }
}

/** A pair whose sides were changed differently. */
export interface StoredConflict {
  site: string;
  resource: ResourceName;
  remote: number;
  local: number;
  /** `edited` on both sides, or deleted on one side and edited on the other. */
  kind: 'edited' | 'deleted-here' | 'deleted-there';
  fields: FieldConflicts;
  /** The remote record; undefined if it was deleted. */
  entry?: Entry;
}

type ConflictRow = Omit<StoredConflict, 'fields' | 'entry'> & { fields: string; entry: string | null };

/** Conflicts with other sites, until they are resolved. */
export class SyncConflicts {
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
