import { useRef, useState } from 'preact/hooks';
import type { ResourceName } from '../../../model/calendar.ts';
import { Button } from '../controls.tsx';
import { Icon } from '../icon.tsx';
import { lazy } from '../lazy.tsx';

const FilterDialog = lazy(async () => (await import('./dialogs.ts')).FilterDialog, null);

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
    <div class="table-filters">
      {Object.entries(filters).map(([name, value]) => (
        <span class="chosen" key={name}>
          <button type="button" class="filter" onClick={() => setEdited(name)} aria-label={`Edit filter ${name}`}>
            <code>{name}</code> <bdi>{value}</bdi>
          </button>
          <button type="button" aria-label={`Remove filter ${name}`} onClick={() => onChange(without(filters, name))}>
            <Icon name="close" />
          </button>
        </span>
      ))}
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
    </div>
  );
}
