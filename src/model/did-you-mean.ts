import { distance } from 'fastest-levenshtein';

/** Returns the maximum number of changed, added or missing letters; two swapped neighbors count as one. */
const tolerance = (known: string): number => (known.length < 4 ? 1 : known.length < 9 ? 2 : 3);

/** Returns the number of such changes between two words. */
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

/** Returns up to three known words close to a mistyped one, the closest first. A word of three or more letters also matches those that start with it. */
export function closestWords(word: string, known: Iterable<string>): string[] {
  const wanted = word.toLowerCase();
  const words = [...new Set(known)];
  // A much longer word is close to none, and comparing takes quadratic time.
  if (wanted.length > Math.max(0, ...words.map(({ length }) => length)) + 3) return [];
  return words
    .map((each) => ({ each, lower: each.toLowerCase() }))
    .map(({ each, lower }) => ({ each, changes: changesTo(wanted, lower), isStart: wanted.length > 2 && lower.startsWith(wanted) }))
    .filter(({ each, changes, isStart }) => isStart || changes <= tolerance(each))
    .sort((a, b) => a.changes - b.changes || a.each.localeCompare(b.each))
    .slice(0, 3)
    .map(({ each }) => each);
}

/** Returns a hint with the closest words, like `Did you mean title?`; undefined for none. */
export function didYouMean(word: string, known: Iterable<string>): string | undefined {
  const closest = closestWords(word, known);
  return closest.length ? `Did you mean ${closest.join(' or ')}?` : undefined;
}
