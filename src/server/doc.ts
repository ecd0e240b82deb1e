import type { Resource } from '../model/calendar.ts';
import { type JsonSchema, wireSchema } from '../model/fields/field.ts';
import { capitalized, withArticle } from '../model/grammar.ts';
import { imageSize, valueSchemas } from '../model/resources/value-schemas.ts';
import { type Action, methodsOf, type Route, routePath, routes } from '../model/routes.ts';
import { type Call, type DocumentContext, documentContext, type Result } from './http.ts';
import { parametersOf } from './parameters.ts';

/** The reference's document lacks creation (`meta.doc`). */
type DocumentedAction = Exclude<Action, 'create'>;
const isDocumented = (action: Action): action is DocumentedAction => action !== 'create';

const failureTexts: Record<number, string> = {
  400: 'Missing or invalid parameter',
  401: 'Authentication required',
  403: 'Permission denied',
  404: 'Not found',
  410: 'Already in the trash',
};
const failuresOf: Record<DocumentedAction, number[]> = {
  list: [400, 404],
  get: [400, 403, 404],
  update: [400, 401, 403, 404],
  delete: [400, 401, 403, 404, 410],
};

function responses(resource: Resource, action: DocumentedAction) {
  const one = {
    $ref: `#/components/schemas/${resource.family === 'term' ? 'Term' : capitalized(resource.kind)}`,
  };
  const whole = { type: 'integer' };
  const page = {
    type: 'object',
    properties: { [resource.name]: { type: 'array', items: one }, rest_url: { type: 'string' }, total: whole, total_pages: whole },
  };
  const content = { 'application/json': { schema: action === 'list' ? page : one } };
  return {
    200: { description: action === 'list' ? `A page of ${resource.name}` : `The ${resource.kind}`, content },
    ...Object.fromEntries(failuresOf[action].map((status) => [status, { description: failureTexts[status] }])),
  };
}

function operation(route: Route, action: DocumentedAction, ctx: DocumentContext) {
  const resource: Resource = ctx.resources[route.resource];
  const parameters = parametersOf(route, action, ctx);
  const outside = parameters.filter((parameter) => parameter.in !== 'body');
  const inside = parameters.filter((parameter) => parameter.in === 'body');
  const properties = Object.fromEntries(
    inside.map((parameter) => [parameter.name, { description: parameter.about, ...wireSchema(parameter.wire) }]),
  );
  const schema = { type: 'object', properties };
  return {
    summary: `${capitalized(action)} ${action === 'list' ? resource.name : withArticle(resource.kind)}`,
    parameters: outside.map((parameter) => ({
      name: parameter.name,
      in: parameter.in,
      description: parameter.about,
      required: parameter.in === 'path',
      schema: wireSchema(parameter.wire),
      ...(parameter.wire.items ? { style: 'form', explode: false } : {}),
    })),
    ...(inside.length
      ? { requestBody: { content: { 'application/json': { schema }, 'application/x-www-form-urlencoded': { schema } } } }
      : {}),
    responses: responses(resource, action),
  };
}

/** Keywords of the reference's document. */
const plainWords = new Set(['type', 'items', 'properties', 'description', '$ref', 'minimum', 'maximum']);

/** A schema like the reference's document: the most common of several forms, and terms without URLs. */
function simplified({ anyOf, ...schema }: JsonSchema): JsonSchema {
  if (Array.isArray(anyOf)) return simplified(anyOf[0]);
  const { type, items, properties, $ref } = schema;
  const types = Array.isArray(type) ? type.filter((name) => name !== 'null') : [];
  return {
    ...Object.fromEntries(Object.entries(schema).filter(([name]) => plainWords.has(name))),
    ...(types.length ? { type: types[0], nullable: true } : {}),
    ...(items ? { items: simplified(items as JsonSchema) } : {}),
    ...(properties ? { properties: mapped(properties as Record<string, JsonSchema>) } : {}),
    ...($ref === '#/components/schemas/EmbeddedTerm' ? { $ref: '#/components/schemas/Term' } : {}),
  };
}
const mapped = (properties: Record<string, JsonSchema>) =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, simplified(schema)]));

/** Terms have the members of categories. */
function schemas({ resources }: DocumentContext): Record<string, JsonSchema> {
  const all: readonly Resource[] = Object.values(resources);
  const { CostDetails, Image, DateDetails } = mapped(valueSchemas);
  const record = ({ response }: Resource): JsonSchema => ({
    type: 'object',
    properties: mapped(Object.fromEntries(response.members.filter((each) => !each.undocumented).map((each) => [each.name, each.response]))),
  });
  return {
    ImageSize: imageSize,
    CostDetails: CostDetails!,
    Image: Image!,
    DateDetails: DateDetails!,
    Term: record(all.find((resource) => 'isTree' in resource && resource.isTree)!),
    ...Object.fromEntries(all.filter(({ family }) => family === 'post').map((resource) => [capitalized(resource.kind), record(resource)])),
  };
}

const itself = {
  get: {
    summary: 'Get this document',
    parameters: [],
    responses: { 200: { description: 'OpenAPI document', content: { 'application/json': { schema: { type: 'object' } } } } },
  },
};

/** The reference's OpenAPI 3.0 document (`meta.doc`). It is less strict than the API; `/openapi.json` is exact. */
export function referenceDocument({ service, site }: Call): Result {
  const ctx = documentContext(service);
  const paths = routes.map((route): [string, object] => [
    routePath(route, (name) => `{${name}}`),
    Object.fromEntries(
      route.actions.filter(isDocumented).map((action) => [methodsOf[action][0]!.toLowerCase(), operation(route, action, ctx)]),
    ),
  ]);
  return {
    status: 200,
    headers: {},
    value: {
      openapi: '3.0.0',
      info: { version: '1.0.0', title: 'Event calendar', description: 'Events, venues, organizers, categories and tags of a calendar.' },
      components: { schemas: schemas(ctx) },
      servers: [{ url: `${site.root}/` }],
      paths: { '/doc': itself, ...Object.fromEntries(paths) },
    },
  };
}
