import type { Resource, ResourceName } from '../../model/calendar.ts';
import { type Field, isKnown, type JsonSchema } from '../../model/fields/field.ts';
import type { ListParameter } from '../../model/fields/list.ts';
import { capitalized, withArticle } from '../../model/grammar.ts';
import { linkFields } from '../../model/resources/relations.ts';
import { type Action, methodsOf, type Route, successOf } from '../../model/routes.ts';
import type { DocumentContext, Operations } from '../http.ts';
import examples from './examples.json' with { type: 'json' };
import { failureResponses, failuresOf } from './failures.ts';

const ref = (kind: 'schemas' | 'headers' | 'parameters', name: string): JsonSchema => ({ $ref: `#/components/${kind}/${name}` });

/** Headers of responses to reads. */
export const readHeaders = {
  Allow: ref('headers', 'Allow'),
  ETag: ref('headers', 'ETag'),
  Link: ref('headers', 'Link'),
};

/** The response to a conditional read of unchanged content. */
export const notModified: JsonSchema = {
  description: 'The content has not changed.',
  headers: { ETag: ref('headers', 'ETag') },
};

const writeHeaders = { Allow: ref('headers', 'Allow'), Link: ref('headers', 'Link') };

/** Returns a filter as a query parameter. */
const queryParameter = (filter: ListParameter, ctx: DocumentContext): JsonSchema => ({
  name: filter.name,
  in: 'query',
  description: filter.about,
  ...(filter.accepts.type === 'array' ? { style: 'form', explode: false } : {}),
  schema:
    filter.accepts.type === 'integer' && filter.wire.default !== undefined
      ? { ...filter.accepts, default: Number(filter.usual?.(ctx) ?? filter.wire.default) }
      : filter.accepts,
});

export const queryParameters = ({ list }: Resource, ctx: DocumentContext): JsonSchema[] =>
  list.parameters.map((parameter) => queryParameter(parameter, ctx));

const pathParameters = (route: Route, { kind }: Resource): JsonSchema[] =>
  route.by === 'all'
    ? []
    : [
        route.by === 'id'
          ? { name: 'id', in: 'path', required: true, description: `ID of the ${kind}.`, schema: { type: 'integer', minimum: 0 } }
          : {
              name: 'slug',
              in: 'path',
              required: true,
              description: `Slug of the ${kind}.`,
              schema: { type: 'string', minLength: 1, pattern: '^[^/]+$' },
            },
      ];

const bodyField = (field: Field): [string, JsonSchema] => [field.name, { ...field.accepts, description: field.about }];

/** Returns the schemas of a resource's input for creation and changes. */
export function bodySchemas({ kind, fields }: Resource, ctx: Pick<DocumentContext, 'extensions'>): Record<string, JsonSchema> {
  const enabled = fields.filter((field) => isKnown(field, ctx));
  const properties = Object.fromEntries(enabled.map(bodyField));
  const required = enabled.filter((field) => field.required).map(({ name }) => name);
  return {
    [`New${capitalized(kind)}`]: { type: 'object', required, properties },
    [`${capitalized(kind)}Changes`]: { type: 'object', properties },
  };
}

/** Lists in forms are comma-separated; the last value of a repeated name wins. */
const listEncoding = ({ fields }: Resource) => {
  const lists = fields.filter((field) => field.many).map(({ name }) => [name, { style: 'form', explode: false }]);
  return lists.length ? { encoding: Object.fromEntries(lists) } : {};
};

/** An example by field. Null stands for the example of a linked resource, which the file contains once. */
type Example = Readonly<Record<string, unknown>>;
const stored: Readonly<Record<string, Record<'record' | 'page' | 'input' | 'changes', Example>>> = examples;

/** Returns the examples of a resource; undefined for one without. */
function examplesOf(name: ResourceName) {
  const own = stored[name];
  const whole = (part: 'record' | 'input'): Example => {
    const example = { ...own![part] };
    for (const { name: field, links } of linkFields(name)) {
      const value = example[field];
      if (value === null) example[field] = stored[links]![part];
      else if (Array.isArray(value) && value[0] === null) example[field] = [stored[links]![part]];
    }
    return example;
  };
  return own && { ...own, record: whole('record'), input: whole('input') };
}

/** Members of a record that lists leave out. */
const unlisted = ['json_ld', '_links'];
/** Returns a record as lists have it. */
const asListed = (record: object): object =>
  JSON.parse(JSON.stringify(record), (name, value) => (unlisted.includes(name) ? undefined : value));

function requestBody(resource: Resource, action: 'create' | 'update'): JsonSchema {
  const kind = capitalized(resource.kind);
  const examples = examplesOf(resource.name);
  const bodySchema = ref('schemas', action === 'create' ? `New${kind}` : `${kind}Changes`);
  // A record that was read can be sent back.
  const schema = action === 'create' ? bodySchema : { anyOf: [bodySchema, ref('schemas', kind)] };
  const form = { schema: bodySchema, ...listEncoding(resource) };
  return {
    required: action === 'create',
    content: {
      'application/json': { schema, ...(examples && { example: action === 'create' ? examples.input : examples.changes }) },
      'application/x-www-form-urlencoded': form,
      'multipart/form-data': form,
    },
  };
}

