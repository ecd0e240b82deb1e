import type { ResourceName } from '../../model/calendar.ts';
import type { LocalCalendar } from '../../store/calendar.ts';

/** A record that gets a slug which another record may still have. */
interface SlugMove {
  id: number;
  from: string;
  to: string;
}

/**
 * The only rule for who takes a slug when: yields the steps in which records get their slugs, each when its slug is free. A circle is opened by a temporary slug. A record whose slug stays with
 * one that doesn't move gets none, and keeps its own from those that wait for it. `holderOf` returns the record that has a slug. No two moves have the same `to`.
 */
export function* slugSteps<T extends SlugMove>(
  moves: readonly T[],
  holderOf: (slug: string) => number | undefined,
): Generator<{ move: T; slug: string }> {
  const moving = new Map(moves.map((move) => [move.id, move]));
  const waiting = new Map(moves.map((move) => [move.to, move]));
  for (const move of moves)
    for (let next: T | undefined = move; next && moving.has(next.id); next = waiting.get(next.from)) {
      const holder = holderOf(next.to);
      if (holder === undefined || moving.has(holder)) break;
      moving.delete(next.id);
    }
  const occupied = new Set([...moving.values()].map(({ from }) => from));
  const free = [...moving.values()].filter(({ to }) => !occupied.has(to));
  while (moving.size) {
    const move = free.pop() ?? moving.values().next().value!;
    const isFree = !occupied.has(move.to);
    yield { move, slug: isFree ? move.to : `${move.to}-${move.id}` };
    if (isFree) moving.delete(move.id);
    occupied.delete(move.from);
    const next = waiting.get(move.from);
    if (next && moving.has(next.id)) free.push(next);
  }
}

/** A record that waits for the slug of another record. */
interface WaitingRecord {
  name: ResourceName;
  id: number;
  slug: string;
  /** Counts an update at the end. Created records are already counted. */
  count?(isChanged: boolean): void;
  isChanged: boolean;
}

/** The records that wait for slugs until all records of a source were read. */
export class SlugQueue {
  readonly #waiting = new Map<string, WaitingRecord>();

  /** Returns false if another record already waits for the slug. */
  add(waiting: WaitingRecord): boolean {
    const key = keyOf(waiting.name, waiting.slug);
    if (this.#waiting.has(key)) return false;
    this.#waiting.set(key, waiting);
    return true;
  }

  /** Assigns the slugs that became free, and those that records exchange, and counts the updates. Returns the records that got theirs, and the others. */
  assign(local: LocalCalendar): { assigned: WaitingRecord[]; left: WaitingRecord[] } {
    const all = [...this.#waiting.values()];
    this.#waiting.clear();
    const assigned = new Set<WaitingRecord>();
    for (const name of new Set(all.map((each) => each.name))) {
      const moves = all
        .filter((each) => each.name === name && local.has(name, each.id))
        .map((record) => ({ record, id: record.id, from: String(local.source(name, record.id)!.slug), to: record.slug }));
      const isOpen = ({ from, to }: SlugMove) => from !== to;
      for (const { move, slug } of slugSteps(moves.filter(isOpen), (slug) => local.idBy(name, 'slug', slug))) {
        rename(local, name, move.id, slug);
        if (slug === move.to) assigned.add(move.record);
      }
      for (const move of moves) if (!isOpen(move)) assigned.add(move.record);
    }
    for (const record of all) record.count?.(record.isChanged || assigned.has(record));
    return { assigned: [...assigned], left: all.filter((record) => !assigned.has(record)) };
  }
}

function rename(local: LocalCalendar, name: ResourceName, id: number, slug: string): void {
  const { modified, modified_utc } = local.source(name, id)!;
  local[name].update({ id }, { slug, ...(modified === undefined ? {} : { modified, modified_utc }) });
}

const keyOf = (name: ResourceName, value: string | number) => `${name}:${value}`;
