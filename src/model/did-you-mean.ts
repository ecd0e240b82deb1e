import { distance } from 'fastest-levenshtein';

/** How many letters of a known word may be changed, added or left out; two neighbors that changed places count as one. */
const tolerance = (known: string): number => (known.length < 4 ? 1 : known.length < 9 ? 2 : 3);

/** How many such changes lead from one word to another. */
const changesTo = (word: string, known: string): number => {
  const swapped = Array.from(
    word,
    (_, at) =>
      word.slice(0, at) +
      word
        .slice(at, at + 2)
        .split('')
        .reverse()
        .join('') +
      word.slice(at + 2),
  );
  return word !== known && swapped.includes(known) ? 1 : distance(word, known);
};

/** The known words closest to a mistyped one, the closest first; three at the most. A word of three letters or more also finds those that start with it. */
export function closestWords(word: string, known: Iterable<string>): string[] {
  const wanted = word.toLowerCase();
  const words = [...new Set(known)];
  // A longer word is close to none, and comparing it takes time that grows with its square.
  if (wanted.length > Math.max(0, ...words.map(({ length }) => length)) + 3) return [];
  return words
    .map((each) => ({ each, lower: each.toLowerCase() }))
    .map(({ each, lower }) => ({ each, changes: changesTo(wanted, lower), isStart: wanted.length > 2 && lower.startsWith(wanted) }))
    .filter(({ each, changes, isStart }) => isStart || changes <= tolerance(each))
    .sort((a, b) => a.changes - b.changes || a.each.localeCompare(b.each))
    .slice(0, 3)
    .map(({ each }) => each);
}

/** A hint that names the closest words: `Did you mean title?`. Undefined when none is close. */
export function didYouMean(word: string, known: Iterable<string>): string | undefined {
  const found = closestWords(word, known);
  return found.length ? `Did you mean ${found.join(' or ')}?` : undefined;
}
