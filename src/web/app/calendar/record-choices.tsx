import { useState } from 'preact/hooks';
import type { ResourceName } from '../../../model/calendar.ts';
import { useLoaded } from '../loading.ts';
import type { Option } from '../picker.tsx';
import { loadOptions, suggestions } from '../suggestions.ts';
import { All, Choice, type SelectedValues } from './choice.tsx';

/** Number of records above which a filter has a search. */
const maxWithoutSearch = 8;

/** The records of a filter: the selected ones and those that the server finds. */
export function RecordChoices({ resource, values, onChange }: SelectedValues & { resource: ResourceName }) {
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
          type="search"
          placeholder={`Search ${resource}`}
          aria-label={`Search ${resource}`}
          value={search}
          onInput={({ currentTarget }) => setSearch(currentTarget.value.trim())}
        />
      )}
      <ul>
        <All values={values} onChange={onChange} />
        {options.map(({ value, label }) => (
          <Choice key={value} {...{ value, label, values, onChange }} />
        ))}
      </ul>
    </>
  );
}
