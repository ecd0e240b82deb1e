import { type Calendar, type Collection, type Entry, type Page, type ResourceName, resourceNames } from '../../model/calendar.ts';
import { maxPerPage, type Query } from '../../model/fields/list.ts';
import { plusDays } from '../../model/time/days.ts';
import type { Connection } from '../connect/connect.ts';
import type { AccessMode } from '../connect/file.ts';
import type { Display } from '../days/display.ts';
import { boundsOf } from '../days/range.ts';
import { type Span, spanOf } from '../days/span.ts';
import type { EventQuery } from './state.ts';

const maxPages = 100;

/** The events of a query loaded so far, in order. */
interface LoadedEvents {
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
    // The form of an event needs its texts as they are stored.
    const query = { ...this.query, ...listQuery(eventQuery), context: 'edit' };
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
  if (eventQuery.kind === 'trash') return { ...search, status: 'trash', start_date: '0001-01-01', end_date: '9999-12-31' };
  return eventQuery.kind === 'days'
    ? { ...search, ...boundsOf(eventQuery.from, eventQuery.to) }
    : { ...search, ends_after: plusDays(eventQuery.from, -3) };
}

function spansOf(entries: readonly Entry[], display: Display): Span[] {
  return entries.map((entry) => spanOf(entry, display)).filter((span) => span !== undefined);
}

const maxReaderAgeMs = 5000;

/**
 * A calendar that is opened only to read or write, so that other commands can write the file and a started or stopped server is detected. `clock` returns
 * milliseconds.
 */
export class LazyConnection {
  #reader: { connection: Promise<Connection>; since: number } | undefined;

  constructor(
    readonly open: (mode: AccessMode) => Promise<Connection>,
    readonly clock: () => number,
  ) {}

  /** The collections. Each write opens a connection; reads share one for five seconds. */
  calendar(): Calendar {
    const collection = (name: ResourceName): Collection => ({
      list: (query) => this.#read((calendar) => calendar[name].list(query)),
      get: (ref, query) => this.#read((calendar) => calendar[name].get(ref, query)),
      create: (input) => this.#write((calendar) => calendar[name].create(input)),
      update: (ref, input) => this.#write((calendar) => calendar[name].update(ref, input)),
      delete: (ref) => this.#write((calendar) => calendar[name].delete(ref)),
    });
    return Object.fromEntries(resourceNames.map((name) => [name, collection(name)])) as unknown as Calendar;
  }

  /** An open file shows the state at the time of opening, so the reader is replaced after a while. */
  async #read<T>(work: (calendar: Calendar) => Promise<T>): Promise<T> {
    if (this.#reader && this.clock() - this.#reader.since > maxReaderAgeMs) await this.close();
    this.#reader ??= { connection: this.open('read'), since: this.clock() };
    const reader = this.#reader;
    try {
      return await work((await reader.connection).calendar);
    } catch (error) {
      // Another read may have replaced the reader in the meantime.
      if (this.#reader === reader) await this.close();
      throw error;
    }
  }

  async #write<T>(work: (calendar: Calendar) => Promise<T>): Promise<T> {
    await this.close();
    const connection = await this.open('write');
    try {
      return await work(connection.calendar);
    } finally {
      await connection.close();
    }
  }

  async close(): Promise<void> {
    const reader = this.#reader;
    this.#reader = undefined;
    await reader?.connection.then(
      (connection) => connection.close(),
      () => {},
    );
  }
}
