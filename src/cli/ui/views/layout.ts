import type { Entry } from '../../../model/calendar.ts';
import { type Day, later, monthOf, plusDays, weekOf, weeksOf } from '../../../model/time/days.ts';
import { eventLine, timeWithZone } from '../../days/agenda.ts';
import { type Display, today } from '../../days/display.ts';
import { dayText, timeText, weekdayText } from '../../days/locale.ts';
import { isMultiDay, onDay, type Span, spanOf } from '../../days/span.ts';
import { weekLines } from '../../days/week-lines.ts';
import { displayText, displayTextAt } from '../../print/words.ts';
import { plainLines } from '../../terminal/safe-text.ts';
import { fitLine, type Line, type Segment, segmentAt } from '../../terminal/styled-line.ts';
import { cut, pad, widthOf, wrap } from '../../terminal/width.ts';
import { isChosen, isOfDays, selectable, selectedSpan, type UiState, type View } from '../state.ts';

const label = 12;

/** Formats the days, times and zone of an event. */
function listedTime(entry: Entry, display: Display): string {
  const span = spanOf(entry, display);
  if (!span) return '';
  const [from, to] = [span.from, span.to].map((wall) => timeText(wall, display.locale));
  const zone = display.tz ?? String(entry.timezone ?? '');
  const [first, last] = [dayText(span.first, display.locale), dayText(span.last, display.locale)];
  if (span.allDay) return isMultiDay(span) ? `${first} – ${last}, all day` : `${first}, all day`;
  return isMultiDay(span) ? `${first} ${from} – ${last} ${to}, ${zone}` : `${first} ${from === to ? from : `${from}–${to}`}, ${zone}`;
}

function detailLines(entry: Entry, display: Display, columns: number): Line[] {
  const rows: [string, string][] = [
    ['When', listedTime(entry, display)],
    [
      'Where',
      [
        displayTextAt(entry, 'venue.venue') || displayTextAt(entry, 'venue'),
        displayTextAt(entry, 'venue.address'),
        displayTextAt(entry, 'venue.city'),
      ]
        .filter(Boolean)
        .join(', '),
    ],
    ...(['organizer', 'cost', 'categories', 'tags'] as const).map((name): [string, string] => [
      name[0]!.toUpperCase() + name.slice(1),
      displayTextAt(entry, name),
    ]),
    // For an event without a website, the API returns the event's own URL.
    ['Website', entry.website === entry.url ? '' : displayTextAt(entry, 'website')],
    ['Status', displayTextAt(entry, 'status')],
    ['Slug', displayTextAt(entry, 'slug')],
    ['ID', String(entry.id)],
  ];
  const rowsWithValue = rows.filter(([, value]) => value !== '');
  const room = Math.max(10, columns - label);
  const lines = rowsWithValue.flatMap(([name, value]) => wrap(value, room).map((line, at) => pad(at ? '' : name, label) + line));
  const texts = [entry.excerpt, entry.description].map((text) => (typeof text === 'string' ? plainLines(text) : []));
  const all = [...lines, ...texts.flatMap((text) => (text.length ? ['', ...text.flatMap((line) => wrap(line, columns))] : []))];
  return all.map((text) => [{ text }]);
}

