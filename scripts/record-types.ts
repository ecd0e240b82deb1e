/**
 * Writes src/model/resources/record-types.ts, which is not committed: the TypeScript types of records, inputs and list parameters, translated from the
 * schemas of /openapi.json. `npm run types` and `npm run build` run it.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Resource } from '../src/model/calendar.ts';
import { extensions } from '../src/model/context.ts';
import type { JsonSchema } from '../src/model/fields/field.ts';
import { responseSchema } from '../src/model/fields/response.ts';
import { statuses } from '../src/model/fields/status.ts';
import { capitalized } from '../src/model/grammar.ts';
import { resources } from '../src/model/resources/all.ts';
import { valueSchemas } from '../src/model/resources/value-schemas.ts';
import { bodySchemas } from '../src/server/openapi/operations.ts';
import { literal, union, writeOptionTypes } from './server-options.ts';

const all: readonly Resource[] = Object.values(resources);
const kinds = new Set(all.map(({ kind }) => capitalized(kind)));

const typeNamed = (name: string): string => (kinds.has(name) ? `${name}Record` : name);

/** Switches are booleans; the words that forms use for them are omitted. */
const isWordsForSwitch = (schema: JsonSchema, siblings: readonly JsonSchema[]): boolean =>
  Array.isArray(schema.enum) && schema.enum.includes('true') && siblings.some(({ type }) => type === 'boolean');

/** Returns a union of values; the statuses have a named type. */
function enumType(values: readonly unknown[]): string {
  const others = values.filter((value) => !statuses.some((status) => status === value));
  const named = values.length - others.length === statuses.length;
  return union([...(named ? ['Status'] : []), ...(named ? others : values).map(literal)]);
}

/** Returns a schema of the document as a type, indented to `depth`. Throws for a schema that no type describes. */
export function typeOf(schema: JsonSchema, depth = 0): string {
  const part = (each: JsonSchema) => typeOf(each, depth);
  if (schema.$ref) return typeNamed(String(schema.$ref).split('/').at(-1)!);
  if (Array.isArray(schema.anyOf)) {
    const forms = schema.anyOf as JsonSchema[];
    return union(forms.filter((form) => !isWordsForSwitch(form, forms)).map(part));
  }
  if (Array.isArray(schema.enum)) return enumType(schema.enum);
  if ('const' in schema) return literal(schema.const);
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => part({ ...schema, type })));
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return schema.maxItems === 0 ? 'never[]' : listOf(part(schema.items as JsonSchema));
    case 'object':
      return schema.properties ? (inlineType(schema, depth) ?? objectType(schema, depth)) : 'Record<string, unknown>';
  }
  throw new Error(`no type for the schema ${JSON.stringify(schema)}`);
}

const listOf = (items: string): string => (/[ |]/.test(items) ? `(${items})[]` : `${items}[]`);

/** Returns the type of an object with only an ID, or of one without descriptions on one line; undefined for others. */
function inlineType({ properties, required = [] }: JsonSchema, depth: number): string | undefined {
  const entries = Object.entries(properties as Record<string, JsonSchema>);
  if (entries.length === 1 && entries[0]![0] === 'id') return 'HasId';
  if (entries.some(([, { description }]) => description !== undefined)) return undefined;
  const optional = (name: string) => ((required as string[]).includes(name) ? '' : '?');
  return `{ ${entries.map(([name, schema]) => `${name}${optional(name)}: ${typeOf(schema, depth)}`).join('; ')} }`;
}

function objectType({ properties, required = [], additionalProperties }: JsonSchema, depth: number): string {
  const indent = '  '.repeat(depth + 1);
  const members = Object.entries(properties as Record<string, JsonSchema>).map(([name, schema]) => {
    const about = schema.description ? `${indent}/** ${sentence(schema.description)} */\n` : '';
    return `${about}${indent}${name}${(required as string[]).includes(name) ? '' : '?'}: ${typeOf(schema, depth + 1)};\n`;
  });
  // Members of other sites and declared fields.
  if (additionalProperties === true) members.push(`${indent}[name: string]: unknown;\n`);
  return `{\n${members.join('')}${'  '.repeat(depth)}}`;
}

const sentence = (description: unknown): string => capitalized(String(description)).replace(/([^.!?])$/, '$1.');

const declared = (name: string, about: string, schema: JsonSchema): string =>
  `/** ${about} */\ntype ${name} = ${typeOf({ type: 'object', ...schema })};\n`;

const exportedType = (name: string, about: string, schema: JsonSchema): string =>
  declared(name, about, schema).replace(/^type/m, 'export type');

