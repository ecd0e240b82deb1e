import { later } from '../../days/day.ts';
import { eventLine, timeWithZone } from '../../days/event-line.ts';
import { dayText } from '../../days/locale.ts';
import type { Span } from '../../days/span.ts';
import type { Line } from '../../terminal/styled-line.ts';
import { pad, widthOf } from '../../terminal/width.ts';
import { selectable, type UiState } from '../state.ts';

/** Returns the events of the day or of the list, one per line, with the selected one in the middle. */
export function eventLines(state: UiState, width: number, height: number): Line[] {
  const spans = selectable(state);
  if (!spans.length) return [[{ text: emptyText(state), dim: true }]];
  const from = Math.max(0, Math.min(state.selected - Math.floor(height / 2), spans.length - height));
  const window = spans.slice(from, from + height);
  const timeWidth = Math.max(...window.map((span) => widthOf(timeWithZone(span, listedDay(span, state), state.display))));
  return window.map((span, at) => {
    const day = listedDay(span, state);
    const isChosen = from + at === state.selected && state.view !== 'month';
    const isRepeated = at > 0 && listedDay(window[at - 1]!, state) === day;
    const date = state.view === 'list' ? pad(isRepeated ? '' : dayText(day, state.display.locale, true), 12) : '';
    return eventLine(span, day, { lead: `${isChosen ? '›' : ' '} ${date}`, timeWidth, width, chosen: isChosen }, state.display);
  });
}

function emptyText(state: UiState): string {
  if (!state.complete) return ' Loading…';
  if (state.search.value.trim()) return ` No events match “${state.search.value.trim()}”.`;
  return state.view === 'list' ? ' No events from this day. Press n to create one.' : ' No events on this day. Press n to create one.';
}

/** Returns the day under which an event is listed. In the list, a running event is under the first day. */
const listedDay = (span: Span, state: UiState): string => (state.view === 'list' ? later(span.first, state.day) : state.day);
