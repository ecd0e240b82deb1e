import type { Entry, Input, Resource, ResourceName } from '../calendar.ts';
import { isObject } from '../fields/coerce.ts';
import type { Field, LinkTarget } from '../fields/field.ts';

/** True if password-protected parts of a record are missing. Switches are null then, and some names are empty lists, as in the reference. */
export function isRedacted({ fields, label, family }: Resource, entry: Entry): boolean {
  if (family === 'term') return false;
  const switches = fields.filter((field) => field.switch && field.shown.redacted === null && field.name in entry);
  const isHidden = switches.length > 0 && switches.every(({ name }) => entry[name] === null);
  const name = entry[label];
  return isHidden || (Array.isArray(name) && !name.length);
}

/** The fields that a response contains; of a redacted record, only public ones. Sites may lack declared ones. */
function shownFields(resource: Resource, entry: Entry) {
  const redacted = isRedacted(resource, entry);
  const isShown = ({ isDeclared, name }: Field) => !isDeclared || name in entry;
  return resource.fields.filter((field) => !field.shown.writeOnly && !(redacted && field.shown.redacted !== undefined) && isShown(field));
}

/** The text of a field that a response to an editor has as it is stored, because it has comments that are not shown; undefined for others. */
export function rawText({ raw }: Entry, name: string): string | undefined {
  const text = isObject(raw) ? raw[name] : undefined;
  return typeof text === 'string' ? text : undefined;
}

/** The input that recreates a record of another calendar. The caller adds the links. */
export function remoteInput(resource: Resource, entry: Entry): Input {
  const { family, response } = resource;
  const input: Input = {};
  for (const field of shownFields(resource, entry)) {
    const remoteValue = entry[field.name];
    // Unless empty fields are omitted, a missing field means that the other calendar doesn't have it.
    const value =
      rawText(entry, field.name) ?? (remoteValue !== undefined || response.sparse ? field.compared.input(remoteValue, entry) : undefined);
    if (value !== undefined) input[field.name] = value;
  }
  if (family === 'post') {
    input.slug = String(entry.slug ?? slugIn(entry.url));
    if (entry.modified !== undefined) input.modified = entry.modified;
    if (entry.modified_utc !== undefined) input.modified_utc = entry.modified_utc;
  }
  return input;
}

/** The slug in the address of a page, for sites that show none. */
const slugIn = (url: unknown): string =>
  typeof url === 'string' && URL.canParse(url) ? (/(?<![^/])([^/]+)\/$/.exec(new URL(url).pathname)?.[1] ?? '') : '';

/** The parts of a record that are equal in two calendars, behind those of `part`: its fields without site-specific values. */
export function comparable(
  resource: Resource,
  entry: Entry,
  linked: (resource: ResourceName, id: number) => unknown,
  part: Record<string, unknown> = {},
): Record<string, unknown> {
  const translated = (to: LinkTarget, id: number) => (to === 'images' || to === 'users' ? id : linked(to as ResourceName, id));
  for (const { name: field, compared } of shownFields(resource, entry))
    if (compared.value) part[field] = compared.value(entry[field], entry, translated);
  return part;
}
