/*
 * A folded text is words (letters, digits and everything beyond ASCII) with other signs between them. Where a word of a query occurs is
 * known without looking at any text: it occurs inside words alone, so exactly in the texts that have one of the words that hold it.
 */
const word = /[a-z0-9\u0080-\uffff]+/g;

/** Past so many new words, all are joined into one text. */
const mostLoose = 2000;

/** Ascending numbers as the gaps between them: seven bits to a byte, the lowest first, and the eighth where more follow. A byte is enough for most. */
class Posting {
  #bytes = new Uint8Array(4);
  #size = 0;
  #last = 0;

  add(number: number): void {
    if (number === this.#last && this.#size > 0) return;
    if (this.#size + 5 > this.#bytes.length) {
      const grown = new Uint8Array(Math.ceil(this.#bytes.length * 1.5) + 4);
      grown.set(this.#bytes);
      this.#bytes = grown;
    }
    let gap = number - this.#last;
    for (; gap > 127; gap >>>= 7) {
      this.#bytes[this.#size] = (gap & 127) | 128;
      this.#size += 1;
    }
    this.#bytes[this.#size] = gap;
    this.#size += 1;
    this.#last = number;
  }

  get isEmpty(): boolean {
    return this.#size === 0;
  }

  each(call: (number: number) => void): void {
    let number = 0;
    let gap = 0;
    let shift = 0;
    for (let i = 0; i < this.#size; i += 1) {
      const byte = this.#bytes[i]!;
      gap |= (byte & 127) << shift;
      shift += 7;
      if (byte > 127) continue;
      number += gap;
      call(number);
      gap = 0;
      shift = 0;
    }
  }
}

/** Past this many texts of which half are stale, the index is rebuilt without those. */
const leastRebuilt = 1000;

/** The places of events whose text holds a term. */
export interface WordMatches {
  /** Whether these are all of them and no others; else they are too many. */
  exact: boolean;
  /** For each word of the term: calls with the place of each event whose text has a word that holds it. */
  each: ((call: (place: number) => void) => void)[];
}

/** Which words the texts of events hold. A text has a number, and under each word stand the numbers of its texts, ascending. */
export class TextIndex {
  #postings = new Map<string, Posting>();
  /** Words with a line break before and behind each, in one text, and where each begins. */
  #joined = '\n';
  #starts = new Int32Array(0);
  #words: string[] = [];
  /** Which event each text is of; -1 when the event has another text by now. */
  #events: number[] = [];
  readonly #numbers = new Map<number, number>();
  /** Where each text's event stands; -1 for nowhere. */
  #places = new Int32Array(0);
  /** How many texts have their place. */
  #placed = 0;

  /** How many texts are held, stale ones too. */
  get size(): number {
    return this.#events.length;
  }

  /** Takes the text that an event has now; undefined when there is no such event any more. */
  put(event: number, folded: string | undefined): void {
    this.#drop(event);
    if (folded === undefined) return;
    if (this.#events.length > Math.max(leastRebuilt, 2 * this.#numbers.size)) this.#rebuild();
    const number = this.#events.push(event) - 1;
    this.#numbers.set(event, number);
    for (const found of folded.match(word) ?? []) {
      let posting = this.#postings.get(found);
      if (posting === undefined) {
        posting = new Posting();
        this.#postings.set(found, posting);
        this.#words.push(found);
      }
      posting.add(number);
    }
  }

  /** Says where events stand from now on. */
  arrange(placeOf: (event: number) => number | undefined): void {
    this.#places = new Int32Array(Math.ceil(this.#events.length * 1.1) + 1000);
    this.#placed = 0;
    this.#extend(placeOf);
  }

  matches(term: string, placeOf: (event: number) => number | undefined): WordMatches {
    this.#extend(placeOf);
    const runs = [...term.matchAll(word)];
    const each = runs.map((run) => {
      const open = { left: run.index === 0, right: run.index + run[0].length === term.length };
      const postings = this.#holding(run[0], open.left, open.right);
      return (call: (place: number) => void) => {
        for (const posting of postings)
          posting.each((number) => {
            const place = this.#places[number]!;
            if (place >= 0) call(place);
          });
      };
    });
    return { exact: runs.length === 1 && runs[0]![0].length === term.length, each };
  }

  #drop(event: number): void {
    const number = this.#numbers.get(event);
    if (number === undefined) return;
    this.#events[number] = -1;
    if (number < this.#placed) this.#places[number] = -1;
    this.#numbers.delete(event);
  }

  /** Leaves out stale texts, and words that only they had. */
  #rebuild(): void {
    const renumbered = new Int32Array(this.#events.length).fill(-1);
    const live: number[] = [];
    for (const [number, event] of this.#events.entries())
      if (event >= 0) {
        renumbered[number] = live.push(event) - 1;
        this.#numbers.set(event, renumbered[number]!);
      }
    this.#events = live;
    const postings = new Map<string, Posting>();
    for (const [found, old] of this.#postings) {
      const posting = new Posting();
      old.each((number) => {
        if (renumbered[number]! >= 0) posting.add(renumbered[number]!);
      });
      if (!posting.isEmpty) postings.set(found, posting);
    }
    this.#postings = postings;
    this.#words = [...postings.keys()];
    this.#join();
    // Places are asked for anew.
    this.#places = new Int32Array(0);
    this.#placed = 0;
  }

  #extend(placeOf: (event: number) => number | undefined): void {
    if (this.#events.length > this.#places.length) this.arrange(placeOf);
    for (; this.#placed < this.#events.length; this.#placed += 1) this.#places[this.#placed] = placeOf(this.#events[this.#placed]!) ?? -1;
  }

  /** The postings of words that hold a run of letters: anywhere, or at their start or end where the term goes on with another sign. */
  #holding(run: string, left: boolean, right: boolean): Posting[] {
    if (this.#words.length - this.#starts.length > mostLoose) this.#join();
    const found: Posting[] = [];
    const sought = `${left ? '' : '\n'}${run}${right ? '' : '\n'}`;
    const joined = this.#joined;
    for (let at = joined.indexOf(sought); at >= 0; ) {
      const number = this.#wordAt(left ? at : at + 1);
      found.push(this.#postings.get(this.#words[number]!)!);
      const next = this.#starts[number + 1];
      if (next === undefined) break;
      at = joined.indexOf(sought, next - 1);
    }
    for (let i = this.#starts.length; i < this.#words.length; i += 1)
      if (`\n${this.#words[i]}\n`.includes(sought)) found.push(this.#postings.get(this.#words[i]!)!);
    return found;
  }

  #wordAt(offset: number): number {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.#starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #join(): void {
    this.#joined = `\n${this.#words.join('\n')}\n`;
    this.#starts = new Int32Array(this.#words.length);
    let at = 1;
    for (const [i, found] of this.#words.entries()) {
      this.#starts[i] = at;
      at += found.length + 1;
    }
  }
}
