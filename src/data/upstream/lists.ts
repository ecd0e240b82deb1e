import type { Page, ResourceName } from '../../model/calendar.ts';
import type { Query } from '../../model/fields/list.ts';
import type { CompleteList } from './site-copy.ts';

/** Maximum number of lists whose pages are collected at the same time. */
const maxLists = 100;
/** Time within which the pages of a list have to be read, in ms. */
const maxSpanMs = 300_000;

interface OpenList {
  total: number;
  pages: number;
  seen: Map<number, number[]>;
  startedMs: number;
}

/** Collects the pages of lists until these are complete. */
export class ListPages {
  readonly #open = new Map<string, OpenList>();

  /** Adds a page. Returns the list if all its pages are known now and agree on the total. */
  add(resource: ResourceName, query: Query, { entries, total, total_pages, rest_url }: Page, nowMs: number): CompleteList | undefined {
    const { page = '1', ...rest } = Object.fromEntries(Object.entries(query).filter(([name]) => !name.startsWith('_')));
    const key = JSON.stringify([resource, Object.entries(rest).toSorted()]);
    const before = this.#open.get(key);
    const isSame = before?.total === total && before.pages === total_pages && nowMs - before.startedMs < maxSpanMs;
    const list = isSame ? before : { total, pages: total_pages, seen: new Map<number, number[]>(), startedMs: nowMs };
    list.seen.set(
      Number(page),
      entries.map(({ id }) => id),
    );
    this.#open.delete(key);
    const ids = new Set([...list.seen.values()].flat());
    if (list.seen.size >= total_pages && ids.size === total)
      return { resource, query: rest, ids, asOf: new Date(list.startedMs).toISOString(), dates: datesIn(rest_url) };
    this.#open.set(key, list);
    if (this.#open.size > maxLists) this.#open.delete(this.#open.keys().next().value!);
    return undefined;
  }
}

/** Returns the dates in the address of a page, which the site applied. */
function datesIn(address: string): CompleteList['dates'] {
  if (!URL.canParse(address)) return undefined;
  const { searchParams } = new URL(address);
  const date = (name: string) => {
    const text = searchParams.get(name);
    return text !== null && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text) ? text : undefined;
  };
  return { from: date('start_date'), until: date('end_date') };
}
