import type { ResourceName } from '../../model/calendar.ts';
import type { Database } from '../file/sql.ts';

/** A record here, the remote record it is a copy of, and when that was last changed as far as is known. */
export interface SyncedRecord {
  remote: number;
  local: number;
  modified: string;
  /** The remote record's UID; empty where its server has none. */
  uid: string;
}

/** Where a pull of a whole calendar goes on after an interruption. */
export interface ResumePoint {
  resource: ResourceName;
  page: number;
  /** How many records the remote calendar had; when it has another number, the resource is begun again. */
  total: number;
}

/** Which records of this file are copies of which records of another calendar, named by the address that its routes start with. */
export class SyncState {
  constructor(
    private readonly db: Database,
    private readonly site: string,
  ) {}

  /** The pair of a remote record. */
  ofRemote(resource: ResourceName, id: number): SyncedRecord | undefined {
    return this.#find('remote', resource, id);
  }

  /** The pair of a local record. */
  ofLocal(resource: ResourceName, id: number): SyncedRecord | undefined {
    return this.#find('local', resource, id);
  }

  #find(side: 'remote' | 'local', resource: ResourceName, id: number): SyncedRecord | undefined {
    return this.db.get<SyncedRecord>(
      `select remote, local, modified, uid from copies where site = ? and resource = ? and ${side} = ?`,
      this.site,
      resource,
      id,
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

  /** Removes a pair. */
  drop(resource: ResourceName, remote: number): void {
    this.db.run('delete from copies where site = ? and resource = ? and remote = ?', this.site, resource, remote);
  }

  /** Where an interrupted pull goes on; undefined when there is none. */
  get resumePoint(): ResumePoint | undefined {
    const found = this.db.get<{ state: string }>('select state from copying where site = ?', this.site);
    return found && (JSON.parse(found.state) as ResumePoint);
  }

  /** Records where an interrupted pull goes on; undefined once it is complete. */
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
