import { today } from '../../context.ts';
import { Button } from '../../controls.tsx';
import { plusMonths } from '../../days.ts';
import { countText, monthNameText, weekStart } from '../../format.ts';
import { newEventAddress } from '../../forms/address.ts';
import { Notice } from '../../notice.tsx';
import { addressOf, type CalendarState, countFilters, noFilters, periodOf, rangeOf } from '../state.ts';
import { type OutsideCounts, useOutside } from '../upcoming.ts';

/** Shown instead of events if the view is empty. */
export function NoEvents({ state, canCreate }: { state: CalendarState; canCreate: boolean }) {
  const isFiltered = state.filters.search !== '' || countFilters(state.filters) > 0;
  const to = (change: Partial<CalendarState>) => addressOf({ ...state, ...change }, today());
  const outside = useOutside(state.filters, isFiltered ? rangeOf(state, weekStart) : {});
  const isPast = state.view === 'list' || (outside !== undefined && outside.later === 0 && outside.earlier > 0);
  return (
    <Notice title={isFiltered ? filteredTitle(state, outside) : titleOf(state)} quiet>
      {isFiltered && <Button label="Clear search and filters" href={to({ filters: noFilters })} />}
      <Button
        label={isPast ? 'Show the previous year' : 'Show upcoming events'}
        href={to({ view: 'list', day: isPast ? plusMonths(state.day, -12) : state.day })}
      />
      {canCreate && <Button label="New event" look="main" href={newEventAddress(state.day)} />}
    </Notice>
  );
}

const titleOf = (state: CalendarState): string => (state.view === 'list' ? 'No upcoming events' : `No events this ${periodOf(state)}`);

/** Returns a title with the number of matching events outside the view. */
function filteredTitle(state: CalendarState, outside: OutsideCounts | undefined): string {
  if (!outside || (!outside.later && !outside.earlier)) return 'No matching events';
  const period = periodOf(state);
  const where =
    period === 'month' ? `in ${monthNameText(state.day)}` : period === 'year' ? `in ${state.day.slice(0, 4)}` : `this ${period}`;
  return `None ${where}, ${outside.later ? `${countText(outside.later)} later` : `${countText(outside.earlier)} earlier`}`;
}
