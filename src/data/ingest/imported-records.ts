import { machine } from '../../machine.ts';
import type { Input, Resource, ResourceName } from '../../model/calendar.ts';
import { didYouMean } from '../../model/did-you-mean.ts';
import { DataError, Failure } from '../../model/error.ts';
import { quoted } from '../../model/fields/coerce.ts';
import type { TableColumn } from '../../model/formats/columns.ts';
import { isTerms } from '../../model/resources/names.ts';
import { storedForm } from '../../model/validate.ts';
import { storedInputs } from '../../store/records/dump.ts';
import { recordLabel } from '../transaction.ts';
import type { ExistingRecord } from './ingest.ts';
import type { ImportJob } from './options.ts';
import type { Table } from './table.ts';

/** The name of the source of a table without one. */
const defaultSource = 'tables';

/** A record that was created or updated. */
interface WrittenRecord {
  id: number;
  before: ExistingRecord | undefined;
  input: Input;
  at: string;
  isChanged: boolean;
}

/** Number of records whose values are read and stored at once. */
const batch = 500;

/** The records that tables of one source created or matched, found by the fields of `key`. */
export class ImportedRecords {
  readonly #resource: Resource;
  readonly #source: string;
  /** IDs by key: those in the trash only where no other record has the key. */
  readonly #ids = new Map<string, number[]>();
  /** IDs of the records that the table has. */
  readonly #seen = new Set<number>();
  /** Lines of the table by key. */
  readonly #lines = new Map<string, string>();
  /** The last event before the import. */
  readonly #lastId: number;
  readonly #waiting: WrittenRecord[] = [];
  #earlier: Map<string, string[]> | undefined;
  #beside = 0;
  #besideImported = 0;

  constructor(
    private readonly job: ImportJob,
    private readonly name: ResourceName,
    { columns, line }: Pick<Table, 'columns' | 'line'>,
  ) {
    const { local, options, db } = job;
    this.#resource = local.resources[name] as Resource;
    this.#source = options.source ?? defaultSource;
    this.#lastId = name === 'events' ? (db.get<{ id: number | null }>('select max(id) as id from events')!.id ?? 0) : 0;
    if (!options.key) return;
    if (isTerms(name)) throw new Failure('bad-request', `--key: ${name} are matched by their slug`);
    if (options.delete_missing && name !== 'events') throw new Failure('bad-request', '--delete-missing is only for events');
    checkKey(options.key, columns, line);
    this.#index(options.key);
  }

