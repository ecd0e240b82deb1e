import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { go, isReturn, useAddress } from '../address.ts';
import { useWallNow } from '../clock.ts';
import { context, today } from '../context.ts';
import { type CalendarDay, daysFrom, plusMonths } from '../days.ts';
import { weekStart } from '../format.ts';
import { newEventAddress } from '../forms/address.ts';
import { Main } from '../main-part.tsx';
import { Notice } from '../notice.tsx';
import { ActiveFilters } from './active-filters.tsx';
import { Agenda } from './agenda.tsx';
import { type Blank, shifted, useDrag } from './drag.ts';
import { useCategories, useEvents, useUpcoming } from './events.ts';
import { Hours } from './hours.tsx';
import { huesOf } from './hues.ts';
import { Month } from './month.tsx';
import { Rail } from './rail.tsx';
import { inOrder, spanOf } from './span.ts';
import { addressOf, type CalendarState, countOf, noFilters, rangeOf, stateOf, stepped } from './state.ts';
import { headingOf, Toolbar } from './toolbar.tsx';

/** The calendar, as the address says. */
export function CalendarPage() {
  const address = useAddress();
  // A page that is left open goes on to the next day.
  useWallNow(30_000);
  const state = stateOf(address.searchParams, today());
  const heading = headingOf(state);
  const [open, setOpen] = useState(false);
  const categories = useCategories();
  const hueOf = useMemo(() => huesOf(categories.value ?? []), [categories.value]);
  useEffect(() => {
    document.title = `${heading} – ${context.title}`;
  }, [heading]);
  const [mayCreate, setMayCreate] = useState(!context.users);
  const shown = { state, hueOf, colored: !categories.loading || categories.value !== undefined, mayCreate, onMayCreate: setMayCreate };
  return (
    <Main class="calendar">
      <Toolbar state={state} open={open} onToggle={() => setOpen(!open)} newEvent={mayCreate ? newEventAddress(state.day) : undefined} />
      <Rail state={state} categories={categories.value ?? []} hueOf={hueOf} open={open} />
      <ActiveFilters state={state} />
      {state.view === 'list' ? <ListView key={listKey(state)} {...shown} /> : <GridView {...shown} />}
    </Main>
  );
}

interface Shown {
  state: CalendarState;
  hueOf: ReturnType<typeof huesOf>;
  /** Whether colors are known: what is shown earlier would change its own. */
  colored: boolean;
  mayCreate: boolean;
  onMayCreate(may: boolean): void;
}

/** A list that begins elsewhere, or shows other events, begins with its first page. */
const listKey = ({ day, filters }: CalendarState) => JSON.stringify([day, filters]);

const linkTo =
  (state: CalendarState, view: CalendarState['view']) =>
  (day: CalendarDay): string =>
    addressOf({ ...state, view, day }, today());

function GridView({ state, hueOf, colored, mayCreate, onMayCreate }: Shown) {
  const daysOf = (day: CalendarDay) => rangeOf({ ...state, day }, weekStart) as Required<ReturnType<typeof rangeOf>>;
  const { from, to } = daysOf(state.day);
  const beside = [1, -1].map((by) => daysOf(stepped(state, by)));
  const { value, error, loading } = useEvents(state.filters, { from, to }, beside);
  const all = useMemo(() => (value?.events ?? []).map((event) => spanOf(event, context.timezone)), [value]);
  const onBlank = ({ day, minute }: Blank) => go(newEventAddress(day, minute === undefined ? undefined : Math.floor(minute / 30) * 30));
  const { shift, onPointerDown } = useDrag(all, mayCreate ? onBlank : undefined);
  useEffect(() => {
    if (value) onMayCreate(value.mayCreate);
  }, [value, onMayCreate]);
  const spans = colored ? all.map((span) => (shift?.id === span.event.id ? shifted(span, shift) : span)) : [];
  const common = { spans, hueOf, linkTo: linkTo(state, 'day'), onPointerDown, mayDrag: mayCreate };
  const none = !loading && !error && !all.some(({ first, last }) => first <= to && last >= from);
  return (
    <div class="view" aria-busy={loading}>
      {state.view === 'month' ? (
        <Month {...common} day={state.day} goTo={(day) => go(addressOf({ ...state, day }, today()), { replace: true })} />
      ) : (
        <Hours {...common} days={daysFrom(from, state.view === 'day' ? 1 : 7)} ready={!loading} />
      )}
      {error && <Notice title="The events could not be loaded">{error.message}</Notice>}
      {none && <Nothing state={state} mayCreate={mayCreate} />}
    </div>
  );
}

