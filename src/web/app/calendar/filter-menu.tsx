import { useEffect, useState } from 'preact/hooks';
import { capitalized } from '../../../model/grammar.ts';
import type { FilterDefinition } from '../../definition.ts';
import { filterDefinitions } from '../../filter-definitions.ts';
import { navigate } from '../address.ts';
import { today } from '../context.ts';
import { weekStart } from '../format.ts';
import { lazy } from '../lazy.tsx';
import { plain } from '../markup.ts';
import type { ListedEvent, Term } from '../record.ts';
import { All, Choice, type SelectedValues } from './choice.tsx';
import { useCategoryCount } from './events.ts';
import { type ColorBy, type Coloring, colorings } from './hues.ts';
import { addressOf, type CalendarState, rangeOf, withFilter } from './state.ts';

interface Properties {
  state: CalendarState;
  categories: readonly Term[];
  coloring: Coloring;
  /** The events of the view; undefined until they are loaded. */
  events: readonly ListedEvent[] | undefined;
}

const titleOf = (text: string) => capitalized(text).replaceAll('_', ' ');

/** The filters of the calendar: the values of each filter with “All”, colors and counts. */
export function FilterMenu({ state, categories, coloring, events }: Properties) {
  const countOf = useCategoryCount(state.filters, rangeOf(state, weekStart), events, categories);
  const select = (name: string, values: readonly string[]) =>
    navigate(addressOf({ ...state, filters: withFilter(state.filters, name, values) }, today()));
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
        <span class="label">Color</span>
        <select value={coloring.by} onChange={({ currentTarget: { value } }) => coloring.onChange(value as ColorBy)}>
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

interface CategoryProperties extends FilterProperties, Omit<Properties, 'state' | 'events'> {
  countOf: ((term: Term) => number) | undefined;
}

function CategoryFilter({ filter, values, onChange, categories, coloring, countOf }: CategoryProperties) {
  if (!categories.length) return null;
  return (
    <fieldset class="choices">
      <legend>{titleOf(filter.links!)}</legend>
      <ul>
        <All values={values} onChange={onChange} />
        {flattenTree(categories).map(({ term, depth }) => (
          <Choice
            key={term.id}
            class={`${coloring.by === 'category' ? coloring.hueOf({ categories: [term] }) : ''}${depth ? ' below' : ''}`}
            value={term.slug}
            label={plain(term.name)}
            count={countOf?.(term)}
            {...{ values, onChange }}
          />
        ))}
      </ul>
    </fieldset>
  );
}

const RecordChoices = lazy(async () => (await import('./views/more-views.ts')).RecordChoices, null);

/** The records of a filter. Its list is loaded when it is opened. */
function RecordFilter({ filter, values, onChange }: FilterProperties) {
  const [isOpen, setOpen] = useState(values.length > 0);
  return (
    <details class="choices" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {titleOf(filter.links!)}
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
      <span class="label">{titleOf(filter.name)}</span>
      <input
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

/** Returns the categories in tree order, each with its depth. */
function flattenTree(categories: readonly Term[]): { term: Term; depth: number }[] {
  const ids = new Set(categories.map(({ id }) => id));
  const childrenOf = (parent: number | undefined, depth: number): { term: Term; depth: number }[] =>
    categories
      .filter((term) => (parent === undefined ? !term.parent || !ids.has(term.parent) : term.parent === parent))
      .sort((one, other) => one.id - other.id)
      .flatMap((term) => [{ term, depth }, ...(depth < 20 ? childrenOf(term.id, depth + 1) : [])]);
  return childrenOf(undefined, 0);
}
