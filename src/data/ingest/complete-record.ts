import type { Input, Resource, ResourceName } from '../../model/calendar.ts';
import { references } from '../../model/formats/references.ts';
import { parentField } from '../../model/resources/relations.ts';
import type { LocalCalendar } from '../../store/calendar.ts';
import { labelOf } from '../record.ts';
import type { Summary } from '../summary.ts';
import { type ExistingRecord, Ingest } from './ingest.ts';

/**
 * Writes the records of an export. New records keep their IDs if these are free, and links are adjusted to the actual IDs. A link from another calendar's record to a
 * record outside the file is omitted, because its ID belongs to a different record here.
 */
export class CompleteRecords {
  readonly #ingest: Ingest;
  /** Local IDs by `resource:ID` in the file. */
  readonly #ids = new Map<string, number>();
  /** Links to parents that appear later in the file, for {@link finish}. */
  readonly #deferred: { name: ResourceName; id: number; to: number; isForeign: boolean }[] = [];

  constructor(
    private readonly local: LocalCalendar,
    private readonly summary: Summary,
  ) {
    this.#ingest = new Ingest(local, summary, 'file');
  }

  /** Writes a record. `at` is its position in the source. */
  add(name: ResourceName, record: Input, at: string): void {
    let parent: number | undefined;
    this.#ingest.add({
      name,
      at,
      label: labelOf(name, record),
      identity: record,
      inputFor: (before) => {
        const linked = this.#linked(name, record, before, at);
        parent = linked.parent;
        return before ? completed(this.local.resources[name], before, linked.input) : linked.input;
      },
      onWritten: (id) => {
        if (record.id !== undefined) this.#ids.set(`${name}:${record.id}`, id);
        if (parent !== undefined) this.#deferred.push({ name, id, to: parent, isForeign: record.uid !== undefined });
      },
    });
  }

  /** Sets the deferred links and finishes deferred updates. */
  finish(): void {
    this.#ingest.finish();
    for (const { name, id, to, isForeign } of this.#deferred) {
      const field = parentField(name)!.name;
      const target = this.#ids.get(`${name}:${to}`) ?? (isForeign || !this.local.source(name, to) ? undefined : to);
      const before = this.local.source(name, id)!;
      if (target === undefined || before[field] === target) continue;
      const { modified, modified_utc } = before;
      this.local[name].update({ id }, { [field]: target, ...(modified === undefined ? {} : { modified, modified_utc }) });
    }
  }

  /** Returns an input with local IDs in its links, without a parent that appears later. */
  #linked(name: ResourceName, record: Input, before: ExistingRecord | undefined, at: string): { input: Input; parent?: number } {
    let input = record;
    const set = (field: string, value: unknown) => {
      if (input === record) input = { ...record };
      if (value === undefined) delete input[field];
      else input[field] = value;
    };
    const parentName = parentField(name)?.name;
    let parent: number | undefined;
    for (const field in references[name]) {
      const to = references[name][field]!;
      const value = record[field];
      if (to === 'images' || value === undefined) continue;
      const isKnown = (id: unknown) => !isId(id) || record.uid === undefined || [before?.[field]].flat().includes(id);
      const items: unknown[] = Array.isArray(value) ? value : [value];
      const targets = items.map((id) => this.#ids.get(`${to}:${id}`) ?? (isKnown(id) ? id : undefined));
      if (field === parentName && isId(value) && !this.#ids.has(`${to}:${value}`) && before?.[field] !== value) {
        parent = value;
        set(field, undefined);
      } else if (targets.some((id, i) => id === undefined || id !== items[i])) {
        if (targets.includes(undefined)) this.summary.notes.push({ at, reason: `omitted ${field} ${value}, which is not in the file` });
        const mapped = targets.filter((id) => id !== undefined);
        set(field, Array.isArray(value) ? mapped : mapped[0]);
      }
    }
    return { input, parent };
  }
}

/** Returns a complete record as an update of the existing one, which clears missing fields. */
function completed({ fields, derived }: Resource, before: Input, input: Input): Input {
  const cleared: Input = {};
  const isMissing = (name: string) => before[name] !== undefined && input[name] === undefined;
  for (const { name, lasting, required, empty } of fields) if (isMissing(name) && !lasting && !required) cleared[name] = empty;
  for (const name of ['generated', 'lineage', 'sequence']) if (isMissing(name)) cleared[name] = derived[name]?.default;
  if (isMissing('extra')) cleared.extra = {};
  return { ...cleared, ...input };
}

const isId = (id: unknown): id is number => typeof id === 'number' && id > 0;
