import type { Calendar, Entry, Page } from '../../model/calendar.ts';
import { maxPerPage, type Query } from '../../model/fields/list.ts';
import { plusDays } from '../days/day.ts';
import type { Display } from '../days/display.ts';
import { boundsOf } from '../days/fetch.ts';
import { type Span, spanOf } from '../days/span.ts';
import type { EventQuery } from './state.ts';

const maxPages = 100;

/** The events of a query loaded so far, in order. */
export interface LoadedEvents {
  spans: Span[];
  complete: boolean;
  more: boolean;
}

/** Loads events page by page and caches the pages until the query's version changes. */
export class Loader {
  #version = -1;
  #pages = new Map<string, Page>();

  /** `query` filters all events; `renew` is called when the version changes. */
  constructor(
    readonly calendar: Calendar,
    readonly query: Query = {},
    readonly renew: () => Promise<void> = async () => {},
  ) {}

  /** Yields growing results; the last one is complete. */
  async *load(eventQuery: EventQuery, display: Display): AsyncIterable<LoadedEvents> {
    if (eventQuery.version !== this.#version) {
      this.#version = eventQuery.version;
      this.#pages.clear();
      await this.renew();
    }
    const query = { ...this.query, ...listQuery(eventQuery) };
    const entries: Entry[] = [];
    for (let number = 1; ; number++) {
      const page = await this.#page(query, number);
      entries.push(...page.entries);
      const more = number < page.total_pages || page.next_rest_url !== undefined;
      const complete = !more || page.entries.length === 0 || (eventQuery.kind === 'list' && number >= eventQuery.pages);
      yield { spans: spansOf(entries, display), complete, more };
      if (complete) return;
    }
  }

  async #page(query: Query, number: number): Promise<Page> {
    const pageQuery = { ...query, per_page: String(maxPerPage), page: String(number) };
    const key = JSON.stringify(pageQuery);
    const cached = this.#pages.get(key);
    if (cached) return cached;
    const page = await this.calendar.events.list(pageQuery);
    if (this.#pages.size >= maxPages) this.#pages.clear();
    this.#pages.set(key, page);
    return page;
  }
}

function listQuery(eventQuery: EventQuery): Query {
  const search = { ...eventQuery.filters, ...(eventQuery.search ? { search: eventQuery.search } : {}) };
  return eventQuery.kind === 'days'
    ? { ...search, ...boundsOf(eventQuery.from, eventQuery.to) }
    : { ...search, ends_after: plusDays(eventQuery.from, -3) };
}

function spansOf(entries: readonly Entry[], display: Display): Span[] {
  return entries.map((entry) => spanOf(entry, display)).filter((span) => span !== undefined);
}
