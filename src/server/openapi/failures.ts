import { STATUS_CODES } from 'node:http';
import type { Resource } from '../../model/calendar.ts';
import { type FailureCode, failureKind, failures, recordFailureCodes } from '../../model/error.ts';
import { emptyList, type JsonSchema } from '../../model/fields/field.ts';
import { resources } from '../../model/resources/all.ts';
import { type LinkField, linkFields } from '../../model/resources/relations.ts';
import { whole } from '../../model/resources/value-schemas.ts';
import type { Action, Route } from '../../model/routes.ts';

/** Failures of any request. */
const general: readonly FailureCode[] = [
  'bad-request',
  'invalid_username',
  'incorrect_password',
  'host-not-allowed',
  'origin-not-allowed',
  'rest_cookie_invalid_nonce',
  'too-many-attempts',
  'unexpected-failure',
  'not-ready',
  'world-reset',
  'store-damaged',
  'store-gone',
  'store-changed',
  'store-io',
  'store-read-only',
];
/** Additional failures of requests with a body. */
export const withBody: readonly FailureCode[] = ['body-too-large', 'unsupported-encoding', 'rest_invalid_json', 'store-full'];

/** Returns the failures of an action on a route. */
export function failuresOf(route: Route, action: Action): FailureCode[] {
  const resource: Resource = resources[route.resource];
  const { kind, family } = resource;
  const event = family === 'post' && !resource.isLinked;
  const byId = route.by === 'id';
  const codes: FailureCode[] = ['rest_invalid_param'];
  if (byId) codes.push('rest_no_route');
  if (action === 'list') {
    if (family === 'post') codes.push(`${kind}-archive-page-not-found`);
    codes.push('upstream-unreachable');
    return codes;
  }
  if (event && (byId || action === 'update') && action !== 'create') codes.push('rest-event-not-found');
  if (event && byId) codes.push('rest-invalid-event-id');
  if (action === 'get') {
    if (family === 'post') codes.push(`${kind}-not-accessible`);
    if (event) codes.push('event-no-longer-available', 'event-password-protected');
    codes.push('upstream-unreachable');
    return codes;
  }
  codes.push('rest_forbidden', 'read-only', ...withBody);
  if (action === 'create') codes.push('rest_missing_callback_param');
  if (action === 'delete' && family === 'post') codes.push(`${kind}-is-in-trash`);
  if (action !== 'delete') codes.push(...linkFields(route.resource).flatMap(newRecordFailure));
  if (action === 'create' && family === 'term') codes.push('term_exists');
  if (action !== 'delete' && family === 'term' && !resource.isTree) codes.push('rest_taxonomy_not_hierarchical');
  if (action === 'update' && family === 'term') codes.push('duplicate_term_slug');
  return codes;
}

/** Returns the failure of creating a linked record without a name. Terms without a name are not linked. */
const newRecordFailure = ({ links }: LinkField): FailureCode[] =>
  resources[links].family === 'post' ? [`could-not-create-${resources[links].kind}`] : [];

const text: JsonSchema = { type: 'string' };
const integer: JsonSchema = { type: 'integer' };

/** Additional members of the data of failures. */
const dataOf: Partial<Record<FailureCode, Record<string, JsonSchema>>> = {
  rest_invalid_param: {
    params: { type: 'object', additionalProperties: text, description: 'Reasons by parameter' },
    details: {
      description: 'Type errors by parameter; an empty list if there are none',
      anyOf: [{ type: 'object', additionalProperties: whole({ code: text, message: text, data: whole({ param: text }) }) }, emptyList],
    },
  },
  rest_missing_callback_param: { params: { type: 'array', items: text, description: 'Names of the missing fields' } },
  rest_invalid_json: { json_error_code: integer, json_error_message: text },
  'invalid-data': { problems: { type: 'array', items: whole({ at: text, reason: text }), description: 'Problems and their locations' } },
  'verification-failed': {
    count: { ...integer, description: 'Number of matching requests' },
    nearest: {
      type: 'array',
      items: whole({
        request: whole({
          ...{ id: integer, time: { ...text, format: 'date-time' }, method: text, path: text, query: text, status: integer },
          ...{
            fault: { type: ['string', 'null'] },
            took: { type: 'number', description: 'Milliseconds' },
            user: { type: ['string', 'null'] },
            reason: { type: ['string', 'null'] },
          },
        }),
        mismatches: {
          type: 'array',
          items: whole({ part: text, wanted: text, found: text }),
          description: 'Differences from the expected request',
        },
      }),
      description: 'Closest requests, or the unexpected ones',
    },
  },
  'too-many-attempts': { retry_after: { ...integer, description: 'Seconds to wait' } },
  term_exists: { term_id: { ...integer, description: 'ID of the existing term' } },
};

