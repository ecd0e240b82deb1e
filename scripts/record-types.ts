/**
 * Writes src/model/resources/record-types.ts, which is not committed: the TypeScript types of records, inputs and list parameters, translated from the
 * schemas of /openapi.json. `npm run types` and `npm run build` run it.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Resource, type ResourceName, resourceNames } from '../src/model/calendar.ts';
import { extensions } from '../src/model/context.ts';
import { isObject } from '../src/model/fields/coerce.ts';
import { digits, type JsonSchema } from '../src/model/fields/field.ts';
import { responseSchema } from '../src/model/fields/response.ts';
import { statuses } from '../src/model/fields/status.ts';
import { capitalized } from '../src/model/grammar.ts';
import { mistakes } from '../src/model/mistakes/table.ts';
import { connectionFaults, siteFaultNames } from '../src/model/operations/connection-faults.ts';
import { dataFormats, exportFormats } from '../src/model/operations/formats.ts';
import { resources } from '../src/model/resources/all.ts';
import { valueSchemas } from '../src/model/resources/value-schemas.ts';
import { roles } from '../src/model/viewer.ts';
import { bodySchemas } from '../src/server/openapi/operations.ts';
import { literal, union, writeOptionTypes } from './server-options.ts';

const all: readonly Resource[] = Object.values(resources);
const kinds = new Set(all.map(({ kind }) => capitalized(kind)));

const typeNamed = (name: string): string => (kinds.has(name) ? `${name}Record` : name);

/** Types that are written by hand, by the file that exports them: those of lists of names, and those that schemas name. */
export const externalTypes: Record<string, Record<string, readonly string[]>> = {
  './calendar.ts': { ResourceName: resourceNames },
  './error.ts': { Problem: [] },
  './mistakes/table.ts': { Mistake: [], MistakeName: Object.keys(mistakes) },
  './operations/connection-faults.ts': { ConnectionFault: connectionFaults, SiteFault: siteFaultNames },
  './operations/formats.ts': { DataFormat: dataFormats, ExportFormat: exportFormats },
  './resources/declared.ts': { Declarations: [] },
  './time/duration.ts': { Time: [] },
  './viewer.ts': { NewUser: [], Role: roles, User: [], UserChange: [], UserList: [] },
};
const named = [['Status', statuses] as const, ...Object.values(externalTypes).flatMap((names) => Object.entries(names))];

/** Switches are booleans; the words that forms use for them are omitted. */
const isWordsForSwitch = (schema: JsonSchema, siblings: readonly JsonSchema[]): boolean =>
  Array.isArray(schema.enum) && schema.enum.includes('true') && siblings.some(({ type }) => type === 'boolean');

/** A union of values; some lists have a named type. */
function enumType(values: readonly unknown[]): string {
  const [name, list] = named.find(([, list]) => list.length && list.every((value) => values.includes(value))) ?? [];
  if (name === undefined) return union(values.map(literal));
  const others = values.filter((value) => !list!.some((each) => each === value));
  return union([name, ...(others.length ? [enumType(others)] : [])]);
}

/** Where a type is: its indentation, and whether callers pass its values, so that their lists may be read-only. */
interface Place {
  depth: number;
  isInput?: boolean;
}

/** Members that only releases up to 2018 lack, by the type. The document does not require them; types would burden all others with them. */
const required: Record<string, readonly string[]> = {
  EventRecord: ['slug', 'status'],
  VenueRecord: ['status'],
  OrganizerRecord: ['status'],
  EmbeddedTerm: ['term_group', 'term_taxonomy_id', 'filter', 'urls'],
};
const ofLaterReleases = (name: string, schema: JsonSchema): JsonSchema => ({
  ...schema,
  required: [...((schema.required as string[] | undefined) ?? []), ...(required[name] ?? [])],
});

/** A schema of the document as a type. Throws for a schema that no type describes. */
export function typeOf(schema: JsonSchema, place: Place = { depth: 0 }): string {
  const part = (each: JsonSchema) => typeOf(each, place);
  if (typeof schema.typeName === 'string') return schema.typeName;
  if (Array.isArray(schema.prefixItems)) return `readonly [${schema.prefixItems.map(part).join(', ')}]`;
  if (schema.$ref) return typeNamed(String(schema.$ref).split('/').at(-1)!);
  if (Array.isArray(schema.anyOf)) {
    const forms = schema.anyOf as JsonSchema[];
    // Digits in responses are those of releases up to 2018, and other statuses those of extensions.
    if (forms === digits.anyOf && !place.isInput) return 'number';
    if (forms.some((form) => form.enum === statuses)) return 'Status';
    return union(forms.filter((form) => !isWordsForSwitch(form, forms)).map(part));
  }
  if (Array.isArray(schema.enum)) return enumType(schema.enum);
  if ('const' in schema) return literal(schema.const);
  if (isObject(schema.propertyNames) && Array.isArray((schema.propertyNames as JsonSchema).enum))
    return `Partial<Record<${enumType((schema.propertyNames as JsonSchema).enum as string[])}, ${part(schema.additionalProperties as JsonSchema)}>>`;
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
      return schema.maxItems === 0 ? 'never[]' : `${place.isInput ? 'readonly ' : ''}${listOf(part(schema.items as JsonSchema))}`;
    case 'object':
      if (schema.properties) return inlineType(schema, place) ?? objectType(schema, place);
      return `Record<string, ${isObject(schema.additionalProperties) ? part(schema.additionalProperties) : 'unknown'}>`;
    case undefined:
      if (Object.keys(schema).every((key) => key === 'description')) return 'unknown';
  }
  throw new Error(`no type for the schema ${JSON.stringify(schema)}`);
}

