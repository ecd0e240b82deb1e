import { type CalendarDay, isDay, plusDays, plusMonths, weekOf, weeksOf } from '../days.ts';

export const views = ['month', 'week', 'day', 'list'] as const;
export type CalendarView = (typeof views)[number];

/** What a calendar shows: all of it stands in the address. */
export interface CalendarState {
  view: CalendarView;
  day: CalendarDay;
  filters: Filters;
}

/** The list parameters that narrow what is shown, as the API takes them. */
export interface Filters {
  search: string;
  categories: string[];
  tags: string[];
  venue: string[];
  organizer: string[];
  featured: boolean;
}

const listed = ['categories', 'tags', 'venue', 'organizer'] as const;

/** What an address says. `today` stands in for a day that it does not name. */
export function stateOf(parameters: URLSearchParams, today: CalendarDay): CalendarState {
  const view = views.find((name) => name === parameters.get('view')) ?? 'month';
  const day = parameters.get('day') ?? '';
  const list = (name: string) => (parameters.get(name) ?? '').split(',').filter(Boolean);
  return {
    view,
    day: isDay(day) ? day : today,
    filters: {
      search: parameters.get('search') ?? '',
      ...(Object.fromEntries(listed.map((name) => [name, list(name)])) as Pick<Filters, (typeof listed)[number]>),
      featured: parameters.get('featured') === 'true',
    },
  };
}

/** The address of a state; what is as usual is left out. */
export function addressOf({ view, day, filters }: CalendarState, today: CalendarDay): string {
  const parameters = new URLSearchParams();
  if (view !== 'month') parameters.set('view', view);
  if (day !== today) parameters.set('day', day);
  if (filters.search) parameters.set('search', filters.search);
  for (const name of listed) if (filters[name].length) parameters.set(name, filters[name].join(','));
  if (filters.featured) parameters.set('featured', 'true');
  // Commas may stand as they are.
  const text = String(parameters).replaceAll('%2C', ',');
  return text ? `/?${text}` : '/';
}

/** The first and the last day that a view shows; a list goes on without an end. */
export function rangeOf({ view, day }: CalendarState, weekStart: number): { from: CalendarDay; to?: CalendarDay } {
  if (view === 'day') return { from: day, to: day };
  if (view === 'list') return { from: day };
  if (view === 'week') return { from: weekOf(day, weekStart), to: plusDays(weekOf(day, weekStart), 6) };
  const weeks = weeksOf(day, weekStart);
  return { from: weeks[0]![0]!, to: weeks.at(-1)![6]! };
}

/** The day that stands for the next span of time, or the one before (-1). */
export function stepped({ view, day }: CalendarState, by: number): CalendarDay {
  if (view === 'day') return plusDays(day, by);
  if (view === 'week') return plusDays(day, by * 7);
  return plusMonths(day, by);
}

/** How many filters narrow what is shown, beside the search. */
export const countOf = (filters: Filters): number => listed.reduce((count, name) => count + filters[name].length, filters.featured ? 1 : 0);

/** No filter and no search. */
export const noFilters: Filters = { search: '', categories: [], tags: [], venue: [], organizer: [], featured: false };
