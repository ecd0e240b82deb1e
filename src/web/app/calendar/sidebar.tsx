import { navigate } from '../address.ts';
import { context, today } from '../context.ts';
import type { ListedEvent, Term } from '../record.ts';
import { FilterMenu } from './filter-menu.tsx';
import type { Coloring } from './hues.ts';
import { addressOf, type CalendarState } from './state.ts';
import { SmallMonth } from './views/month.tsx';

interface Properties {
  state: CalendarState;
  categories: readonly Term[];
  coloring: Coloring;
  /** The events of the view; undefined until they are loaded. */
  events: readonly ListedEvent[] | undefined;
  open: boolean;
}

/** The sidebar of the calendar: a small month and the filters. */
export function Sidebar({ state, categories, coloring, events, open }: Properties) {
  const to = (change: Partial<CalendarState>) => addressOf({ ...state, ...change }, today());
  return (
    <section class={`sidebar${open ? ' open' : ''}`} id="filters" aria-label="Filters">
      <SmallMonth day={state.day} linkTo={(day) => to({ day })} goTo={(day) => navigate(to({ day }), { replace: true })} />
      <FilterMenu state={state} categories={categories} coloring={coloring} events={events} />
      <p class="quiet">
        Time zone: {context.timezone} · <a href={context.feed}>Subscribe</a>
      </p>
    </section>
  );
}