/** Returns the statuses of a failure. */
const statusesOf = (code: FailureCode): number[] =>
  code === 'rest_forbidden' || code === 'rest_cannot_create' ? [401, 403] : [failureKind(code)!.status];

/** Converts words with hyphens, underscores or spaces to PascalCase. */
export const pascal = (words: string) => words.replace(/(?:^|[-_ ])(\w)/g, (_, letter: string) => letter.toUpperCase());
const nameOf = (code: FailureCode) => `${pascal(code)}Failure`;

function failureSchema(code: FailureCode): JsonSchema {
  const [status, ...others] = statusesOf(code);
  const schema = whole({
    code: { type: 'string', const: code },
    message: { ...text, description: 'Error message; its wording may change' },
    data: whole({ status: others.length ? { ...integer, enum: [status, ...others] } : { ...integer, const: status }, ...dataOf[code] }),
  });
  const hint = { ...text, description: 'How to fix the error; only in responses of the control API' };
  const more = code === 'term_exists' ? { additional_data: { type: 'array', items: integer } } : {};
  return { ...schema, properties: { ...(schema.properties as object), ...more, hint } };
}

const texts: Record<number, string> = {
  400: 'Invalid request.',
  401: 'Missing or invalid credentials.',
  403: 'Permission denied.',
  404: 'Not found.',
  410: 'Already in the trash.',
  413: 'The body is too large.',
  415: 'Unsupported content type or encoding.',
  429: 'Too many wrong passwords.',
  500: 'Internal error, or the file is damaged.',
  503: 'The server is not ready, or its file is not available.',
  507: 'The disk is full.',
};

function byStatus(codes: readonly FailureCode[]): Map<number, FailureCode[]> {
  const codesByStatus = new Map<number, FailureCode[]>();
  for (const code of new Set(codes))
    for (const status of statusesOf(code)) codesByStatus.set(status, [...(codesByStatus.get(status) ?? []), code]);
  return new Map([...codesByStatus].sort(([a], [b]) => a - b));
}

function response(status: number, codes: readonly FailureCode[]): JsonSchema {
  const schemas = codes.map((code) => ({ $ref: `#/components/schemas/${nameOf(code)}` }));
  return {
    description: `${texts[status] ?? `${STATUS_CODES[status]}.`} Codes: ${codes.join(', ')}`,
    ...(status === 429 ? { headers: { 'Retry-After': { description: 'Seconds to wait', schema: integer } } } : {}),
    ...(status === 401 ? { headers: { 'WWW-Authenticate': { $ref: '#/components/headers/WWW-Authenticate' } } } : {}),
    content: { 'application/json': { schema: schemas.length === 1 ? schemas[0] : { oneOf: schemas } } },
  };
}

/** Responses that operations share. */
const shared = new Map(
  [...byStatus([...general, ...withBody])]
    .filter(([status]) => status !== 400)
    .map(([status, codes]) => [status, { name: pascal(STATUS_CODES[status]!), codes }]),
);

/** Returns the responses of an operation with these failures, including those of any request. */
export function failureResponses(codes: readonly FailureCode[]): Record<string, JsonSchema> {
  const all = byStatus([...general, ...codes]);
  return Object.fromEntries(
    [...all].map(([status, codesOfStatus]) => {
      const common = shared.get(status);
      return common && String(codesOfStatus) === String(common.codes)
        ? [status, { $ref: `#/components/responses/${common.name}` }]
        : [status, response(status, codesOfStatus)];
    }),
  );
}

const allCodes = [...(Object.keys(failures) as FailureCode[]), ...Object.values(resources).flatMap(({ kind }) => recordFailureCodes(kind))];

/** Returns the components that describe failures. */
export function failureComponents(): { schemas: Record<string, JsonSchema>; responses: Record<string, JsonSchema> } {
  return {
    schemas: Object.fromEntries(allCodes.map((code) => [nameOf(code), failureSchema(code)])),
    responses: Object.fromEntries([...shared].map(([status, { name, codes }]) => [name, response(status, codes)])),
  };
}
