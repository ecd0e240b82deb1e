import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { closeOverlay, isHistoryNavigation, navigate, rememberCalendarAddress } from '../address.ts';
import { useWallNow } from '../clock.ts';
import { context, today } from '../context.ts';
import { type CalendarDay, daysFrom, plusMonths } from '../days.ts';
import { weekStart } from '../format.ts';
import { newEventAddress } from '../forms/address.ts';
import { Main } from '../landmark.tsx';
import { lazy } from '../lazy.tsx';
import { Notice } from '../notice.tsx';
import { ActiveFilters } from './active-filters.tsx';
import { Agenda } from './agenda.tsx';
import { applyShift, type EmptyPosition, useDrag } from './drag.ts';
import { EventAddress } from './event-address.ts';
import { useCategories, useEvents, useUpcoming } from './events.ts';
import { huesOf } from './hues.ts';
import { useCalendarShortcuts, useEventKeys } from './keys.ts';
import { Month } from './month.tsx';
import { Sidebar } from './sidebar.tsx';
import { compareSpans, type EventSpan, spanOf } from './span.ts';
import { addressOf, type CalendarState, countFilters, noFilters, parseEvent, parseState, periodOf, rangeOf, stepDay } from './state.ts';
import { headingOf, Toolbar } from './toolbar.tsx';

/** The calendar view for the current address. */
export function CalendarPage({ address }: { address: URL }) {
  // Re-renders when the day changes.
  useWallNow(30_000);
  const state = parseState(address.searchParams, today());
  const heading = headingOf(state);
  const [open, setOpen] = useState(false);
  const categories = useCategories();
  const hueOf = useMemo(() => huesOf(categories.value ?? []), [categories.value]);
  useEffect(() => {
    document.title = `${heading} – ${context.title}`;
  }, [heading]);
  const ownAddress = addressOf(state, today());
  useEffect(() => rememberCalendarAddress(ownAddress), [ownAddress]);
  const [canCreate, setCanCreate] = useState(!context.users);
  useCalendarShortcuts(state, canCreate, () => {
    setOpen(true);
    requestAnimationFrame(() => document.querySelector<HTMLElement>('#filters input')?.focus());
  });
  const properties = {
    state,
    hueOf,
    isColored: !categories.loading || categories.value !== undefined,
    canCreate,
    onCanCreate: setCanCreate,
    event: parseEvent(address.searchParams),
  };
  return (
    <Main class="calendar">
      <Toolbar state={state} open={open} onToggle={() => setOpen(!open)} newEvent={canCreate ? newEventAddress(state.day) : undefined} />
      <Sidebar state={state} categories={categories.value ?? []} hueOf={hueOf} open={open} />
      <ActiveFilters state={state} />
      <EventAddress.Provider value={({ id }) => addressOf(state, today(), id)}>
        {state.view === 'list' ? <ListView key={listKey(state)} {...properties} /> : <GridView {...properties} />}
      </EventAddress.Provider>
    </Main>
  );
}

interface ViewProperties {
  state: CalendarState;
  hueOf: ReturnType<typeof huesOf>;
  /** True once the categories are loaded. Earlier, events would change their color. */
  isColored: boolean;
  canCreate: boolean;
  onCanCreate(canCreate: boolean): void;
  /** ID of the event that is shown over the calendar. */
  event: number | undefined;
}

const EventPopover = lazy(async () => (await import('./more-views.ts')).EventPopover, null);

const Hours = lazy(async () => (await import('./more-views.ts')).Hours, null);
const Year = lazy(async () => (await import('./more-views.ts')).Year, null);
const Venues = lazy(async () => (await import('./more-views.ts')).Venues, null);

/** The event over the calendar. Its neighbors are the events of the view. */
function Overlay({ state, event, spans, hueOf }: Pick<ViewProperties, 'state' | 'event' | 'hueOf'> & { spans: readonly EventSpan[] }) {
  if (event === undefined) return null;
  const index = spans.findIndex((span) => span.event.id === event);
  const show = (by: number) => {
    const next = spans[index + by];
    if (index >= 0 && next) navigate(addressOf(state, today(), next.event.id), { replace: true });
  };
  return (
    <EventPopover
      id={event}
      listed={spans[index]?.event}
      timezone={context.timezone}
      hueOf={hueOf}
      onClose={() => closeOverlay(addressOf(state, today()))}
      onStep={show}
    />
  );
}

