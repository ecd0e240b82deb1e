import type { SerializedRecord } from '../../model/calendar.ts';
import type { ChangeTracker } from './change-tracker.ts';

/** A serialized record and the rows it shows: table, ID, table, ID… */
interface CachedRecord extends SerializedRecord {
  dependencies: readonly number[];
  /** Clock of the {@link ChangeTracker} when the record was last found valid. */
  validAt: number;
}

const maxBytes = 44 << 20;
/** Memory that a record takes besides its JSON. */
const overheadBytes = 400;
/** Clients choose the site in links through the Host header. */
const maxForms = 48;

/** Serialized records, each valid until a row that it shows is written. Drops everything once it is full. */
export class RecordCache {
  readonly #changes: ChangeTracker;
  readonly #forms = new Map<string, Map<number, CachedRecord>>();
  #bytes = 0;

  constructor(changes: ChangeTracker) {
    this.#changes = changes;
  }

  /** Returns the cached record with this ID. A form names a resource, a site and how the record is shown. */
  get(form: string, id: number): SerializedRecord | undefined {
    const cached = this.#forms.get(form)?.get(id);
    return cached && this.#isValid(cached) ? cached : undefined;
  }

  put(form: string, id: number, record: SerializedRecord, dependencies: readonly number[]): void {
    const size = record.bytes.length + overheadBytes;
    if (this.#bytes + size > maxBytes || (this.#forms.size >= maxForms && !this.#forms.has(form))) this.#clear();
    let records = this.#forms.get(form);
    if (records === undefined) {
      records = new Map();
      this.#forms.set(form, records);
    }
    const before = records.get(id);
    this.#bytes += size - (before ? before.bytes.length + overheadBytes : 0);
    records.set(id, { ...record, dependencies, validAt: this.#changes.clock });
  }

  #isValid(cached: CachedRecord): boolean {
    const { clock } = this.#changes;
    if (cached.validAt === clock) return true;
    const { dependencies } = cached;
    for (let i = 0; i < dependencies.length; i += 2)
      if (this.#changes.lastChange(dependencies[i]!, dependencies[i + 1]!) > cached.validAt) return false;
    cached.validAt = clock;
    return true;
  }

  #clear(): void {
    this.#forms.clear();
    this.#bytes = 0;
  }
}
