import type { Input, Resource, ResourceName } from '../../model/calendar.ts';
import { references } from '../../model/formats/references.ts';
import { resources } from '../../model/resources/all.ts';
import { parentField } from '../../model/resources/relations.ts';
import type { LocalCalendar } from '../../store/calendar.ts';
import { labelOf } from '../record.ts';
import type { Summary } from '../summary.ts';
import { type ExistingRecord, Ingest } from './ingest.ts';

/**
 * Writes the complete records of an export. New ones keep their IDs where these are free; links follow records to the IDs that they got. A link of a record of another
 * calendar to one that is not in the file is left out: its ID means something else here.
 */
export class CompleteRecords {
  readonly #ingest: Ingest;
  /** The IDs here of the records of the file, by `resource:ID` there. */
  readonly #ids = new Map<string, number>();
  /** Links to parents that come later in the file, for {@link finish}. */
  readonly #deferred: { name: ResourceName; id: number; to: number; isForeign: boolean }[] = [];

  constructor(
    private readonly local: LocalCalendar,
    private readonly summary: Summary,
  ) {
    this.#ingest = new Ingest(local, summary, 'file');
  }

  /** Writes a record; `at` is its place in the source. */
  add(name: ResourceName, given: Input, at: string): void {
    let parent: number | undefined;
    this.#ingest.add({
      name,
      at,
      label: labelOf(name, given),
      identity: given,
      inputFor: (before) => {
        const linked = this.#linked(name, given, before, at);
        parent = linked.parent;
        return before ? completed(resources[name], before, linked.input) : linked.input;
      },
      onWritten: (id) => {
        if (given.id !== undefined) this.#ids.set(`${name}:${given.id}`, id);
        if (parent !== undefined) this.#deferred.push({ name, id, to: parent, isForeign: given.uid !== undefined });
      },
    });
  }

  /** Makes the deferred links, and finishes updates that had to wait. */
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

  /** An input whose links name records of this calendar, without a parent that is yet to come. */
  #linked(name: ResourceName, given: Input, before: ExistingRecord | undefined, at: string): { input: Input; parent?: number } {
    const input = { ...given };
    let parent: number | undefined;
    for (const [field, to] of Object.entries(references[name])) {
      const value = input[field];
      if (to === 'images' || value === undefined) continue;
      const isHere = (id: unknown) => given.uid === undefined || [before?.[field]].flat().includes(id);
      const found = [value].flat().map((id) => this.#ids.get(`${to}:${id}`) ?? (isId(id) && !isHere(id) ? undefined : id));
      if (field === parentField(name)?.name && isId(value) && !this.#ids.has(`${to}:${value}`) && before?.[field] !== value) {
        parent = Number(value);
        delete input[field];
      } else {
        if (found.includes(undefined)) this.summary.notes.push({ at, reason: `left out ${field} ${value}, which is not in the file` });
        const known = found.filter((id) => id !== undefined);
        input[field] = Array.isArray(value) ? known : known[0];
        if (input[field] === undefined) delete input[field];
      }
    }
    return { input, parent };
  }
}

/** A complete record as an update of the existing one: fields that it leaves out are cleared. */
function completed({ fields, derived }: Resource, before: Input, input: Input): Input {
  const cleared: Input = {};
  const isGone = (name: string) => before[name] !== undefined && input[name] === undefined;
  for (const { name, lasting, required, empty } of fields) if (isGone(name) && !lasting && !required) cleared[name] = empty;
  for (const name of ['generated', 'lineage', 'sequence']) if (isGone(name)) cleared[name] = derived[name]?.default;
  return { ...cleared, ...input };
}

/** Returns whether a link names a record by its ID. */
const isId = (id: unknown): id is number => typeof id === 'number' && id > 0;
