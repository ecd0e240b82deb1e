import type { Calendar, Collection, ResourceName } from '../../model/resource.ts';
import { resourceNames } from '../../model/resource.ts';
import type { Connection, Mode } from '../connect.ts';

const patience = 5000;

/**
 * A calendar that is opened only while something is read or written, so that other commands get their turn at a file, and a server that
 * comes or goes is noticed. `clock` gives milliseconds.
 */
export class Turns {
  #reader: { connection: Promise<Connection>; since: number } | undefined;

  constructor(
    readonly open: (mode: Mode) => Promise<Connection>,
    readonly clock: () => number,
  ) {}

  /** The five collections, each action in a turn of its own. */
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

  /** What is read of a file is as it was when it was opened; after a while it is opened anew. */
  async #read<T>(work: (calendar: Calendar) => Promise<T>): Promise<T> {
    if (this.#reader && this.clock() - this.#reader.since > patience) await this.close();
    this.#reader ??= { connection: this.open('read'), since: this.clock() };
    const { connection } = this.#reader;
    try {
      return await work((await connection).calendar);
    } catch (error) {
      await this.close();
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

  /** Lets go of what is open. */
  async close(): Promise<void> {
    const reader = this.#reader;
    this.#reader = undefined;
    await reader?.connection.then(
      (connection) => connection.close(),
      () => {},
    );
  }
}
