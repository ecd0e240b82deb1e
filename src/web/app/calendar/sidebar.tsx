import type { ResourceName } from '../../../model/calendar.ts';
import { navigate } from '../address.ts';
import { context, today } from '../context.ts';
import { useLoaded } from '../loading.ts';
import { plain } from '../markup.ts';
import { Picker } from '../picker.tsx';
import type { Term } from '../record.ts';
import { loadOptions, suggestions } from '../suggestions.ts';
import type { HueOf } from './hues.ts';
import { SmallMonth } from './month.tsx';
import { addressOf, type CalendarState, type Filters } from './state.ts';

const pickers = [
  { name: 'venue', kind: 'venues', label: 'Venue', any: 'Any venue' },
  { name: 'organizer', kind: 'organizers', label: 'Organizer', any: 'Any organizer' },
  { name: 'tags', kind: 'tags', label: 'Tag', any: 'Any tag' },
] as const satisfies { name: keyof Filters; kind: ResourceName; label: string; any: string }[];

interface Properties {
  state: CalendarState;
  categories: readonly Term[];
  hueOf: HueOf;
  open: boolean;
}

/** The sidebar of the calendar: a small month and the filters. */
export function Sidebar({ state, categories, hueOf, open }: Properties) {
  const { filters } = state;
  const to = (change: Partial<CalendarState>) => addressOf({ ...state, ...change }, today());
  const setFilters = (change: Partial<Filters>) => navigate(to({ filters: { ...filters, ...change } }));
  const toggle = (slug: string) => {
    const isSelected = filters.categories.includes(slug);
    setFilters({ categories: isSelected ? filters.categories.filter((each) => each !== slug) : [...filters.categories, slug] });
  };
  return (
    <section class={`sidebar${open ? ' open' : ''}`} id="filters" aria-label="Filters">
      <SmallMonth day={state.day} linkTo={(day) => to({ day })} goTo={(day) => navigate(to({ day }), { replace: true })} />
      {categories.length > 0 && (
        <fieldset class="categories">
          <legend>Categories</legend>
          {flattenTree(categories).map(({ term, depth }) => (
            <label key={term.id} class={`${hueOf({ categories: [term] })}${depth ? ' below' : ''}`}>
              <input type="checkbox" checked={filters.categories.includes(term.slug)} onChange={() => toggle(term.slug)} />
              <bdi>{plain(term.name)}</bdi>
            </label>
          ))}
        </fieldset>
      )}
      {pickers.map(({ name, kind, label, any }) => (
        <FilterPicker
          key={name}
          kind={kind}
          label={label}
          any={any}
          values={filters[name]}
          onChange={(values) => setFilters({ [name]: values })}
        />
      ))}
      <label class="check">
        <input type="checkbox" checked={filters.featured} onChange={() => setFilters({ featured: !filters.featured })} />
        Featured only
      </label>
      <p class="quiet">
        Time zone: {context.timezone} · <a href={context.feed}>Subscribe</a>
      </p>
    </section>
  );
}

interface FilterProperties {
  kind: ResourceName;
  label: string;
  any: string;
  values: readonly string[];
  onChange(values: string[]): void;
}

function FilterPicker({ kind, label, any, values, onChange }: FilterProperties) {
  const { value } = useLoaded(values.length ? `options ${kind} ${values.join()}` : undefined, (signal) =>
    loadOptions(kind, values, signal),
  );
  const selected = values.length ? (value ?? values.map((each) => ({ value: each, label: each }))) : [];
  return (
    <div class="field">
      <span class="label" aria-hidden="true">
        {label}
      </span>
      <Picker
        label={label}
        placeholder={any}
        selected={selected}
        suggest={suggestions[kind]}
        onChange={(options) => onChange(options.map((option) => option.value))}
      />
    </div>
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
