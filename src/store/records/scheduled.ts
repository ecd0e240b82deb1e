import type { PostKind } from '../../model/context.ts';
import { utcOf } from '../../model/time/datetime.ts';
import type { Database } from '../file/sql.ts';
import { StorageError } from '../file/storage-error.ts';
import { countedBy, recount } from './counts.ts';
import { update } from './queries.ts';
import { tableOf } from './tables.ts';

const kinds: readonly PostKind[] = ['event', 'venue', 'organizer'];

/** Publishes scheduled records once their date of publication has come. */
export class ScheduledEvents {
  readonly #db: Database;
  /** When the next scheduled record is due, in UTC; undefined for none. Known for one version of the database. */
  #next: string | undefined;
  #version = -1;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Publishes every record that is due at this moment (epoch milliseconds). Costs next to nothing while none is; while the disk fails, they wait. */
  publishDue(now: number): void {
    try {
      if (this.#version !== this.#db.version) this.#look();
      if (this.#next === undefined) return;
      const until = utcOf(now);
      if (this.#next > until) return;
      this.#db.change(() => {
        for (const kind of kinds) this.#publish(kind, until);
      });
      this.#look();
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
    }
  }

  #publish(kind: PostKind, until: string): void {
    const due = this.#db.all<{ id: number }>(`select id from ${tableOf[kind]} where status = 'future' and date_utc <= ?`, until);
    for (const { id } of due) {
      update(this.#db, tableOf[kind], id, { status: 'publish' });
      if (kind === 'event') recount(this.#db, [], countedBy(this.#db, id, 'publish'));
    }
  }

  #look(): void {
    const first = kinds.map((kind) => `select date_utc from ${tableOf[kind]} where status = 'future'`).join(' union all ');
    this.#next = this.#db.get<{ next: string | null }>(`select min(date_utc) as next from (${first})`)?.next ?? undefined;
    this.#version = this.#db.version;
  }
}
