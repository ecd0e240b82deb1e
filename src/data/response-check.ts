import { extensions } from '../model/context.ts';
import type { Problem } from '../model/error.ts';
import { isObject } from '../model/fields/coerce.ts';
import { digits, type JsonSchema } from '../model/fields/field.ts';
import { responseSchema } from '../model/fields/response.ts';
import { capitalized } from '../model/grammar.ts';
import { type ResourceName, resources } from '../model/resources/all.ts';
import { resourceNames } from '../model/resources/names.ts';
import { valueSchemas, whole } from '../model/resources/value-schemas.ts';

/** The kind of a response, and its differences from what the API sends. */
export interface ResponseReport {
  /** The kind of response, like `a page of events`. */
  kind: string;
  /** Values of other types than the API sends. */
  problems: Problem[];
  /** Members that the API also sends, by path. */
  missing: string[];
}

/** True if a file's JSON looks like a response of the API: a page or a record with its URL, or an error. */
export function isResponse(json: unknown): boolean {
  if (!isObject(json)) return false;
  const has = (...names: string[]) => names.every((name) => name in json);
  return has('rest_url') || has('global_id') || has('code', 'data') || has('taxonomy', 'urls') || isIndex(json);
}

/** True for the index of a site or of a namespace. */
const isIndex = (json: Record<string, unknown>): boolean => isObject(json.routes) && ('namespaces' in json || 'namespace' in json);

const refTo = (name: ResourceName): JsonSchema => ({ $ref: capitalized(resources[name].kind) });
const text = { type: 'string' };

/** Schemas by the last part of a reference. */
const schemas: Record<string, JsonSchema> = {
  ...valueSchemas,
  ...Object.fromEntries(
    resourceNames.map((name) => {
      const { kind, response, fields } = resources[name];
      return [capitalized(kind), responseSchema(response, fields, { extensions })];
    }),
  ),
};

const pageOf = (name: ResourceName): JsonSchema => {
  const members = { [name]: { type: 'array', items: refTo(name) }, rest_url: text, total: digits, total_pages: digits };
  return { ...whole(members), properties: { ...members, next_rest_url: text, previous_rest_url: text } };
};

const errorForm = whole({ code: text, message: text, data: whole({ status: { type: 'integer', minimum: 400 } }) });

const routes = { type: 'object' };
const siteIndex = whole({ name: text, namespaces: { type: 'array', items: text }, routes });
const namespaceIndex = whole({ namespace: text, routes });

/** The resource of a record. Its name is text, or an empty list behind a password; that of a linked record is not. */
function resourceOf(record: Record<string, unknown>): ResourceName | undefined {
  if (typeof record.taxonomy === 'string') return record.taxonomy === 'post_tag' ? 'tags' : 'categories';
  if ('title' in record || 'start_date' in record) return 'events';
  const [member, name] = 'venue' in record ? [record.venue, 'venues' as const] : [record.organizer, 'organizers' as const];
  // Sites have records without a name.
  if (member === undefined) return 'global_id' in record ? ('show_map' in record ? 'venues' : 'organizers') : undefined;
  return typeof member === 'string' || (Array.isArray(member) && !member.length) ? name : 'events';
}

/** Compares a response with the definitions of the API. Returns undefined for JSON that is neither a page, nor a record, nor an error. */
export function compareResponse(json: unknown): ResponseReport | undefined {
  const form = isObject(json) ? formOf(json) : undefined;
  return form && { kind: form.kind, ...differences(json, form.schema) };
}

/** The same for a record whose resource is known. */
export const compareRecord = (name: ResourceName, record: unknown): Omit<ResponseReport, 'kind'> => differences(record, refTo(name));

function differences(json: unknown, schema: JsonSchema): Omit<ResponseReport, 'kind'> {
  const problems: Problem[] = [];
  const missing = new Set<string>();
  compare(json, schema, '', { problems, missing });
  return { problems, missing: [...missing] };
}

function formOf(json: Record<string, unknown>): { kind: string; schema: JsonSchema } | undefined {
  const listed = resourceNames.find((name) => Array.isArray(json[name]));
  // A record links to records of other resources, and has its own URL too.
  if (listed && !('id' in json)) return { kind: `a page of ${listed}`, schema: pageOf(listed) };
  if ('code' in json && 'data' in json) return { kind: 'an error', schema: errorForm };
  if (isIndex(json)) return { kind: 'an index', schema: 'namespaces' in json ? siteIndex : namespaceIndex };
  const name = resourceOf(json);
  return name && { kind: withArticle(resources[name].kind), schema: refTo(name) };
}

