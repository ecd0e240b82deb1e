import type { Entry, Input } from '../../model/resource.ts';
import { type Day, firstOf, lastOf, monthOf, plusDays, weekOf } from '../look/day.ts';
import { type Look, today } from '../look/look.ts';
import { onDay, type Span } from '../look/span.ts';
import { type Draft, draftOf } from './edit.ts';
import type { Form } from './form.ts';

export type View = 'month' | 'day' | 'list';

/** What lies over the view. */
export type Over =
  | { kind: 'help' }
  | { kind: 'detail'; entry: Entry; scroll: number }
  | { kind: 'form'; form: Form }
  | { kind: 'delete'; entry: Entry };

/** What is to be written; the same object until it is done. */
export type Work = { kind: 'create'; input: Input } | { kind: 'update'; id: number; input: Input } | { kind: 'delete'; id: number };

/** All that the screen shows. */
export interface State {
  look: Look;
  columns: number;
  rows: number;
  view: View;
  day: Day;
  /** Which event of the day or the list is chosen. */
  at: number;
  search: Draft;
  /** Whether the keys go into the search. */
  searching: boolean;
  over?: Over;
  spans: readonly Span[];
  /** Whether everything that was asked for is there. */
  complete: boolean;
  /** Whether the list goes on. */
  more: boolean;
  /** How much of the list is asked for, in pages. */
  pages: number;
  /** Counts what makes everything be loaded anew: a write, a wish to try again. */
  version: number;
  /** What could not be loaded, or written. */
  failure?: string;
  notice?: string;
  work?: Work;
  quit: boolean;
}

/** The beginning: this month, today. */
export const initial = (look: Look, columns: number, rows: number): State => ({
  look,
  columns,
  rows,
  view: 'month',
  day: today(look),
  at: 0,
  search: draftOf(''),
  searching: false,
  spans: [],
  complete: false,
  more: false,
  pages: 1,
  version: 0,
  quit: false,
});

/** What a state needs to have loaded. */
export type Ask =
  | { kind: 'days'; from: Day; to: Day; search: string; version: number }
  | { kind: 'list'; from: Day; pages: number; search: string; version: number };

/** The days that are looked at, or the list from a day on. */
export function askOf({ view, day, search, pages, version, look }: State): Ask {
  const rest = { search: search.value.trim(), version };
  if (view === 'list') return { kind: 'list', from: day, pages, ...rest };
  const month = monthOf(day);
  // A day asks for its month, so that going from day to day loads nothing.
  return { kind: 'days', from: weekOf(firstOf(month), look.weekStart), to: plusDays(weekOf(lastOf(month), look.weekStart), 6), ...rest };
}

/** The events that can be chosen: those of the day, or of the list from it on. */
export function choices({ view, spans, day }: State): Span[] {
  return view === 'list' ? spans.filter((span) => span.last >= day) : onDay(spans, day);
}

/** The event that is chosen; a month has none. */
export const chosen = (state: State): Span | undefined => (state.view === 'month' ? undefined : choices(state)[state.at]);
