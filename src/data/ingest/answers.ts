import type { Entry, Input, ResourceName } from '../../model/calendar.ts';
import { embedded } from '../../model/fields/link.ts';
import { type AnsweredRecord, hostOf, rootOf } from '../../model/formats/answers.ts';
import { resourceOrder } from '../../model/formats/fixture.ts';
import { comparable, eventLinks, inputFrom } from '../../model/formats/remote-record.ts';
import { SyncState } from '../../store/identity/sync-state.ts';
import { labelOf, updateIfChanged } from '../record.ts';
import { PageCopier } from '../sync/copy-pages.ts';
import { problemsOf } from '../transaction.ts';
import type { ImportJob } from './options.ts';

/** Imports records as an API answers them: by their UIDs where they have such, else by the address of their server and their ID, as pull does. */
export class AnswerImporter {
  readonly #copiers = new Map<string, PageCopier>();
  /** The last root that a record named, for those that name none. */
  #root: string | undefined;

  constructor(private readonly job: ImportJob) {}

  /** Imports some records, those that events are linked to first. */
  importAll(records: readonly AnsweredRecord[]): void {
    this.#root = records.map(rootOf).find((root) => root !== undefined);
    for (const name of resourceOrder) for (const record of records) if (record.name === name) this.import(record);
    this.finish();
  }

  import(record: AnsweredRecord): void {
    const { local, options, summary } = this.job;
    const { name, entry, path } = record;
    if (options.only && !options.only.includes(name)) return;
    this.#root = rootOf(record) ?? this.#root;
    try {
      const own = this.#ownRecord(name, entry);
      if (own === undefined) this.#copierFor(this.#root ?? `http://${hostOf(entry)}`).copy(local, name, { entries: [entry] });
      else {
        const isChanged = this.#updateOwn(name, own, entry);
        summary.add(isChanged ? 'updated' : 'unchanged', name, labelOf(name, entry), own);
      }
    } catch (error) {
      summary.refuse(name, labelOf(name, entry), problemsOf(error, path));
    }
  }

  /** Moves categories below their parents. */
  finish(): void {
    for (const copier of this.#copiers.values()) copier.adoptOrphans(this.job.local);
  }

  #copierFor(root: string): PageCopier {
    const { db, summary } = this.job;
    const copier = this.#copiers.get(root) ?? new PageCopier(new SyncState(db, root), summary, '');
    this.#copiers.set(root, copier);
    return copier;
  }

  /** The record of this calendar that an answer without a UID shows: it has the same site, ID, slug, date of publication and start. */
  #ownRecord(name: ResourceName, entry: Entry): number | undefined {
    const { local } = this.job;
    const own = entry.uid === undefined && hostOf(entry) !== '' ? local.entry(name, entry.id) : undefined;
    return own && ['global_id', 'slug', 'date_utc', 'start_date'].every((field) => own[field] === entry[field]) ? own.id : undefined;
  }

  /** Updates the fields that an answer shows otherwise. Links name records of this calendar. */
  #updateOwn(name: ResourceName, id: number, entry: Entry): boolean {
    const { local } = this.job;
    const shown = (record: Entry) => comparable(name, record, (_, linked) => linked);
    const [here, there] = [shown(local.entry(name, id)!), shown(entry)];
    const given = inputFrom(name, entry);
    const input: Input = {};
    for (const field of Object.keys(there)) {
      if (JSON.stringify(here[field]) === JSON.stringify(there[field])) continue;
      input[field] = name === 'events' && field in eventLinks ? embedded(entry[field]).map((linked) => linked.id) : given[field];
    }
    return Object.keys(input).length > 0 && updateIfChanged(local, name, id, input);
  }
}
