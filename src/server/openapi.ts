import type { Resource } from '../model/calendar.ts';
import type { RequestContext } from '../model/context.ts';
import { wireSchema } from '../model/fields/field.ts';
import { resources } from '../model/resources/all.ts';
import { type Action, type Route, successOf } from '../model/routes.ts';
import { schemas } from './answer-schemas.ts';
import type { Call, Result } from './http.ts';
import { parametersOf } from './parameters.ts';

const failureTexts: Record<number, string> = {
  400: 'a parameter is missing or wrong',
  401: 'the caller has to say who they are',
  403: 'the caller may not do this',
  404: 'there is no such record, or no such page',
  410: 'the record is in the trash already',
};
const failuresOf: Record<Action, number[]> = {
  list: [400, 404],
  get: [400, 403, 404],
  create: [400, 401, 403],
  update: [400, 401, 403, 404],
  delete: [400, 401, 403, 404, 410],
};

function responses(resource: Resource, action: Action) {
  const one = {
    $ref: `#/components/schemas/${resource.family === 'term' ? 'Term' : resource.kind[0]!.toUpperCase() + resource.kind.slice(1)}`,
  };
  const whole = { type: 'integer' };
  const page = {
    type: 'object',
    properties: { [resource.name]: { type: 'array', items: one }, rest_url: { type: 'string' }, total: whole, total_pages: whole },
  };
  const content = { 'application/json': { schema: action === 'list' ? page : one } };
  return {
    [successOf(action)]: { description: action === 'list' ? `${resource.name} of one page` : `the ${resource.kind}`, content },
    ...Object.fromEntries(failuresOf[action].map((status) => [status, { description: failureTexts[status] }])),
  };
}

/** One action on a route as the document describes it. */
export function operation(route: Route, action: Action, ctx: RequestContext) {
  const resource: Resource = resources[route.resource];
  const parameters = parametersOf(route, action, ctx);
  const outside = parameters.filter((parameter) => parameter.in !== 'body');
  const inside = parameters.filter((parameter) => parameter.in === 'body');
  const required = inside.filter((parameter) => parameter.required).map(({ name }) => name);
  const properties = Object.fromEntries(
    inside.map((parameter) => [parameter.name, { description: parameter.about, ...wireSchema(parameter.wire) }]),
  );
  const schema = { type: 'object', properties, ...(required.length ? { required } : {}) };
  return {
    summary: `${action} ${action === 'list' ? resource.name : `one of the ${resource.name}`}`,
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

/** Answers the service as OpenAPI 3.0, made from the definitions that check requests (`meta.doc`). */
export function openApi({ service, routes, site }: Call): Result {
  const ctx = service.requestContext();
  const paths = routes.flatMap(({ path, operations }) => (operations ? [[path, operations(ctx)]] : []));
  return {
    status: 200,
    headers: {},
    value: {
      openapi: '3.0.0',
      info: { version: '1.0.0', title: 'Event calendar', description: 'Events, venues, organizers, categories and tags of a calendar.' },
      components: { schemas: schemas() },
      servers: [{ url: `${site.root}/` }],
      paths: Object.fromEntries(paths),
    },
  };
}
