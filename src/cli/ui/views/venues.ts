import { eventLine, timeWithZone } from '../../days/event-line.ts';
import type { Line } from '../../terminal/styled-line.ts';
import { widthOf } from '../../terminal/width.ts';
import { selectable, type UiState } from '../state.ts';
import { emptyText } from './events.ts';
import { windowFrom } from './window.ts';

/** Returns the events of the day below the names of their venues. */
export function venueLines(state: UiState, width: number, height: number): Line[] {
  const { day, display, selected } = state;
  const spans = selectable(state);
  if (!spans.length) return [[{ text: emptyText(state), dim: true }]];
  const timeWidth = Math.max(...spans.map((span) => widthOf(timeWithZone(span, day, display))));
  const lines = spans.flatMap((span, at): Line[] => {
    const isSelected = at === selected;
    const isFirst = at === 0 || spans[at - 1]!.place !== span.place;
    const heads: Line[] = isFirst ? [...(at > 0 ? [[]] : []), [{ text: ` ${span.place || 'No venue'}`, bold: true }]] : [];
    const line = eventLine({ ...span, place: '' }, day, { lead: isSelected ? ' › ' : '   ', timeWidth, width, isSelected }, display);
    return [...heads, line];
  });
  const row = lines.findIndex((line) => line.some(({ inverse }) => inverse));
  const from = windowFrom(row, lines.length, height);
  return lines.slice(from, from + height);
}
