import { eventLine, timeWithZone } from '../../days/agenda.ts';
import { later } from '../../days/day.ts';
import { dayText } from '../../days/locale.ts';
import type { Span } from '../../days/span.ts';
import type { Line } from '../../terminal/styled-line.ts';
import { pad, widthOf } from '../../terminal/width.ts';
import { isChosen, isOfDays, selectable, type UiState } from '../state.ts';

/** Returns the events of the day or of the list, one per line, with the selected one in the middle. */
export function eventLines(state: UiState, width: number, height: number): Line[] {
  const spans = selectable(state);
  if (!spans.length) return [[{ text: emptyText(state), dim: true }]];
  const from = windowFrom(state.selected, spans.length, height);
  const window = spans.slice(from, from + height);
  const timeWidth = Math.max(...window.map((span) => widthOf(timeWithZone(span, listedDay(span, state), state.display))));
  return window.map((span, at) => {
    const day = listedDay(span, state);
    const isChosen = from + at === state.selected && !isOfDays(state);
    const isRepeated = at > 0 && listedDay(window[at - 1]!, state) === day;
    const date = state.view === 'list' ? pad(isRepeated ? '' : dayText(day, state.display.locale, true), 12) : '';
    return eventLine(span, day, { lead: `${isChosen ? '›' : ' '} ${date}`, timeWidth, width, isSelected: isChosen }, state.display);
  });
}

/** Explains an empty list. */
function emptyText(state: UiState): string {
  if (!state.complete) return ' Loading…';
  if (state.search.value.trim()) return ` No events match “${state.search.value.trim()}”.`;
  if (state.filter.length) return ' No events match the filters. Press f to change them.';
  return state.view === 'list' ? ' No events from this day. Press n to create one.' : ' No events on this day. Press n to create one.';
}

/** Returns the day under which an event is listed. In the list, a running event is under the first day. */
const listedDay = (span: Span, state: UiState): string => (state.view === 'list' ? later(span.first, state.day) : state.day);

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
