import { useEffect, useState } from 'preact/hooks';
import type { ResourceName } from '../../../model/calendar.ts';
import { capitalized } from '../../../model/grammar.ts';
import { type FilterDefinition, filterDefinitions } from '../../definitions.ts';
import { navigate } from '../address.ts';
import { context, today } from '../context.ts';
import { countText, weekStart } from '../format.ts';
import { useLoaded } from '../loading.ts';
import { textOfHtml } from '../parts/html.tsx';
import type { Option } from '../parts/picker.tsx';
import type { ListedEvent, Term } from '../record.ts';
import { loadOptions, suggestions } from '../suggestions.ts';
import { useCategoryCount } from './events.ts';
import { SmallMonth } from './grid/month.tsx';
import { type ColorBy, type Coloring, colorings } from './hues.ts';
import { rangeOf, type ViewState, viewAddress, withFilter } from './state.ts';
import './sidebar.css';

interface SidebarProperties {
  state: ViewState;
  categories: readonly Term[];
  coloring: Coloring;
  /** The events of the view; undefined until they are loaded. */
  events: readonly ListedEvent[] | undefined;
  open: boolean;
}

/** The sidebar of the calendar: a small month and the filters. */
export function Sidebar({ state, categories, coloring, events, open }: SidebarProperties) {
  const to = (change: Partial<ViewState>) => viewAddress({ ...state, ...change }, today());
  return (
    <section class={`sidebar screen-only${open ? ' open' : ''}`} id="filters" aria-label="Filters">
      <SmallMonth day={state.day} linkTo={(day) => to({ day })} goTo={(day) => navigate(to({ day }), { replace: true })} />
      <FilterMenu state={state} categories={categories} coloring={coloring} events={events} />
      <p class="sidebar-note">
        Time zone: {context.timezone} · <a href={context.feed}>Subscribe</a>
      </p>
    </section>
  );
}

interface MenuProperties {
  state: ViewState;
  categories: readonly Term[];
  coloring: Coloring;
  /** The events of the view; undefined until they are loaded. */
  events: readonly ListedEvent[] | undefined;
}

const legendOf = (text: string) => capitalized(text).replaceAll('_', ' ');

/** The filters of the calendar: the values of each filter with “All”, colors and counts. */
function FilterMenu({ state, categories, coloring, events }: MenuProperties) {
  const countOf = useCategoryCount(state.filters, rangeOf(state, weekStart), events, categories);
  const select = (name: string, values: readonly string[]) =>
    navigate(viewAddress({ ...state, filters: withFilter(state.filters, name, values) }, today()));
  return (
    <>
      {filterDefinitions.map((filter) => {
        const values = state.filters.values[filter.name] ?? [];
        const properties = { filter, values, onChange: (next: readonly string[]) => select(filter.name, next) };
        if (filter.links === 'categories')
          return <CategoryFilter key={filter.name} {...properties} {...{ categories, coloring, countOf }} />;
        if (filter.kind === 'records') return <RecordFilter key={filter.name} {...properties} />;
        if (filter.kind === 'switch') return <SwitchFilter key={filter.name} {...properties} />;
        return <TextFilter key={filter.name} {...properties} />;
      })}
      <label class="field">
        <span class="sidebar-label">Color</span>
        <select
          class="sidebar-control"
          value={coloring.by}
          onChange={({ currentTarget: { value } }) => coloring.onChange(value as ColorBy)}
        >
          {colorings.map((by) => (
            <option key={by} value={by}>
              By {by}
            </option>
          ))}
        </select>
      </label>
    </>
  );
}

interface FilterProperties extends SelectedValues {
  filter: FilterDefinition;
}

interface CategoryProperties extends FilterProperties, Omit<MenuProperties, 'state' | 'events'> {
  countOf: ((term: Term) => number) | undefined;
}

function CategoryFilter({ filter, values, onChange, categories, coloring, countOf }: CategoryProperties) {
  if (!categories.length) return null;
  return (
    <fieldset class="sidebar-choices">
      <legend>{legendOf(filter.links!)}</legend>
      <ul class="sidebar-list">
        <All values={values} onChange={onChange} />
        {flattenTree(categories).map(({ term, depth }) => (
          <Choice
            key={term.id}
            class={`${coloring.by === 'category' ? `colored ${coloring.hueOf({ categories: [term] })}` : ''}${depth ? ' below' : ''}`}
            value={term.slug}
            label={textOfHtml(term.name)}
            count={countOf?.(term)}
            {...{ values, onChange }}
          />
        ))}
      </ul>
    </fieldset>
  );
}

/** Delay until the records of an opened filter are usually there, in ms. */
const revealDelayMs = 200;

