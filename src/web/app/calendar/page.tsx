import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { daysFrom } from '../../../model/time/days.ts';
import { navigate, rememberCalendarAddress } from '../address.ts';
import { useWallNow } from '../clock.ts';
import { context, today } from '../context.ts';
import { weekStart } from '../format.ts';
import { Main, Notice, usePageTitle } from '../parts/controls.tsx';
import type { ListedEvent, Term } from '../record.ts';
import { applyShift, type Shift } from './edit/drag.ts';
import { Interaction } from './edit/interaction.ts';
import { useCategories, useEvents } from './events.ts';
import { Hours } from './grid/hours.tsx';
import { Month } from './grid/month.tsx';
import { useColoring } from './hues.ts';
import { EventAddress, linkTo, type ViewProperties } from './links.ts';
import { ListView, NoEvents } from './list.tsx';
import { Overlay } from './overlay.tsx';
import { Sidebar } from './sidebar.tsx';
import { compareSpans, eventSpan } from './span.ts';
import { countFilters, parseEvent, parseState, rangeOf, type ViewState, viewAddress } from './state.ts';
import { ActiveFilters, headingOf, Toolbar, useCalendarShortcuts } from './toolbar.tsx';
import './calendar.css';
import './view.css';

const noCategories: Term[] = [];

/** The calendar view for the current address. */
export function CalendarPage({ address }: { address: URL }) {
  // Re-renders when the day changes.
  useWallNow(30_000);
  const state = parseState(address.searchParams, today());
  const [open, setOpen] = useState(false);
  const categories = useCategories();
  const coloring = useColoring(categories.value ?? noCategories);
  const { hueOf } = coloring;
  usePageTitle(headingOf(state));
  const ownAddress = viewAddress(state, today());
  useEffect(() => rememberCalendarAddress(ownAddress), [ownAddress]);
  const [canCreate, setCanCreate] = useState(!context.users);
  const [loaded, setLoaded] = useState<{ address: string; events: readonly ListedEvent[] }>();
  useCalendarShortcuts(state, canCreate, () => {
    setOpen(true);
    requestAnimationFrame(() => document.querySelector<HTMLElement>('#filters input:enabled')?.focus());
  });
  const properties = {
    state,
    hueOf,
    isColored: !categories.loading || categories.value !== undefined,
    canCreate,
    onCanCreate: setCanCreate,
    onEvents: (events: readonly ListedEvent[]) => setLoaded({ address: ownAddress, events }),
    event: parseEvent(address.searchParams),
  };
  return (
    <Main class="calendar">
      <Toolbar state={state} open={open} onToggle={() => setOpen(!open)} canCreate={canCreate} />
      <Sidebar
        state={state}
        categories={categories.value ?? noCategories}
        coloring={coloring}
        events={loaded?.address === ownAddress ? loaded.events : undefined}
        open={open}
      />
      {countFilters(state.filters) > 0 && <ActiveFilters state={state} />}
      <EventAddress.Provider value={({ id }) => viewAddress(state, today(), id)}>
        {state.view === 'list' ? <ListView key={listKey(state)} {...properties} /> : <GridView {...properties} />}
      </EventAddress.Provider>
    </Main>
  );
}

interface GridProperties extends ViewProperties {
  onEvents(events: readonly ListedEvent[]): void;
}

/** A list with another start or other filters starts with its first page again. */
const listKey = ({ day, filters }: ViewState) => JSON.stringify([day, filters]);

function GridView({ state, hueOf, isColored, canCreate, onCanCreate, onEvents, event }: GridProperties) {
  const { from, to } = rangeOf(state, weekStart) as Required<ReturnType<typeof rangeOf>>;
  const { value, error, loading } = useEvents(state.filters, { from, to });
  const view = useRef<HTMLDivElement>(null);
  const all = useMemo(() => (value?.events ?? []).map((event) => eventSpan(event, context.timezone)), [value]);
  const ordered = useMemo(() => all.filter(({ first, last }) => first <= to && last >= from).sort(compareSpans), [all, from, to]);
  const [shift, setShift] = useState<Shift>();
  useEffect(() => {
    if (value) onCanCreate(value.canCreate);
  }, [value, onCanCreate]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the function differs at each render.
  useEffect(() => {
    if (value) onEvents(value.events);
  }, [value]);
  const spans = isColored ? all.map((span) => (shift?.id === span.event.id ? applyShift(span, shift) : span)) : [];
  const common = { spans, hueOf, linkTo: linkTo(state, 'day'), canDrag: canCreate };
  const isEmpty = !loading && !error && !all.some(({ first, last }) => first <= to && last >= from);
  return (
    <div class="view" id="view" tabIndex={-1} aria-busy={loading} ref={view}>
      {state.view === 'month' && (
        <Month
          {...common}
          day={state.day}
          selectAddress={linkTo(state, 'month')}
          goTo={(day) => navigate(viewAddress({ ...state, day }, today()), { replace: true })}
        />
      )}
      {(state.view === 'day' || state.view === 'week') && (
        <Hours {...common} days={daysFrom(from, state.view === 'day' ? 1 : 7)} isReady={!loading && isColored} />
      )}
      {error && !value && <Notice title="Couldn’t load events">{error.message}</Notice>}
      {isEmpty && <NoEvents state={state} canCreate={canCreate} isOver />}
      <Interaction view={view} spans={all} canCreate={canCreate} onShift={setShift} />
      <Overlay state={state} event={event} spans={ordered} hueOf={hueOf} />
    </div>
  );
}
