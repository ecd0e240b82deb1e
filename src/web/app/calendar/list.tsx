import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { currentAddress, isHistoryNavigation } from '../address.ts';
import { context, today } from '../context.ts';
import { monthsLater } from '../days.ts';
import { countText, monthNameText, weekStart } from '../format.ts';
import { openQuickAdd } from '../keys/quick-add.tsx';
import { Button, Notice } from '../parts/controls.tsx';
import { Agenda } from './agenda.tsx';
import { Interaction } from './edit/interaction.ts';
import { type OutsideCounts, useOutside, useUpcoming } from './events.ts';
import { linkTo, type ViewProperties } from './links.ts';
import { Overlay } from './overlay.tsx';
import { compareSpans, eventSpan } from './span.ts';
import { countFilters, noFilters, periodOf, rangeOf, type ViewState, viewAddress } from './state.ts';
import './view.css';

/** Number of pages and scroll positions of lists by address, for the Back button. */
const scrollStates = new Map<string, { pages: number; list: number; window: number }>();

/** Restores the scroll position of a list after the Back button. Returns the ref of the list. */
function useScrollState(address: string, pages: number, isReady: boolean) {
  const list = useRef<HTMLDivElement>(null);
  const [saved] = useState(() => (isHistoryNavigation() ? scrollStates.get(address) : undefined));
  useLayoutEffect(() => {
    if (!isReady || !saved || !list.current) return;
    list.current.scrollTop = saved.list;
    scrollTo(0, saved.window);
  }, [isReady, saved]);
  useEffect(() => {
    const save = () => {
      if (currentAddress() === address) scrollStates.set(address, { pages, list: list.current?.scrollTop ?? 0, window: scrollY });
    };
    document.addEventListener('scroll', save, { capture: true, passive: true });
    return () => document.removeEventListener('scroll', save, true);
  }, [address, pages]);
  return list;
}

/** The events from a day on, as a list. */
export function ListView({ state, hueOf, isColored, canCreate, onCanCreate, event }: ViewProperties) {
  const address = viewAddress(state, today());
  const [pages, setPages] = useState(() => (isHistoryNavigation() ? scrollStates.get(address)?.pages : undefined) ?? 1);
  const { value, error, loading } = useUpcoming(state.filters, state.day, pages);
  const [previous, setPrevious] = useState(value);
  useEffect(() => {
    if (!value) return;
    setPrevious(value);
    onCanCreate(value.canCreate);
  }, [value, onCanCreate]);
  const result = value ?? previous;
  const list = useScrollState(address, pages, isColored && result !== undefined);
  const spans = (result?.events ?? [])
    .map((event) => eventSpan(event, context.timezone))
    .filter(({ last }) => last >= state.day)
    .sort(compareSpans);
  return (
    <div class="view scrolling" id="view" tabIndex={-1} aria-busy={loading} ref={list}>
      {isColored && <Agenda spans={spans} from={state.day} hueOf={hueOf} linkTo={linkTo(state, 'day')} />}
      {error && !result && <Notice title="Couldn’t load events">{error.message}</Notice>}
      <Interaction view={list} spans={spans} canCreate={canCreate} />
      <Overlay state={state} event={event} spans={spans} hueOf={hueOf} />
      {result && !error && spans.length === 0 && <NoEvents state={state} canCreate={canCreate} />}
      {result?.hasMore && (
        <p class="view-more screen-only">
          <Button label="Show more" disabled={loading} onClick={() => setPages(pages + 1)} />
        </p>
      )}
    </div>
  );
}

/** Shown instead of events if the view is empty. */
export function NoEvents({ state, canCreate, isOver }: { state: ViewState; canCreate: boolean; isOver?: boolean }) {
  const isFiltered = state.filters.search !== '' || countFilters(state.filters) > 0;
  const to = (change: Partial<ViewState>) => viewAddress({ ...state, ...change }, today());
  const outside = useOutside(state.filters, isFiltered ? rangeOf(state, weekStart) : {});
  const isPast = state.view === 'list' || (outside !== undefined && outside.later === 0 && outside.earlier > 0);
  return (
    <Notice title={isFiltered ? filteredTitle(state, outside) : titleOf(state)} quiet isOver={isOver}>
      {isFiltered && <Button label="Clear search and filters" href={to({ filters: noFilters })} />}
      <Button
        label={isPast ? 'Show the previous year' : 'Show upcoming events'}
        href={to({ view: 'list', day: isPast ? monthsLater(state.day, -12) : state.day })}
      />
      {canCreate && <Button label="New event" look="main" onClick={() => openQuickAdd(state.day)} />}
    </Notice>
  );
}

const titleOf = (state: ViewState): string => (state.view === 'list' ? 'No upcoming events' : `No events this ${periodOf(state)}`);

/** A title with the number of matching events outside the view. */
function filteredTitle(state: ViewState, outside: OutsideCounts | undefined): string {
  if (!outside || (!outside.later && !outside.earlier)) return 'No matching events';
  const period = periodOf(state);
  const where = period === 'month' ? `in ${monthNameText(state.day)}` : `this ${period}`;
  return `None ${where}, ${outside.later ? `${countText(outside.later)} later` : `${countText(outside.earlier)} earlier`}`;
}