const listOf = (items: string): string => (/[ |]/.test(items) ? `(${items})[]` : `${items}[]`);

/** The type of an object with only an ID, or of one without descriptions on one line; undefined for others. */
function inlineType({ properties, required = [] }: JsonSchema, place: Place): string | undefined {
  const entries = Object.entries(properties as Record<string, JsonSchema>);
  if (entries.length === 1 && entries[0]![0] === 'id') return 'HasId';
  if (entries.some(([, { description }]) => description !== undefined)) return undefined;
  const optional = (name: string) => ((required as string[]).includes(name) ? '' : '?');
  return `{ ${entries.map(([name, schema]) => `${name}${optional(name)}: ${typeOf(schema, place)}`).join('; ')} }`;
}

function objectType({ properties, required = [] }: JsonSchema, { depth, isInput }: Place): string {
  const indent = '  '.repeat(depth + 1);
  const members = Object.entries(properties as Record<string, JsonSchema>).map(([name, schema]) => {
    const about = schema.description ? `${indent}/** ${sentence(schema.description)} */\n` : '';
    const key = /^\w+$/.test(name) ? name : literal(name);
    return `${about}${indent}${key}${(required as string[]).includes(name) ? '' : '?'}: ${typeOf(schema, { depth: depth + 1, isInput })};\n`;
  });
  return `{\n${members.join('')}${'  '.repeat(depth)}}`;
}

export const sentence = (description: unknown): string => capitalized(String(description)).replace(/([^.!?])$/, '$1.');

const declared = (name: string, about: string, schema: JsonSchema): string =>
  `/** ${about} */\ntype ${name} = ${typeOf({ type: 'object', ...ofLaterReleases(name, schema) })};\n`;

/** The type of a record with the fields that a project declares. */
const recordType = (name: string, about: string, schema: JsonSchema, resource: ResourceName): string =>
  `/** ${about} */\nexport type ${name} = ${typeOf(ofLaterReleases(name, schema))} & DeclaredMembers<'${resource}'>;\n`;

/** The same for what callers pass. */
const inputType = (name: string, about: string, schema: JsonSchema, declaredType: string): string =>
  `/** ${about} */\nexport type ${name} = ${typeOf({ type: 'object', ...schema }, { depth: 0, isInput: true })} & ${declaredType};\n`;

/** A date of the TypeScript API: JSON contains its text. */
const dateObject: JsonSchema = { $ref: 'Date' };
const withDate = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, dateObject], description: schema.description });

/** The list parameters of a resource as a schema. Parameters with several values also accept a single one. */
const querySchema = ({ list, family }: Resource): JsonSchema => ({
  properties: Object.fromEntries([
    ...list.parameters.map(({ name, about, accepts, links, topic }) => {
      const plain = accepts.type === 'array' ? { anyOf: [accepts.items, accepts] } : accepts;
      const one = topic === 'dates' ? withDate(plain) : plain;
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

/** A schema of inputs in which fields that take the ID of a record also take a slug or a record, and dates a Date. */
function typedInput({ fields }: Resource, schema: JsonSchema): JsonSchema {
  const properties = Object.entries(schema.properties as Record<string, JsonSchema>).map(([name, one]) => {
    const field = fields.find((each) => each.name === name);
    if (field?.topic === 'dates') return [name, withDate(one)];
    return [name, isLink(field?.links) && !field?.stored.join ? { anyOf: [one, slugOrRecord], description: one.description } : one];
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
    const schema = described(responseSchema(response, fields, { extensions }), bodies[`New${type}`]!);
    const article = /^[aeiou]/.test(kind) ? 'An' : 'A';
    return [
      recordType(`${type}Record`, `${article} ${kind}, as in responses.`, schema, name),
      inputType(`New${type}`, `Fields of a new ${kind}.`, typedInput(resource, bodies[`New${type}`]!), `DeclaredInput<'${name}'>`),
      changesOf(type, `Changes to ${article.toLowerCase()} ${kind}; omitted fields keep their values.`, bodies),
      inputType(`${type}Parameters`, `Parameters of lists of ${name}.`, querySchema(resource), `DeclaredParameters<'${name}'>`),
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

const head = `// The types of records, generated from the definitions of the resources by \`npm run types\` and \`npm run build\`.

import type { DeclaredInput, DeclaredMembers, DeclaredParameters } from './declared-values.ts';
`;

const file = fileURLToPath(new URL('../src/model/resources/record-types.ts', import.meta.url));

/** Writes the file. */
export const writeRecordTypes = (): void => writeFileSync(file, recordTypes());

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeRecordTypes();
  writeOptionTypes();
  void import('./operation-types.ts').then(({ writeOperationTypes }) => writeOperationTypes());
}
