import type { ViewOptions } from '../context.ts';
import type { Entry, Related, Row } from '../record.ts';
import { isLocked } from '../redact.ts';
import { emptyList, type Field, isKnown, type JsonSchema, orNull } from './field.ts';

/** A member of an answer that no field gives: an ID, an address, what follows from others. */
export interface Computed {
  /** Its value; `entry` has the members before it. Undefined leaves it out. */
  show(row: Row, related: Related, view: ViewOptions, entry: Record<string, unknown>): unknown;
  /** Its schema; of several forms the usual one comes first. */
  response: JsonSchema;
  /** Every answer has it, those that leave out what is empty too. */
  always?: true;
  /** Some answers do not have it: only reads of one record do. */
  onlySingle?: true;
  /** The reference's own document does not have it. */
  undocumented?: true;
  /** What it shows while a password hides the record; one without it is public. */
  redacted?: unknown;
}

/** One named member of an answer. */
export interface Member extends Computed {
  name: string;
  isAbsent(shown: unknown): boolean;
}

/** The members of the answers of a resource. */
export interface ResponseForm {
  members: readonly Member[];
  /** Whether what is empty is left out. */
  sparse: boolean;
}

/**
 * Puts the members of an answer in order: those of `order`, which the reference has, and behind them the fields that it does not have.
 * Fails where a name in the order is neither a field nor computed.
 */
export function responseForm(
  order: readonly string[],
  fields: readonly Field[],
  computed: Record<string, Computed>,
  { sparse = false } = {},
): ResponseForm {
  const shown = new Map(fields.filter(({ writeOnly }) => !writeOnly).map((field) => [field.name, memberOf(field)]));
  const members = [...new Set([...order, ...shown.keys()])].map((name): Member => {
    const member = shown.get(name) ?? (computed[name] && { name, isAbsent: isMissing, ...computed[name] });
    if (!member) throw new Error(`no field shows ${name}`);
    return member;
  });
  return { members, sparse };
}

const isMissing = (shown: unknown) => shown === '' || shown === null;

const memberOf = (field: Field): Member => ({
  name: field.name,
  response: field.response,
  always: field.always,
  redacted: field.redacted,
  isAbsent: field.isAbsent,
  show: (row, related, view) => {
    if (!isKnown(field, view)) return undefined;
    return field.join ? field.join.show(related.linked?.[field.name] ?? []) : field.show(row[field.name]!, row, related, view);
  },
});

/** A row as the API shows it; of a record that a password hides, what is left of it. */
export function entryOf({ members, sparse }: ResponseForm, row: Row, related: Related, view: ViewOptions): Entry {
  const locked = isLocked(row, view);
  const entry: Record<string, unknown> = {};
  for (const member of members) {
    const shown = member.show(row, related, view, entry);
    if (shown === undefined || (sparse && member.isAbsent(shown))) continue;
    entry[member.name] = locked && member.redacted !== undefined ? member.redacted : shown;
  }
  return entry as Entry;
}

/** The schema of an answer of a server that has these parts: what is always there is required, and what a password leaves is one form of it. */
export function responseSchema(
  { members, sparse }: ResponseForm,
  fields: readonly Field[],
  parts: Pick<ViewOptions, 'extensions'>,
): JsonSchema {
  const unknown = fields.filter((field) => !isKnown(field, parts)).map(({ name }) => name);
  const known = members.filter(({ name }) => !unknown.includes(name));
  return {
    type: 'object',
    required: known.filter(({ always, onlySingle }) => always || !(sparse || onlySingle)).map(({ name }) => name),
    properties: Object.fromEntries(known.map(({ name, response, redacted }) => [name, withRedacted(response, redacted)])),
  };
}

/** The schema of a member that shows something else while a password hides its record. */
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
