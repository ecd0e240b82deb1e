import type { Calendar, Collection, ResourceName } from '../../model/calendar.ts';
import { resourceNames } from '../../model/calendar.ts';
import type { Connection } from '../connect/connect.ts';
import type { AccessMode } from '../connect/file.ts';

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

  /** Returns the collections. Each write opens a connection; reads share one for five seconds. */
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
