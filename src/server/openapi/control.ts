import * as z from 'zod';
import { controlPath, type Operation, type OperationName, operations } from '../../model/control.ts';
import type { FailureCode } from '../../model/error.ts';
import type { JsonSchema } from '../../model/fields/field.ts';
import { inputs } from '../control/inputs.ts';
import { failureResponses } from './failures.ts';

const sentence = (phrase: string) => `${phrase[0]!.toUpperCase()}${phrase.slice(1)}.`;

/** Who an operation is for. */
const audience: Record<Operation['access'], string> = {
  everyone: 'Whoever may control the server.',
  whole:
    'Whoever may control the server, where it keeps nothing on disk or was started with --control; else its owner, or who has the control token.',
  trusted: 'The owner of the server, or who has the control token.',
  owner: 'The owner of the server alone.',
};

const failures: readonly FailureCode[] = [
  'rest_invalid_param',
  'rest_invalid_json',
  'rest_no_route',
  'control-not-allowed',
  'unsupported-encoding',
];

/** What operations answer that is not JSON alone. */
const files: Partial<Record<OperationName, readonly string[]>> = {
  snapshotFile: ['application/vnd.sqlite3'],
  export: ['application/json', 'application/x-ndjson', 'text/csv', 'text/calendar'],
};

function described(name: OperationName, { method, path, access, about }: Operation): JsonSchema {
  const { $schema: _, ...input } = z.toJSONSchema(inputs[name], { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  const { name: inPath, ...properties } = (input.properties ?? {}) as Record<string, JsonSchema>;
  const named = path.includes('{name}');
  const required = ((input.required as string[] | undefined) ?? []).filter((each) => !(named && each === 'name'));
  const rest = named || !inPath ? properties : { name: inPath, ...properties };
  const open = Object.keys(rest).length > 0 || typeof input.additionalProperties === 'object';
  const body = { ...input, ...(Object.keys(rest).length ? { properties: rest } : {}), ...(required.length ? { required } : {}) };
  if (!required.length) delete (body as { required?: unknown }).required;
  const query =
    method === 'GET'
      ? Object.entries(rest).map(([each, schema]) => ({ name: each, in: 'query', style: 'form', explode: false, schema }))
      : [];
  const types = files[name] ?? ['application/json'];
  return {
    operationId: `control${name[0]!.toUpperCase()}${name.slice(1)}`,
    tags: ['Control'],
    summary: sentence(about).slice(0, -1),
    description: audience[access],
    ...(access === 'everyone' ? {} : { security: access === 'owner' ? [{ token: [] }] : [{}, { token: [] }] }),
    parameters: [...(named ? [{ name: 'name', in: 'path', required: true, schema: { type: 'string', minLength: 1 } }] : []), ...query],
    ...(method !== 'GET' && open
      ? { requestBody: { required: required.length > 0, content: { 'application/json': { schema: body } } } }
      : {}),
    responses: {
      200: {
        description: 'Done.',
        content: Object.fromEntries(types.map((type) => [type, { schema: type === 'application/json' ? {} : { type: 'string' } }])),
      },
      ...failureResponses(failures),
    },
  };
}

/** The paths of the control interface, which stands at the root of a site. */
export function controlPaths(home: string): Record<string, JsonSchema> {
  const paths: Record<string, JsonSchema> = {};
  for (const [name, operation] of Object.entries(operations) as [OperationName, Operation][]) {
    const path = `${controlPath}${operation.path}`;
    paths[path] = { servers: [{ url: home }], ...paths[path], [operation.method.toLowerCase()]: described(name, operation) };
  }
  return paths;
}
