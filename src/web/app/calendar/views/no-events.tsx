import { today } from '../../context.ts';
import { Button } from '../../controls.tsx';
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
      {isFiltered && <Button label="Clear search and filters" href={to({ filters: noFilters })} />}
      <Button
        label={state.view === 'list' ? 'Show the previous year' : 'Show upcoming events'}
        href={to({ view: 'list', day: state.view === 'list' ? plusMonths(state.day, -12) : state.day })}
      />
      {canCreate && <Button label="New event" look="main" href={newEventAddress(state.day)} />}
    </Notice>
  );
}
