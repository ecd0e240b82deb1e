import { setImmediate as pause } from 'node:timers/promises';
import type { LinkKind } from '../../model/context.ts';
import type { ListQuery } from '../../model/fields/condition.ts';
import { resources } from '../../model/resources/all.ts';
import type { Database } from '../file/sql.ts';
import type { Param } from '../file/sqlite.ts';
import { below } from '../records/list.ts';
import { linkKinds, linkTables } from '../records/tables.ts';
import { clauseOf } from '../records/where.ts';
import { type ChangeTracker, placeOf } from './change-tracker.ts';
import { ColumnBuilder, EventColumns, type IndexedEvent } from './columns.ts';
import { EventWords } from './event-words.ts';
import { type Interval, keyOf, type Plan, planOf, stampOf, statusKey } from './index-plan.ts';
import { Search } from './search.ts';

/** An event that is not in the columns. */
interface LooseEvent extends IndexedEvent {
  row: EventRow;
}

/** An index as it was at one moment, for calendars that begin as the one it is of was then. */
export interface BuiltIndex {
  readonly columns: EventColumns;
  readonly loose: ReadonlyMap<number, LooseEvent>;
  readonly odd: number;
}

type EventRow = {
  id: number;
  start_date: string;
  end_date: string;
  date: string;
  status: string;
  featured: number;
  ticketed: number;
  open: number;
  folded: string;
};
const read = "id, start_date, end_date, date, status, featured, ticketed, post_password = '' as open";
const events = placeOf('events');
const categories = placeOf('categories');

/** Events read in one go; between two, requests are answered. */
const slice = 1000;
/** So many events that only SQL can judge are asked for one by one; for more SQL looks at all. */
const mostJudged = 5000;
/** Lists of categories below others that are held. */
const mostTrees = 1000;

/**
 * Finds lists of events in memory: in columns in the order of lists, read in the background, and in loose events beside them: those
 * written since, until there are so many that the columns are read anew, and those with a date that no column can order, such as one past
 * the year 9999. Hidden events are not in it, for no list shows them.
 *
 * At 10,000 events a page and its count take 0.01 to 0.06 ms here. In SQL they take 0.6 to 3 ms with the index `events_listed`, 5 ms by
 * category and 50 ms by words of a text, which no index of SQLite knows; at 100,000 events ten times that.
 */
export class EventIndex {
  readonly #db: Database;
  readonly #changes: ChangeTracker;
  readonly #words: EventWords;
  #columns: EventColumns | undefined;
  #loose = new Map<number, LooseEvent>();
  /** Written, but not read again yet. */
  #stale = new Set<number>();
  /** How many events no column could order when they were read. */
  #odd = 0;
  /** Written since the reading under way began. */
  #meanwhile: Set<number> | undefined;
  #reading: Promise<void> | undefined;
  /** When everything had last changed before the columns were read. */
  #replaced = 0;
  readonly #trees = new Map<string, number[]>();
  #treesAt = 0;