const withArticle = (noun: string) => `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;

interface Findings {
  problems: Problem[];
  missing: Set<string>;
}

/** Adds what is wrong with a value. A member that is missing is not wrong. */
function compare(value: unknown, schema: JsonSchema, at: string, findings: Findings, isRequired = true): void {
  const forms = formsOf(schema);
  const form = forms.find((each) => fits(value, each));
  if (!form) {
    const isLeftOut = value === null && !isRequired;
    const last = /(next|previous)_rest_url$/.exec(at)?.[1];
    const where = last ? ` on the ${last === 'next' ? 'last' : 'first'} page` : '';
    const expected = isLeftOut ? `leaves it out${where}` : `sends ${describe(forms)}`;
    findings.problems.push({ at: at || 'The response', reason: `${shown(value)}; the API ${expected}` });
    return;
  }
  if (Array.isArray(value)) {
    const { items } = form;
    if (items) for (const [i, item] of value.entries()) compare(item, items as JsonSchema, `${at}[${i}]`, findings);
  } else if (isObject(value)) compareMembers(value, form, at, findings);
}

function compareMembers(value: Record<string, unknown>, form: JsonSchema, at: string, findings: Findings): void {
  const properties = (form.properties ?? {}) as Record<string, JsonSchema>;
  const required = (form.required ?? []) as string[];
  const pathOf = (name: string) => (at === '' ? name : `${at}.${name}`);
  for (const name of required) if (!(name in value)) findings.missing.add(pathOf(name).replace(/\[\d+\]/g, '[]'));
  for (const [name, each] of Object.entries(value)) {
    const schema = properties[name] ?? (isObject(form.additionalProperties) ? (form.additionalProperties as JsonSchema) : undefined);
    if (schema) compare(each, schema, pathOf(name), findings, required.includes(name));
  }
}

/** The forms that a value may have, with references resolved. Their names stay in `$ref`. */
const formsOf = (schema: JsonSchema): JsonSchema[] =>
  ((schema.anyOf ?? [schema]) as JsonSchema[]).map((form) => {
    const name = String(form.$ref ?? '')
      .split('/')
      .at(-1)!;
    return name === '' ? form : { ...schemas[name], $ref: name };
  });

const typeOf = (value: unknown) =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : Number.isInteger(value) ? 'integer' : typeof value;

/** True if a value has the type of a form and, if it is not a list or an object, a valid value. */
function fits(value: unknown, { type, const: constant, enum: values, pattern, minimum, maxItems }: JsonSchema): boolean {
  if (constant !== undefined) return value === constant;
  const own = typeOf(value);
  if (type !== undefined && ![type].flat().some((each) => each === own || (each === 'number' && own === 'integer'))) return false;
  if (Array.isArray(values) && !values.includes(value)) return false;
  if (Array.isArray(value)) return value.length <= Number(maxItems ?? Number.POSITIVE_INFINITY);
  if (typeof value === 'number') return value >= Number(minimum ?? Number.NEGATIVE_INFINITY);
  return typeof value !== 'string' || pattern === undefined || new RegExp(String(pattern), 'u').test(value);
}

/** Formats a value for a message. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return value.length ? 'a list' : '[]';
  if (isObject(value)) return 'an object';
  const json = JSON.stringify(value);
  return json.length > 60 ? `${json.slice(0, 57)}…"` : json;
}

/** Describes forms, like `false or an image`. */
const describe = (forms: readonly JsonSchema[]): string =>
  [...new Set(forms.flatMap(wordsFor))].sort((a, b) => Number(/^an? /.test(a)) - Number(/^an? /.test(b))).join(' or ');

const typeWords: Record<string, string> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

function wordsFor({ $ref, type, const: constant, enum: values, pattern, maxItems, items }: JsonSchema): string[] {
  if (typeof $ref === 'string' && !$ref.endsWith('Details')) return [withArticle($ref.replace('Embedded', '').toLowerCase())];
  if (constant !== undefined) return [JSON.stringify(constant)];
  if (Array.isArray(values)) return [`one of ${values.map((value) => JSON.stringify(value)).join(', ')}`];
  if (maxItems === 0) return ['[]'];
  if (pattern !== undefined) return [`a string like ${exampleOf(String(pattern))}`];
  const item = (items as JsonSchema | undefined)?.$ref;
  if (typeof item === 'string')
    return [`a list of ${item.split('/').at(-1)!.replace('Embedded', '').toLowerCase()}s`.replace(/ys$/, 'ies')];
  return [type ?? []].flat().map((each) => typeWords[String(each)]!);
}

/** A text that a pattern of the API matches. */
const exampleOf = (pattern: string): string =>
  ['2027-03-01 19:00:00', '2027', '07', '1'].find((example) => new RegExp(pattern, 'u').test(example)) ?? pattern;
