import * as z from 'zod';
import { controlPath } from '../../model/addresses.ts';
import type { ResourceName } from '../../model/calendar.ts';
import type { JsonSchema } from '../../model/fields/field.ts';
import { capitalized } from '../../model/grammar.ts';
import { operations } from '../../model/operations/all.ts';
import { type Operation, pathMemberOf, type ValueSchema } from '../../model/operations/operation.ts';
import { resources } from '../../model/resources/all.ts';
import { failureResponses } from './operations.ts';

/** Callers of an operation by its access. */
const audience: Record<Operation['access'], string> = {
  everyone: 'Available to everyone who can use the control API.',
  full: 'Available to everyone on an in-memory server or one started with --control; otherwise to the owner of the server and callers with the control token.',
  users: 'Available like other changes on an in-memory server; otherwise to the owner of the file.',
  trusted: 'Available to the owner of the server and callers with the control token.',
  owner: 'Available to the owner of the server.',
};

/** Converts words with hyphens, underscores or spaces to PascalCase. */
const pascal = (words: string) => words.replace(/(?:^|[-_ ])(\w)/g, (_, letter: string) => letter.toUpperCase());

const asSchema = (schema: z.ZodType): JsonSchema =>
  z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    // Describes tuples as arrays of two numbers: linters mistake `items: false` for a missing type, and generators add a third number.
    override: ({ jsonSchema }) => {
      for (const name of ['typeName', 'typeText', 'typeIs', 'typeBase']) delete jsonSchema[name];
      if (!jsonSchema.prefixItems) return;
      jsonSchema.items = jsonSchema.prefixItems[0];
      delete jsonSchema.prefixItems;
    },
  }) as JsonSchema;

/** A schema with its named parts moved to the components. Records of a fixture get other names than those of the API. */
function withParts(schema: z.ZodType, parts: Record<string, JsonSchema>): JsonSchema {
  const nameOf = (id: string) => (id in resources ? `Fixture${pascal(resources[id as ResourceName].kind)}` : id);
  const text = JSON.stringify(asSchema(schema)).replace(/"#\/\$defs\/(\w+)"/g, (_, id: string) => `"#/components/schemas/${nameOf(id)}"`);
  const {
    $schema: _,
    $defs = {},
    id,
    ...schemaPart
  } = JSON.parse(text) as JsonSchema & { $defs?: Record<string, JsonSchema>; id?: string };
  for (const [each, { id: _, ...part }] of Object.entries($defs)) parts[nameOf(each)] = part;
  if (!id) return schemaPart;
  parts[nameOf(id)] = schemaPart;
  return { $ref: `#/components/schemas/${nameOf(id)}` };
}

function contentOf({ output }: Operation, parts: Record<string, JsonSchema>): JsonSchema {
  const types: Readonly<Record<string, ValueSchema<unknown>>> =
    typeof output === 'function' ? { 'application/json': output } : output.types;
  return Object.fromEntries(Object.entries(types).map(([type, schema]) => [type, { schema: withParts(schema(z), parts) }]));
}

/** Moves the description of a schema to its parameter. */
const lifted = ({ description, ...schema }: JsonSchema): JsonSchema => ({ ...(description ? { description } : {}), schema });

function describe(operation: Operation, parts: Record<string, JsonSchema>): JsonSchema {
  const { $schema: _, ...input } = asSchema(operation.input?.(z) ?? z.strictObject({}));
  const { id, method, access, about } = operation;
  const part = pathMemberOf(operation);
  const { [part ?? '']: inPath, ...rest } = (input.properties ?? {}) as Record<string, JsonSchema>;
  const required = ((input.required as string[] | undefined) ?? []).filter((each) => each !== part);
  const open = Object.keys(rest).length > 0 || typeof input.additionalProperties === 'object';
  const body = { ...input, ...(Object.keys(rest).length ? { properties: rest } : {}), ...(required.length ? { required } : {}) };
  if (!required.length) delete (body as { required?: unknown }).required;
  const query =
    method === 'GET'
      ? Object.entries(rest).map(([each, schema]) => ({ name: each, in: 'query', style: 'form', explode: false, ...lifted(schema) }))
      : [];
  return {
    operationId: `control${pascal(id)}`,
    tags: ['Control'],
    summary: capitalized(about),
    description: audience[access],
    ...(access === 'everyone' ? {} : { security: access === 'owner' ? [{ token: [] }] : [{}, { token: [] }] }),
    parameters: [
      ...(part
        ? [{ name: part, in: 'path', required: true, ...lifted(inPath?.type === 'string' ? { minLength: 1, ...inPath } : (inPath ?? {})) }]
        : []),
      ...query,
    ],
    ...(method !== 'GET' && open
      ? { requestBody: { required: required.length > 0, content: { 'application/json': { schema: body } } } }
      : {}),
    responses: {
      200: {
        description: 'Success.',
        content: contentOf(operation, parts),
      },
      ...failureResponses,
    },
  };
}

/** The paths of the control API and the schemas that they refer to. They are the same for every server: the bundle contains them. */
export function controlDocument(): { paths: Record<string, JsonSchema>; schemas: Record<string, JsonSchema> } {
  const paths: Record<string, JsonSchema> = {};
  const schemas: Record<string, JsonSchema> = {};
  for (const operation of Object.values(operations)) {
    const path = `${controlPath}${operation.path}`;
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describe(operation, schemas) };
  }
  return { paths, schemas };
}
