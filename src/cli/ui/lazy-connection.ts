import type { Calendar, Collection, ResourceName } from '../../model/calendar.ts';
import { resourceNames } from '../../model/calendar.ts';
import type { Connection } from '../connect/connect.ts';
import type { AccessMode } from '../connect/file.ts';

const patience = 5000;

/**
 * A calendar that is open only while it is read or written, so that other commands can write the file, and a server that
 * comes or goes is noticed. `clock` gives milliseconds.
 */
export class LazyConnection {
  #reader: { connection: Promise<Connection>; since: number } | undefined;

  constructor(
    readonly open: (mode: AccessMode) => Promise<Connection>,
    readonly clock: () => number,
  ) {}

  /** The five collections; each write has its own connection, reads share one for five seconds. */
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

  /** A file is read as it was when it was opened, so a reader is replaced after a while. */
  async #read<T>(work: (calendar: Calendar) => Promise<T>): Promise<T> {
    if (this.#reader && this.clock() - this.#reader.since > patience) await this.close();
    this.#reader ??= { connection: this.open('read'), since: this.clock() };
    const reader = this.#reader;
    try {
      return await work((await reader.connection).calendar);
    } catch (error) {
      // A later read may have opened another one by now, which others are using.
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

  /** Closes the connection for reads. */
  async close(): Promise<void> {
    const reader = this.#reader;
    this.#reader = undefined;
    await reader?.connection.then(
      (connection) => connection.close(),
      () => {},
    );
  }
}
