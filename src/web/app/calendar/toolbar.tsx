import { useEffect, useRef, useState } from 'preact/hooks';
import { type FilterDefinition, filterDefinitions } from '../../definitions.ts';
import { navigate } from '../address.ts';
import { today } from '../context.ts';
import { searchDelayMs, useDelayed } from '../delay.ts';
import { daysText, dayText, monthText, narrowDayText, weekStart } from '../format.ts';
import { recordFilters } from '../keys/palette.tsx';
import { openQuickAdd } from '../keys/quick-add.tsx';
import { hasNoFocus, resultsShortcut, type Shortcut, toResults, useShortcuts } from '../keys/shortcuts.ts';
import { useLoaded } from '../loading.ts';
import { Button, Icon } from '../parts/controls.tsx';
import { FilterBar } from '../parts/filter-bar.tsx';
import { toast } from '../parts/toast.tsx';
import { loadOptions } from '../suggestions.ts';
import { createReason } from './edit/interaction.ts';
import {
  countFilters,
  type Filters,
  noFilters,
  periodOf,
  rangeOf,
  stepDay,
  type ViewState,
  viewAddress,
  viewNames,
  views,
  withFilter,
} from './state.ts';
import './toolbar.css';

/** The heading of a view, in long or short form. */
export function headingOf(state: ViewState, short = false): string {
  const month = short ? 'short' : 'long';
  if (state.view === 'list') return `From ${daysText(state.day, state.day, month)}`;
  const period = periodOf(state);
  if (period === 'day') return short ? narrowDayText(state.day) : dayText(state.day);
  if (period === 'month') return monthText(state.day);
  const { from, to } = rangeOf(state, weekStart);
  return daysText(from, to!, month);
}

/** The heading in both forms. The style sheet shows the one that fits. */
function Heading({ state }: { state: ViewState }) {
  const [long, short] = [headingOf(state), headingOf(state, true)];
  return (
    <h1 aria-live="polite">
      <span class={short === long ? undefined : 'wide-only'}>{long}</span>
      {short !== long && <span class="narrow-only">{short}</span>}
    </h1>
  );
}

function Search({ state }: { state: ViewState }) {
  const { search } = state.filters;
  const [text, setText] = useState(search);
  const submitted = useRef(search);
  useEffect(() => {
    if (submitted.current !== search) setText(search);
    submitted.current = search;
  }, [search]);
  const submit = (value: string) => {
    cancel();
    submitted.current = value.trim();
    // Further letters replace the history entry of the first one.
    navigate(viewAddress({ ...state, filters: { ...state.filters, search: value.trim() } }, today()), { replace: search !== '' });
  };
  const [submitSoon, cancel] = useDelayed(submit, searchDelayMs);
  const filters = useLoaded(text.trim().length > 1 ? `filters ${text.trim()}` : undefined, (signal) => recordFilters(text.trim(), signal));
  return (
    <search class="toolbar-search screen-only">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit(text);
        }}
      >
        <Icon name="search" class="toolbar-search-icon" />
        <input
          type="search"
          placeholder="Search events"
          aria-label="Search events"
          value={text}
          onKeyDown={toResults(firstEvent)}
          onInput={({ currentTarget: { value } }) => {
            setText(value);
            submitSoon(value);
          }}
        />
      </form>
      {filters.value && filters.value.length > 0 && (
        <ul class="menu-items toolbar-found box" aria-label="Filters">
          {filters.value.map(({ label, note, address }) => (
            <li key={address}>
              <a
                class="menu-item"
                href={address}
                onClick={() => {
                  cancel();
                  setText('');
                }}
              >
                <bdi>{label}</bdi> <small>{note}</small>
              </a>
            </li>
          ))}
        </ul>
      )}
    </search>
  );
}

interface Properties {
  state: ViewState;
  /** True if the filters are open on a narrow screen. */
  open: boolean;
  onToggle(): void;
  /** True if the user may create events. */
  canCreate: boolean;
}

