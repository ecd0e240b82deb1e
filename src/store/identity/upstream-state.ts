import type { Resource, ResourceName } from '../../model/calendar.ts';
import { isTerms, resourceNames } from '../../model/resources/names.ts';
import type { Database } from '../file/sql.ts';
import { lastId, setLastId } from '../records/lookups.ts';
import { remove } from '../records/queries.ts';
import { linksFrom, linksTo } from '../records/tables.ts';

/** First ID of local records in the copy of a live site. */
const firstLocalId = 1_000_000_000;

/** A complete list of the site: what a copy covers. */
export interface CoverageRow {
  resource: ResourceName;
  viewer: 'public' | 'user';
  statuses: readonly string[];
  /** Earliest start and latest end of events, in the calendar's time zone; empty for no limit. */
  from: string;
  until: string;
  /** When it was read, in ISO 8601. */
  asOf: string;
  /** True if the forms of single records are known too. */
  hasSingles: boolean;
}

/** The differences of a record in responses of a site from this program's, as JSON. */
export interface StoredForm {
  patch: string;
  asOf: string;
}

/** The live site that a file is a copy of, and what the copy covers. */
export class UpstreamState {
  constructor(private readonly db: Database) {}

  /** Root URL of the API of the site, and its namespace; undefined if the file is not a copy of a live site. */
  get site(): { root: string; namespace: string } | undefined {
    return this.db.get('select site as root, namespace from upstream');
  }

  /** Makes the file the copy of a site. IDs of the site are kept, so those of local records start elsewhere. */
  begin(site: string, namespace: string): void {
    if (this.site !== undefined) return;
    this.db.run('insert into upstream (site, namespace) values (?, ?)', site, namespace);
    for (const sequence of ['posts', 'terms'] as const) setLastId(this.db, sequence, Math.max(lastId(this.db, sequence), firstLocalId - 1));
  }

  /** Returns whether a file has records that are not copies of a site with the same IDs. */
  hasUnrelated(site: string): boolean {
    const unpaired = (name: ResourceName) =>
      this.db.get(
        `select 1 from ${name} where id < ? and not exists (select 1 from copies where site = ? and resource = ? and local = ${name}.id and remote = ${name}.id)`,
        firstLocalId,
        site,
        name,
      );
    return resourceNames.some((name) => unpaired(name) !== undefined);
  }

  coverage(): CoverageRow[] {
    return this.db
      .all<Record<string, string | number>>(
        'select resource, viewer, statuses, start as "from", until, as_of as asOf, has_singles as hasSingles from coverage',
      )
      .map((row) => ({ ...row, statuses: String(row.statuses).split(','), hasSingles: row.hasSingles === 1 }) as unknown as CoverageRow);
  }

  cover({ resource, viewer, statuses, from, until, asOf, hasSingles }: CoverageRow): void {
    this.db.run(
      `insert into coverage (resource, viewer, statuses, start, until, as_of, has_singles) values (?, ?, ?, ?, ?, ?, ?)
       on conflict (resource, viewer, statuses, start, until) do update set as_of = excluded.as_of, has_singles = excluded.has_singles`,
      ...[resource, viewer, statuses.toSorted().join(','), from, until, asOf, hasSingles ? 1 : 0],
    );
  }

  /** Remembers that the file has records of a resource that only a user of the site sees. */
  beginUserView(resource: ResourceName, asOf: string): void {
    this.db.run(
      `insert into coverage (resource, viewer, statuses, start, until, as_of, has_singles) values (?, 'user', '', '', '', ?, 0)
       on conflict (resource, viewer, statuses, start, until) do nothing`,
      resource,
      asOf,
    );
  }

  /** Returns whether the file has records that only a user of the site sees. */
  get hasUserView(): boolean {
    return this.db.get("select 1 from coverage where viewer = 'user' limit 1") !== undefined;
  }

  /** Returns whether a record is hidden from visitors. */
  isHidden(resource: ResourceName, id: number): boolean {
    return !isTerms(resource) && this.db.get(`select 1 from ${resource} where id = ? and status <> 'publish'`, id) !== undefined;
  }

  hiddenCopies(site: string, resource: ResourceName): number[] {
    return this.db
      .all<{ remote: number }>(
        `select remote from copies join ${resource} on ${resource}.id = local where site = ? and resource = ? and status <> 'publish'`,
        site,
        resource,
      )
      .map(({ remote }) => remote);
  }

  /** Returns the form of a record in responses of the site. */
  form(resource: ResourceName, id: number, form: 'list' | 'single'): StoredForm | undefined {
    return this.db.get('select patch, as_of as asOf from upstream_forms where resource = ? and id = ? and form = ?', resource, id, form);
  }

  setForm(resource: ResourceName, id: number, form: 'list' | 'single', { patch, asOf }: StoredForm): void {
    this.db.run(
      'insert into upstream_forms (resource, id, form, patch, as_of) values (?, ?, ?, ?, ?) on conflict (resource, id, form) do update set patch = excluded.patch, as_of = excluded.as_of',
      ...[resource, id, form, patch, asOf],
    );
  }

  /** Returns when the oldest form of a resource was read. */
  oldest(resource: ResourceName): string | undefined {
    return (
      this.db.get<{ asOf: string | null }>('select min(as_of) as asOf from upstream_forms where resource = ?', resource)?.asOf ?? undefined
    );
  }

  /** Sets the number of events of a term, as the site counts them. */
  setCount(resource: ResourceName, id: number, count: number): void {
    this.db.run(`update ${resource} set count = ? where id = ? and count <> ?`, count, id, count);
  }

  /** Locks a record whose password is not known, or unlocks it. */
  setLocked(resource: ResourceName, id: number, password: string): void {
    this.db.run(`update ${resource} set post_password = ? where id = ? and (post_password = '') <> (? = '')`, password, id, password);
  }

  /** Removes the copy of a record without a trace: the site may have deleted or only hidden it. */
  forget(resource: Resource & { name: ResourceName }, id: number, { keepsLinks = false } = {}): void {
    const { name, fields } = resource;
    for (const { table, from } of linksFrom(resource)) this.db.run(`delete from ${table} where ${from} = ?`, id);
    if (!keepsLinks) {
      for (const { table, to } of linksTo(resource)) this.db.run(`delete from ${table} where ${to} = ?`, id);
      for (const field of fields)
        if (field.column && field.links === name)
          this.db.run(`update ${name} set ${field.name} = ? where ${field.name} = ?`, field.column.default ?? null, id);
    }
    remove(this.db, name, id);
    this.db.run('delete from copies where resource = ? and local = ?', name, id);
    this.db.run('delete from upstream_forms where resource = ? and id = ?', name, id);
  }
}
