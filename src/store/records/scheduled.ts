import type { ResourceName } from '../../model/calendar.ts';
import { resources } from '../../model/resources/all.ts';
import { utcOf } from '../../model/time/datetime.ts';
import type { Database } from '../file/sql.ts';
import { StorageError } from '../file/storage-error.ts';
import { countedBy, recount } from './counts.ts';
import { update } from './queries.ts';
import { namesIn } from './tables.ts';

/** Publishes scheduled records at their publication date. */
export class ScheduledEvents {
  readonly #db: Database;
  /** Publication date of the next scheduled record, in UTC; undefined for none. Valid for `#version`. */
  #next: string | undefined;
  #version = -1;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Publishes every record that is due at a time in epoch milliseconds. Records wait while the disk fails. */
  publishDue(now: number): void {
    try {
      if (this.#version !== this.#db.version) this.#findNext();
      if (this.#next === undefined) return;
      const until = utcOf(now);
      if (this.#next > until) return;
      this.#db.change(() => {
        for (const name of namesIn('post')) this.#publish(name, until);
      });
      this.#findNext();
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
    }
  }

  #publish(name: ResourceName, until: string): void {
    const due = this.#db.all<{ id: number }>(`select id from ${name} where status = 'future' and date_utc <= ?`, until);
    for (const { id } of due) {
      update(this.#db, name, id, { status: 'publish' });
      recount(this.#db, [], countedBy(this.#db, resources[name], id, 'publish'));
    }
  }

  #findNext(): void {
    const first = namesIn('post')
      .map((name) => `select date_utc from ${name} where status = 'future'`)
      .join(' union all ');
    this.#next = this.#db.get<{ next: string | null }>(`select min(date_utc) as next from (${first})`)?.next ?? undefined;
    this.#version = this.#db.version;
  }
}
