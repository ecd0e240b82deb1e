import { type Action, methodsOf, pathOf, type Route, routes, successOf } from '../model/action.ts';
import type { Asking } from '../model/asking.ts';
import type { Field, Wire } from '../model/field.ts';
import type { Filter } from '../model/filter.ts';
import type { Site } from '../model/post.ts';
import type { Resource } from '../model/resource.ts';
import { resources } from '../model/resources.ts';
import { schemas } from './schemas.ts';

/** A parameter as documents describe it. */
interface Parameter {
  name: string;
  about: string;
  wire: Wire;
  required: boolean;
  in: 'query' | 'path' | 'body';
  beyond?: boolean;
}

const describe = (found: Field | Filter, place: Parameter['in'], required: boolean, asking: Asking): Parameter => ({
  name: found.name,
  about: found.about,
  wire: 'usual' in found && found.usual ? { ...found.wire, default: found.usual(asking) } : found.wire,
  required,
  in: place,
  beyond: found.beyond,
});
const password: Parameter = {
  name: 'password',
  about: 'opens a record that has a password',
  wire: { type: 'string' },
  required: false,
  in: 'query',
};

/** What one action on a route takes. */
function parametersOf(route: Route, action: Action, asking: Asking): Parameter[] {
  const resource: Resource = resources[route.resource];
  if (action === 'list') return resource.filters.map((filter) => describe(filter, 'query', false, asking));
  const fields = resource.fields.map((field) => describe(field, 'body', action === 'create' && field.required === true, asking));
  if (action === 'create') return fields;
  const ownSlug = route.by === 'slug' && resource.fields.some((field) => field.name === 'slug');
  const target: Parameter =
    route.by === 'id'
      ? { name: 'id', about: `the ID of the ${resource.kind}`, wire: { type: 'integer' }, required: true, in: 'path' }
      : {
          name: 'slug',
          about: `the slug of the ${resource.kind}`,
          wire: { type: 'string' },
          required: !(ownSlug && action === 'update'),
          in: 'path',
        };
  const key = resource.kind === 'event' && route.by === 'id' ? [password] : [];
  return action === 'update' ? [target, ...key, ...fields.filter(({ name }) => name !== target.name)] : [target, ...key];
}

const argOf = ({ about, wire, required }: Parameter) => ({ description: about, ...wire, required });

function endpoint(methods: readonly string[], parameters: readonly Parameter[]) {
  const named = parameters.filter(({ beyond }) => !beyond).map((parameter) => [parameter.name, argOf(parameter)]);
  return { methods, args: named.length ? Object.fromEntries(named) : [] };
}

const fixed = (namespace: string) => ({
  index: { namespace: { default: namespace, required: false }, context: { default: 'view', required: false } },
  doc: [],
});

/** A route as the namespace index and OPTIONS describe it: its methods, and what each takes. As in the reference. */
export function describeRoute(route: Route | 'index' | 'doc', asking: Asking, namespace: string) {
  if (typeof route === 'string') return { namespace, methods: ['GET'], endpoints: [{ methods: ['GET'], args: fixed(namespace)[route] }] };
  const endpoints = route.actions.map((action) => endpoint(methodsOf[action], parametersOf(route, action, asking)));
  return { namespace, methods: endpoints.flatMap(({ methods }) => methods), endpoints };
}

/** The namespace index: every route with its arguments. */
export function indexDocument(asking: Asking, namespace: string, site: Site) {
  const self = (path: string) => ({ _links: { self: [{ href: `${site.root}${path}` }] } });
  const described: [string, object][] = [
    [`/${namespace}`, { ...describeRoute('index', asking, namespace), ...self('') }],
    [`/${namespace}/doc`, { ...describeRoute('doc', asking, namespace), ...self('/doc') }],
    ...routes.map((route): [string, object] => [
      `/${namespace}${pathOf(route, (name) => (name === 'id' ? '(?P<id>\\d+)' : '(?P<slug>[^/]+)'))}`,
      { ...describeRoute(route, asking, namespace), ...(route.by === 'all' ? self(`/${route.resource}`) : {}) },
    ]),
  ];
  return { namespace, routes: Object.fromEntries(described), _links: { up: [{ href: `${site.root.slice(0, -namespace.length)}` }] } };
}

const jsonSchema = ({ wire: { type, items, format, default: value } }: Parameter) => ({
  ...(items ? { type: 'array', items } : type ? { type } : format === 'double' ? { type: 'number', format } : {}),
  ...(value === undefined || value === null ? {} : { default: value }),
});

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

function operation(route: Route, action: Action, asking: Asking) {
  const resource: Resource = resources[route.resource];
  const parameters = parametersOf(route, action, asking);
  const outside = parameters.filter((parameter) => parameter.in !== 'body');
  const inside = parameters.filter((parameter) => parameter.in === 'body');
  const required = inside.filter((parameter) => parameter.required).map(({ name }) => name);
  const properties = Object.fromEntries(
    inside.map((parameter) => [parameter.name, { description: parameter.about, ...jsonSchema(parameter) }]),
  );
  const schema = { type: 'object', properties, ...(required.length ? { required } : {}) };
  return {
    summary: `${action} ${action === 'list' ? resource.name : `one of the ${resource.name}`}`,
    parameters: outside.map((parameter) => ({
      name: parameter.name,
      in: parameter.in,
      description: parameter.about,
      required: parameter.in === 'path',
      schema: jsonSchema(parameter),
      ...(parameter.wire.items ? { style: 'form', explode: false } : {}),
    })),
    ...(inside.length
      ? { requestBody: { content: { 'application/json': { schema }, 'application/x-www-form-urlencoded': { schema } } } }
      : {}),
    responses: responses(resource, action),
  };
}

/** The service as OpenAPI 3.0, made from the definitions that check requests. As in the reference. */
export function openApi(asking: Asking, site: Site) {
  const doc = {
    get: {
      summary: 'this document',
      parameters: [],
      responses: { 200: { description: 'OpenAPI', content: { 'application/json': { schema: { type: 'object' } } } } },
    },
  };
  const paths = routes.map((route): [string, object] => [
    pathOf(route, (name) => `{${name}}`),
    Object.fromEntries(route.actions.map((action) => [methodsOf[action][0]!.toLowerCase(), operation(route, action, asking)])),
  ]);
  return {
    openapi: '3.0.0',
    info: { version: '1.0.0', title: 'Event calendar', description: 'Events, venues, organizers, categories and tags of a calendar.' },
    components: { schemas: schemas() },
    servers: [{ url: `${site.root}/` }],
    paths: { '/doc': doc, ...Object.fromEntries(paths) },
  };
}
