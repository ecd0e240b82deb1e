import type { Entry, Input, Resource, ResourceName } from '../calendar.ts';
import type { LinkTarget } from '../fields/field.ts';
import { resources } from '../resources/all.ts';

/** Returns whether a record came without what its password protects: switches are null then, and some names an empty list, as in the reference. */
export function isRedacted(name: ResourceName, entry: Entry): boolean {
  const { fields, label }: Resource = resources[name];
  const isHidden = fields.some((field) => field.switch && field.redacted === null && entry[field.name] === null);
  return isHidden || Array.isArray(entry[label]);
}

/** The fields of a record that its calendar showed: of a redacted one the public ones. */
function shownFields(name: ResourceName, entry: Entry) {
  const redacted = isRedacted(name, entry);
  return (resources[name] as Resource).fields.filter((field) => !field.writeOnly && !(redacted && field.redacted !== undefined));
}

/** A record of another calendar as the input that makes one that is shown the same; links to other records are left to the caller. */
export function inputFrom(name: ResourceName, entry: Entry): Input {
  const { family, response }: Resource = resources[name];
  const input: Input = {};
  for (const field of shownFields(name, entry)) {
    const shown = entry[field.name];
    // Where nothing empty is left out, a field that is missing is one that the other calendar does not have.
    if (shown !== undefined || response.sparse) input[field.name] = field.fromResponse(shown, entry);
  }
  if (family === 'post')
    Object.assign(input, { slug: String(entry.slug ?? ''), modified: entry.modified, modified_utc: entry.modified_utc });
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}

/** What is equal in two calendars where a record is: its fields as they are shown, without what depends on the site. */
export function comparable(
  name: ResourceName,
  entry: Entry,
  linked: (resource: ResourceName, id: number) => unknown,
): Record<string, unknown> {
  const translated = (to: LinkTarget, id: number) => (to === 'images' || to === 'users' ? id : linked(to as ResourceName, id));
  const part: Record<string, unknown> = {};
  for (const { name: field, compared } of shownFields(name, entry)) if (compared) part[field] = compared(entry[field], entry, translated);
  return part;
}
