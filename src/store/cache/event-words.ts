import { setImmediate as pause } from 'node:timers/promises';
import type { Database } from '../file/sql.ts';
import { TextIndex, type WordMatches } from './text-index.ts';

/** Texts read in one go; between two, requests are answered. */
const slice = 250;
/** Milliseconds that a search gives to the reading of texts, while SQL has to look through all of them instead. */
const patience = 50;

/** The words of all events' texts, read when they are first asked for. */
export class EventWords {
  readonly #db: Database;
  /** Undefined until words are asked for. */
  #index: TextIndex | undefined;
  #reading: Generator<void> | undefined;
  #complete = false;
  /** Events that were written since their text was read. */
  #unread = new Set<number>();

  constructor(db: Database) {
    this.#db = db;
  }

  /** An event was written. */
  changed(event: number): void {
    if (this.#index) this.#unread.add(event);
  }

  /** Forgets all words. */
  clear(): void {
    this.#index = undefined;
    this.#complete = false;
    this.#unread.clear();
  }

  /** Whether texts can be searched. Else begins to read them, or goes on with it, so that a stream of searches does not keep it from ending. */
  isReady(): boolean {
    if (this.#complete) return true;
    if (this.#index === undefined) {
      this.#index = new TextIndex();
      this.#unread.clear();
      const reading = this.#readInto(this.#index);
      this.#reading = reading;
      void (async () => {
        while (!reading.next().done) await pause();
      })().catch(() => {});
    } else for (const end = performance.now() + patience; performance.now() < end && !this.#reading?.next().done; );
    return this.#complete;
  }

  /** The places of events whose text holds a term, as far as words tell, of those that were not written since. */
  matches(term: string, placeOf: (event: number) => number | undefined): WordMatches {
    return this.#index!.matches(term, placeOf);
  }

  /** Reads the texts of events that were written. */
  async catchUp(): Promise<void> {
    const index = this.#index;
    const events = [...this.#unread];
    for (let i = 0; index && i < events.length; i += slice) {
      const some = events.slice(i, i + slice);
      const sql = 'select id, folded from events where id in (select value from json_each(?))';
      const rows = this.#db.all<{ id: number; folded: string }>(sql, JSON.stringify(some));
      const texts = new Map(rows.map(({ id, folded }) => [id, folded]));
      for (const id of some) {
        index.put(id, texts.get(id));
        this.#unread.delete(id);
      }
      await pause();
    }
  }

  /** Says where events stand from now on. */
  arrange(placeOf: (event: number) => number | undefined): void {
    this.#index?.arrange(placeOf);
  }

  *#readInto(index: TextIndex): Generator<void> {
    for (let last = 0; this.#index === index; yield) {
      const rows = this.#db.all<{ id: number; folded: string }>(
        `select id, folded from events where id > ? order by id limit ${slice}`,
        last,
      );
      for (const { id, folded } of rows) if (!this.#unread.has(id)) index.put(id, folded);
      if (rows.length < slice) {
        this.#complete = true;
        return;
      }
      last = rows.at(-1)!.id;
    }
  }
}
