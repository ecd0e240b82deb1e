import type { Entry, Input } from '../../model/calendar.ts';
import { type Day, firstOf, lastOf, monthOf, plusDays, weekOf } from '../days/day.ts';
import { type Display, today } from '../days/display.ts';
import { onDay, type Span } from '../days/span.ts';
import type { Form } from './form/form.ts';
import type { NamedRecord } from './form/new-names.ts';
import { type TextInput, textInput } from './text-input.ts';

export type View = 'month' | 'day' | 'list';

/** What is shown over or instead of the view. */
export type Overlay =
  | { kind: 'help'; scroll: number }
  | { kind: 'detail'; entry: Entry; scroll: number }
  | { kind: 'form'; form: Form }
  | { kind: 'delete'; entry: Entry };

/** A write in progress; the same object until it is done. Where there are `named` records that are not there, somebody is asked first. */
export type Task =
  | { kind: 'create'; input: Input; named?: readonly NamedRecord[] }
  | { kind: 'update'; id: number; input: Input; named?: readonly NamedRecord[] }
  | { kind: 'delete'; id: number };

/** The state of the screen. */
export interface UiState {
  display: Display;
  columns: number;
  rows: number;
  view: View;
  day: Day;
  /** The index of the selected event of the day or the list. */
  selected: number;
  /** The ID of the event that was written last: it is selected wherever it is shown, until the selection moves. */
  written?: number;
  search: TextInput;
  /** Whether keys go into the search text. */
  searching: boolean;
  overlay?: Overlay;
  spans: readonly Span[];
  /** Whether all of the query has been loaded. */
  complete: boolean;
  /** Whether the list has further pages. */
  more: boolean;
  /** How many pages of the list to load. */
  pages: number;
  /** Counts the reasons to load everything anew: writes and retries. */
  version: number;
  /** Why loading or writing failed. */
  failure?: string;
  notice?: string;
  task?: Task;
  quit: boolean;
}

/** The initial state: this month, today. */
export const initialState = (display: Display, columns: number, rows: number): UiState => ({
  display,
  columns,
  rows,
  view: 'month',
  day: today(display),
  selected: 0,
  search: textInput(''),
  searching: false,
  spans: [],
  complete: false,
  more: false,
  pages: 1,
  version: 0,
  quit: false,
});

/** The events that a state needs. */
export type EventQuery =
  | { kind: 'days'; from: Day; to: Day; search: string; version: number }
  | { kind: 'list'; from: Day; pages: number; search: string; version: number };

/** The query for a state: the month of its day, or the list from its day on. */
export function queryOf({ view, day, search, pages, version, display }: UiState): EventQuery {
  const rest = { search: search.value.trim(), version };
  if (view === 'list') return { kind: 'list', from: day, pages, ...rest };
  const month = monthOf(day);
  // A day asks for its whole month, so that going from day to day loads nothing.
  return {
    kind: 'days',
    from: weekOf(firstOf(month), display.weekStart),
    to: plusDays(weekOf(lastOf(month), display.weekStart), 6),
    ...rest,
  };
}

/** The events that can be selected: those of the day, or of the list from the day on. */
export function selectable({ view, spans, day }: UiState): Span[] {
  return view === 'list' ? spans.filter((span) => span.last >= day) : onDay(spans, day);
}

/** The state with the event selected that was written last, else the first. */
export const atWritten = (state: UiState): UiState => ({
  ...state,
  selected: Math.max(0, state.written === undefined ? 0 : selectable(state).findIndex(({ entry }) => entry.id === state.written)),
});

/** The selected event; none in the month. */
export const selectedSpan = (state: UiState): Span | undefined => (state.view === 'month' ? undefined : selectable(state)[state.selected]);
