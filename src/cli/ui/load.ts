import type { Query } from '../../model/filter.ts';
import type { Calendar, Entry, Page } from '../../model/resource.ts';
import { boundsOf } from '../look/between.ts';
import { plusDays } from '../look/day.ts';
import type { Look } from '../look/look.ts';
import { type Span, spanOf } from '../look/span.ts';
import type { Ask } from './state.ts';

const pageSize = 50;
const kept = 100;

/** What has come of what a screen asked for: everything so far, in the order of the list. */
export interface Part {
  spans: Span[];
  complete: boolean;
  more: boolean;
}

/** Loads what screens ask for, page by page, and keeps pages until the version changes. */
export class Loader {
  #version = -1;
  #pages = new Map<string, Page>();

  /** `query` narrows everything that is loaded; `renew` is called before anything is loaded anew. */
  constructor(
    readonly calendar: Calendar,
    readonly query: Query = {},
    readonly renew: () => Promise<void> = async () => {},
  ) {}

  /** Gives part after part, the last one complete. Fails as the calendar does. */
  async *load(ask: Ask, look: Look): AsyncIterable<Part> {
    if (ask.version !== this.#version) {
      this.#version = ask.version;
      this.#pages.clear();
      await this.renew();
    }
    const query = { ...this.query, ...queryOf(ask) };
    const entries: Entry[] = [];
    for (let number = 1; ; number++) {
      const page = await this.#page(query, number);
      entries.push(...page.entries);
      const more = number < page.total_pages || page.next_rest_url !== undefined;
      const complete = !more || page.entries.length === 0 || (ask.kind === 'list' && number >= ask.pages);
      yield { spans: spansOf(entries, look), complete, more };
      if (complete) return;
    }
  }

  async #page(query: Query, number: number): Promise<Page> {
    const asked = { ...query, per_page: String(pageSize), page: String(number) };
    const key = JSON.stringify(asked);
    const known = this.#pages.get(key);
    if (known) return known;
    const page = await this.calendar.events.list(asked);
    if (this.#pages.size >= kept) this.#pages.clear();
    this.#pages.set(key, page);
    return page;
  }
}

function queryOf(ask: Ask): Query {
  const search = ask.search ? { search: ask.search } : {};
  return ask.kind === 'days' ? { ...search, ...boundsOf(ask.from, ask.to) } : { ...search, ends_after: plusDays(ask.from, -3) };
}

function spansOf(entries: readonly Entry[], look: Look): Span[] {
  return entries.map((entry) => spanOf(entry, look)).filter((span) => span !== undefined);
}