  constructor(db: Database, changes: ChangeTracker) {
    this.#db = db;
    this.#changes = changes;
    this.#words = new EventWords(db);
    changes.onChange((table, id) => {
      if (table !== events) return;
      if (this.#columns) this.#stale.add(id);
      this.#meanwhile?.add(id);
      this.#words.changed(id);
    });
  }

  /** What was built of the events as they are now, between two changes; undefined while they are being read. */
  built(): BuiltIndex | undefined {
    const columns = this.#current();
    if (columns === undefined) return undefined;
    // Every list of everybody who takes this over would look at each of them.
    if (this.#loose.size - this.#odd > Math.max(100, columns.size / 20)) void this.read();
    return { columns: columns.copy(), loose: new Map(this.#loose), odd: this.#odd };
  }

  /** Takes over what was built of these very events, instead of reading them. */
  take({ columns, loose, odd }: BuiltIndex): void {
    this.#columns = columns.copy();
    this.#loose = new Map(loose);
    this.#odd = odd;
    this.#stale.clear();
    this.#replaced = this.#changes.replaced;
    this.#words.clear();
  }

  /** Begins to read the events, unless that is under way. Resolves when it is done. */
  read(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #read(): Promise<void> {
    this.#meanwhile = new Set();
    const { replaced } = this.#changes;
    try {
      const { builder, odd } = await this.#collect();
      await this.#words.catchUp();
      if (replaced !== this.#changes.replaced) return;
      this.#columns = EventColumns.of(builder);
      this.#replaced = replaced;
      this.#loose = new Map();
      this.#odd = odd.length;
      this.#stale = new Set([...odd, ...this.#meanwhile]);
      this.#words.arrange(this.#columns.placeOf);
    } catch {
      // The store was closed or has failed meanwhile: SQL goes on answering, or says why it cannot.
    } finally {
      this.#meanwhile = undefined;
    }
  }

  /** The IDs of a page and how many there are in all; undefined while the index cannot tell. */
  find({ where, page, perPage }: ListQuery): { ids: number[]; total: number } | undefined {
    const columns = this.#current();
    if (columns === undefined) return undefined;
    const plan = planOf(where, (ids) => this.#below(ids));
    if (plan.terms.length > 0 && !this.#words.isReady()) return undefined;
    const search = new Search(columns, plan.start_date);
    for (const { any, is } of plan.keys) search.keep(any, is);
    search.keepEnds(plan.end_date);
    let loose = [...this.#loose.values()].filter((event) => suits(event, plan));
    const doubtful = this.#keepTerms(search, columns, plan);
    if (plan.residual.length > 0 || doubtful) {
      const judged = this.#judged(search, loose, doubtful ? where : plan.residual);
      if (judged === undefined) return undefined;
      search.keepPlaces(true, (add) => {
        for (const id of judged) {
          const place = columns.placeOf(id);
          if (place !== undefined) add(place);
        }
      });
      loose = loose.filter(({ id }) => judged.has(id));
    }
    loose.sort(inListOrder);
    return { ids: search.page((page - 1) * perPage, perPage, loose), total: search.count + loose.length };
  }

  /** The columns with everything that was written since taken into account. */
  #current(): EventColumns | undefined {
    if (this.#replaced !== this.#changes.replaced) {
      this.#columns = undefined;
      this.#words.clear();
    }
    const columns = this.#columns;
    const most = Math.max(1000, (columns?.size ?? 0) / 20) + this.#odd;
    if (columns === undefined || this.#stale.size + this.#loose.size > most) void this.read();
    if (columns === undefined) return undefined;
    if (this.#stale.size > 2 * most) {
      this.#columns = undefined;
      return undefined;
    }
    if (this.#stale.size > 0) this.#refresh(columns);
    return columns;
  }

  #refresh(columns: EventColumns): void {
    const ids = JSON.stringify([...this.#stale]);
    for (const id of this.#stale) {
      columns.drop(id);
      this.#loose.delete(id);
    }
    this.#stale.clear();
    // The plus keeps SQLite from going through all events that are not hidden, by an index that begins with that.
    const sql = `select ${read}, folded from events where id in (select value from json_each(?)) and +hide_from_listings = 0`;
    for (const row of this.#db.all<EventRow>(sql, ids)) this.#loose.set(row.id, { ...indexed(row), row });
    for (const kind of linkKinds)
      this.#eachLink(kind, 'in (select value from json_each(?))', [ids], (event, key) => this.#loose.get(event)?.keys.push(key));
  }

  /** Reads all events but those that no column can order, whose IDs it answers too. */
  async #collect(): Promise<{ builder: ColumnBuilder; odd: number[] }> {
    const builder = new ColumnBuilder();
    const odd: number[] = [];
    for (let last = 0; ; ) {
      const sql = `select ${read} from events where id > ? and hide_from_listings = 0 order by id limit ${slice}`;
      const rows = this.#db.all<EventRow>(sql, last);
      const places = new Map<number, number>();
      for (const row of rows) {
        const event = indexed(row);
        if (hasPlace(event)) places.set(row.id, builder.add(event));
        else odd.push(row.id);
      }
      const end = rows.at(-1)?.id ?? last;
      for (const kind of linkKinds)
        this.#eachLink(kind, 'between ? + 1 and ?', [last, end], (event, key) => {
          const place = places.get(event);
          if (place !== undefined) builder.key(place, key);
        });
      if (rows.length < slice) return { builder, odd };
      last = end;
      await pause();
    }
  }

  /** Calls with the key of each link of the events whose ID is such a one. */
  #eachLink(kind: LinkKind, suchAs: string, params: readonly Param[], call: (event: number, key: number) => void): void {
    const { table, column } = linkTables[kind];
    const sql = `select event_id, ${column} as id from ${table} where event_id ${suchAs}`;
    for (const { event_id, id } of this.#db.all<{ event_id: number; id: number }>(sql, ...params)) call(event_id, keyOf(kind, id));
  }

  /** Keeps the events whose texts hold the terms, as far as words tell; true when that is only nearly so. */
  #keepTerms(search: Search, columns: EventColumns, { terms }: Plan): boolean {
    let doubtful = false;
    for (const { text, is } of terms) {
      const { exact, each } = this.#words.matches(text, columns.placeOf);
      if (exact || is) for (const places of each) search.keepPlaces(is, places);
      doubtful ||= !exact;
    }
    return doubtful;
  }

  /** Which of the events that are left satisfy conditions in SQL; undefined when there are too many. */
  #judged(search: Search, loose: readonly IndexedEvent[], conditions: ListQuery['where']): Set<number> | undefined {
    if (search.count > mostJudged) return undefined;
    const ids = [...search.ids(), ...loose.map(({ id }) => id)];
    const clauses = conditions.map((condition) => clauseOf(condition, resources.events, (ids) => this.#below(ids)));
    const sql = `select events.id from json_each(?) cross join events on events.id = value where ${clauses.map((clause) => clause.sql).join(' and ')}`;
    const params = clauses.flatMap((clause) => clause.params);
    return new Set(this.#db.all<{ id: number }>(sql, JSON.stringify(ids), ...params).map(({ id }) => id));
  }

  #below(ids: number[]): number[] {
    const at = this.#changes.lastChangeIn(categories);
    if (this.#treesAt !== at || this.#trees.size > mostTrees) {
      this.#trees.clear();
      this.#treesAt = at;
    }
    const name = ids.join();
    let found = this.#trees.get(name);
    if (found === undefined) {
      found = below(this.#db, ids);
      this.#trees.set(name, found);
    }
    return found;
  }
}

const indexed = (row: EventRow): IndexedEvent => ({
  id: row.id,
  start_date: stampOf(row.start_date),
  end_date: stampOf(row.end_date),
  date: stampOf(row.date),
  keys: [statusKey(row.status), keyOf('featured', row.featured), keyOf('ticketed', row.ticketed), ...(row.open ? [keyOf('open', 1)] : [])],
});

/** Whether columns can order an event: two dates of another form than the usual may have the same stamp. */
const hasPlace = ({ start_date, end_date, date }: IndexedEvent): boolean =>
  Number.isInteger(start_date) && Number.isInteger(end_date) && Number.isInteger(date);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The order of lists of events. */
const inListOrder = ({ row: a }: LooseEvent, { row: b }: LooseEvent): number =>
  compare(a.start_date, b.start_date) || compare(a.date, b.date) || a.id - b.id;

const within = (value: number, { least, most }: Interval) => value >= least && value <= most;

/** Whether a loose event satisfies a plan, apart from its residual conditions. */
const suits = (event: LooseEvent, { start_date, end_date, keys, terms }: Plan): boolean =>
  within(event.start_date, start_date) &&
  within(event.end_date, end_date) &&
  keys.every(({ any, is }) => any.some((key) => event.keys.includes(key)) === is) &&
  terms.every(({ text, is }) => event.row.folded.includes(text) === is);
