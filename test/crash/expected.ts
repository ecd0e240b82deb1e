/** The content of a key, or undefined without records. */
type Value = string | undefined;

/**
 * What must be in a store whose writer was killed. The writer says a line before each change and another once it is acknowledged; each key
 * has one change at a time.
 */
export class Book {
  readonly #sure = new Map<string, Value>();
  readonly #open = new Map<string, Value>();
  acknowledged = 0;

  /** The line to say before a change, and after its acknowledgement. */
  static begin(key: string, value: Value): string {
    return `> ${key} ${value ?? '-'}`;
  }
  static end(key: string): string {
    return `< ${key}`;
  }

  /** Takes down one line of the writer. */
  note(line: string): void {
    const [sign, key = '', value] = line.split(' ');
    if (sign === '>') this.#open.set(key, value === '-' ? undefined : value);
    if (sign !== '<') return;
    this.#sure.set(key, this.#open.get(key));
    this.#open.delete(key);
    this.acknowledged += 1;
  }

  /** Returns the differences from `found`. Then it accepts the outcome of unacknowledged writes. */
  settle(found: ReadonlyMap<string, string>): string[] {
    const wrong: string[] = [];
    for (const key of new Set([...this.#sure.keys(), ...this.#open.keys(), ...found.keys()])) {
      const [is, was] = [found.get(key), this.#sure.get(key)];
      const may = this.#open.has(key) ? [was, this.#open.get(key)] : [was];
      if (!may.includes(is))
        wrong.push(`${key} is ${is ?? 'nothing'}, and should be ${may.map((value) => value ?? 'nothing').join(' or ')}`);
      this.#sure.set(key, is);
    }
    this.#open.clear();
    return wrong;
  }

  /** The keys that hold something for certain, for a writer that goes on with them. */
  keys(): string[] {
    return [...this.#sure].filter(([, value]) => value !== undefined).map(([key]) => key);
  }
}
