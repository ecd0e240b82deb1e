import { distance } from 'fastest-levenshtein';

/** The maximum number of changed, added or missing letters; two swapped neighbors count as one. */
const tolerance = (candidate: string): number => (candidate.length < 4 ? 1 : candidate.length < 9 ? 2 : 3);

/** The number of such changes between two words. */
const changesTo = (word: string, candidate: string): number => {
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
  return word !== candidate && swapped.includes(candidate) ? 1 : distance(word, candidate);
};

/** Up to three known words close to a mistyped one, the closest first. A word of three or more letters also matches those that start with it. */
export function closestWords(word: string, candidates: Iterable<string>): string[] {
  const typed = word.toLowerCase();
  const words = [...new Set(candidates)];
  // A much longer word is close to none, and comparing takes quadratic time.
  if (typed.length > Math.max(0, ...words.map(({ length }) => length)) + 3) return [];
  return words
    .map((each) => ({ each, lower: each.toLowerCase() }))
    .map(({ each, lower }) => ({ each, changes: changesTo(typed, lower), isStart: typed.length > 2 && lower.startsWith(typed) }))
    .filter(({ each, changes, isStart }) => isStart || changes <= tolerance(each))
    .sort((a, b) => a.changes - b.changes || a.each.localeCompare(b.each))
    .slice(0, 3)
    .map(({ each }) => each);
}

/** A hint with the closest words, like `Did you mean title?`; undefined for none. */
export function didYouMean(word: string, candidates: Iterable<string>): string | undefined {
  const closest = closestWords(word, candidates);
  return closest.length ? `Did you mean ${closest.join(' or ')}?` : undefined;
}

/** A hint with time zones that resemble a text, or whose city it names: `Did you mean Europe/Berlin?`. */
export function zoneHint(text: string): string | undefined {
  const zones = Intl.supportedValuesOf('timeZone');
  const city = text.trim().toLowerCase().replace(/\s+/g, '_');
  const match = zones.find((zone) => zone.toLowerCase().split('/').at(-1) === city);
  return match ? `Did you mean ${match}?` : didYouMean(text, zones);
}