/** The heading of the calendar with navigation, search and views. */
export function Toolbar({ state, open, onToggle, canCreate }: Properties) {
  const to = (change: Partial<ViewState>) => viewAddress({ ...state, ...change }, today());
  const count = countFilters(state.filters);
  const period = periodOf(state);
  return (
    <div class="toolbar buttons">
      <nav class="toolbar-steps screen-only" aria-label="Date navigation">
        <Button label="Today" href={to({ day: today() })} />
        <Button icon="previous" look="square" href={to({ day: stepDay(state, -1) })} aria-label={`Previous ${period}`} />
        <Button icon="next" look="square" href={to({ day: stepDay(state, 1) })} aria-label={`Next ${period}`} />
      </nav>
      <Heading state={state} />
      <Search state={state} />
      <button type="button" class="button toolbar-toggle" aria-expanded={open} aria-controls="filters" onClick={onToggle}>
        <Icon name="filter" />
        Filters{count > 0 && ` (${count})`}
      </button>
      <nav class="views toolbar-views screen-only" aria-label="View">
        {views.map((view) => (
          <a key={view} class="views-item toolbar-view" href={to({ view })} aria-current={view === state.view ? 'page' : undefined}>
            {viewNames[view].text}
          </a>
        ))}
      </nav>
      {canCreate && (
        <button type="button" class="button main toolbar-new" onClick={() => openQuickAdd(state.day)}>
          <Icon name="plus" />
          <span>New event</span>
        </button>
      )}
    </div>
  );
}

/** The event that Tab reaches. */
const firstEvent = '.view [data-event][tabindex="0"]';

/** The shortcuts of the calendar. */
export function useCalendarShortcuts(state: ViewState, canCreate: boolean, openFilters: () => void): void {
  const go = (change: Partial<ViewState>) => () => navigate(viewAddress({ ...state, ...change }, today()));
  const step = (by: number) => () => navigate(viewAddress({ ...state, day: stepDay(state, by) }, today()));
  const shortcuts: Shortcut[] = [
    { key: 't', label: 'Go to today', run: () => navigate(viewAddress({ ...state, day: today() }, today())) },
    ...views.map((view) => ({ key: viewNames[view].key, label: `Show ${viewNames[view].text.toLowerCase()}`, run: go({ view }) })),
    { key: 'j', label: 'Next period', run: step(1) },
    { key: 'k', label: 'Previous period', run: step(-1) },
    { key: 'ArrowRight', label: 'Next period', run: step(1), isActive: hasNoFocus },
    { key: 'ArrowLeft', label: 'Previous period', run: step(-1), isActive: hasNoFocus },
    resultsShortcut('Go to the events', firstEvent),
    { key: 'n', label: 'New event', run: () => (canCreate ? openQuickAdd() : toast(createReason())) },
    { key: '/', label: 'Search events', run: () => document.querySelector<HTMLElement>('.toolbar-search input')?.focus() },
    { key: 'f', label: 'Filter events', run: openFilters },
  ];
  useShortcuts(shortcuts);
}

/** The active filters, each as a chip that removes it. */
export function ActiveFilters({ state }: { state: ViewState }) {
  const { filters } = state;
  const active = filterDefinitions.filter(({ name }) => filters.values[name]);
  const linked = active.filter(({ links }) => links);
  const key = linked.length ? `labels ${linked.map(({ name }) => `${name}=${filters.values[name]}`).join('&')}` : undefined;
  const { value: labels } = useLoaded(key, async (signal) => {
    const options = await Promise.all(linked.map(({ name, links }) => loadOptions(links!, filters.values[name]!, signal)));
    return new Map(linked.flatMap(({ name }, index) => options[index]!.map(({ value, label }) => [`${name} ${value}`, label] as const)));
  });
  if (!countFilters(filters)) return null;
  const to = (change: Filters) => viewAddress({ ...state, filters: change }, today());
  const textOf = ({ name, kind, about }: FilterDefinition, value: string) =>
    kind === 'switch' ? about : kind === 'records' ? (labels?.get(`${name} ${value}`) ?? value) : `${name}: ${value}`;
  const chips = active.flatMap((definition) => {
    const { name } = definition;
    const values = filters.values[name]!;
    return values.map((value) => {
      const label = textOf(definition, value);
      const others = values.filter((other) => other !== value);
      return {
        key: `${name} ${value}`,
        label,
        children: <bdi>{label}</bdi>,
        onRemove: () => navigate(to(withFilter(filters, name, others))),
      };
    });
  });
  return (
    <div class="toolbar-filters">
      <FilterBar filters={chips}>
        <a class="link screen-only" href={to({ ...noFilters, search: filters.search })}>
          Clear filters
        </a>
      </FilterBar>
    </div>
  );
}
