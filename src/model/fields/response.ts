import type { ViewOptions } from '../context.ts';
import { isLocked } from '../context.ts';
import type { Entry, Related, Row } from '../record.ts';
import { emptyList, type Field, isKnown, type JsonSchema, orNull } from './field.ts';

/** A member of a response that is not a field: an ID, a URL, or a computed value. */
export interface Computed {
  /** Its value; `entry` has the members before it. Undefined leaves it out. */
  show(row: Row, related: Related, view: ViewOptions, entry: Record<string, unknown>): unknown;
  /** Its schema; the most common form comes first. */
  response: JsonSchema;
  /** True if it is present even in responses that leave out empty values. */
  always?: true;
  /** True if only responses with a single record have it. It may be computed from the members before it. */
  onlySingle?: true;
  /** True if the reference's document lacks it. */
  undocumented?: true;
  /** Its value while a password hides the record; public if undefined. */
  redacted?: unknown;
}

/** A named member of a response. */
export interface Member extends Computed {
  name: string;
  isAbsent(value: unknown): boolean;
}

/** The members of a resource's responses. */
export interface ResponseForm {
  members: readonly Member[];
  /** True if empty values are left out. */
  sparse: boolean;
  /** Names of members that releases of a few years ago lack, so that clients can't rely on them. */
  newer: readonly string[];
  /** Schemas of members that extensions of a site add. This program has them only in copies. */
  added: Record<string, JsonSchema>;
}

/** The members of responses: those of `order`, which the reference has, then the other fields. Throws if a name is neither a field nor computed. */
export function responseForm(
  order: readonly string[],
  fields: readonly Field[],
  computed: Record<string, Computed>,
  { sparse = false, newer = [], added = {} }: Partial<Omit<ResponseForm, 'members'>> = {},
): ResponseForm {
  const byName = new Map(fields.filter(({ shown: { writeOnly } }) => !writeOnly).map((field) => [field.name, memberOf(field)]));
  const members = [...new Set([...order, ...byName.keys()])].map((name): Member => {
    const member = byName.get(name) ?? (computed[name] && { name, isAbsent: isMissing, ...computed[name] });
    if (!member) throw new Error(`no field shows ${name}`);
    return member;
  });
  return { members, sparse, newer, added };
}

const isMissing = (value: unknown) => value === '' || value === null;

export const memberOf = (field: Field): Member => ({
  name: field.name,
  response: field.shown.schema,
  always: field.shown.always,
  redacted: field.shown.redacted,
  isAbsent: field.shown.isAbsent,
  show: (row, related, view) => {
    if (!isKnown(field, view)) return undefined;
    return field.stored.join
      ? field.stored.join.show(related.linked?.[field.name] ?? [])
      : field.shown.value(row[field.name]!, row, related, view);
  },
});

/** The names of the members to compute; undefined for all, as for one that is computed from others. */
export const membersIn = ({ members }: ResponseForm, view: ViewOptions): ReadonlySet<string> | undefined =>
  view.single && members.some(({ name, onlySingle }) => onlySingle && view.members?.has(name)) ? undefined : view.members;

/** A row as the API shows it, redacted if a password hides it. */
export function entryOf(form: ResponseForm, row: Row, related: Related, view: ViewOptions): Entry {
  const locked = isLocked(row, view);
  const entry: Record<string, unknown> = {};
  const names = membersIn(form, view);
  for (const member of form.members) {
    if (names && !names.has(member.name)) continue;
    const value = member.show(row, related, view, entry);
    if (value === undefined || (form.sparse && member.isAbsent(value))) continue;
    entry[member.name] = locked && member.redacted !== undefined ? member.redacted : value;
  }
  return entry as Entry;
}

/** The schema of responses with the given extensions, of sites of all releases. */
export function responseSchema(
  { members, sparse, newer, added }: ResponseForm,
  fields: readonly Field[],
  parts: Pick<ViewOptions, 'extensions'>,
): JsonSchema {
  const unknown = fields.filter((field) => !isKnown(field, parts)).map(({ name }) => name);
  const documented = members.filter(({ name }) => !unknown.includes(name));
  return {
    type: 'object',
    required: documented
      .filter(({ name, always, onlySingle }) => (always || !(sparse || onlySingle)) && !newer.includes(name))
      .map(({ name }) => name),
    properties: {
      ...Object.fromEntries(documented.map(({ name, response, redacted }) => [name, withRedacted(response, redacted)])),
      ...added,
    },
  };
}

function withRedacted(response: JsonSchema, redacted: unknown): JsonSchema {
  if (redacted === null) return orNull(response);
  const forms = Array.isArray(response.anyOf) ? (response.anyOf as JsonSchema[]) : [response];
  const fits = forms.some(
    ({ type, const: value, $ref }) =>
      redacted === undefined ||
      (value !== undefined && redacted === value) ||
      (Array.isArray(redacted) ? type === 'array' : typeof redacted === type) ||
      (typeof redacted === 'object' && $ref !== undefined),
  );
  return fits ? response : { anyOf: [...forms, Array.isArray(redacted) ? emptyList : { const: redacted }] };
}