/** A list with another start or other filters starts with its first page again. */
const listKey = ({ day, filters }: CalendarState) => JSON.stringify([day, filters]);

const linkTo =
  (state: CalendarState, view: CalendarState['view']) =>
  (day: CalendarDay): string =>
    addressOf({ ...state, view, day }, today());

function GridView({ state, hueOf, isColored, canCreate, onCanCreate, event }: ViewProperties) {
  const rangeFor = (day: CalendarDay) => rangeOf({ ...state, day }, weekStart) as Required<ReturnType<typeof rangeOf>>;
  const { from, to } = rangeFor(state.day);
  const neighbors = [1, -1].map((by) => rangeFor(stepDay(state, by)));
  const { value, error, loading } = useEvents(state.filters, { from, to }, neighbors);
  const view = useRef<HTMLDivElement>(null);
  const all = useMemo(() => (value?.events ?? []).map((event) => spanOf(event, context.timezone)), [value]);
  const ordered = useMemo(() => all.filter(({ first, last }) => first <= to && last >= from).sort(compareSpans), [all, from, to]);
  const onEmptyClick = ({ day, minute }: EmptyPosition) =>
    navigate(newEventAddress(day, minute === undefined ? undefined : Math.floor(minute / 30) * 30));
  const { shift, onPointerDown } = useDrag(all, canCreate ? onEmptyClick : undefined);
  useEffect(() => {
    if (value) onCanCreate(value.canCreate);
  }, [value, onCanCreate]);
  const spans = isColored ? all.map((span) => (shift?.id === span.event.id ? applyShift(span, shift) : span)) : [];
  const common = { spans, hueOf, linkTo: linkTo(state, 'day'), onPointerDown, canDrag: canCreate };
  useEventKeys(view, spans, canCreate);
  const isEmpty = !loading && !error && !all.some(({ first, last }) => first <= to && last >= from);
  return (
    <div class="view" id="view" tabIndex={-1} aria-busy={loading} ref={view}>
      {state.view === 'month' && (
        <Month {...common} day={state.day} goTo={(day) => navigate(addressOf({ ...state, day }, today()), { replace: true })} />
      )}
      {(state.view === 'day' || state.view === 'week') && (
        <Hours {...common} days={daysFrom(from, state.view === 'day' ? 1 : 7)} isReady={!loading} />
      )}
      {state.view === 'year' && <Year {...common} year={state.day.slice(0, 4)} linkToMonth={linkTo(state, 'month')} />}
      {state.view === 'venues' && <Venues {...common} state={state} days={daysFrom(from, state.isWeek ? 7 : 1)} />}
      {error && !value && <Notice title="Couldn’t load events">{error.message}</Notice>}
      {isEmpty && <NoEvents state={state} canCreate={canCreate} />}
      <Overlay state={state} event={event} spans={ordered} hueOf={hueOf} />
    </div>
  );
}

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
      if (location.pathname + location.search === address)
        scrollStates.set(address, { pages, list: list.current?.scrollTop ?? 0, window: scrollY });
    };
    document.addEventListener('scroll', save, { capture: true, passive: true });
    return () => document.removeEventListener('scroll', save, true);
  }, [address, pages]);
  return list;
}

function ListView({ state, hueOf, isColored, canCreate, onCanCreate, event }: ViewProperties) {
  const address = addressOf(state, today());
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
    .map((event) => spanOf(event, context.timezone))
    .filter(({ last }) => last >= state.day)
    .sort(compareSpans);
  useEventKeys(list, spans, canCreate);
  return (
    <div class="view" id="view" tabIndex={-1} aria-busy={loading} ref={list}>
      {isColored && <Agenda spans={spans} from={state.day} hueOf={hueOf} linkTo={linkTo(state, 'day')} />}
      {error && !result && <Notice title="Couldn’t load events">{error.message}</Notice>}
      <Overlay state={state} event={event} spans={spans} hueOf={hueOf} />
      {result && !error && spans.length === 0 && <NoEvents state={state} canCreate={canCreate} />}
      {result?.hasMore && (
        <p class="show-more">
          <button type="button" class="button" disabled={loading} onClick={() => setPages(pages + 1)}>
            Show more
          </button>
        </p>
      )}
    </div>
  );
}

/** Shown instead of events if the view is empty. */
function NoEvents({ state, canCreate }: { state: CalendarState; canCreate: boolean }) {
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