/** Returns the list parameters of a resource as a schema. Parameters with several values also accept a single one. */
const querySchema = ({ list, family }: Resource): JsonSchema => ({
  properties: Object.fromEntries([
    ...list.parameters.map(({ name, about, accepts, links }) => {
      const one = accepts.type === 'array' ? { anyOf: [accepts.items, accepts] } : accepts;
      return [
        name,
        {
          ...(isLink(links)
            ? { anyOf: [one, slugOrRecord, { type: 'array', items: { anyOf: [{ type: 'integer' }, slugOrRecord] } }] }
            : one),
          description: about,
        },
      ];
    }),
    ...(family === 'post' ? Object.entries(viewing) : []),
  ]),
});
const viewing: Record<string, JsonSchema> = {
  password: { type: 'string', description: 'Password of the record' },
  context: { enum: ['view', 'edit'], description: '`edit` shows password-protected records to users who are allowed to edit them' },
};

const isLink = (links: string | undefined) => links !== undefined && links in resources;
/** Further values that the TypeScript API accepts for an ID. */
const slugOrRecord: JsonSchema = {
  anyOf: [{ type: 'string' }, { type: 'object', properties: { id: { type: ['integer', 'string'] } }, required: ['id'] }],
};

/** Returns a schema of inputs in which fields that take the ID of a record also take a slug or a record. */
function withRecords({ fields }: Resource, schema: JsonSchema): JsonSchema {
  const properties = Object.entries(schema.properties as Record<string, JsonSchema>).map(([name, one]) => {
    const field = fields.find((each) => each.name === name);
    return [name, isLink(field?.links) && !field?.join ? { anyOf: [one, slugOrRecord], description: one.description } : one];
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}

function described(schema: JsonSchema, inputs: JsonSchema): JsonSchema {
  const of = (form: JsonSchema, name: string) => (form.properties as Record<string, JsonSchema>)[name]?.description;
  const properties = Object.entries(schema.properties as Record<string, JsonSchema>).map(([name, one]) => {
    const parts = name.endsWith('_details') ? `\`${name.replace('_details', '')}\` in parts` : undefined;
    return [name, { ...one, description: one.description ?? of(inputs, name) ?? parts }];
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}

/** Checks that the input of an update is that of a new record without required fields. */
function changesOf(type: string, about: string, bodies: Record<string, JsonSchema>): string {
  const [made, changed] = [bodies[`New${type}`]!, bodies[`${type}Changes`]!];
  if (changed.required || JSON.stringify(changed.properties) !== JSON.stringify(made.properties))
    throw new Error(`${type}Changes is another type than Partial<New${type}>`);
  return `/** ${about} */\nexport type ${type}Changes = Partial<New${type}>;\n`;
}

function recordTypes(): string {
  const values = Object.entries(valueSchemas).map(([name, schema]) => declared(name, valueTexts[name] ?? `${name}.`, schema));
  const records = all.flatMap((resource) => {
    const { kind, name, fields, response } = resource;
    const type = capitalized(kind);
    const bodies = bodySchemas(resource, { extensions });
    const article = /^[aeiou]/.test(kind) ? 'An' : 'A';
    return [
      exportedType(`${type}Record`, `${article} ${kind}, as in responses.`, {
        ...described(responseSchema(response, fields, { extensions }), bodies[`New${type}`]!),
        additionalProperties: true,
      }),
      exportedType(`New${type}`, `Fields of a new ${kind}.`, withRecords(resource, bodies[`New${type}`]!)),
      changesOf(type, `Changes to ${article.toLowerCase()} ${kind}; omitted fields keep their values.`, bodies),
      exportedType(`${type}Parameters`, `Parameters of lists of ${name}.`, querySchema(resource)),
    ];
  });
  const table = all.map(({ kind, name }) => {
    const type = capitalized(kind);
    const members = [
      ['A record, as in responses', 'record', `${type}Record`],
      ['Fields of a new record', 'create', `New${type}`],
      ['Changes to a record', 'update', `${type}Changes`],
      ['Parameters of lists', 'list', `${type}Parameters`],
    ];
    const lines = members.map(([about, member, of]) => `    /** ${about}. */\n    ${member}: ${of};\n`);
    return `  /** Types of ${name}. */\n  ${name}: {\n${lines.join('')}  };\n`;
  });
  const index = `/** The types of each resource: a record, a new one, changes to one, and the parameters of lists. */\nexport interface RecordTypes {\n${table.join('')}}\n`;
  const status = `/** The status of an event, a venue or an organizer. */\nexport type Status = ${statuses.map(literal).join(' | ')};\n`;
  const hasId = '/** A record, of which only the ID is used. */\ntype HasId = {\n  /** ID of the record. */\n  id: number | string;\n};\n';
  return `${head}\n${[status, hasId, ...values, ...records, index].join('\n')}`;
}

const valueTexts: Record<string, string> = {
  CostDetails: 'Cost of an event in parts.',
  Image: 'A picture.',
  DateDetails: 'A date and time in parts.',
  EmbeddedTerm: 'A category or tag, as in events.',
};

const head = '// The types of records, generated from the definitions of the resources by `npm run types` and `npm run build`.\n';

const file = fileURLToPath(new URL('../src/model/resources/record-types.ts', import.meta.url));

/** Writes the file. */
export const writeRecordTypes = (): void => writeFileSync(file, recordTypes());

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeRecordTypes();
  writeOptionTypes();
}
