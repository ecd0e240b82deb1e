import { setImmediate as pause } from 'node:timers/promises';
import type { LinkKind } from '../../model/asking.ts';
import type { Arrangement } from '../../model/filter.ts';
import { resources } from '../../model/resources.ts';
import type { Database } from '../database.ts';
import { below } from '../list.ts';
import { linkTables } from '../schema.ts';
import { clauseOf } from '../where.ts';
import { type Changes, placeOf } from './changes.ts';
import { byStart, Columns, type Known, type Search } from './columns.ts';
import { Gathered } from './gathered.ts';
import { type KeyKind, keyOf, type Plan, planOf, type Range, stampOf, statusKey } from './plan.ts';
import { Words } from './words.ts';

/** An event that was written since the columns were read. */
interface Fresh extends Known {
  folded: string;
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
/** Milliseconds that a search gives to the reading of words, while SQL has to look through all texts instead. */
const patience = 50;
/** So many events that only SQL can judge are asked for one by one; for more SQL looks at all. */
const mostJudged = 5000;

/**
 * What lists of events are found by, in memory: columns in the order of lists, read in the background, and beside them the events that were
 * written since, until there are so many that the columns are read anew. Hidden events are not in it, for no list shows them.
 */
export class EventIndex {
  readonly #db: Database;
  readonly #changes: Changes;
  #columns: Columns | undefined;
  /** Written since the columns were read; undefined for those that no list shows any more. */
  #fresh = new Map<number, Fresh>();
  /** Written, but not read again yet. */
  #stale = new Set<number>();
  #words: Words | undefined;
  #wordsReading: Generator<void> | undefined;
  #wordsRead = false;
  /** Written since their words were read. */
  #unread = new Set<number>();
  /** Written since the reading under way began. */
  #meanwhile: Set<number> | undefined;
  #reading: Promise<void> | undefined;
  #seen = 0;
  /** Whether a date has a form that the index cannot order. */
  #odd = false;
  readonly #under = new Map<string, number[]>();
  #underAt = 0;