/** How lists were left, by their address: their pages, and how far they and the window were scrolled. */
const left = new Map<string, { pages: number; list: number; window: number }>();

/** Has a list that is gone back to stand as it was left, as soon as it is there. */
function useLeft(address: string, pages: number, ready: boolean) {
  const list = useRef<HTMLDivElement>(null);
  const [before] = useState(() => (isReturn() ? left.get(address) : undefined));
  useLayoutEffect(() => {
    if (!ready || !before || !list.current) return;
    list.current.scrollTop = before.list;
    scrollTo(0, before.window);
  }, [ready, before]);
  useEffect(() => {
    const keep = () => {
      if (location.pathname + location.search === address)
        left.set(address, { pages, list: list.current?.scrollTop ?? 0, window: scrollY });
    };
    document.addEventListener('scroll', keep, { capture: true, passive: true });
    return () => document.removeEventListener('scroll', keep, true);
  }, [address, pages]);
  return list;
}

function ListView({ state, hueOf, colored, mayCreate, onMayCreate }: Shown) {
  const address = addressOf(state, today());
  const [pages, setPages] = useState(() => (isReturn() ? left.get(address)?.pages : undefined) ?? 1);
  const { value, error, loading } = useUpcoming(state.filters, state.day, pages);
  const [before, setBefore] = useState(value);
  useEffect(() => {
    if (!value) return;
    setBefore(value);
    onMayCreate(value.mayCreate);
  }, [value, onMayCreate]);
  const found = value ?? before;
  const list = useLeft(address, pages, colored && found !== undefined);
  const spans = (found?.events ?? [])
    .map((event) => spanOf(event, context.timezone))
    .filter(({ last }) => last >= state.day)
    .sort(inOrder);
  return (
    <div class="view" aria-busy={loading} ref={list}>
      {colored && <Agenda spans={spans} from={state.day} hueOf={hueOf} linkTo={linkTo(state, 'day')} />}
      {error && <Notice title="The events could not be loaded">{error.message}</Notice>}
      {found && !error && spans.length === 0 && <Nothing state={state} mayCreate={mayCreate} />}
      {found?.more && (
        <p class="show-more">
          <button type="button" class="button" disabled={loading} onClick={() => setPages(pages + 1)}>
            Show more
          </button>
        </p>
      )}
    </div>
  );
}

/** What to do where there is nothing. */
function Nothing({ state, mayCreate }: { state: CalendarState; mayCreate: boolean }) {
  const narrowed = state.filters.search || countOf(state.filters) > 0;
  const to = (change: Partial<CalendarState>) => addressOf({ ...state, ...change }, today());
  return (
    <Notice title={narrowed ? 'Nothing here matches' : 'Nothing is on here'} quiet>
      {narrowed && (
        <a class="button" href={to({ filters: noFilters })}>
          Clear search and filters
        </a>
      )}
      <a class="button" href={to({ view: 'list', day: state.view === 'list' ? plusMonths(state.day, -12) : state.day })}>
        {state.view === 'list' ? 'Look a year earlier' : 'See what comes next'}
      </a>
      {mayCreate && (
        <a class="button main" href={newEventAddress(state.day)}>
          New event
        </a>
      )}
    </Notice>
  );
}
