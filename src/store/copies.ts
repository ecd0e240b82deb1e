import type { ResourceName } from '../model/resource.ts';
import type { Database } from './database.ts';

/** A record here and what it is a copy of: the other calendar's record, and when that was last changed, as far as is known. */
export interface Copy {
  remote: number;
  local: number;
  modified: string;
}

/** Where a copying of a whole calendar has got to. */
export interface Halt {
  resource: ResourceName;
  page: number;
  /** How many records there were; when there are others now, the resource is begun again. */
  total: number;
}

/** Which records of this file are copies of which records of another calendar, named by the address that its routes start with. */
export class Copies {
  constructor(
    private readonly db: Database,
    private readonly site: string,
  ) {}

  ofRemote(resource: ResourceName, remote: number): Copy | undefined {
    return this.db.get<Copy>(
      'select remote, local, modified from copies where site = ? and resource = ? and remote = ?',
      this.site,
      resource,
      remote,
    );
  }

  ofLocal(resource: ResourceName, local: number): Copy | undefined {
    return this.db.get<Copy>(
      'select remote, local, modified from copies where site = ? and resource = ? and local = ?',
      this.site,
      resource,
      local,
    );
  }

  /** Remembers a pair, in place of what was remembered of either. */
  set(resource: ResourceName, { remote, local, modified }: Copy): void {
    this.db.run('delete from copies where site = ? and resource = ? and local = ? and remote <> ?', this.site, resource, local, remote);
    this.db.run(
      'insert into copies (site, resource, remote, local, modified) values (?, ?, ?, ?, ?) on conflict (site, resource, remote) do update set local = excluded.local, modified = excluded.modified',
      this.site,
      resource,
      remote,
      local,
      modified,
    );
  }

  /** Forgets a pair. */
  drop(resource: ResourceName, remote: number): void {
    this.db.run('delete from copies where site = ? and resource = ? and remote = ?', this.site, resource, remote);
  }

  get halt(): Halt | undefined {
    const found = this.db.get<{ state: string }>('select state from copying where site = ?', this.site);
    return found && (JSON.parse(found.state) as Halt);
  }

  /** Remembers where a copying has got to; undefined when it is done. */
  stopAt(halt: Halt | undefined): void {
    if (halt)
      this.db.run(
        'insert into copying (site, state) values (?, ?) on conflict (site) do update set state = excluded.state',
        this.site,
        JSON.stringify(halt),
      );
    else this.db.run('delete from copying where site = ?', this.site);
  }
}
