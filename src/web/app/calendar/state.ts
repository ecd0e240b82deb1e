import { type Day, monthOf, plusDays, weekOf, weeksOf } from '../../../model/time/days.ts';
import { filterDefinitions } from '../../definitions.ts';
import { isDay, monthsLater } from '../days.ts';

/** The views in the order of the toolbar, with their names and keys. */
export const viewNames = {
  day: { text: 'Day', key: 'd' },
  week: { text: 'Week', key: 'w' },
  month: { text: 'Month', key: 'm' },
  list: { text: 'List', key: 'l' },
} as const;
type CalendarView = keyof typeof viewNames;
export const views = Object.keys(viewNames) as CalendarView[];

/** The state of the calendar view. All of it is in the address. */
export interface ViewState {
  view: CalendarView;
  day: Day;
  filters: Filters;
}

/** The search and the values of the active filters, by the names of the API's list parameters. A switch has the value `true`. */
export interface Filters {
  search: string;
  values: Readonly<Record<string, readonly string[]>>;
}

export const noFilters: Filters = { search: '', values: {} };

/** Filters with other values for one of them; none removes it. */
export function withFilter({ search, values }: Filters, name: string, selected: readonly string[]): Filters {
  const { [name]: _previous, ...others } = values;
  return { search, values: selected.length ? { ...others, [name]: selected } : others };
}

function parseFilters(parameters: URLSearchParams): Filters {
  const values = filterDefinitions.flatMap(({ name, kind }) => {
    const text = parameters.get(name) ?? '';
    const list = kind === 'records' ? text.split(',').filter(Boolean) : text && (kind !== 'switch' || text === 'true') ? [text] : [];
    return list.length ? [[name, list] as const] : [];
  });
  return { search: parameters.get('search') ?? '', values: Object.fromEntries(values) };
}

/** Parses the parameters of an address. The day defaults to `today`. Addresses of the former view by venue show the week. */
export function parseState(parameters: URLSearchParams, today: Day): ViewState {
  const name = parameters.get('view');
  const day = parameters.get('day') ?? '';
  return {
    view: name === 'venues' ? 'week' : (views.find((view) => view === name) ?? 'month'),
    day: isDay(day) ? day : today,
    filters: parseFilters(parameters),
  };
}

/** Parses the ID of the event that is shown over the calendar. */
export function parseEvent(parameters: URLSearchParams): number | undefined {
  const text = parameters.get('event') ?? '';
  return /^[1-9]\d{0,15}$/.test(text) ? Number(text) : undefined;
}

/** The address of a state, without default values, and of an event over it. */
export function viewAddress({ view, day, filters }: ViewState, today: Day, event?: number): string {
  const parameters = new URLSearchParams();
  if (view !== 'month') parameters.set('view', view);
  if (day !== today) parameters.set('day', day);
  if (filters.search) parameters.set('search', filters.search);
  for (const { name } of filterDefinitions) if (filters.values[name]) parameters.set(name, filters.values[name].join(','));
  if (event !== undefined) parameters.set('event', String(event));
  // Commas don't need escaping in a query.
  const text = String(parameters).replaceAll('%2C', ',');
  return text ? `/?${text}` : '/';
}

/** The period that a view shows, by which steps move. */
export const periodOf = ({ view }: Pick<ViewState, 'view'>): 'day' | 'week' | 'month' => (view === 'list' ? 'month' : view);

/** The first and last day of a view. A list has no last day. */
export function rangeOf(state: ViewState, weekStart: number): { from: Day; to?: Day } {
  const { view, day } = state;
  if (view === 'list') return { from: day };
  const period = periodOf(state);
  if (period === 'day') return { from: day, to: day };
  if (period === 'week') return { from: weekOf(day, weekStart), to: plusDays(weekOf(day, weekStart), 6) };
  const weeks = weeksOf(monthOf(day), weekStart);
  return { from: weeks[0]![0]!, to: weeks.at(-1)![6]! };
}

/** The day to show for the next (1) or previous (-1) period. */
export function stepDay(state: ViewState, by: number): Day {
  const period = periodOf(state);
  if (period === 'day') return plusDays(state.day, by);
  if (period === 'week') return plusDays(state.day, by * 7);
  return monthsLater(state.day, by);
}

/** The number of active filters, not including the search. */
export const countFilters = ({ values }: Filters): number => Object.values(values).reduce((count, selected) => count + selected.length, 0);
