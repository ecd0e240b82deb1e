/** Matches any text, also an empty one. */
export const anything = 0;
/** Matches one segment of a path: any text without a slash, but not an empty one. */
export const onePart = 1;

/**
 * A text with wildcards. Matching takes time proportional to the lengths of pattern and text; a regular expression would try every way to distribute the
 * text among the wildcards.
 */
export class Pattern {
  readonly #parts: readonly (string | typeof anything | typeof onePart)[];
  /** True if the first match of a literal is as good as later ones: there is no {@link onePart}. */
  readonly #firstIsEnough: boolean;

  constructor(parts: readonly (string | typeof anything | typeof onePart)[]) {
    this.#parts = parts.filter((part) => part !== '');
    this.#firstIsEnough = !parts.includes(onePart);
  }

  /** Returns whether it matches a whole text. */
  test(text: string): boolean {
    /** Positions where the parts so far can end, ascending; if `open`, every position from the first one on. */
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

/** Returns where a literal can end that starts at a position or later. */
function afterText(text: string, literal: string, from: number, firstIsEnough: boolean): number[] {
  const ends: number[] = [];
  for (let at = text.indexOf(literal, from); at >= 0; at = text.indexOf(literal, at + 1)) {
    ends.push(at + literal.length);
    if (firstIsEnough) break;
  }
  return ends;
}

/** Returns where one segment can end that starts at one of the positions, or, if `open`, at the first one or later. */
function afterPart(text: string, starts: readonly number[], open: boolean): number[] {
  const ends: number[] = [];
  let end = 0;
  for (const start of open ? starts.slice(0, 1) : starts) {
    // Earlier starts have the same ends.
    if (start < end) continue;
    for (let at = start; at < text.length; at++) {
      end = at + 1;
      if (text[at] !== '/') ends.push(end);
      else if (!open) break;
    }
  }
  return ends;
}