/** The records of a filter. Its list is loaded when it is opened. */
function RecordFilter({ filter, values, onChange }: FilterProperties) {
  const [isOpen, setOpen] = useState(values.length > 0);
  return (
    <details
      class="sidebar-choices"
      open={isOpen}
      onToggle={({ currentTarget }) => {
        setOpen(currentTarget.open);
        // Once the records are loaded.
        if (currentTarget.open) setTimeout(() => currentTarget.scrollIntoView({ block: 'nearest' }), revealDelayMs);
      }}
    >
      <summary>
        {legendOf(filter.links!)}
        {values.length > 0 && ` (${values.length})`}
      </summary>
      {isOpen && <RecordChoices resource={filter.links!} {...{ values, onChange }} />}
    </details>
  );
}

const SwitchFilter = ({ filter, values, onChange }: FilterProperties) => (
  <label class="check">
    <input type="checkbox" checked={values.length > 0} onChange={() => onChange(values.length ? [] : ['true'])} />
    {filter.about}
  </label>
);

/** A text or number that is applied with Enter or when the control loses the focus. */
function TextFilter({ filter, values: [value = ''], onChange }: FilterProperties) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const apply = () => text.trim() !== value && onChange(text.trim() ? [text.trim()] : []);
  return (
    <label class="field">
      <span class="sidebar-label">{legendOf(filter.name)}</span>
      <input
        class="sidebar-control"
        type="text"
        inputMode={filter.kind === 'number' ? 'numeric' : 'text'}
        placeholder="Any"
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onBlur={apply}
        onKeyDown={({ key }) => key === 'Enter' && apply()}
      />
    </label>
  );
}

/** The categories in tree order, each with its depth. */
function flattenTree(categories: readonly Term[]): { term: Term; depth: number }[] {
  const ids = new Set(categories.map(({ id }) => id));
  const childrenOf = (parent: number | undefined, depth: number): { term: Term; depth: number }[] =>
    categories
      .filter((term) => (parent === undefined ? !term.parent || !ids.has(term.parent) : term.parent === parent))
      .sort((one, other) => one.id - other.id)
      .flatMap((term) => [{ term, depth }, ...(depth < 20 ? childrenOf(term.id, depth + 1) : [])]);
  return childrenOf(undefined, 0);
}

/** The selected values of a filter. */
interface SelectedValues {
  values: readonly string[];
  onChange(values: readonly string[]): void;
}

interface ChoiceProperties extends SelectedValues {
  value: string;
  label: string;
  count?: number;
  class?: string;
}

/** A value with a check box, and a button that selects only this one. */
function Choice({ value, label, count, class: name = '', values, onChange }: ChoiceProperties) {
  const isSelected = values.includes(value);
  return (
    <li class={`sidebar-choice ${name}`}>
      <label>
        <input
          type="checkbox"
          checked={isSelected}
          onChange={() => onChange(isSelected ? values.filter((each) => each !== value) : [...values, value])}
        />
        <bdi class="cut">{label}</bdi>
      </label>
      {count !== undefined && <small>{countText(count)}</small>}
      <button type="button" class="sidebar-only" aria-label={`Only ${label}`} onClick={() => onChange([value])}>
        only
      </button>
    </li>
  );
}

/** Shows all values: none is selected. */
const All = ({ values, onChange }: SelectedValues) => (
  <li class="sidebar-choice colored all">
    <label>
      <input type="checkbox" checked={values.length === 0} disabled={values.length === 0} onChange={() => onChange([])} />
      All
    </label>
  </li>
);

/** Number of records above which a filter has a search. */
const maxWithoutSearch = 8;

/** The records of a filter: the selected ones and those that the server finds. */
function RecordChoices({ resource, values, onChange }: SelectedValues & { resource: ResourceName }) {
  const [search, setSearch] = useState('');
  const { value: matches = [] } = useLoaded(`filter ${resource} ${search}`, (signal) => suggestions[resource](search, signal));
  const { value: selected = [] } = useLoaded(values.length ? `options ${resource} ${values}` : undefined, (signal) =>
    loadOptions(resource, values, signal),
  );
  const options: Option[] = [...selected, ...matches.filter(({ value }) => !values.includes(value))];
  return (
    <>
      {(search !== '' || matches.length > maxWithoutSearch) && (
        <input
          class="sidebar-control"
          type="search"
          placeholder={`Search ${resource}`}
          aria-label={`Search ${resource}`}
          value={search}
          onInput={({ currentTarget }) => setSearch(currentTarget.value.trim())}
        />
      )}
      <ul class="sidebar-list">
        <All values={values} onChange={onChange} />
        {options.map(({ value, label }) => (
          <Choice key={value} {...{ value, label, values, onChange }} />
        ))}
      </ul>
    </>
  );
}