const summaries: Record<Action, (resource: Resource) => string> = {
  list: ({ name }) => `List ${name}`,
  create: ({ kind }) => `Create ${withArticle(kind)}`,
  get: ({ kind }) => `Get ${withArticle(kind)}`,
  update: ({ kind }) => `Update ${withArticle(kind)}`,
  delete: ({ kind }) => `Delete ${withArticle(kind)}`,
};

const descriptions: Record<Action, (resource: Resource) => string> = {
  list: ({ name, list }) =>
    list.parameters.some((parameter) => parameter.name === 'starts_after')
      ? 'Returns one page of the matching events, sorted by start date. Without a date filter, these are the events of two years from yesterday, or from today in time zones east of UTC. Unless strict_dates is set, a date stands for its whole day.'
      : `Returns one page of the matching ${name}.`,
  create: (resource) =>
    resource.family === 'term'
      ? `Creates ${withArticle(resource.kind)}. Fails if one with the same name exists.`
      : resource.isLinked
        ? `Creates ${withArticle(resource.kind)}. If one with the same name and description exists, updates its details instead.`
        : `Creates ${withArticle(resource.kind)}, including ${listed(linkFields(resource.name).map(({ links }) => links))} that do not exist yet.`,
  get: ({ kind }) => `Returns ${withArticle(kind)}.`,
  update: () => 'Changes only the given fields. POST, PUT and PATCH are equivalent. A record that was read can be sent back.',
  delete: ({ family, kind }) => (family === 'term' ? `Deletes the ${kind} permanently.` : `Moves the ${kind} to the trash and returns it.`),
};

const listed = (names: readonly string[]): string => new Intl.ListFormat('en-US', { type: 'conjunction' }).format(names);

const viewParameters = (action: Action, resource: Resource): JsonSchema[] => {
  if (resource.family !== 'post' || (action !== 'list' && action !== 'get')) return [];
  return [ref('parameters', 'password'), ref('parameters', 'context')];
};

function success(action: Action, resource: Resource, prefix: string): JsonSchema {
  const { name, kind, family } = resource;
  const list = action === 'list';
  const read = list || action === 'get';
  const examples = examplesOf(name);
  return {
    description: list ? `A page of ${name}` : `The ${kind}`,
    headers: {
      ...(read ? readHeaders : writeHeaders),
      ...(list ? { [`${prefix}-Total`]: ref('headers', 'Total'), [`${prefix}-TotalPages`]: ref('headers', 'TotalPages') } : {}),
      ...(action === 'create' && family === 'term' ? { Location: ref('headers', 'Location') } : {}),
    },
    content: {
      'application/json': {
        schema: ref('schemas', `${capitalized(kind)}${list ? 'Page' : ''}`),
        ...(examples &&
          action !== 'delete' && { example: list ? { ...examples.page, [name]: [asListed(examples.record)] } : examples.record }),
      },
    },
  };
}

/** Verbs in operation IDs of updates by method. */
const updateVerbs: Record<string, string> = { PATCH: 'update', PUT: 'put', POST: 'post' };

/** Returns the operations of a route by method. `prefix` is that of the headers with totals. */
export function actionOperations(route: Route, ctx: DocumentContext, prefix: string): Operations {
  const resource: Resource = ctx.resources[route.resource];
  const { name, kind } = resource;
  const target = capitalized(kind) + (route.by === 'slug' ? 'BySlug' : '');
  const operation = (action: Action, method: string): JsonSchema => {
    const read = action === 'list' || action === 'get';
    return {
      operationId: action === 'list' ? `list${capitalized(name)}` : `${action === 'update' ? updateVerbs[method] : action}${target}`,
      tags: [capitalized(name)],
      summary: `${summaries[action](resource)}${route.by === 'slug' ? ' by slug' : ''}${action === 'update' && method !== 'PATCH' ? ` (${method})` : ''}`,
      description: descriptions[action](resource),
      parameters: [
        ...pathParameters(route, resource),
        ...(action === 'list' ? queryParameters(resource, ctx) : []),
        ...viewParameters(action, resource),
        ...(read ? [ref('parameters', 'If-None-Match')] : []),
      ],
      ...(action === 'create' || action === 'update' ? { requestBody: requestBody(resource, action) } : {}),
      responses: {
        [successOf(action)]: success(action, resource, prefix),
        ...(read ? { 304: notModified } : {}),
        ...failureResponses(failuresOf(route, action)),
      },
    };
  };
  return Object.fromEntries(
    route.actions.flatMap((action) => methodsOf[action].map((method) => [method.toLowerCase(), operation(action, method)])),
  );
}