  #index(key: readonly string[]): void {
    const { local } = this.job;
    const trash = new Map<string, number[]>();
    for (const { id } of local.marks.ofSource(this.name, this.#source)) {
      const record = local.source(this.name, id)!;
      const ids = record.status === 'trash' ? trash : this.#ids;
      const text = JSON.stringify(key.map((field) => record[field] ?? ''));
      ids.set(text, [...(ids.get(text) ?? []), id]);
    }
    for (const [text, ids] of trash) if (!this.#ids.has(text)) this.#ids.set(text, ids.slice(-1));
  }

  /** The ID of the record with the key of a row, whose names are replaced with links; undefined for a new one. Throws `rest_invalid_param` for a repeated key. */
  find(row: Input, at: string): number | undefined {
    const { key } = this.job.options;
    if (!key) return undefined;
    const values = key.map((name) => storedForm(this.#resource, name, row[name], this.job.request));
    const text = JSON.stringify(values);
    const earlier = this.#lines.get(text);
    const what = values.map((value) => quoted(value)).join(', ');
    if (earlier !== undefined) throw new DataError(at, `has the same ${key.join(' and ')} as ${earlier}: ${what}`);
    this.#lines.set(text, at);
    const ids = this.#ids.get(text) ?? [];
    if (ids.length > 1)
      throw new DataError(at, `${this.name} ${ids.slice(0, -1).join(', ')} and ${ids.at(-1)} both have this ${key.join(' and ')}: ${what}`);
    return ids[0];
  }

  /** Moves the events of the source that the table lacks to the trash. Throws a DataError if that may be a mistake. */
  #deleteMissing(): void {
    const { local, options, summary } = this.job;
    const refuse = (reason: string, hint?: string) => new DataError('--delete-missing', reason, hint);
    const skipped = summary.problems.length;
    if (skipped && !options.lenient) return;
    if (skipped) throw refuse(`${skipped} ${skipped === 1 ? 'row was' : 'rows were'} skipped`, 'Correct them, or omit --delete-missing.');
    if (!this.#seen.size) throw refuse('the table has no events', 'Omit --delete-missing, or delete the events by hand.');
    const others = local.marks.ofOthers('events', this.#source);
    const all = [...this.#ids.values()].flat().filter((id) => local.has('events', id));
    const missing = all.filter((id) => !this.#seen.has(id) && !others.has(id));
    if (!missing.length) return;
    const count = `${missing.length} of ${all.length} events of the source ${quoted(this.#source)} ${missing.length === 1 ? 'is' : 'are'} not in the table`;
    if (missing.length * 2 > all.length && options.source === undefined)
      throw refuse(`${count}, more than half`, `If this is the right table, pass --source ${this.#source}.`);
    summary.notes.push({ at: '--delete-missing', reason: count });
    for (const id of missing) {
      const { title } = local.source('events', id)!;
      local.events.delete({ id });
      summary.add('deleted', 'events', String(title ?? ''), id);
    }
    local.marks.forget('events', missing);
  }

  /** Adds a record that was created or updated. */
  add(record: WrittenRecord): void {
    if (isTerms(this.name)) return;
    this.#seen.add(record.id);
    if (this.#waiting.push(record) >= batch) this.#remember();
  }

  /** Stores the values of the added records, and notes those that replaced changes made here. */
  #remember(): void {
    const { local, summary, options } = this.job;
    const waiting = this.#waiting.splice(0);
    const changed = waiting.filter(({ isChanged }) => isChanged).map(({ id }) => id);
    const sources = new Map(storedInputs(local.context, this.name, changed).map((source) => [source.id, source]));
    const uids = waiting.flatMap(({ before }) => (before ? [String(before.uid)] : []));
    const last = local.marks.imported(this.name, this.#source, uids);
    const next = waiting.flatMap(({ id, before, input, at }) => {
      const after = sources.get(id) ?? before!;
      const imported: Record<string, string> = {};
      const values = last.get(String(after.uid));
      for (const { name } of this.#resource.fields) {
        if (input[name] === undefined) continue;
        imported[name] = valueHash(after[name]);
        if (!before || values?.[name] === undefined || [values[name], imported[name]].includes(valueHash(before[name]))) continue;
        const reason = `${name} was changed here since the last import; replaced ${quoted(before[name] ?? '')} by ${quoted(after[name] ?? '')}`;
        summary.notes.push({ at: `${at} (${recordLabel(this.name, after)})`, reason });
      }
      if (!before && this.name === 'events' && !options.key) this.#countBeside(after);
      return JSON.stringify(values) === JSON.stringify(imported) ? [] : [{ id, uid: String(after.uid), imported }];
    });
    if (next.length) local.marks.setImported(this.name, this.#source, next);
  }

  /** Counts a new event if there was one of the same title and day. */
  #countBeside(event: Input): void {
    if (!this.#lastId) return;
    this.#earlier ??= this.#earlierEvents();
    const others = this.#earlier.get(dayKeyOf(event));
    if (!others) return;
    this.#beside++;
    if (this.job.local.marks.imported('events', this.#source, others).size) this.#besideImported++;
  }

  /** The UIDs of the events before the import, by title and day. */
  #earlierEvents(): Map<string, string[]> {
    const events = new Map<string, string[]>();
    const rows = this.job.db.all<{ uid: string; title: string; start_date: string }>(
      "select uid, title, start_date from events where id <= ? and status <> 'trash'",
      this.#lastId,
    );
    for (const row of rows) events.set(dayKeyOf(row), [...(events.get(dayKeyOf(row)) ?? []), row.uid]);
    return events;
  }

  finish(): void {
    const { options, source, summary } = this.job;
    this.#remember();
    if (options.delete_missing) this.#deleteMissing();
    if (!this.#beside) return;
    const hint = this.#besideImported ? '; match them with --key title' : '';
    summary.notes.push({ at: source.name, reason: `${this.#beside} created beside an event of the same title and day${hint}` });
  }
}

function checkKey(key: readonly string[], columns: readonly TableColumn[], line: number): void {
  const names = columns.flatMap(({ name, field }) => (name !== undefined && field ? [name] : []));
  const missing = key.find((name) => !names.includes(name));
  if (missing === undefined) return;
  const hint = didYouMean(missing, names) ?? `Columns: ${[...new Set(names)].join(', ')}.`;
  throw new DataError(`line ${line}`, `the table has no column for ${missing}, which --key names`, hint);
}

const valueHash = (value: unknown): string => machine.hash('sha256', JSON.stringify(value ?? ''), 'base64url').slice(0, 8);

const dayKeyOf = ({ title, start_date }: Input): string => `${String(start_date).slice(0, 10)} ${title}`;
