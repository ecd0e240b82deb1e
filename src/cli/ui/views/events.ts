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
    const date = isDated(state) ? pad(isRepeated ? '' : dayText(day, state.display.locale, true), 12) : '';
    return eventLine(span, day, { lead: `${isChosen ? '›' : ' '} ${date}`, timeWidth, width, isSelected: isChosen }, state.display);
  });
}

/** Explains an empty list. */
function emptyText(state: UiState): string {
  if (!state.complete) return ' Loading…';
  if (state.search.value.trim()) return ` No events match “${state.search.value.trim()}”.`;
  if (state.filter.length) return ' No events match the filters. Press f to change them.';
  if (state.view === 'trash') return ' The trash is empty.';
  return state.view === 'list' ? ' No events from this day. Press n to create one.' : ' No events on this day. Press n to create one.';
}

/** Returns the day under which an event is listed. In the list, a running event is under the first day. */
const listedDay = (span: Span, state: UiState): string =>
  state.view === 'trash' ? span.first : state.view === 'list' ? later(span.first, state.day) : state.day;

const isDated = ({ view }: UiState): boolean => view === 'list' || view === 'trash';

/** Returns the first line to show of a list that may not fit, so that the selected line is in the middle. */
const windowFrom = (selected: number, count: number, height: number): number =>
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
