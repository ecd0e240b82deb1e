/** How many letters must be changed, added, left out or swapped to make one word of the other. */
function distance(one: string, other: string): number {
  const rows: number[][] = Array.from({ length: one.length + 1 }, (_, at) => [at]);
  for (let to = 0; to <= other.length; to++) rows[0]![to] = to;
  for (let from = 1; from <= one.length; from++) {
    for (let to = 1; to <= other.length; to++) {
      const change = one[from - 1] === other[to - 1] ? 0 : 1;
      let least = Math.min(rows[from - 1]![to]! + 1, rows[from]![to - 1]! + 1, rows[from - 1]![to - 1]! + change);
      const swapped = from > 1 && to > 1 && one[from - 1] === other[to - 2] && one[from - 2] === other[to - 1];
      if (swapped) least = Math.min(least, rows[from - 2]![to - 2]! + 1);
      rows[from]![to] = least;
    }
  }
  return rows[one.length]![other.length]!;
}

/** The known words that somebody who wrote `word` may have meant, the likeliest first; three at the most. */
export function nearest(word: string, known: Iterable<string>): string[] {
  const wanted = word.toLowerCase();
  return [...new Set(known)]
    .map((each) => ({
      each,
      far: distance(wanted, each.toLowerCase()),
      starts: wanted.length > 2 && each.toLowerCase().startsWith(wanted),
    }))
    .filter(({ each, far, starts }) => starts || far <= Math.max(1, Math.floor(Math.min(each.length, 9) / 3)))
    .sort((a, b) => a.far - b.far || a.each.localeCompare(b.each))
    .slice(0, 3)
    .map(({ each }) => each);
}

/** A hint that names what may have been meant; undefined when nothing comes near. */
export function didYouMean(word: string, known: Iterable<string>): string | undefined {
  const found = nearest(word, known);
  return found.length ? `Did you mean ${found.join(' or ')}?` : undefined;
}
