import { countText } from '../format.ts';

/** The selected values of a filter. */
export interface SelectedValues {
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
export function Choice({ value, label, count, class: name = '', values, onChange }: ChoiceProperties) {
  const isSelected = values.includes(value);
  return (
    <li class={name}>
      <label>
        <input
          type="checkbox"
          checked={isSelected}
          onChange={() => onChange(isSelected ? values.filter((each) => each !== value) : [...values, value])}
        />
        <bdi>{label}</bdi>
      </label>
      {count !== undefined && <small class="quiet">{countText(count)}</small>}
      <button type="button" class="only" aria-label={`Only ${label}`} onClick={() => onChange([value])}>
        only
      </button>
    </li>
  );
}

/** Shows all values: none is selected. */
export const All = ({ values, onChange }: SelectedValues) => (
  <li class="all">
    <label>
      <input type="checkbox" checked={values.length === 0} disabled={values.length === 0} onChange={() => onChange([])} />
      All
    </label>
  </li>
);
