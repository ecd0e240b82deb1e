import { Box } from 'ink';
import { later } from '../look/day.ts';
import { dayText } from '../look/locale.ts';
import { dayOfDays, type Span, timeOn } from '../look/span.ts';
import { cut, pad, widthOf } from '../print/width.ts';
import { choices, type State } from './state.ts';
import { Tint } from './tint.tsx';

/** The events of a day, or of the list, a line for each; as many as there is room for, the chosen one among them. */
export function EventsView({ state, height }: { state: State; height: number }) {
  const spans = choices(state);
  if (!spans.length) return <Tint dimColor>{emptyText(state)}</Tint>;
  const from = Math.max(0, Math.min(state.at - Math.floor(height / 2), spans.length - height));
  const window = spans.slice(from, from + height);
  const column = Math.max(...window.map((span) => widthOf(timeText(span, state))));
  return (
    <Box flexDirection="column">
      {window.map((span, at) => (
        <EventRow key={span.entry.id} state={state} span={span} before={window[at - 1]} chosen={from + at === state.at} column={column} />
      ))}
    </Box>
  );
}

function emptyText(state: State): string {
  if (!state.complete) return ' loading …';
  if (state.search.value.trim()) return ` Nothing found for “${state.search.value.trim()}”.`;
  return state.view === 'list' ? ' Nothing from this day on. n makes an event.' : ' Nothing on this day. n makes an event.';
}

/** In the list an event that runs already stands under the first day that is looked at. */
const shownDay = (span: Span, state: State): string => (state.view === 'list' ? later(span.first, state.day) : state.day);

const timeText = (span: Span, state: State): string => [timeOn(span, shownDay(span, state)), span.zone].filter(Boolean).join(' ');

function EventRow({ state, span, before, chosen, column }: { state: State; span: Span; before?: Span; chosen: boolean; column: number }) {
  const day = shownDay(span, state);
  const dated = state.view === 'list' ? dayText(day, state.look.locale, true) : '';
  const repeated = before !== undefined && shownDay(before, state) === day;
  const lead = `${chosen ? '›' : ' '} ${dated && pad(repeated ? '' : dated, 12)}${pad(timeText(span, state), column)}  `;
  const days = dayOfDays(span, day);
  const status = span.entry.status === 'publish' ? '' : ` [${String(span.entry.status)}]`;
  const room = Math.max(1, state.columns - widthOf(lead));
  const title = cut(span.title + (days && ` (${days})`) + status, room);
  const place = span.place && room - widthOf(title) > 6 ? cut(` · ${span.place}`, room - widthOf(title)) : '';
  return (
    <Tint inverse={chosen}>
      <Tint tint={chosen ? undefined : 'cyan'}>{lead}</Tint>
      {title}
      <Tint dimColor={!chosen}>{chosen ? pad(place, room - widthOf(title)) : place}</Tint>
    </Tint>
  );
}
