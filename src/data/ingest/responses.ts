import type { Entry, Input, ResourceName } from '../../model/calendar.ts';
import { embedded } from '../../model/fields/link.ts';
import { type AnsweredRecord, hostOf, rootOf } from '../../model/formats/answers.ts';
import { comparable, inputFrom } from '../../model/formats/remote-record.ts';
import { isLoopback } from '../../model/loopback.ts';
import { linkFields, resourceOrder } from '../../model/resources/relations.ts';
import { SyncState } from '../../store/identity/sync-state.ts';
import { labelOf } from '../record.ts';
import { ConflictLog } from '../sync/conflicts.ts';
import { problemsOf } from '../transaction.ts';
import { Ingest } from './ingest.ts';
import type { ImportJob } from './options.ts';
import { RemoteRecords } from './remote.ts';

/** Imports records from API responses, identified by UID, or by site and ID like pull. */
export class Responses {
  readonly #sites = new Map<string, RemoteRecords>();
  readonly #own: Ingest;
  /** The last root URL in a record, for records without one. */
  #root: string | undefined;

  constructor(private readonly job: ImportJob) {
    this.#own = new Ingest(job.local, job.summary, 'file');
  }

  /** Imports records, linked resources before events. */
  addAll(records: readonly AnsweredRecord[]): void {
    this.#root = records.map(rootOf).find((root) => root !== undefined);
    for (const name of resourceOrder) for (const record of records) if (record.name === name) this.add(record);
    this.finish();
  }

  add(record: AnsweredRecord): void {
    const { local, options, summary } = this.job;
    const { name, entry, path } = record;
    if (options.only && !options.only.includes(name)) return;
    this.#root = rootOf(record) ?? this.#root;
    const label = labelOf(name, entry);
    try {
      const id = this.#ownRecord(name, entry);
      if (id === undefined) this.#recordsOf(this.#root ?? `http://${hostOf(entry)}`).copy(local, name, [entry]);
      else this.#own.write({ name, at: path, label, id, identity: {}, inputFor: () => this.#changes(name, id, entry) });
    } catch (error) {
      summary.reject(name, label, problemsOf(error, path));
    }
  }

  /** Sets the parents of categories. */
  finish(): void {
    this.#own.finish();
    for (const records of this.#sites.values()) records.linkParents(this.job.local);
  }

  #recordsOf(root: string): RemoteRecords {
    const { db, summary } = this.job;
    const cached = this.#sites.get(root);
    if (cached) return cached;
    const aliases = [...SyncState.sitesIn(db), ...this.#sites.keys()].filter((site) => site !== root && hostIn(site) === hostIn(root));
    const records = new RemoteRecords(new SyncState(db, root, aliases), summary, {
      by: isLoopback(hostIn(root)) ? 'loopback' : 'site',
      // A file that is imported is meant to win.
      prefer: 'theirs',
      conflicts: new ConflictLog(db, root, summary),
    });
    this.#sites.set(root, records);
    return records;
  }

  /** Returns the ID of this calendar's record with the same site, ID, slug, publication date and start as a response without a UID. */
  #ownRecord(name: ResourceName, entry: Entry): number | undefined {
    const { local } = this.job;
    const own = entry.uid === undefined && hostOf(entry) !== '' ? local.entry(name, entry.id) : undefined;
    return own && ['global_id', 'slug', 'date_utc', 'start_date'].every((field) => own[field] === entry[field]) ? own.id : undefined;
  }

  /** Returns the fields that differ in a response. Links contain IDs of this calendar. */
  #changes(name: ResourceName, id: number, entry: Entry): Input {
    const { local } = this.job;
    const comparableOf = (record: Entry) => comparable(local.resources[name], record, (_, linked) => linked);
    const [here, there] = [comparableOf(local.entry(name, id)!), comparableOf(entry)];
    const whole = inputFrom(local.resources[name], entry);
    const input: Input = {};
    for (const field of Object.keys(there)) {
      if (JSON.stringify(here[field]) === JSON.stringify(there[field])) continue;
      const isLink = linkFields(name).some((link) => link.name === field);
      input[field] = isLink ? embedded(entry[field]).map((linked) => linked.id) : whole[field];
    }
    return input;
  }
}

/** Returns the host name of a site, whose address may be incomplete in responses without links. */
const hostIn = (site: string): string => (URL.canParse(site) ? new URL(site).hostname : site);
