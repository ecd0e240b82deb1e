import { dayText } from '../../days/locale.ts';
import { displayText } from '../../print/words.ts';
import { fitLine, type Line, type Segment, segmentAt } from '../../terminal/styled-line.ts';
import { selectable, type UiState, type View } from '../state.ts';
import { detailLines } from './detail.ts';
import { eventLines, filterLines } from './events.ts';
import { monthLines, weekViewLines } from './grid.ts';

/** Minimum columns for two panes: the month, the week or the list, and beside it the day and its selected event. */
const minPaneColumns = 110;
/** Lines around the content: the title, and the footer with the row that ink needs. */
const titleLines = 1;
const frameLines = titleLines + 2;

export const hasPanes = ({ columns }: Pick<UiState, 'columns'>): boolean => columns >= minPaneColumns;
export const contentHeight = ({ rows }: Pick<UiState, 'rows'>): number => rows - frameLines;

/** Returns the lines of the current view. A detail overlay has the pane on the right, or everything if there is none. */
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

/** Returns the pane on the right: the events of the day, unless they are listed already, and the selected event. */
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

/** Returns the segment at a position of the screen; rows and columns count from 0. */
export function targetAt(state: UiState, column: number, row: number): Segment | undefined {
  const line = contentLines(state)[row - titleLines];
  return line && segmentAt(line, column);
}
