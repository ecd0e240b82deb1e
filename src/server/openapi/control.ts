import * as z from 'zod';
import type { ResourceName } from '../../model/calendar.ts';
import type { FailureCode } from '../../model/error.ts';
import type { JsonSchema } from '../../model/fields/field.ts';
import { changingOperations, controlPath, type Operation, type OperationName, operations, partOf } from '../../model/operations/control.ts';
import { resources } from '../../model/resources/all.ts';
import { answers } from '../control/answers.ts';
import { inputs } from '../control/inputs.ts';
import { failureResponses, pascal, withBody } from './failures.ts';
import { capital } from './operations.ts';

/** Who an operation is for. */
const audience: Record<Operation['access'], string> = {
  everyone: 'Whoever may control the server.',
  whole:
    'Whoever may control the server, where it keeps nothing on disk or was started with --control; else its owner, or who has the control token.',
  trusted: 'The owner of the server, or who has the control token.',
  owner: 'The owner of the server alone.',
};

/** What any operation may be answered with besides what every request may. */
const refusals: readonly FailureCode[] = ['rest_invalid_param', 'rest_no_route', 'control-not-allowed'];
const bySnapshot: readonly FailureCode[] = ['not-found', 'conflict'];
const byUser: readonly FailureCode[] = ['user-exists', 'user-not-found', 'conflict'];
/** What others answer, or do not. */
const byRemote: readonly FailureCode[] = [
  'unreachable',
  'not-a-calendar',
  'server-failure',
  'busy',
  'not-found',
  'conflict',
  'rest_forbidden',
];

/** What some operations come to. */
const own: Partial<Record<OperationName, readonly FailureCode[]>> = {
  ready: ['busy'],
  reset: bySnapshot,
  undo: bySnapshot,
  saveSnapshot: bySnapshot,
  snapshotFile: bySnapshot,
  restoreSnapshot: bySnapshot,
  deleteSnapshot: bySnapshot,
  addFault: ['conflict'],
  fault: ['not-found'],
  removeFault: ['not-found'],
  seed: ['not-found', 'conflict', 'invalid-data'],
  import: ['not-found', 'conflict', 'invalid-data'],
  pull: [...byRemote, 'invalid-data'],
  push: byRemote,
  verifyRequests: ['verification-failed'],
  backup: ['conflict'],
  addUser: byUser,
  changeUser: byUser,
  removeUser: byUser,
};

const asSchema = (schema: z.ZodType): JsonSchema =>
  z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    // Two numbers as an array of exactly two: linters take the `items: false` of a tuple for a missing one, and generators make a third of it.
    override: ({ jsonSchema }) => {
      if (!jsonSchema.prefixItems) return;
      jsonSchema.items = jsonSchema.prefixItems[0];
      delete jsonSchema.prefixItems;
    },
  }) as JsonSchema;

/** A schema with its named parts moved to the components, where records of a fixture have other names than the API's. */
function withParts(schema: z.ZodType, parts: Record<string, JsonSchema>): JsonSchema {
  const nameOf = (id: string) => (id in resources ? `Fixture${pascal(resources[id as ResourceName].kind)}` : id);
  const text = JSON.stringify(asSchema(schema)).replace(/"#\/\$defs\/(\w+)"/g, (_, id: string) => `"#/components/schemas/${nameOf(id)}"`);
  const { $schema: _, $defs = {}, id, ...found } = JSON.parse(text) as JsonSchema & { $defs?: Record<string, JsonSchema>; id?: string };
  for (const [each, { id: _, ...part }] of Object.entries($defs)) parts[nameOf(each)] = part;
  if (!id) return found;
  parts[nameOf(id)] = found;
  return { $ref: `#/components/schemas/${nameOf(id)}` };
}

/** The content of an answer, by media type. */
function contentOf(name: OperationName, parts: Record<string, JsonSchema>): JsonSchema {
  const answer = answers[name];
  const byType = answer instanceof z.ZodType ? { 'application/json': answer } : answer;
  return Object.fromEntries(Object.entries(byType).map(([type, schema]) => [type, { schema: withParts(schema, parts) }]));
}

/** A schema of a parameter, with what it says of itself beside it, where parameters say that. */
const lifted = ({ description, ...schema }: JsonSchema): JsonSchema => ({ ...(description ? { description } : {}), schema });

function described(name: OperationName, operation: Operation, parts: Record<string, JsonSchema>): JsonSchema {
  const { $schema: _, ...input } = asSchema(inputs[name]);
  const { method, access, about } = operation;
  const part = partOf(operation);
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
    operationId: `control${name[0]!.toUpperCase()}${name.slice(1)}`,
    tags: ['Control'],
    summary: capital(about),
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
        description: 'Done.',
        content: contentOf(name, parts),
      },
      ...failureResponses([
        ...refusals,
        ...(changingOperations.has(name) ? (['read-only'] as const) : []),
        ...(method === 'GET' ? [] : withBody),
        ...(own[name] ?? []),
      ]),
    },
  };
}

/** The paths of the control interface, which stands at the root of a site, and the schemas that these refer to. */
export function controlPaths(home: string): { paths: Record<string, JsonSchema>; schemas: Record<string, JsonSchema> } {
  const paths: Record<string, JsonSchema> = {};
  const schemas: Record<string, JsonSchema> = {};
  for (const [name, operation] of Object.entries(operations) as [OperationName, Operation][]) {
    const path = `${controlPath}${operation.path}`;
    paths[path] = { servers: [{ url: home }], ...paths[path], [operation.method.toLowerCase()]: described(name, operation, schemas) };
  }
  return { paths, schemas };
}
