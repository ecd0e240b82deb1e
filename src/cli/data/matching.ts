import { references } from '../../model/fixture.ts';
import type { Input, Resource, ResourceName } from '../../model/resource.ts';
import { resources } from '../../model/resources.ts';
import type { Desk } from '../../store/open.ts';
import { bringUpToDate, labelOf } from './plant.ts';
import type { Tally } from './tally.ts';
import { completed } from './unsaid.ts';

type Source = Input & { id: number };

/** Takes complete records in, one by one: finds those that are there, gives others their IDs where these are free, and follows links to whichever they got. */
export class Intake {
  /** IDs that became others, by resource. */
  readonly #moved = new Map<string, number>();
  /** Links to records that come later, to be made at the end. */
  readonly #later: { name: ResourceName; id: number; field: string; to: number }[] = [];

  constructor(
    private readonly desk: Desk,
    private readonly tally: Tally,
  ) {}

  /** The record that is the same as one of a file: of the same ID and slug, or else of the same slug. */
  same(name: ResourceName, input: Input): Source | undefined {
    const byId = typeof input.id === 'number' ? this.desk.source(name, input.id) : undefined;
    if (byId && (input.slug === undefined || input.slug === byId.slug)) return byId;
    const id = typeof input.slug === 'string' ? this.desk.idBy(name, 'slug', input.slug) : undefined;
    return id === undefined ? undefined : this.desk.source(name, id);
  }

  /** Makes a record, or brings the one that is there up to date. */
  take(name: ResourceName, given: Input): void {
    const input = this.#linked(name, given);
    const label = labelOf(name, input);
    const before = this.same(name, input);
    const id = before ? before.id : this.desk[name].add(this.#withoutLater(name, input));
    if (typeof given.id === 'number' && given.id !== id) this.#moved.set(`${name}:${given.id}`, id);
    if (!before) this.tally.add('created', name, label, id);
    else this.tally.add(this.#update(name, before, this.#withoutLater(name, input, id)) ? 'updated' : 'unchanged', name, label, id);
    this.#wait(name, id, input);
  }

  /** Makes the links that had to wait. */
  finish(): void {
    for (const { name, id, field, to } of this.#later) {
      const target = this.#moved.get(`${name}:${to}`) ?? to;
      const before = this.desk.source(name, id)!;
      if (before[field] === target) continue;
      const { modified, modified_utc } = before;
      this.desk[name].update({ id }, { [field]: target, ...(modified === undefined ? {} : { modified, modified_utc }) });
    }
  }

  #update(name: ResourceName, before: Source, input: Input): boolean {
    const update = completed(resources[name] as Resource, before, { ...input, id: before.id });
    const differs = Object.keys(update).some((key) => JSON.stringify(update[key]) !== JSON.stringify(before[key]));
    return differs && bringUpToDate(this.desk, name, before.id, update);
  }

  #linked(name: ResourceName, given: Input): Input {
    if (!this.#moved.size) return given;
    const input = { ...given };
    for (const [field, to] of Object.entries(references[name])) {
      const value = input[field];
      const moved = (id: unknown) => this.#moved.get(`${to}:${id}`) ?? id;
      if (value !== undefined && to !== 'images') input[field] = Array.isArray(value) ? value.map(moved) : moved(value);
    }
    return input;
  }

  /** An input without the link to what it stands under, where that is not there yet. */
  #withoutLater(name: ResourceName, input: Input, own?: number): Input {
    const field = parentField[name];
    const to = field && Number(input[field]);
    if (!field || !to || (to !== own && this.desk.source(name, to))) return input;
    const { [field]: _, ...rest } = input;
    return rest;
  }

  #wait(name: ResourceName, id: number, input: Input): void {
    const field = parentField[name];
    const to = field && Number(input[field]);
    if (field && to && this.desk.source(name, id)?.[field] !== to) this.#later.push({ name, id, field, to });
  }
}

const parentField: Partial<Record<ResourceName, string>> = { categories: 'parent', events: 'post_parent' };
