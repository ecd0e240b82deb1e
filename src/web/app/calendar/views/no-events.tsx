import { today } from '../../context.ts';
import { plusMonths } from '../../days.ts';
import { newEventAddress } from '../../forms/address.ts';
import { Notice } from '../../notice.tsx';
import { addressOf, type CalendarState, countFilters, noFilters, periodOf } from '../state.ts';

/** Shown instead of events if the view is empty. */
export function NoEvents({ state, canCreate }: { state: CalendarState; canCreate: boolean }) {
  const isFiltered = state.filters.search || countFilters(state.filters) > 0;
  const to = (change: Partial<CalendarState>) => addressOf({ ...state, ...change }, today());
  return (
    <Notice
      title={isFiltered ? 'No matching events' : state.view === 'list' ? 'No upcoming events' : `No events this ${periodOf(state)}`}
      quiet
    >
      {isFiltered && (
        <a class="button" href={to({ filters: noFilters })}>
          Clear search and filters
        </a>
      )}
      <a class="button" href={to({ view: 'list', day: state.view === 'list' ? plusMonths(state.day, -12) : state.day })}>
        {state.view === 'list' ? 'Show the previous year' : 'Show upcoming events'}
      </a>
      {canCreate && (
        <a class="button main" href={newEventAddress(state.day)}>
          New event
        </a>
      )}
    </Notice>
  );
}
