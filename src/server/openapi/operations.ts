import type { Resource } from '../../model/calendar.ts';
import { digitsWithin, type Field, isKnown, type JsonSchema } from '../../model/fields/field.ts';
import type { ListParameter } from '../../model/fields/list.ts';
import { capitalized, withArticle } from '../../model/grammar.ts';
import { linkFields } from '../../model/resources/relations.ts';
import { type Action, methodsOf, type Route, successOf } from '../../model/routes.ts';
import type { feedTemplates } from '../../model/site-address.ts';
import type { DocumentContext, HandlerOptions, Operations, RecordExamples } from '../http.ts';

const ref = (kind: 'schemas' | 'headers' | 'parameters', name: string): JsonSchema => ({ $ref: `#/components/${kind}/${name}` });

/** Headers of responses to reads. */
const readHeaders = {
  Allow: ref('headers', 'Allow'),
  ETag: ref('headers', 'ETag'),
  Link: ref('headers', 'Link'),
};

/** The response to a conditional read of unchanged content. */
const notModified: JsonSchema = {
  description: 'The content has not changed.',
  headers: { ETag: ref('headers', 'ETag') },
};

const error: JsonSchema = { $ref: '#/components/responses/Error' };
/** The responses to requests that fail. */
export const failureResponses = { '4XX': error, '5XX': error };

const writeHeaders = { Allow: ref('headers', 'Allow'), Link: ref('headers', 'Link') };

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

const queryParameters = ({ list }: Resource, ctx: DocumentContext): JsonSchema[] =>
  list.parameters.map((parameter) => queryParameter(parameter, ctx));

const pathParameters = (route: Route, { kind }: Resource): JsonSchema[] =>
  route.by === 'all'
    ? []
    : [
        route.by === 'id'
          ? { name: 'id', in: 'path', required: true, description: `ID of the ${kind}.`, schema: digitsWithin({ minimum: 0 }) }
          : {
              name: 'slug',
              in: 'path',
              required: true,
              description: `Slug of the ${kind}.`,
              schema: { type: 'string', minLength: 1, pattern: '^[^/]+$' },
            },
      ];

const bodyField = (field: Field): [string, JsonSchema] => [field.name, { ...field.accepts, description: field.about }];

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

/** Members of a record that lists leave out. */
const unlisted = ['json_ld', '_links'];
const asListed = (record: object): object =>
  JSON.parse(JSON.stringify(record), (name, value) => (unlisted.includes(name) ? undefined : value));

function requestBody(resource: Resource, action: 'create' | 'update', examples: RecordExamples | undefined): JsonSchema {
  const kind = capitalized(resource.kind);
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

function success(action: Action, resource: Resource, prefix: string, examples: RecordExamples | undefined): JsonSchema {
  const { name, kind, family } = resource;
  const list = action === 'list';
  const read = list || action === 'get';
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

export async function actionOperations(route: Route, ctx: DocumentContext, options: HandlerOptions): Promise<Operations> {
  const resource: Resource = ctx.resources[route.resource];
  const { name, kind } = resource;
  const examples = (await options.examples?.())?.[name];
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
        ...['_fields', '_envelope', '_embed'].map((each) => ref('parameters', each)),
        ...(read ? [ref('parameters', 'If-None-Match')] : []),
      ],
      ...(action === 'create' || action === 'update' ? { requestBody: requestBody(resource, action, examples) } : {}),
      responses: {
        [successOf(action)]: success(action, resource, options.headerPrefix, examples),
        ...(read ? { 304: notModified } : {}),
        ...failureResponses,
      },
    };
  };
  return Object.fromEntries(
    route.actions.flatMap((action) => methodsOf[action].map((method) => [method.toLowerCase(), operation(action, method)])),
  );
}

const object: JsonSchema = { type: 'object' };
const text: JsonSchema = { type: 'string' };
const json = (schema: JsonSchema): JsonSchema => ({ 'application/json': { schema } });

const reading = (
  about: { operationId: string; tags: string[]; summary: string; description: string },
  content: JsonSchema,
  parameters: readonly JsonSchema[] = [],
): Operations => ({
  get: {
    ...about,
    parameters: [...parameters, ref('parameters', 'If-None-Match')],
    responses: { 200: { description: about.summary, headers: readHeaders, content }, 304: notModified, ...failureResponses },
  },
});

/** The operations of routes outside the resources. */
export const documentOperations = {
  index: (): Operations =>
    reading(
      {
        operationId: 'getIndex',
        tags: ['Documents'],
        summary: 'Get the namespace index',
        description: 'Every route of the namespace with its methods and arguments.',
      },
      json(object),
    ),

  discovery: (_ctx: DocumentContext, { page, basePath }: HandlerOptions): Operations =>
    reading(
      {
        operationId: 'getDiscovery',
        tags: ['Documents'],
        summary: 'Get the discovery root',
        description: 'Title and namespace of the calendar, and every route with its arguments.',
      },
      // Without a base path the root is the web page.
      { ...json(object), ...(page && basePath === '' ? { 'text/html': { schema: text } } : {}) },
    ),

  reference: (): Operations =>
    reading(
      {
        operationId: 'getReferenceDocument',
        tags: ['Documents'],
        summary: 'Get the OpenAPI 3.0 document of the reference',
        description: 'OpenAPI 3.0, as the reference provides it. It is less strict than the API; use `/openapi.json` to generate clients.',
      },
      json(object),
    ),

  openApi: (): Operations =>
    reading(
      {
        operationId: 'getOpenApi',
        tags: ['Documents'],
        summary: 'Get this document',
        description: 'Every route as OpenAPI 3.1. Also available at the root of the site.',
      },
      json(object),
    ),

  feed: (ctx: DocumentContext): Operations =>
    reading(
      {
        operationId: 'getFeed',
        tags: ['Feed'],
        summary: 'Get events as iCalendar',
        description: 'All matching events, for subscriptions. Supports the filters of the list of events.',
      },
      { 'text/calendar': { schema: text } },
      queryParameters(ctx.resources.events, ctx).filter(({ name }) => name !== 'page' && name !== 'per_page'),
    ),
} satisfies Record<string, (ctx: DocumentContext, options: HandlerOptions) => Operations>;

/** The operation of a feed of the site. */
export function siteFeedOperation({ ending, resource }: (typeof feedTemplates)[number], { resources }: DocumentContext): Operations {
  const { name, kind } = resource ? resources[resource] : { name: undefined, kind: '' };
  const [format, type] = ending === 'ical' ? ['iCalendar', 'text/calendar'] : ['RSS', 'application/rss+xml'];
  const events = kind === 'event' ? 'an event' : `upcoming events${kind && ` of a ${kind}`}`;
  const parameters = name ? pathParameters({ resource: name, by: 'slug', actions: [] }, resources[name]) : [];
  const description = 'An address of the site, as calendar apps and aggregators read it.';
  const about = {
    description,
    operationId: `get${capitalized(kind || 'event')}${kind ? '' : 's'}As${capitalized(ending)}`,
    tags: ['Feed'],
  };
  return reading({ ...about, summary: `Get ${events} as ${format}` }, { [type!]: { schema: text } }, parameters);
}
