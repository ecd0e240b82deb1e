import { useEffect, useRef, useState } from 'preact/hooks';
import { go } from '../address.ts';
import { today } from '../context.ts';
import { daysText, dayText, monthText, narrowDayText, weekStart } from '../format.ts';
import { Icon } from '../icon.tsx';
import { addressOf, type CalendarState, countOf, rangeOf, stepped, views } from './state.ts';

const names = { month: 'Month', week: 'Week', day: 'Day', list: 'List' } as const;

/** What a view shows, in words; in short ones where there is little room. */
export function headingOf(state: CalendarState, short = false): string {
  const month = short ? 'short' : 'long';
  if (state.view === 'day') return short ? narrowDayText(state.day) : dayText(state.day);
  if (state.view === 'list') return `From ${daysText(state.day, state.day, month)}`;
  if (state.view === 'month') return monthText(state.day);
  const { from, to } = rangeOf(state, weekStart);
  return daysText(from, to!, month);
}

/** A heading, which has two forms of which the style shows one. */
function Heading({ state }: { state: CalendarState }) {
  const [long, short] = [headingOf(state), headingOf(state, true)];
  return (
    <h1 aria-live="polite">
      <span class={short === long ? undefined : 'wide'}>{long}</span>
      {short !== long && <span class="narrow">{short}</span>}
    </h1>
  );
}

/** Milliseconds without a key before a search is made. */
const pause = 250;

function Search({ state }: { state: CalendarState }) {
  const { search } = state.filters;
  const [text, setText] = useState(search);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const sought = useRef(search);
  useEffect(() => {
    if (sought.current !== search) setText(search);
    sought.current = search;
  }, [search]);
  const seek = (value: string) => {
    clearTimeout(timer.current);
    sought.current = value.trim();
    // While somebody types, the address of the first letter is the one to come back from.
    go(addressOf({ ...state, filters: { ...state.filters, search: value.trim() } }, today()), { replace: search !== '' });
  };
  return (
    <search class="search">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          seek(text);
        }}
      >
        <Icon name="search" />
        <input
          type="search"
          placeholder="Search events"
          aria-label="Search events"
          value={text}
          onInput={({ currentTarget: { value } }) => {
            setText(value);
            clearTimeout(timer.current);
            timer.current = setTimeout(() => seek(value), pause);
          }}
        />
      </form>
    </search>
  );
}

interface Properties {
  state: CalendarState;
  /** Whether filters are shown, where there is no room for them at the side. */
  open: boolean;
  onToggle(): void;
  /** Where a new event is written; undefined for those who may not. */
  newEvent?: string;
}

/** Where one is, where one can go, and how it is looked at. */
export function Toolbar({ state, open, onToggle, newEvent }: Properties) {
  const to = (change: Partial<CalendarState>) => addressOf({ ...state, ...change }, today());
  const count = countOf(state.filters);
  return (
    <div class="toolbar">
      <nav class="steps" aria-label="Time">
        <a class="button" href={to({ day: today() })}>
          Today
        </a>
        <a class="button square" href={to({ day: stepped(state, -1) })} aria-label="Earlier">
          <Icon name="previous" />
        </a>
        <a class="button square" href={to({ day: stepped(state, 1) })} aria-label="Later">
          <Icon name="next" />
        </a>
      </nav>
      <Heading state={state} />
      <Search state={state} />
      <button type="button" class="button filter-toggle" aria-expanded={open} aria-controls="filters" onClick={onToggle}>
        <Icon name="filter" />
        Filters{count > 0 && ` (${count})`}
      </button>
      <nav class="views" aria-label="View">
        {views.map((view) => (
          <a key={view} href={to({ view })} aria-current={view === state.view ? 'page' : undefined}>
            {names[view]}
          </a>
        ))}
      </nav>
      {newEvent && (
        <a class="button main" href={newEvent}>
          <Icon name="plus" />
          <span>New event</span>
        </a>
      )}
    </div>
  );
}
