import type { Field } from '../../model/field.ts';
import type { Input, Resource } from '../../model/resource.ts';

/** What a field is when a record leaves it out. */
function usualOf(field: Field): unknown {
  if (field.name === 'venue') return 0;
  if (field.many || field.placeholder === 'cost') return [];
  if (field.name === 'status') return 'publish';
  if (field.wire.type === 'boolean') return false;
  if (!field.placeholder) return field.column?.default === 1 ? 'true' : 'false';
  if (field.column?.type === 'REAL' || field.name === 'parent' || field.name === 'post_parent') return 0;
  if (field.placeholder === 'user') return 1;
  return '';
}

/** Values that stay when nothing is said of them: they cannot be taken away. */
const lasting = new Set(['date', 'date_utc', 'start_date', 'end_date', 'timezone', 'id', 'slug', 'modified', 'modified_utc']);

/** A complete record as an update of what is there: what it leaves out becomes as usual. */
export function completed(resource: Resource, before: Input, input: Input): Input {
  const gone: Input = {};
  for (const field of resource.fields)
    if (before[field.name] !== undefined && input[field.name] === undefined && !lasting.has(field.name) && !field.required)
      gone[field.name] = usualOf(field);
  for (const name of ['generated', 'lineage'])
    if (before[name] !== undefined && input[name] === undefined) gone[name] = name === 'generated' ? 0 : '';
  return { ...gone, ...input };
}

/** Empty cells as what they mean: nothing for a new record; for one that is there, the value as usual. */
export function cellsFor(resource: Resource, input: Input, before: Input | undefined): Input {
  const said: Input = {};
  for (const [name, value] of Object.entries(input)) {
    const field = resource.fields.find((each) => each.name === name);
    if (value !== '' || !field) {
      if (value !== '' && value !== undefined) said[name] = value;
    } else if (before && !lasting.has(name) && !field.required) said[name] = usualOf(field);
  }
  return said;
}
