import type { Input, ResourceName } from '../../model/calendar.ts';
import type { LocalCalendar } from '../../store/calendar.ts';
import { labelOf } from '../record.ts';
import { hashOf } from './source.ts';

/** How a record of a file is known in this calendar. */
export interface KnownRecord {
  /** The record that it is; undefined when it is new. */
  id?: number;
  /** What it is known by from now on, where it has no UID. */
  mark?: string;
  /** Whether an earlier record of the same file has its UID. */
  isRepeated?: boolean;
}

/**
 * Tells which records of this calendar the records of one file are: by UID; those without one by a mark that an earlier import left, or as a copy of one of this
 * calendar's own. Numbers and names alone identify nothing. Terms, which have no UIDs, are known by their slugs.
 */
export class Identities {
  readonly #created = new Set<string>();
  readonly #repeats = new Map<string, number>();

  constructor(private readonly local: LocalCalendar) {}

  /** Identifies a record by its input; `key` tells it from others of its file in place of a slug. */
  find(name: ResourceName, input: Input, key = ''): KnownRecord {
    const { local } = this;
    if (name === 'categories' || name === 'tags') return { id: local.idBy(name, 'slug', String(input.slug ?? key)) };
    if (typeof input.uid === 'string' && input.uid !== '') {
      const id = local.idBy(name, 'uid', input.uid) ?? (name === 'events' ? local.idBy('events', 'lineage', input.uid) : undefined);
      return id !== undefined && this.#created.has(`${name}:${id}`) ? { isRepeated: true } : { id };
    }
    const mark = this.#markOf(name, input, key);
    const id = local.marks.find(name, mark) ?? this.#ownRecord(name, input);
    return { id: this.#created.has(`${name}:${id}`) ? undefined : id, mark };
  }

  /** Remembers a record that was created. */
  created(name: ResourceName, id: number, { mark }: KnownRecord): void {
    this.#created.add(`${name}:${id}`);
    if (mark !== undefined) this.local.marks.set(name, mark, id);
  }

  /** What tells a record from others: its name and, of events, when and where they take place; equal ones of a file are numbered. */
  #markOf(name: ResourceName, input: Input, key: string): string {
    const { slug = key, start_date = '', timezone = '', venue = '' } = input;
    const hash = hashOf(JSON.stringify([slug, labelOf(name, input), ...(name === 'events' ? [start_date, timezone, venue] : [])]));
    const repeat = (this.#repeats.get(`${name}:${hash}`) ?? 0) + 1;
    this.#repeats.set(`${name}:${hash}`, repeat);
    return repeat === 1 ? hash : `${hash}#${repeat}`;
  }

  /** The record of this calendar that was written out without its UID: it has the same ID, slug, date of publication and start. */
  #ownRecord(name: ResourceName, input: Input): number | undefined {
    if (typeof input.id !== 'number' || input.slug === undefined || input.date_utc === undefined) return undefined;
    const own = this.local.source(name, input.id);
    const isSame = (field: string) => String(own?.[field] ?? '') === String(input[field] ?? '');
    return own && ['slug', 'date_utc', 'start_date'].every(isSame) ? input.id : undefined;
  }
}
