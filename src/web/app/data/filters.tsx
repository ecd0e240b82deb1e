import { useEffect, useRef, useState } from 'preact/hooks';
import type { ResourceName } from '../../../model/calendar.ts';
import { type ParameterChoice, tables } from '../../definitions.ts';
import { Button, Form } from '../parts/controls.tsx';
import { Floating, LayerTitle } from '../parts/dialog.tsx';
import { FilterBar } from '../parts/filter-bar.tsx';
import { type Option, Picker } from '../parts/picker.tsx';
import { loadOptions, suggestions } from '../suggestions.ts';

interface Properties {
  resource: ResourceName;
  filters: Readonly<Record<string, string>>;
  onChange(filters: Record<string, string>): void;
}

const without = (filters: Properties['filters'], name: string) =>
  Object.fromEntries(Object.entries(filters).filter(([each]) => each !== name));

/** The active filters, named like the API's parameters, and a button that adds one. */
export function Filters({ resource, filters, onChange }: Properties) {
  const [edited, setEdited] = useState<string>();
  const button = useRef<HTMLButtonElement>(null);
  return (
    <FilterBar
      filters={Object.entries(filters).map(([name, value]) => ({
        key: name,
        label: name,
        children: (
          <>
            <code>{name}</code> <bdi>{value}</bdi>
          </>
        ),
        onEdit: () => setEdited(name),
        onRemove: () => onChange(without(filters, name)),
      }))}
    >
      <Button icon="filter" label="Add filter" look="small" ref={button} onClick={() => setEdited('')} />
      {edited !== undefined && (
        <FilterDialog
          resource={resource}
          name={edited}
          filters={filters}
          anchor={() => button.current}
          onClose={() => setEdited(undefined)}
          onApply={(name, value) => {
            setEdited(undefined);
            const rest = without(filters, name);
            onChange(value ? { ...rest, [name]: value } : rest);
          }}
        />
      )}
    </FilterBar>
  );
}

interface FormProperties {
  resource: ResourceName;
  filters: Readonly<Record<string, string>>;
  /** The parameter to edit; '' to choose one. */
  name: string;
  onApply(name: string, value: string): void;
}

/** Chooses a parameter of the list and its value. */
function FilterDialog({ anchor, onClose, ...form }: FormProperties & { anchor(): Element | null | undefined; onClose(): void }) {
  return (
    <Floating label="Filter" hasMenu anchor={anchor} onClose={onClose}>
      <FilterForm {...form} />
    </Floating>
  );
}

function FilterForm({ resource, name: initial, filters, onApply }: FormProperties) {
  const definitions = tables[resource].filters;
  const [name, setName] = useState(initial || definitions[0]!.name);
  const [value, setValue] = useState(filters[name] ?? '');
  const definition = definitions.find((each) => each.name === name) ?? { name, about: 'Parameter of the list' };
  return (
    <Form submit="Apply" onSubmit={() => onApply(name, value.trim())}>
      <LayerTitle>Filter</LayerTitle>
      <div class="field">
        <label for="filter-name">Parameter</label>
        <select
          id="filter-name"
          value={name}
          onChange={({ currentTarget }) => {
            setName(currentTarget.value);
            setValue(filters[currentTarget.value] ?? '');
          }}
        >
          {[...new Set([name, ...definitions.map((each) => each.name)])].map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </div>
      <div class="field">
        <label for="filter-value">Value</label>
        <FilterValue key={name} definition={definition} value={value} onChange={setValue} />
        <p class="hint" id="filter-hint">
          {definition.about}.
        </p>
      </div>
    </Form>
  );
}

interface ValueProperties {
  definition: ParameterChoice;
  value: string;
  onChange(value: string): void;
}

function FilterValue({ definition: { links, choices, many }, value, onChange }: ValueProperties) {
  const common = { id: 'filter-value', 'aria-describedby': 'filter-hint', value };
  if (links) return <RecordsValue links={links} many={many} value={value} onChange={onChange} />;
  if (choices && !many)
    return (
      <select {...common} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        <option value="" />
        {choices.map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </select>
    );
  return (
    <>
      <input
        {...common}
        type="text"
        autocomplete="off"
        spellcheck={false}
        list={choices && 'filter-choices'}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      {choices && (
        <datalist id="filter-choices">
          {choices.map((choice) => (
            <option key={choice} value={choice} />
          ))}
        </datalist>
      )}
    </>
  );
}

/** Selects records by name. The value is a list of IDs or slugs. */
function RecordsValue({ links, many, value, onChange }: Omit<ValueProperties, 'definition'> & { links: ResourceName; many?: boolean }) {
  const [selected, setSelected] = useState<Option[]>(() =>
    value
      .split(',')
      .filter(Boolean)
      .map((each) => ({ value: each, label: each })),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the initial values need their names.
  useEffect(() => {
    if (value) void loadOptions(links, value.split(',')).then(setSelected);
  }, []);
  return (
    <Picker
      id="filter-value"
      label="Value"
      describedBy="filter-hint"
      selected={selected}
      single={!many}
      suggest={suggestions[links]}
      onChange={(options) => {
        setSelected(options);
        onChange(options.map((option) => option.value).join(','));
      }}
    />
  );
}
