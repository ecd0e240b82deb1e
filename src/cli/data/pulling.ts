import { embedded, eventLinks, inputFrom, isVeiled } from '../../model/copied.ts';
import type { Entry, Input, Page, ResourceName } from '../../model/resource.ts';
import { resources } from '../../model/resources.ts';
import type { Copies } from '../../store/copies.ts';
import type { Desk } from '../../store/open.ts';
import { bringUpToDate, labelOf } from './plant.ts';
import type { Tally } from './tally.ts';

/** The local record that is the same as another calendar's: the copy of it, or one of the same slug that cannot be another. */
export function counterpart(desk: Desk, copies: Copies, name: ResourceName, entry: Entry): number | undefined {
  const copy = copies.ofRemote(name, entry.id);
  if (copy && desk.source(name, copy.local)) return copy.local;
  const slug = String(entry.slug ?? '');
  const id = desk.idBy(name, 'slug', slug);
  if (id === undefined || copies.ofLocal(name, id)) return undefined;
  if (id === entry.id || name !== 'events') return id;
  return desk.source(name, id)?.start_date === entry.start_date ? id : undefined;
}

/** Copies records of another calendar into this one, a page at a time. */
export class Pull {
  /** Categories whose parents were not there yet. */
  readonly #orphans: { id: number; parent: number }[] = [];

  constructor(
    private readonly copies: Copies,
    private readonly tally: Tally,
    /** Only what was changed at this UTC time or later. */
    private readonly since: string,
  ) {}

  take(desk: Desk, name: ResourceName, page: Page): void {
    for (const entry of page.entries) {
      const modified = String(entry.modified_utc ?? '');
      if (modified !== '' && modified < this.since)
        this.tally.add('skipped', name, called(name, entry), this.copies.ofRemote(name, entry.id)?.local);
      else this.#one(desk, name, entry);
    }
  }

  /** Puts categories under parents that came after them. */
  settle(desk: Desk): void {
    for (const { id, parent } of this.#orphans.splice(0)) {
      const local = this.copies.ofRemote('categories', parent)?.local;
      if (local !== undefined) desk.categories.update({ id }, { parent: local });
    }
  }

  /** Copies one record, unless it is here as it was last changed. Answers its ID here. */
  #one(desk: Desk, name: ResourceName, entry: Entry): number | undefined {
    const { copies, tally } = this;
    const modified = String(entry.modified_utc ?? '');
    const copy = copies.ofRemote(name, entry.id);
    const existing = counterpart(desk, copies, name, entry);
    if (existing !== undefined && copy && modified !== '' && copy.modified === modified) {
      tally.add('unchanged', name, called(name, entry), existing);
      return existing;
    }
    if (isVeiled(name, entry) && name !== 'events') {
      tally.add('skipped', name, String(entry.slug ?? entry.id));
      return existing;
    }
    const input = this.#inputOf(desk, name, entry);
    const id = existing ?? desk[name].add({ ...input, id: entry.id });
    const outcome = existing === undefined ? 'created' : bringUpToDate(desk, name, existing, input) ? 'updated' : 'unchanged';
    tally.add(outcome, name, labelOf(name, input), id);
    copies.set(name, { remote: entry.id, local: id, modified });
    if (name === 'categories' && entry.parent && !input.parent) this.#orphans.push({ id, parent: Number(entry.parent) });
    return id;
  }

  #inputOf(desk: Desk, name: ResourceName, entry: Entry): Input {
    const input = inputFrom(name, entry);
    if (input.author !== undefined && desk.users.any && !desk.users.has(Number(input.author))) delete input.author;
    if (name === 'categories') input.parent = entry.parent ? (this.copies.ofRemote(name, Number(entry.parent))?.local ?? 0) : 0;
    if (name !== 'events') return input;
    input.lineage = String((entry.global_id_lineage as unknown[] | undefined)?.at(-1) ?? entry.global_id ?? '');
    if (isVeiled(name, entry)) return input;
    for (const [field, to] of Object.entries(eventLinks)) {
      // The copy of what an event embeds is made here where the lists did not show it.
      const ids = embedded(entry[field]).map((each) => counterpart(desk, this.copies, to, each) ?? this.#one(desk, to, each));
      const known = ids.filter((id) => id !== undefined);
      input[field] = field === 'venue' && !known.length ? 0 : known;
    }
    return input;
  }
}

const called = (name: ResourceName, entry: Entry): string => String(entry[resources[name].label] ?? '');
