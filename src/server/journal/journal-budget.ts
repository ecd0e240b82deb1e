/** A journal that can drop its oldest entry. */
interface Droppable {
  readonly bytes: number;
  dropFirst(): void;
}

/** Maximum size of all entries of the journals of a server. */
export const maxTotalBytes = 64 << 20;

/** The memory that the journals of a server share. */
export class JournalBudget {
  readonly #journals = new Set<Droppable>();
  #bytes = 0;

  join(journal: Droppable): void {
    this.#journals.add(journal);
  }

  leave(journal: Droppable): void {
    this.#journals.delete(journal);
  }

  /** Counts bytes that a journal keeps; negative for dropped ones. */
  count(bytes: number): void {
    this.#bytes += bytes;
  }

  /** Drops the oldest entries of the largest journals until all fit. */
  fit(): void {
    while (this.#bytes > maxTotalBytes) {
      let largest: Droppable | undefined;
      for (const each of this.#journals) if (!largest || each.bytes > largest.bytes) largest = each;
      const before = this.#bytes;
      largest?.dropFirst();
      if (this.#bytes === before) return;
    }
  }
}
