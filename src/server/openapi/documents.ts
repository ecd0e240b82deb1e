import { emptyList, type JsonSchema } from '../../model/fields/field.ts';
import { whole } from '../../model/resources/value-schemas.ts';
import type { DocumentContext, HandlerOptions, Operations } from '../http.ts';
import { failureResponses } from './failures.ts';
import { notModified, queryParameters, readHeaders } from './operations.ts';

const object = { type: 'object' };
const text = { type: 'string' };
const methods = { type: 'array', items: text };

/** Schema of routes by pattern. */
const indexed: JsonSchema = {
  type: 'object',
  additionalProperties: {
    type: 'object',
    required: ['namespace', 'methods', 'endpoints'],
    properties: {
      namespace: text,
      methods,
      endpoints: {
        type: 'array',
        items: {
          type: 'object',
          required: ['methods', 'args'],
          properties: { methods, args: { anyOf: [object, emptyList] } },
        },
      },
      _links: object,
    },
  },
};

const ifNoneMatch = { $ref: '#/components/parameters/If-None-Match' };

const read = (
  about: { operationId: string; tags: string[]; summary: string; description: string },
  content: JsonSchema,
  others: JsonSchema = {},
  parameters: readonly JsonSchema[] = [],
  failures = failureResponses([]),
): Operations => ({
  get: {
    ...about,
    parameters: [...parameters, ifNoneMatch],
    responses: {
      200: { description: about.summary, headers: readHeaders, content: { ...content, ...others } },
      304: notModified,
      ...failures,
    },
  },
});
const json = (schema: JsonSchema): JsonSchema => ({ 'application/json': { schema } });

const document = (version: string): JsonSchema => ({
  ...whole({ openapi: { const: version }, info: object, servers: { type: 'array', items: object }, paths: object, components: object }),
  additionalProperties: true,
});

export const index = (_ctx: DocumentContext, { namespace }: HandlerOptions): Operations =>
  read(
    {
      operationId: 'getIndex',
      tags: ['Documents'],
      summary: 'Get the namespace index',
      description: 'Every route of the namespace with its methods and arguments.',
    },
    json({
      type: 'object',
      required: ['namespace', 'routes', '_links'],
      properties: { namespace: { const: namespace }, routes: indexed, _links: object },
    }),
  );

export const discovery = (_ctx: DocumentContext, { namespace, page, basePath }: HandlerOptions): Operations =>
  read(
    {
      operationId: 'getDiscovery',
      tags: ['Documents'],
      summary: 'Get the discovery root',
      description: 'Title and namespace of the calendar, and every route with its arguments.',
    },
    json({
      type: 'object',
      required: ['name', 'description', 'url', 'home', 'timezone_string', 'namespaces', 'authentication', 'routes', '_links'],
      properties: {
        name: text,
        description: text,
        url: text,
        home: text,
        timezone_string: text,
        namespaces: { type: 'array', items: { const: namespace } },
        authentication: emptyList,
        generator: text,
        routes: indexed,
        _links: object,
      },
    }),
    // Without a base path the root is the web page.
    page && basePath === '' ? { 'text/html': { schema: text } } : {},
  );

export const reference = (): Operations =>
  read(
    {
      operationId: 'getReferenceDocument',
      tags: ['Documents'],
      summary: 'Get the OpenAPI 3.0 document of the reference',
      description: 'OpenAPI 3.0, as the reference provides it. It is less strict than the API; use `/openapi.json` to generate clients.',
    },
    json(document('3.0.0')),
  );

export const openApi = (): Operations =>
  read(
    {
      operationId: 'getOpenApi',
      tags: ['Documents'],
      summary: 'Get this document',
      description: 'Every route as OpenAPI 3.1. Also available at the root of the site.',
    },
    json(document('3.1.0')),
  );

export const feed = (ctx: DocumentContext): Operations =>
  read(
    {
      operationId: 'getFeed',
      tags: ['Feed'],
      summary: 'Get events as iCalendar',
      description: 'All matching events, for subscriptions. Supports the filters of the list of events.',
    },
    {},
    { 'text/calendar': { schema: text } },
    queryParameters(ctx.resources.events, ctx).filter(({ name }) => name !== 'page' && name !== 'per_page'),
    failureResponses(['rest_invalid_param']),
  );
