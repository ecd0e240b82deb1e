import type { ResourceName } from '../../model/calendar.ts';
import type { Database } from '../file/sql.ts';

/** A local record, the remote record that it is a copy of, and the last known change of that. */
export interface SyncedRecord {
  remote: number;
  local: number;
  modified: string;
  /** UID of the remote record; empty if its server has none. */
  uid: string;
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

  /** Returns the sites that records were copied from. */
  static sitesIn(db: Database): string[] {
    return db.all<{ site: string }>('select distinct site from copies order by site').map(({ site }) => site);
  }

  ofRemote(resource: ResourceName, id: number): SyncedRecord | undefined {
    return this.#find('remote', resource, id);
  }

  ofLocal(resource: ResourceName, id: number): SyncedRecord | undefined {
    return this.#find('local', resource, id);
  }

  #find(side: 'remote' | 'local', resource: ResourceName, id: number): SyncedRecord | undefined {
    return this.db.get<SyncedRecord>(
      `select remote, local, modified, uid from copies where site in (?, ${this.aliases.map(() => '?').join(', ') || 'null'}) and resource = ? and ${side} = ? order by site <> ? limit 1`,
      this.site,
      ...this.aliases,
      resource,
      id,
      this.site,
    );
  }

  /** Records a pair; replaces earlier pairs of either record. */
  set(resource: ResourceName, { remote, local, modified, uid }: SyncedRecord): void {
    this.db.run('delete from copies where site = ? and resource = ? and local = ? and remote <> ?', this.site, resource, local, remote);
    this.db.run(
      'insert into copies (site, resource, remote, local, modified, uid) values (?, ?, ?, ?, ?, ?) on conflict (site, resource, remote) do update set local = excluded.local, modified = excluded.modified, uid = excluded.uid',
      this.site,
      resource,
      remote,
      local,
      modified,
      uid,
    );
  }

  drop(resource: ResourceName, remote: number): void {
    this.db.run('delete from copies where site = ? and resource = ? and remote = ?', this.site, resource, remote);
  }

  /** Where an interrupted pull goes on; undefined when there is none. */
  get resumePoint(): ResumePoint | undefined {
    const found = this.db.get<{ state: string }>('select state from copying where site = ?', this.site);
    return found && (JSON.parse(found.state) as ResumePoint);
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