/** The events of the day or of the list, one per line, with the selected one in the middle. */
function eventLines(state: UiState, width: number, height: number): Line[] {
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

/** The day under which an event is listed. In the list, a running event is under the first day. */
const listedDay = (span: Span, state: UiState): string =>
  state.view === 'trash' ? span.first : state.view === 'list' ? later(span.first, state.day) : state.day;

const isDated = ({ view }: UiState): boolean => view === 'list' || view === 'trash';

/** The first line to show of a list that may not fit, so that the selected line is in the middle. */
const windowFrom = (selected: number, count: number, height: number): number =>
  Math.max(0, Math.min(selected - Math.floor(height / 2), count - height));

/** Returns what events can be filtered by, one per line, with the selected one in the middle. */
function filterLines({ choices, filter }: UiState, selected: number, height: number): Line[] {
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

const cellWidth = (width: number): number => Math.max(3, Math.floor((width - 6) / 7));

/** The month of the selected day: for each week, a line of day numbers and the lines of events that fit. */
function monthLines(state: UiState, width: number, height: number): Line[] {
  const weeks = weeksOf(monthOf(state.day), state.display.weekStart);
  const room = Math.max(1, Math.floor((height - 1) / weeks.length));
  const cell = cellWidth(width);
  const names = weeks[0]!.map((day) => pad(cut(` ${weekdayText(day, state.display.locale)}`, cell), cell)).join(' ');
  return [[{ text: names, dim: true }], ...weeks.flatMap((days) => weekOfMonth(state, days, cell, room))];
}

function weekOfMonth(state: UiState, days: Day[], cell: number, room: number): Line[] {
  const isDim = (day: Day) => monthOf(day) !== monthOf(state.day);
  const numbers = days.flatMap((day, at) => {
    const mark = room < 2 && onDay(state.spans, day).length > 0 ? '*' : '';
    const style = isDim(day) ? { dim: true } : { bold: true };
    return [...(at > 0 ? [{ text: ' ' }] : []), { ...dayHead(state, day, dayNumber(state, day, cell) + mark, cell), ...style }];
  });
  const events =
    room > 1
      ? weekLines(state.spans, { days, cell, limit: room - 1, gap: ' ', display: state.display, selected: selectedId(state), isDim })
      : [];
  return [numbers, ...events, ...Array.from({ length: Math.max(0, room - 1 - events.length) }, () => emptyWeek(days, cell))];
}

/** The week of the selected day, with a tall column for each day. */
function weekViewLines(state: UiState, width: number, height: number): Line[] {
  const { display, day: selected } = state;
  const first = weekOf(selected, display.weekStart);
  const days = Array.from({ length: 7 }, (_, at) => plusDays(first, at));
  const cell = cellWidth(width);
  const heads = days.flatMap((day, at) => [
    ...(at > 0 ? [{ text: ' ' }] : []),
    { ...dayHead(state, day, `${weekdayText(day, display.locale)} ${dayNumber(state, day, cell)}`, cell), bold: true },
  ]);
  const events = weekLines(state.spans, { days, cell, limit: height - 1, gap: ' ', display, selected: selectedId(state), tall: true });
  return [heads, ...events, ...Array.from({ length: Math.max(0, height - 1 - events.length) }, () => emptyWeek(days, cell))];
}

/** Undefined while a day is selected. */
const selectedId = (state: UiState): number | undefined => selectedSpan(state)?.entry.id;

/** The number of a day: today in brackets. */
function dayNumber(state: UiState, day: Day, cell: number): string {
  const number = String(Number(day.slice(-2)));
  return day === today(state.display) && cell > 5 ? `[${number}]` : number;
}

/** The head of a day: the selected one inverse. */
function dayHead(state: UiState, day: Day, text: string, cell: number): Segment {
  const here = day === state.day;
  return { text: pad(cut(`${here ? '›' : ' '}${text}`, cell), cell), inverse: here, day };
}

const emptyWeek = (days: readonly Day[], cell: number): Line =>
  days.map((day, at) => ({ text: ' '.repeat(at < 6 ? cell + 1 : cell), day }));

/** Minimum columns for two panes: the month, the week or the list, and beside it the day and its selected event. */
const minPaneColumns = 110;
/** Lines around the content: the title, and the footer with the row that ink needs. */
const titleLines = 1;
const frameLines = titleLines + 2;

export const hasPanes = ({ columns }: Pick<UiState, 'columns'>): boolean => columns >= minPaneColumns;
const contentHeight = ({ rows }: Pick<UiState, 'rows'>): number => rows - frameLines;

/** The lines of the current view. A detail overlay has the pane on the right, or everything if there is none. */
export function contentLines(state: UiState): Line[] {
  const { columns, view, overlay, display } = state;
  const height = contentHeight(state);
  if (overlay?.kind === 'filter') return filterLines(state, overlay.selected, height);
  if (!hasPanes(state))
    return overlay?.kind === 'detail'
      ? scrolled(detailLines(overlay.entry, display, columns), overlay.scroll, height)
      : linesOf[view](state, columns, height);
  const side = Math.min(60, Math.floor(columns / 3));
  const layout = view === 'day' ? state.grid : view;
  const main = linesOf[layout]({ ...state, view: layout }, columns - side - 3, height);
  const beside = sideLines(state, side, height);
  return Array.from({ length: height }, (_, at) => [
    ...fitLine(main[at] ?? [], columns - side - 3),
    { text: ' │ ', dim: true },
    ...fitLine(beside[at] ?? [], side),
  ]);
}

const linesOf: Record<View, (state: UiState, width: number, height: number) => Line[]> = {
  month: monthLines,
  week: weekViewLines,
  day: eventLines,
  list: eventLines,
  trash: eventLines,
};

/** The pane on the right: the events of the day, unless they are listed already, and the selected event. */
function sideLines(state: UiState, width: number, height: number): Line[] {
  const { view, overlay, display, day } = state;
  const entry = overlay?.kind === 'detail' ? overlay.entry : selectable(state)[state.selected]?.entry;
  const detail = entry
    ? [[{ text: displayText(entry.title), bold: true }], ...detailLines(entry, display, width).map((line): Line => line)]
    : [];
  if (overlay?.kind === 'detail') return scrolled(detail, overlay.scroll, height);
  if (view === 'list' || view === 'trash') return detail.slice(0, height);
  const spans = selectable(state);
  const room = Math.max(1, Math.min(spans.length, Math.floor(height / 2)));
  const list = eventLines(view === 'week' ? { ...state, view: 'day' } : state, width, room);
  const more = spans.length > room ? [[{ text: `  ${spans.length} events`, dim: true }]] : [];
  return [[{ text: dayText(day, display.locale), bold: true }], ...list, ...more, [], ...detail].slice(0, height);
}

const scrolled = (lines: readonly Line[], scroll: number, height: number): Line[] => {
  const from = Math.max(0, Math.min(scroll, lines.length - height));
  return lines.slice(from, from + height);
};

/** The segment at a position of the screen; rows and columns count from 0. */
export function targetAt(state: UiState, column: number, row: number): Segment | undefined {
  const line = contentLines(state)[row - titleLines];
  return line && segmentAt(line, column);
}
