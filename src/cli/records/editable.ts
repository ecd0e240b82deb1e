import type { Entry, Input, Resource } from '../../model/calendar.ts';
import { embedded } from '../../model/fields/link.ts';
import { inputFrom } from '../../model/formats/remote-record.ts';

/** Dates that the calendar derives or sets. */
const derived = ['date_utc', 'modified', 'modified_utc'];

/** Returns a record as the input that creates it, in the order of its fields. Linked records are given by slug, or by ID without one. */
export function editable(resource: Resource, entry: Entry): Input {
  const whole = inputFrom(resource, entry);
  const input: Input = {};
  for (const { name, links, many, writeOnly } of resource.fields) {
    if (writeOnly || derived.includes(name)) continue;
    if (!links || links === 'images' || links === 'users') {
      if (whole[name] !== undefined) input[name] = whole[name];
    } else if (many) {
      const names = embedded(entry[name]).map(({ id, slug }) => slug || id);
      input[name] = Array.isArray(entry[name]) || names.length > 1 ? names : names[0];
    } else if (entry[name] !== undefined) input[name] = entry[name];
  }
  return input;
}
