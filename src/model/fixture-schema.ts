import { type Field, statuses } from './field.ts';
import { references, sections } from './fixture.ts';
import { type Resource, type ResourceName, resourceNames } from './resource.ts';
import { resources } from './resources.ts';
import { roles } from './viewer.ts';

type Schema = Record<string, unknown>;

const scalars: Record<string, Schema> = {
  string: { type: 'string' },
  integer: { type: ['integer', 'string'] },
  boolean: { type: 'boolean' },
};

/** One field of a record of a fixture: texts as typed, dates in any form that is read, references as `@key`. */
function fieldSchema(name: ResourceName, field: Field): Schema {
  const about = { description: field.about };
  const to = references[name][field.name];
  if (field.many)
    return {
      ...about,
      type: ['array', 'string', 'integer', 'object'],
      items: { type: ['string', 'integer', 'object'] },
      ...(to ? { examples: [[`@key of ${to}`]] } : {}),
    };
  if (to)
    return { ...about, type: ['string', 'integer'], examples: [to === 'images' ? 'https://example.org/poster.jpg' : `@key of ${to}`] };
  if (field.choices) return { ...about, enum: [...(field.choices === statuses ? statuses : field.choices)] };
  if (field.placeholder === 'date')
    return {
      ...about,
      type: ['string', 'integer'],
      examples: ['2027-03-01 10:00', 'next monday 18:00', 'first friday of next month 20:00'],
    };
  if (field.wire.format === 'double') return { ...about, type: 'number' };
  if (field.placeholder === 'cost') return { ...about, type: ['string', 'number', 'array'], items: { type: ['string', 'number'] } };
  return {
    ...about,
    ...(scalars[field.wire.type ?? 'string'] ?? {}),
    ...(field.placeholder === 'user' ? { type: ['integer', 'string'] } : {}),
  };
}

const kept: Record<string, Schema> = {
  id: { type: 'integer', description: 'the ID to keep, where it is free' },
  slug: { type: 'string', description: 'the last part of its address; the key unless it is given' },
  modified: { type: 'string' },
  modified_utc: { type: 'string' },
  generated: { type: 'integer' },
  lineage: { type: 'string', description: 'what identified it where it was copied from' },
};

function recordSchema(name: ResourceName): Schema {
  const { fields, about }: Resource = resources[name];
  return {
    description: about,
    type: 'object',
    additionalProperties: false,
    required: fields.filter((field) => field.required).map((field) => field.name),
    properties: { ...kept, ...Object.fromEntries(fields.map((field) => [field.name, fieldSchema(name, field)])) },
  };
}

const user: Schema = {
  type: 'object',
  required: ['name', 'role', 'password'],
  properties: { id: { type: 'integer' }, name: { type: 'string' }, role: { enum: [...roles] }, password: { type: 'string' } },
};

/** The JSON Schema of a fixture, from the definitions of the resources. */
export function fixtureSchema(): Schema {
  const records = (name: ResourceName): Schema => {
    const ref = { $ref: `#/$defs/${name}` };
    return {
      oneOf: [
        { type: 'object', additionalProperties: ref },
        { type: 'array', items: ref },
      ],
    };
  };
  const properties: Record<string, Schema> = Object.fromEntries(sections.map((name) => [name, records(name as ResourceName)]));
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'A fixture: records by key, with references like "@key"',
    type: 'object',
    additionalProperties: false,
    properties: {
      $schema: { type: 'string' },
      ...properties,
      settings: { type: 'object', additionalProperties: { type: ['string', 'integer'] } },
      images: { type: 'object', additionalProperties: { type: 'string', format: 'uri' } },
      users: { type: 'array', items: user },
    },
    $defs: Object.fromEntries(resourceNames.map((name) => [name, recordSchema(name)])),
  };
}
