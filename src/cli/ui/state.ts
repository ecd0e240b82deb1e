import type { Entry, Input } from '../../model/calendar.ts';
import type { Query } from '../../model/fields/list.ts';
import { resources } from '../../model/resources/all.ts';
import { linkFields } from '../../model/resources/relations.ts';
import { type Day, firstOf, lastOf, monthOf, plusDays, weekOf } from '../../model/time/days.ts';
import { type Display, today } from '../days/display.ts';
import { onDay, type Span } from '../days/span.ts';
import { displayText } from '../print/words.ts';
import type { Form } from './form/form.ts';
import type { NamedRecord } from './form/new-names.ts';
import { type TextInput, textInput } from './text-input.ts';

/** A category, tag, venue or organizer to filter events by. */
interface Choice {
  /** Query parameter: the name of the field that links to it. */
  parameter: string;
  /** ID of the record. */
  value: string;
  label: string;
  /** Kind of the record: category, venue … */
  kind: string;
}

const links = linkFields('events');
const keyOf = ({ parameter, value }: Choice): string => `${parameter} ${value}`;

/** Adds the records that events are linked to, in the order of the fields and by name; not those of `fixed` parameters. */
export function withChoices(choices: readonly Choice[], spans: readonly Span[], fixed: readonly string[]): readonly Choice[] {
  const added = new Map(choices.map((choice) => [keyOf(choice), choice]));
  for (const { entry } of spans)
    for (const choice of choicesOf(entry))
      if (!fixed.includes(choice.parameter) && !added.has(keyOf(choice))) added.set(keyOf(choice), choice);
  if (added.size === choices.length) return choices;
  const rank = ({ parameter }: Choice) => links.findIndex(({ name }) => name === parameter);
  return [...added.values()].sort((one, other) => rank(one) - rank(other) || one.label.localeCompare(other.label));
}

const choicesOf = (entry: Entry): Choice[] =>
  links.flatMap(({ name, links: target }) => {
    const { kind, label } = resources[target];
    const linked = [entry[name] ?? []].flat() as Entry[];
    return linked
      .filter(({ id }) => id !== undefined)
      .map((record) => ({ parameter: name, value: String(record.id), label: displayText(record[label]), kind }));
  });

/** Adds a choice to a filter, or removes it. */
export const toggled = (filter: readonly Choice[], choice: Choice): readonly Choice[] =>
  isChosen(filter, choice) ? filter.filter((each) => keyOf(each) !== keyOf(choice)) : [...filter, choice];

export const isChosen = (filter: readonly Choice[], choice: Choice): boolean => filter.some((each) => keyOf(each) === keyOf(choice));

/** The query for a filter: any of the records of one kind, and one of each kind. */
function filterQuery(filter: readonly Choice[]): Query {
  const query: Record<string, string> = {};
  for (const { parameter, value } of filter) query[parameter] = query[parameter] ? `${query[parameter]},${value}` : value;
  return query;
}

export type View = 'month' | 'week' | 'day' | 'list' | 'trash';

/** A layer over the view. */
type Overlay =
  | { kind: 'help'; scroll: number }
  | { kind: 'filter'; selected: number }
  | { kind: 'detail'; entry: Entry; scroll: number }
  | { kind: 'form'; form: Form; from?: Overlay }
  | { kind: 'delete'; entry: Entry; from?: Overlay };

/** A write in progress; the same object until it finishes. The user confirms the creation of `named` records first. */
export type Task =
  | { kind: 'create'; input: Input; named?: readonly NamedRecord[] }
  | { kind: 'update'; id: number; input: Input; named?: readonly NamedRecord[] }
  | { kind: 'delete'; id: number }
  /** Takes back the last write; `modified` is when that was, if it can be compared. */
  | { kind: 'undo'; id: number; input?: Input; modified?: string };

export interface UiState {
  display: Display;
  columns: number;
  rows: number;
  view: View;
  /** The grid beside the list of a day on a wide screen: the last of both views. */
  grid: 'month' | 'week';
  day: Day;
  /** Index of the selected event of the day or the list. */
  selected: number;
  /** ID of the last written event, which stays selected until the selection moves. */
  savedId?: number;
  search: TextInput;
  /** True while keys edit the search text. */
  searching: boolean;
  /** Records that events can be filtered by, from the events loaded so far, without those of `fixed` parameters. */
  choices: readonly Choice[];
  filter: readonly Choice[];
  /** Parameters that the command line sets. */
  fixed: readonly string[];
  overlay?: Overlay;
  spans: readonly Span[];
  /** True once all events of the query are loaded. */
  complete: boolean;
  /** True if the list has more pages. */
  more: boolean;
  /** Number of pages of the list to load. */
  pages: number;
  /** Incremented by writes and retries, which reload everything. */
  version: number;
  /** Message of a failed load or write. */
  failure?: string;
  notice?: string;
  task?: Task;
  /** Takes back the last write. */
  undo?: Extract<Task, { kind: 'undo' }>;
  quit: boolean;
}

/** The initial state: the current month, today selected. */
export const initialState = (display: Display, columns: number, rows: number, fixed: readonly string[] = []): UiState => ({
  display,
  columns,
  rows,
  view: 'month',
  grid: 'month',
  day: today(display),
  selected: 0,
  search: textInput(''),
  searching: false,
  choices: [],
  filter: [],
  fixed,
  spans: [],
  complete: false,
  more: false,
  pages: 1,
  version: 0,
  quit: false,
});

/** The events to load. */
export type EventQuery =
  | { kind: 'days'; from: Day; to: Day; search: string; filters: Query; version: number }
  | { kind: 'list'; from: Day; pages: number; search: string; filters: Query; version: number }
  | { kind: 'trash'; search: string; filters: Query; version: number };

/** The query for a state: the weeks of the month of its day, the list from its day, or the trash. */
export function screenQuery({ view, day, search, filter, pages, version, display }: UiState): EventQuery {
  const rest = { search: search.value.trim(), filters: filterQuery(filter), version };
  if (view === 'list') return { kind: 'list', from: day, pages, ...rest };
  if (view === 'trash') return { kind: 'trash', ...rest };
  const month = monthOf(day);
  // A day loads its whole month, so that moving between days loads nothing.
  return {
    kind: 'days',
    from: weekOf(firstOf(month), display.weekStart),
    to: plusDays(weekOf(lastOf(month), display.weekStart), 6),
    ...rest,
  };
}

/** The events that can be selected: those of the day, of the list from the day, or of the trash. */
export function selectable({ view, spans, day }: UiState): Span[] {
  if (view === 'list') return spans.filter((span) => span.last >= day);
  return view === 'trash' ? [...spans] : onDay(spans, day);
}

export const isOfDays = ({ view }: Pick<UiState, 'view'>): boolean => view === 'month';

/** Selects the last written event, else the first. */
export const selectWritten = (state: UiState): UiState => ({
  ...state,
  selected: Math.max(0, state.savedId === undefined ? 0 : selectable(state).findIndex(({ entry }) => entry.id === state.savedId)),
});

/** Undefined in a view that selects days. */
export const selectedSpan = (state: UiState): Span | undefined => (isOfDays(state) ? undefined : selectable(state)[state.selected]);
