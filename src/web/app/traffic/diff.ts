/** A line of a comparison: in both texts, or only in the first or second one. */
interface DiffLine {
  kind: 'same' | 'removed' | 'added';
  text: string;
}

/** Maximum number of differing lines that are aligned; longer parts are shown one after the other. */
const maxAligned = 1000;

const as = (kind: DiffLine['kind'], lines: readonly string[]): DiffLine[] => lines.map((text) => ({ kind, text }));

/** Compares two texts line by line: the lines of the longest common subsequence are the same. */
export function compareLines(one: readonly string[], other: readonly string[]): DiffLine[] {
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < Math.min(one.length, other.length) - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const [a, b] = [one.slice(start, one.length - end), other.slice(start, other.length - end)];
  const middle = a.length > maxAligned || b.length > maxAligned ? [...as('removed', a), ...as('added', b)] : aligned(a, b);
  return [...as('same', one.slice(0, start)), ...middle, ...as('same', one.slice(one.length - end))];
}

function aligned(a: readonly string[], b: readonly string[]): DiffLine[] {
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      lengths[i]![j] = a[i] === b[j] ? lengths[i + 1]![j + 1]! + 1 : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!);
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) lines.push({ kind: 'same', text: a[i++]! });
    else if (lengths[i + 1]![j]! >= lengths[i]![j + 1]!) lines.push({ kind: 'removed', text: a[i++]! });
    else lines.push({ kind: 'added', text: b[j++]! });
    if (lines.at(-1)!.kind === 'same') j += 1;
  }
  return [...lines, ...as('removed', a.slice(i)), ...as('added', b.slice(j))];
}
