import type { ViewOptions } from './context.ts';
import { emptyList } from './fields/field.ts';
import type { Member } from './fields/response.ts';
import { parseExtra } from './fields/stored-extra.ts';
import type { Entry, Row } from './record.ts';
import { isLocked } from './redact.ts';
import type { Definition } from './resource.ts';
import { embeddedTermSchema } from './resources/term.ts';

/** The forms of a record in responses. Sites add members to some of them. */
export type ExtraForm = 'list' | 'single' | 'embedded';

/** Members that this program doesn't know, by form. */
export type Extra = Partial<Record<ExtraForm, Record<string, unknown>>>;

/** Returns whether a name is one of the members that this program or the wire adds to records. */
export const isOwnMember = (name: string): boolean => ownMembers.includes(name);

/** Members of every response that belong to the wire or to this program. */
const ownMembers = ['id', 'uid', 'sequence', '_links', ...Object.keys(embeddedTermSchema([]).properties)];

/** The names of members that this program knows, and of those that are always empty here, by the fields of a resource. */
const knownNames = new WeakMap<Definition['fields'], { known: ReadonlySet<string>; empty: ReadonlySet<string> }>();

function namesOf({ response, fields }: Pick<Definition, 'response' | 'fields'>) {
  const cached = knownNames.get(fields);
  if (cached) return cached;
  const responseNames = response.members.map(({ name }: Member) => name);
  const empty = new Set(response.members.filter((member: Member) => member.response === emptyList).map(({ name }) => name));
  const names = { known: new Set([...ownMembers, ...responseNames, ...fields.map(({ name }) => name)]), empty };
  knownNames.set(fields, names);
  return names;
}

/** Returns the members of a record from another site that this program doesn't know. */
export function unknownMembers(definition: Pick<Definition, 'response' | 'fields'>, entry: Entry): Record<string, unknown> {
  const { known, empty } = namesOf(definition);
  const unknown: Record<string, unknown> = {};
  // Of members that are always empty here, a site may have values.
  for (const name in entry)
    if (!known.has(name) || (empty.has(name) && JSON.stringify(entry[name] ?? []) !== '[]')) unknown[name] = entry[name];
  return unknown;
}

const parsed = (row: Row): Extra => parseExtra(row.extra);

/** Returns whether an entry has no value for a member. */
const isFree = (value: unknown) => value === undefined || (Array.isArray(value) && value.length === 0);

/** Returns an entry with the members that a site added to this form of its record, behind the known ones. A password hides them. */
export function withExtra(entry: Entry, row: Row, form: ExtraForm, view: Partial<ViewOptions> & Pick<ViewOptions, 'viewer'>): Entry {
  if (!row.extra || isLocked(row, { ...view, editing: view.editing ?? false })) return entry;
  const { [form]: members, list } = parsed(row);
  // Members of the single form are only stored if they differ.
  const extra = Object.entries(members ?? (form === 'single' ? list : undefined) ?? {}).filter(
    ([name]) => isFree(entry[name]) && (!view.members || view.members.has(name)),
  );
  return { ...entry, ...Object.fromEntries(extra) };
}
