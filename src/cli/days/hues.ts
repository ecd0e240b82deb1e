import type { Calendar, Entry } from '../../model/calendar.ts';
import { hueColors, hueIndexes } from '../../model/hues.ts';
import { everyRecord } from '../../model/paging.ts';
import type { TerminalColor } from '../terminal/styled-line.ts';

/** The colors of terminals that are next to those of categories: one of 16, and one of 256. */
const terminalCodes: readonly (readonly [basic: number, extended: number])[] = [
  [94, 75],
  [91, 174],
  [32, 72],
  [35, 140],
  [33, 173],
  [36, 38],
  [95, 175],
  [92, 107],
  [34, 105],
  [93, 209],
];
const palette = terminalCodes.map((codes, at): TerminalColor => [...codes, ...hueColors[at]!]);

/** Returns the color of an event; undefined without categories. */
export type ColorOf = (entry: Entry) => TerminalColor | undefined;

/** Returns the colors of events by category, like those of the page. */
export async function colorsOf({ categories }: Calendar): Promise<ColorOf> {
  const all: Entry[] = [];
  for await (const category of everyRecord(categories, { hide_empty: 'false' })) all.push(category);
  const hueOf = hueIndexes(all.map(({ id, parent }) => ({ id, parent: Number(parent ?? 0) })));
  return ({ categories: assigned }) => {
    const hue = Array.isArray(assigned) ? hueOf(assigned as { id: number }[]) : undefined;
    return hue === undefined ? undefined : palette[hue];
  };
}
