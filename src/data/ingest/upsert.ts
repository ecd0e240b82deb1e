import type { Input, Resource, ResourceName } from '../../model/calendar.ts';
import { references } from '../../model/formats/references.ts';
import { resources } from '../../model/resources/all.ts';
import type { LocalCalendar } from '../../store/calendar.ts';
import { labelOf } from '../record.ts';
import type { Summary } from '../summary.ts';
import { Identities } from './identities.ts';
import { Updates } from './updates.ts';

type Source = Input & { id: number };

/** The field by which a record names its parent, which may come after it. */
const parentField: Partial<Record<ResourceName, string>> = { categories: 'parent', events: 'post_parent' };

/**
 * Creates or updates the complete records of one file. New ones keep their IDs where these are free; links follow records to the IDs that they got. A link of a record of
 * another calendar to one that the file does not hold is left out: its ID means something else here.
 */
export class Upsert {
  readonly #identities: Identities;
  readonly #updates: Updates;
  /** The IDs here of the records of the file, by `resource:ID` there. */
  readonly #ids = new Map<string, number>();
  /** Links to parents that were not there yet, for {@link finish}. */
  readonly #deferred: { name: ResourceName; id: number; to: number; isForeign: boolean }[] = [];

  constructor(
    private readonly local: LocalCalendar,
    private readonly summary: Summary,
  ) {
    this.#identities = new Identities(local);
    this.#updates = new Updates(local, summary);
  }

  /** Creates a record, or updates the existing one; `at` is its place in the source. */
  record(name: ResourceName, given: Input, at: string): void {
    const label = labelOf(name, given);
    const identity = this.#identities.find(name, given);
    if (identity.isRepeated) {
      this.summary.skip(name, label, at, 'an earlier record of the file has the same UID');
      return;
    }
    const before = identity.id === undefined ? undefined : this.local.source(name, identity.id);
    const { input, parent } = this.#linked(name, given, before, at);
    const id = before ? before.id : this.local[name].add(input);
    if (given.id !== undefined) this.#ids.set(`${name}:${given.id}`, id);
    if (parent !== undefined) this.#deferred.push({ name, id, to: parent, isForeign: given.uid !== undefined });
    if (before) this.#update(name, before, input, label);
    else {
      this.#identities.created(name, id, identity);
      this.#updates.created(name, id, input);
      this.summary.add('created', name, label, id);
    }
  }

  /** Makes the deferred links, and finishes updates that had to wait. */
  finish(): void {
    this.#updates.finish();
    for (const { name, id, to, isForeign } of this.#deferred) {
      const field = parentField[name]!;
      const target = this.#ids.get(`${name}:${to}`) ?? (isForeign || !this.local.source(name, to) ? undefined : to);
      const before = this.local.source(name, id)!;
      if (target === undefined || before[field] === target) continue;
      const { modified, modified_utc } = before;
      this.local[name].update({ id }, { [field]: target, ...(modified === undefined ? {} : { modified, modified_utc }) });
    }
  }

  #update(name: ResourceName, before: Source, input: Input, label: string): void {
    const update = completed(resources[name] as Resource, before, { ...input, uid: before.uid, id: before.id });
    const differs = Object.keys(update).some((key) => JSON.stringify(update[key]) !== JSON.stringify(before[key]));
    if (differs) this.#updates.update(name, before.id, update, label);
    else this.summary.add('unchanged', name, label, before.id);
  }

  /** An input whose links name records of this calendar, without a parent that is yet to come. */
  #linked(name: ResourceName, given: Input, before: Source | undefined, at: string): { input: Input; parent?: number } {
    const input = { ...given };
    let parent: number | undefined;
    for (const [field, to] of Object.entries(references[name])) {
      const value = input[field];
      if (to === 'images' || value === undefined) continue;
      const isHere = (id: unknown) => given.uid === undefined || [before?.[field]].flat().includes(id);
      const found = [value].flat().map((id) => this.#ids.get(`${to}:${id}`) ?? (isId(id) && !isHere(id) ? undefined : id));
      if (field === parentField[name] && isId(value) && !this.#ids.has(`${to}:${value}`) && before?.[field] !== value) {
        parent = Number(value);
        delete input[field];
      } else {
        if (found.includes(undefined)) this.summary.notes.push({ at, reason: `is without ${field} ${value}: the file does not hold it` });
        const known = found.filter((id) => id !== undefined);
        input[field] = Array.isArray(value) ? known : known[0];
        if (input[field] === undefined) delete input[field];
      }
    }
    return { input, parent };
  }
}

/** A complete record as an update of the existing one: what it leaves out is taken away. */
function completed({ fields }: Resource, before: Input, input: Input): Input {
  const cleared: Input = {};
  const isGone = (name: string) => before[name] !== undefined && input[name] === undefined;
  for (const { name, lasting, required, empty } of fields) if (isGone(name) && !lasting && !required) cleared[name] = empty;
  if (isGone('generated')) cleared.generated = 0;
  if (isGone('lineage')) cleared.lineage = '';
  if (isGone('sequence')) cleared.sequence = 0;
  return { ...cleared, ...input };
}

/** Whether a link names a record by its ID. */
const isId = (id: unknown): id is number => typeof id === 'number' && id > 0;
