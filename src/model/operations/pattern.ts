/** Stands for any text, also for none. */
export const anything = 0;
/** Stands for one part of a path: any text without a slash, but not for none. */
export const onePart = 1;

/**
 * A text in which some parts stand for others. Its time grows with the lengths of the pattern and of the text alone, where a regular expression would try
 * every way to share a text out among wildcards.
 */
export class Pattern {
  readonly #parts: readonly (string | typeof anything | typeof onePart)[];
  /** Without {@link onePart} what is met first is as good as what is met later. */
  readonly #firstIsEnough: boolean;

  constructor(parts: readonly (string | typeof anything | typeof onePart)[]) {
    this.#parts = parts.filter((part) => part !== '');
    this.#firstIsEnough = !parts.includes(onePart);
  }

  /** Whether it stands for a whole text. */
  test(text: string): boolean {
    /** Where the parts so far can end in the text, ascending; if `open`, anywhere from the first of these on. */
    let ends = [0];
    let open = false;
    for (const [i, part] of this.#parts.entries()) {
      if (part === anything) open = true;
      else {
        if (part === onePart) ends = afterPart(text, ends, open);
        else if (!open) ends = ends.flatMap((end) => (text.startsWith(part, end) ? [end + part.length] : []));
        else if (i === this.#parts.length - 1) ends = text.length - part.length >= ends[0]! && text.endsWith(part) ? [text.length] : [];
        else ends = afterText(text, part, ends[0]!, this.#firstIsEnough);
        open = false;
      }
      if (ends.length === 0) return false;
    }
    return open || ends.at(-1) === text.length;
  }
}

/** Where a literal ends that begins anywhere from a place on. */
function afterText(text: string, literal: string, from: number, firstIsEnough: boolean): number[] {
  const ends: number[] = [];
  for (let at = text.indexOf(literal, from); at >= 0; at = text.indexOf(literal, at + 1)) {
    ends.push(at + literal.length);
    if (firstIsEnough) break;
  }
  return ends;
}

/** Where one part of a path can end that begins at one of some places, or, if `open`, anywhere from the first of these on. */
function afterPart(text: string, starts: readonly number[], open: boolean): number[] {
  const ends: number[] = [];
  let seen = 0;
  for (const start of open ? starts.slice(0, 1) : starts) {
    // What begins before that ends where something else did.
    if (start < seen) continue;
    for (let at = start; at < text.length; at++) {
      seen = at + 1;
      if (text[at] !== '/') ends.push(seen);
      else if (!open) break;
    }
  }
  return ends;
}
