import type { Calendar, Entry } from '../../model/calendar.ts';
import { hueIndexes } from '../../model/hues.ts';
import type { TerminalColor } from '../terminal/styled-line.ts';

// The hues of the page, in its order: oklch(0.7 0.13 hue).
const palette: readonly TerminalColor[] = [
  [94, 75, 90, 163, 236],
  [91, 174, 228, 124, 117],
  [32, 72, 81, 182, 122],
  [35, 140, 177, 136, 223],
  [33, 173, 205, 145, 48],
  [36, 38, 0, 179, 203],
  [95, 175, 221, 122, 162],
  [92, 107, 140, 172, 75],
  [34, 105, 143, 148, 237],
  [93, 209, 222, 132, 79],
];

/** Returns the color of an event; undefined without categories. */
export type ColorOf = (entry: Entry) => TerminalColor | undefined;

const maxPages = 20;

/** Returns the colors of events by category, like those of the page. */
export async function colorsOf({ categories }: Calendar): Promise<ColorOf> {
  const all: Entry[] = [];
  for (let number = 1; number <= maxPages; number++) {
    const page = await categories.list({ per_page: '50', hide_empty: 'false', page: String(number) });
    all.push(...page.entries);
    if (number >= page.total_pages) break;
  }
  const hueOf = hueIndexes(all.map(({ id, parent }) => ({ id, parent: Number(parent ?? 0) })));
  return ({ categories: assigned }) => {
    const hue = Array.isArray(assigned) ? hueOf(assigned as { id: number }[]) : undefined;
    return hue === undefined ? undefined : palette[hue];
  };
}
