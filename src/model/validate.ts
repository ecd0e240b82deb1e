import type { RequestContext } from './context.ts';
import { Failure, type Fault, invalidParams } from './error.ts';
import { type Field, isKnown, wireFault } from './fields/field.ts';
import type { ListParameter, Query } from './fields/list.ts';
import type { Columns, Input } from './record.ts';
import type { Definition } from './resource.ts';
import { utcOf } from './time/datetime.ts';

type Parameter = Field | ListParameter;

/**
 * Checks the values of a request like the reference: first every parameter's own check, and if none fails, the types of the wire. Throws
 * `rest_invalid_param` with all faults, including the given ones. Skips empty values of parameters that `mayBeEmpty`.
 */
export function check<P extends Parameter>(
  parameters: readonly P[],
  values: Query,
  ctx: RequestContext,
  moreFaults: Record<string, Fault> = {},
  mayBeEmpty?: (parameter: P) => boolean,
): void {
  const faults = { ...moreFaults };
  const present = parameters.filter((parameter) => {
    const value = values[parameter.name];
    if (value === undefined || !isKnown(parameter, ctx)) return false;
    // Of a copy, 0 is a value like others: the slug of "… 0".
    return !['', 0, '0'].includes(value as string | number) || !mayBeEmpty?.(parameter);
  });
  for (const parameter of present) {
    const value = values[parameter.name];
    if (value === null) continue;
    const fault = parameter.check(value, ctx, values);
    if (fault) faults[parameter.name] = typeof fault === 'string' ? { reason: fault } : fault;
  }
  if (Object.keys(faults).length) throw invalidParams(faults);
  for (const parameter of present) {
    const value = values[parameter.name];
    if (value === null && parameter.wire.default === null) continue;
    if (value === '' && 'nothing' in parameter && parameter.nothing.clears) continue;
    const reason = wireFault(parameter.wire, value);
    if (reason) faults[parameter.name] = { reason, detail: 'rest_invalid_type' };
  }
  if (Object.keys(faults).length) throw invalidParams(faults);
}

/** An input without the values that its fields can't store: a copy is never refused. */
export function storableInput({ fields }: Definition, input: Input, ctx: RequestContext): Input {
  const refused = fields.filter((field) => !isStorable(field, input[field.name], ctx)).map(({ name }) => name);
  return refused.length ? Object.fromEntries(Object.entries(input).filter(([name]) => !refused.includes(name))) : input;
}

/** The storable input of a new copy. A required field without a value has a stand-in: a date is that of the publication, a text is empty. */
export function copyableInput(definition: Definition, input: Input, ctx: RequestContext): Input {
  const copyable = { ...storableInput(definition, input, ctx) };
  for (const { name, required, nothing } of definition.fields)
    if (required && (copyable[name] ?? null) === null) copyable[name] = nothing.isRefused ? (copyable.date ?? utcOf(ctx.now)) : '';
  return copyable;
}

/** True if a field can store a value, or none is stored. */
function isStorable(field: Field, value: unknown, ctx: RequestContext): boolean {
  const isEmpty = ['', 0, '0'].includes(value as string | number) && !(field.required && field.nothing.isRefused);
  if (value === undefined || value === null || isEmpty || !field.stored.column || !isKnown(field, ctx)) return true;
  return (field.check(value, ctx) ?? wireFault(field.wire, value)) === undefined;
}

/** Throws `rest_missing_callback_param` if required fields are missing. */
export function requireFields(definition: Definition, input: Input): void {
  const missing = definition.fields.filter((field) => field.required && (input[field.name] ?? null) === null).map((field) => field.name);
  if (missing.length)
    throw new Failure(
      'rest_missing_callback_param',
      `Missing required ${missing.length === 1 ? 'field' : 'fields'}: ${missing.join(', ')}`,
      undefined,
      { params: missing },
    );
}

/** The columns for the given values. A lone surrogate becomes U+FFFD, because SQLite cannot store it. */
export function validColumns(definition: Definition, input: Input, ctx: RequestContext): Columns {
  const columns: Columns = {};
  for (const field of definition.fields) {
    const value = input[field.name];
    if (value === undefined || !field.stored.column || !isKnown(field, ctx)) continue;
    // Null clears a field that can be empty; required fields stay.
    if (value === null && (field.required || field.nothing.isIgnored)) continue;
    const stored = field.stored.value ? field.stored.value(value, ctx) : String(value);
    columns[field.name] = typeof stored === 'string' ? stored.toWellFormed() : stored;
  }
  return columns;
}

/** The value of a field as a record has it that was stored with it; '' for none. Throws `rest_invalid_param` for an invalid one. */
export function storedForm(definition: Definition, name: string, value: unknown, ctx: RequestContext): unknown {
  const field = definition.fields.find((each) => each.name === name)!;
  if (value === undefined || value === '' || !field.stored.column || field.control === 'date') return value ?? '';
  const fault = field.check(value, ctx);
  if (fault) throw invalidParams({ [name]: { reason: fault } });
  const column = validColumns(definition, { [name]: value }, ctx)[name];
  return column === undefined || column === null || column === field.stored.column.default ? '' : field.stored.restored(column);
}
