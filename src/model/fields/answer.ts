import type { ViewOptions } from '../context.ts';
import type { Entry, Related, Row } from '../record.ts';
import { isLocked } from '../redact.ts';
import { type Field, isKnown, type JsonSchema } from './field.ts';

/** A member of an answer that no field gives: an ID, an address, what follows from others. */
export interface Computed {
  /** Its value; `entry` has the members before it. Undefined leaves it out. */
  show(row: Row, related: Related, view: ViewOptions, entry: Record<string, unknown>): unknown;
  /** Its schema; one without it is not documented. */
  answer?: JsonSchema;
  /** What it shows while a password hides the record; one without it is public. */
  redacted?: unknown;
}

/** One named member of an answer. */
export interface Member extends Computed {
  name: string;
  isAbsent(shown: unknown): boolean;
}

/** The members of the answers of a resource. */
export interface AnswerForm {
  members: readonly Member[];
  /** Whether what is empty is left out. */
  sparse: boolean;
}

/**
 * Puts the members of an answer in order: those of `order`, which the reference has, and behind them the fields that it does not have.
 * Fails where a name in the order is neither a field nor computed.
 */
export function answerOf(
  order: readonly string[],
  fields: readonly Field[],
  computed: Record<string, Computed>,
  { sparse = false } = {},
): AnswerForm {
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
  answer: field.answer,
  redacted: field.redacted,
  isAbsent: field.isAbsent,
  show: (row, related, view) => (isKnown(field, view) ? field.show(row[field.name]!, row, related, view) : undefined),
});

/** A row as the API shows it; of a record that a password hides, what is left of it. */
export function entryOf({ members, sparse }: AnswerForm, row: Row, related: Related, view: ViewOptions): Entry {
  const locked = isLocked(row, view);
  const entry: Record<string, unknown> = {};
  for (const member of members) {
    const shown = member.show(row, related, view, entry);
    if (shown === undefined || (sparse && member.isAbsent(shown))) continue;
    entry[member.name] = locked && member.redacted !== undefined ? member.redacted : shown;
  }
  return entry as Entry;
}

/** The schemas of the members of an answer. */
export const answerSchema = ({ members }: AnswerForm): Record<string, JsonSchema> =>
  Object.fromEntries(members.flatMap(({ name, answer }) => (answer ? [[name, answer]] : [])));