  constructor(db: Database, changes: Changes) {
    this.#db = db;
    this.#changes = changes;
    changes.onTouch((table, id) => {
      if (table !== events) return;
      if (this.#columns) this.#stale.add(id);
      this.#meanwhile?.add(id);
      if (this.#words) this.#unread.add(id);
    });
  }

  /** Begins to read the events, unless that is done or under way. Resolves when it is done. */
  read(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #read(): Promise<void> {
    this.#meanwhile = new Set();
    const seen = this.#changes.replaced;
    try {
      const found = await this.#gathered();
      await this.#readWords([...this.#unread]);
      if (seen !== this.#changes.replaced) return;
      this.#columns = new Columns(found);
      this.#seen = seen;
      this.#fresh = new Map();
      this.#stale = this.#meanwhile;
      this.#words?.arrange(this.#columns.placeOf);
    } catch {
      // The store was closed or has failed meanwhile: SQL goes on answering, or says why it cannot.
    } finally {
      this.#meanwhile = undefined;
    }
  }

  /** The IDs of a page and how many there are in all; undefined while the index cannot tell. */
  find({ where, page, perPage }: Arrangement): { ids: number[]; total: number } | undefined {
    const columns = this.#current();
    if (columns === undefined) return undefined;
    const plan = planOf(where, (ids) => this.#below(ids));
    if (plan.needles.length > 0 && !this.#wordsReady()) return undefined;
    const search = columns.among(plan.start_date);
    for (const { any, is } of plan.keys) search.keep(any, is);
    search.keepEnds(plan.end_date);
    let fresh = [...this.#fresh.values()].filter((event) => suits(event, plan));
    const doubtful = this.#keepNeedles(search, plan);
    if (plan.rest.length > 0 || doubtful) {
      const judged = this.#judged(search, fresh, doubtful ? where : plan.rest);
      if (judged === undefined) return undefined;
      search.keepPlaces(true, (add) => {
        for (const id of judged) {
          const place = columns.placeOf(id);
          if (place !== undefined) add(place);
        }
      });
      fresh = fresh.filter(({ id }) => judged.has(id));
    }
    fresh.sort(byStart);
    return { ids: search.page((page - 1) * perPage, perPage, fresh), total: search.count + fresh.length };
  }

  /** The columns with everything that was written since taken into account. */
  #current(): Columns | undefined {
    if (this.#seen !== this.#changes.replaced) {
      this.#columns = undefined;
      this.#words = undefined;
      this.#wordsRead = false;
      this.#unread.clear();
      this.#odd = false;
    }
    const columns = this.#columns;
    const most = Math.max(1000, (columns?.size ?? 0) / 20);
    if (columns === undefined || this.#stale.size + this.#fresh.size > most) void this.read();
    if (columns === undefined || this.#odd) return undefined;
    if (this.#stale.size > 2 * most) {
      this.#columns = undefined;
      return undefined;
    }
    if (this.#stale.size > 0) this.#refresh(columns);
    return this.#odd ? undefined : columns;
  }

  #refresh(columns: Columns): void {
    const ids = JSON.stringify([...this.#stale]);
    for (const id of this.#stale) {
      columns.drop(id);
      this.#fresh.delete(id);
    }
    this.#stale.clear();
    const sql = `select ${read}, folded from events where id in (select value from json_each(?)) and hide_from_listings = 0`;
    for (const row of this.#db.all<EventRow>(sql, ids)) {
      const keys = (kind: LinkKind) => {
        const { table, column } = linkTables[kind];
        return this.#db
          .all<{ id: number }>(`select ${column} as id from ${table} where event_id = ?`, row.id)
          .map(({ id }) => keyOf(kind, id));
      };
      this.#fresh.set(row.id, { ...this.#knownOf(row), folded: row.folded, keys: [...keysOf(row), ...linkKinds.flatMap(keys)] });
    }
  }

  async #gathered(): Promise<Gathered> {
    const gathered = new Gathered();
    for (let last = 0; ; ) {
      const rows = this.#db.all<EventRow>(
        `select ${read} from events where id > ? and hide_from_listings = 0 order by id limit ${slice}`,
        last,
      );
      const places = new Map(rows.map((row) => [row.id, gathered.add(this.#knownOf(row))]));
      const end = rows.at(-1)?.id ?? last;
      for (const kind of linkKinds) {
        const { table, column } = linkTables[kind];
        for (const { event_id, id } of this.#db.all<{ event_id: number; id: number }>(
          `select event_id, ${column} as id from ${table} where event_id > ? and event_id <= ?`,
          last,
          end,
        )) {
          const place = places.get(event_id);
          if (place !== undefined) gathered.key(place, keyOf(kind, id));
        }
      }
      if (rows.length < slice) return gathered;
      last = end;
      await pause();
    }
  }

  #knownOf(row: EventRow): Known {
    const [start_date, end_date, date] = [stampOf(row.start_date), stampOf(row.end_date), stampOf(row.date)];
    if (start_date === undefined || end_date === undefined || date === undefined) this.#odd = true;
    return { id: row.id, start_date: start_date ?? 0, end_date: end_date ?? 0, date: date ?? 0, keys: keysOf(row) };
  }

  /** Whether texts can be searched; else begins to read their words, or goes on with it, so that a stream of searches does not keep it from ending. */
  #wordsReady(): boolean {
    if (this.#wordsRead) return true;
    if (this.#words === undefined) {
      this.#words = new Words();
      this.#unread.clear();
      const reading = this.#wordsInto(this.#words);
      this.#wordsReading = reading;
      void (async () => {
        while (!reading.next().done) await pause();
      })().catch(() => {});
    } else for (const end = performance.now() + patience; performance.now() < end && !this.#wordsReading?.next().done; );
    return this.#wordsRead;
  }

  *#wordsInto(words: Words): Generator<void> {
    for (let last = 0; this.#words === words; yield) {
      const rows = this.#db.all<{ id: number; folded: string }>(
        `select id, folded from events where id > ? order by id limit ${slice / 4}`,
        last,
      );
      for (const { id, folded } of rows) if (!this.#unread.has(id)) words.put(id, folded);
      if (rows.length < slice / 4) break;
      last = rows.at(-1)!.id;
    }
    if (this.#words !== words) return;
    if (this.#columns) words.arrange(this.#columns.placeOf);
    this.#wordsRead = true;
  }

  async #readWords(ids: readonly number[]): Promise<void> {
    const words = this.#words;
    for (let i = 0; words && i < ids.length; i += slice / 4) {
      const some = ids.slice(i, i + slice / 4);
      const texts = new Map(
        this.#db
          .all<{ id: number; folded: string }>(
            'select id, folded from events where id in (select value from json_each(?))',
            JSON.stringify(some),
          )
          .map(({ id, folded }) => [id, folded]),
      );
      for (const id of some) {
        words.put(id, texts.get(id));
        this.#unread.delete(id);
      }
      await pause();
    }
  }

  /** Leaves events whose texts hold the needles, as far as words tell; true when that is only nearly so. */
  #keepNeedles(search: Search, { needles }: Plan): boolean {
    let doubtful = false;
    for (const { text, is } of needles) {
      const { exact, each } = this.#words!.places(text, this.#columns!.placeOf);
      if (exact || is) for (const places of each) search.keepPlaces(is, places);
      doubtful ||= !exact;
    }
    return doubtful;
  }

  /** Which of the events that are left satisfy conditions in SQL. */
  #judged(search: Search, fresh: readonly Known[], conditions: Arrangement['where']): Set<number> | undefined {
    if (search.count > mostJudged) return undefined;
    const ids = [...search.ids(), ...fresh.map(({ id }) => id)];
    const clauses = conditions.map((condition) => clauseOf(condition, resources.events, (ids) => this.#below(ids)));
    const sql = `select events.id from json_each(?) cross join events on events.id = value where ${clauses.map((clause) => clause.sql).join(' and ')}`;
    return new Set(
      this.#db.all<{ id: number }>(sql, JSON.stringify(ids), ...clauses.flatMap((clause) => clause.params)).map(({ id }) => id),
    );
  }

  #below(ids: number[]): number[] {
    const at = this.#changes.ofTable(categories);
    if (this.#underAt !== at || this.#under.size > 1000) {
      this.#under.clear();
      this.#underAt = at;
    }
    const name = ids.join();
    let found = this.#under.get(name);
    if (found === undefined) {
      found = below(this.#db, ids);
      this.#under.set(name, found);
    }
    return found;
  }
}

const linkKinds = ['venue', 'organizer', 'category', 'tag'] as const satisfies readonly (LinkKind & KeyKind)[];

const keysOf = (row: EventRow): number[] => [
  statusKey(row.status),
  keyOf('featured', row.featured),
  keyOf('ticketed', row.ticketed),
  ...(row.open ? [keyOf('open', 1)] : []),
];

const within = (value: number, { least, most }: Range) => value >= least && value <= most;

/** Whether an event that was written lately satisfies a plan, but for what only SQL can tell. */
const suits = (event: Fresh, { start_date, end_date, keys, needles }: Plan): boolean =>
  within(event.start_date, start_date) &&
  within(event.end_date, end_date) &&
  keys.every(({ any, is }) => any.some((key) => event.keys.includes(key)) === is) &&
  needles.every(({ text, is }) => event.folded.includes(text) === is);
