import type { Line } from '../../terminal/styled-line.ts';
import { pad, widthOf } from '../../terminal/width.ts';
import { isChosen, type UiState } from '../state.ts';

/** Returns the first line to show of a list that may not fit, so that the selected line is in the middle. */
export const windowFrom = (selected: number, count: number, height: number): number =>
  Math.max(0, Math.min(selected - Math.floor(height / 2), count - height));

/** Returns what events can be filtered by, one per line, with the selected one in the middle. */
export function filterLines({ choices, filter }: UiState, selected: number, height: number): Line[] {
  if (!choices.length) return [[{ text: ' No categories, tags, venues or organizers in the loaded events.', dim: true }]];
  const labelWidth = Math.max(...choices.map(({ label }) => widthOf(label)));
  const from = windowFrom(selected, choices.length, height);
  return choices.slice(from, from + height).map((choice, at) => {
    const isSelected = from + at === selected;
    const mark = `${isSelected ? '›' : ' '} [${isChosen(filter, choice) ? 'x' : ' '}] `;
    return [
      { text: `${mark}${pad(choice.label, labelWidth)}`, inverse: isSelected },
      { text: `  ${choice.kind}`, dim: true },
    ];
  });
}
