import { Box } from 'ink';
import { later } from '../../days/day.ts';
import { dayText } from '../../days/locale.ts';
import { dayCount, type Span, timeOn } from '../../days/span.ts';
import { fitTitle } from '../../days/title.ts';
import { pad, widthOf } from '../../terminal/width.ts';
import { selectable, type UiState } from '../state.ts';
import { ColoredText } from './text.tsx';

/** Shows the events of a day or of the list, one per line, and keeps the selected one visible. */
export function EventsView({ state, height }: { state: UiState; height: number }) {
  const spans = selectable(state);
  if (!spans.length) return <ColoredText dimColor>{emptyText(state)}</ColoredText>;
  const from = Math.max(0, Math.min(state.selected - Math.floor(height / 2), spans.length - height));
  const window = spans.slice(from, from + height);
  const column = Math.max(...window.map((span) => widthOf(timeOf(span, state))));
  return (
    <Box flexDirection="column">
      {window.map((span, at) => (
        <EventRow
          key={span.entry.id}
          state={state}
          span={span}
          before={window[at - 1]}
          chosen={from + at === state.selected}
          column={column}
        />
      ))}
    </Box>
  );
}

function emptyText(state: UiState): string {
  if (!state.complete) return ' Loading…';
  if (state.search.value.trim()) return ` No events match “${state.search.value.trim()}”.`;
  return state.view === 'list' ? ' No events from this day. Press n to create one.' : ' No events on this day. Press n to create one.';
}

/** Returns the day under which an event is listed. In the list, a running event is under the first day shown. */
const shownDay = (span: Span, state: UiState): string => (state.view === 'list' ? later(span.first, state.day) : state.day);

const timeOf = (span: Span, state: UiState): string =>
  [timeOn(span, shownDay(span, state), state.display.locale), span.zone].filter(Boolean).join(' ');

function EventRow({ state, span, before, chosen, column }: { state: UiState; span: Span; before?: Span; chosen: boolean; column: number }) {
  const day = shownDay(span, state);
  const dated = state.view === 'list' ? dayText(day, state.display.locale, true) : '';
  const repeated = before !== undefined && shownDay(before, state) === day;
  const lead = `${chosen ? '›' : ' '} ${dated && pad(repeated ? '' : dated, 12)}${pad(timeOf(span, state), column)}  `;
  const days = dayCount(span, day);
  const status = span.entry.status === 'publish' ? '' : ` [${String(span.entry.status)}]`;
  const room = Math.max(1, state.columns - widthOf(lead));
  const { title, place } = fitTitle(span.title + (days && ` (${days})`) + status, span.place, room);
  return (
    <ColoredText inverse={chosen}>
      <ColoredText color={chosen ? undefined : 'cyan'}>{lead}</ColoredText>
      {title}
      <ColoredText dimColor={!chosen}>{chosen ? pad(place, room - widthOf(title)) : place}</ColoredText>
    </ColoredText>
  );
}
