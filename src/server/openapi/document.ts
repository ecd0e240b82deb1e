import project from '../../../package.json' with { type: 'json' };
import { machine } from '../../machine.ts';
import { folderOf } from '../../model/addresses.ts';
import type { Resource } from '../../model/calendar.ts';
import { failures, recordFailureCodes } from '../../model/error.ts';
import { digits, emptyList, type JsonSchema } from '../../model/fields/field.ts';
import { responseSchema } from '../../model/fields/response.ts';
import { capitalized } from '../../model/grammar.ts';
import { resources } from '../../model/resources/all.ts';
import { valueSchemas, whole } from '../../model/resources/value-schemas.ts';
import { pathInWords } from '../../model/site-address.ts';
import { type Call, type DocumentContext, documentContext, type Result, type ServerRoute } from '../http.ts';
import { apiRoot } from '../namespace-index.ts';
import { bodySchemas } from './operations.ts';

const all: readonly Resource[] = Object.values(resources);

const links = { type: 'array', items: whole({ href: { type: 'string' } }) };

async function recordSchemas({ extensions, resources }: DocumentContext): Promise<Record<string, JsonSchema>> {
  const schemas: Record<string, JsonSchema> = { ...valueSchemas };
  for (const resource of Object.values<Resource>(resources)) {
    await machine.nextTurn();
    const name = capitalized(resource.kind);
    const schema = responseSchema(resource.response, resource.fields, { extensions });
    const properties = schema.properties as Record<string, JsonSchema>;
    // Responses with a single term have links; lists and deletions don't.
    const more =
      resource.family === 'term'
        ? { _links: { type: 'object', additionalProperties: links, description: 'Links to the record and related resources.' } }
        : {};
    schemas[name] = { ...schema, properties: { ...properties, ...more } };
    schemas[`${name}Page`] = {
      type: 'object',
      required: [resource.name, 'rest_url', 'total', 'total_pages'],
      properties: {
        [resource.name]: {
          type: 'array',
          items: { $ref: `#/components/schemas/${name}` },
          description: `The ${resource.name} on this page.`,
        },
        rest_url: { type: 'string', description: 'URL of this page.' },
        next_rest_url: { type: 'string', description: 'URL of the next page, if there is one.' },
        previous_rest_url: { type: 'string', description: 'URL of the previous page, if there is one.' },
        total: { ...digits, description: 'Number of matching records.' },
        total_pages: { ...digits, description: 'Number of pages.' },
      },
    };
    Object.assign(schemas, bodySchemas(resource, { extensions }));
  }
  return schemas;
}

const headers: Record<string, JsonSchema> = {
  Allow: { description: 'Methods that the caller is allowed to use.', required: true, schema: { type: 'string' } },
  ETag: { description: 'Identifies the content, for If-None-Match.', required: true, schema: { type: 'string' } },
  Link: { description: 'URL of the API root.', required: true, schema: { type: 'string' } },
  Location: { description: 'URL of the created record.', required: true, schema: { type: 'string' } },
  Total: { description: 'Number of matching records.', required: true, schema: { type: 'integer', minimum: 0 } },
  TotalPages: { description: 'Number of pages.', required: true, schema: { type: 'integer', minimum: 0 } },
};

const text: JsonSchema = { type: 'string' };
const integer: JsonSchema = { type: 'integer' };
const texts: JsonSchema = { type: 'object', additionalProperties: text };
const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items });

/** Every code of an error. */
const codes = [...Object.keys(failures), ...all.flatMap(({ kind }) => recordFailureCodes(kind))];

/** The body of every error. Members of `data` besides `status` depend on the code. */
const errorSchema: JsonSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: {
    code: { ...text, enum: codes },
    message: { ...text, description: 'Error message; its wording may change' },
    data: {
      type: 'object',
      required: ['status'],
      properties: {
        status: { ...integer, description: 'Status of the response' },
        params: { anyOf: [texts, list(text)], description: 'Reasons by parameter, or the names of missing fields' },
        details: {
          description: 'Type errors by parameter; an empty list if there are none',
          anyOf: [{ type: 'object', additionalProperties: whole({ code: text, message: text, data: whole({ param: text }) }) }, emptyList],
        },
        json_error_code: integer,
        json_error_message: text,
        problems: { ...list(whole({ at: text, reason: text })), description: 'Problems and their locations' },
        count: { ...integer, description: 'Number of matching requests' },
        nearest: { ...list({ type: 'object', additionalProperties: true }), description: 'Closest requests, or the unexpected ones' },
        term_id: { ...integer, description: 'ID of the existing term' },
        later: { ...list({ type: 'object', additionalProperties: text }), description: 'Changes that an undo would also discard' },
      },
    },
    additional_data: list(integer),
    hint: { ...text, description: 'How to fix the error; only in responses of the control API' },
  },
};

const errorResponse: JsonSchema = {
  description: 'The request failed. `code` says why; the status is in `data` too.',
  headers: {
    'Retry-After': { description: 'Seconds to wait, with status 429 or 503', schema: integer },
  },
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
};

const parameters: Record<string, JsonSchema> = {
  password: {
    name: 'password',
    in: 'query',
    description: 'Password of the record.',
    schema: { type: 'string', minLength: 1 },
  },
  context: {
    name: 'context',
    in: 'query',
    description: '`edit` shows password-protected records to users who are allowed to edit them.',
    schema: { type: 'string', enum: ['view', 'edit'], default: 'view' },
  },
  _fields: {
    name: '_fields',
    in: 'query',
    description:
      'Members of the response to select, like `id,title`; of a list, like `events,total`. The others are left out, also those that the schema requires.',
    schema: { type: 'string', minLength: 1 },
  },
  _envelope: {
    name: '_envelope',
    in: 'query',
    description: 'Puts the response into the member `body` of an object with its `status` and `headers`. The status is then always 200.',
    schema: { type: 'string', enum: ['1'] },
  },
  _embed: {
    name: '_embed',
    in: 'query',
    description: 'Known, as on a site, and without effect: linked records are in each record.',
    schema: { type: 'string', enum: ['1'] },
  },
  'If-None-Match': {
    name: 'If-None-Match',
    in: 'header',
    description: 'ETag of the cached content. If it is still current, the response is 304 without a body.',
    schema: { type: 'string' },
  },
};

const description = `Events, venues, organizers, categories and tags of a calendar.

Dates in responses have the form \`YYYY-MM-DD HH:MM:SS\`, in the time zone of the event or of the calendar. Dates in requests can have many forms: \`2027-03-01 10:00\`, \`next friday 8pm\`, or a Unix timestamp.

Lists in a query or a form are comma-separated. Request bodies are JSON, form or multipart data; unknown members are ignored.

Every GET route also supports HEAD, which returns its headers without a body, and every route of the namespace supports OPTIONS, which describes it. Every route has the same response with a slash at its end, as addresses of further pages have it. Four parameters work with every operation: \`_fields=id,title\` selects members, \`_envelope=1\` puts status and headers into the body, \`_jsonp=name\` returns JSONP, \`_pretty=1\` indents the JSON.`;

/** The path of a route, with a separate server outside the namespace. */
function placeOf({ below, path }: ServerRoute, call: Pick<Call, 'site' | 'options' | 'service'>): { path: string; server?: string } {
  const { site, options, service } = call;
  if (below === 'namespace' && path !== '') return { path };
  const server = below === 'site' ? site.home : apiRoot(call).slice(0, -1);
  return { path: below === 'namespace' ? `/${options.namespace}` : `/${pathInWords(path.slice(1), service.slugs())}`, server };
}

async function inUse(
  components: Record<string, Record<string, JsonSchema>>,
  paths: object,
): Promise<Record<string, Record<string, JsonSchema>>> {
  const usedNames = new Set<string>();
  const visit = (value: unknown): void => {
    for (const [, kind, name] of JSON.stringify(value).matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)) {
      if (usedNames.has(`${kind}/${name}`)) continue;
      usedNames.add(`${kind}/${name}`);
      visit(components[kind!]?.[name!] ?? null);
    }
  };
  for (const path of Object.values(paths)) {
    await machine.nextTurn();
    visit(path);
  }
  return Object.fromEntries(
    Object.entries(components).map(([kind, parts]) => [
      kind,
      Object.fromEntries(Object.entries(parts).filter(([name]) => kind === 'securitySchemes' || usedNames.has(`${kind}/${name}`))),
    ]),
  );
}

/** The tags of operations, those of the resources first. */
function tagsOf(paths: Record<string, JsonSchema>): JsonSchema[] {
  const descriptions: Record<string, string> = {
    ...Object.fromEntries(all.map(({ name, about }) => [capitalized(name), `${about}.`])),
    Documents: 'Descriptions of the API.',
    Feed: 'Events as iCalendar.',
    Control: 'Control of the server, for tests.',
  };
  const names = new Set(
    Object.values(paths).flatMap((path) => Object.values(path).flatMap((operation) => (operation as { tags?: string[] }).tags ?? [])),
  );
  return [...new Set([...Object.keys(descriptions), ...names])]
    .filter((name) => names.has(name))
    .map((name) => ({ name, ...(descriptions[name] ? { description: descriptions[name] } : {}) }));
}

/** The last document by routes, with its context. Creating one takes longer than hundreds of other responses. */
const documents = new WeakMap<readonly ServerRoute[], { context: string; value: Promise<unknown> }>();

/** The definitions of the declared fields, as far as documents show them. */
const declaredIn = ({ resources }: DocumentContext) =>
  Object.values<Resource>(resources).map(({ name, fields, list }) => [
    name,
    fields.filter(({ isDeclared }) => isDeclared).map((field) => [field.name, field.about, field.accepts]),
    list.parameters.length,
  ]);

/** The OpenAPI 3.1 document, which is derived from the same definitions as checks and responses. */
export async function openApi(call: Call): Promise<Result> {
  const { service, routes, site } = call;
  const ctx = documentContext(service);
  const context = JSON.stringify([site, service.title(), ctx.perPage, ctx.extensions, ctx.slugs, declaredIn(ctx)]);
  const cached = documents.get(routes);
  const value = cached?.context === context ? cached.value : document(call, ctx);
  documents.set(routes, { context, value });
  return { status: 200, headers: { 'Content-Type': 'application/json; charset=UTF-8' }, value: await value };
}

/** Creates the document for a context in pieces, between which the server handles other requests. */
async function document(call: Call, ctx: DocumentContext): Promise<unknown> {
  const { service, routes, site, options } = call;
  const paths: Record<string, JsonSchema> = {};
  for (const route of routes) {
    const operations = await route.operations?.(ctx, options);
    if (!operations) continue;
    await machine.nextTurn();
    const { path, server } = placeOf(route, call);
    paths[path] = {
      ...(server ? { servers: [{ url: server }] } : {}),
      ...paths[path],
      ...operations,
    };
  }
  const control = options.control ? (await import('./control.ts')).controlDocument() : undefined;
  // It is at the root of a site.
  const servers = [{ url: site.home.slice(0, site.home.length - folderOf(options.basePath).length) }];
  for (const [path, operations] of Object.entries(control?.paths ?? {})) paths[path] = { servers, ...operations };
  const components = {
    schemas: { ...(await recordSchemas(ctx)), Error: errorSchema, ...control?.schemas },
    responses: { Error: errorResponse },
    headers,
    parameters,
    securitySchemes: {
      basic: {
        type: 'http',
        scheme: 'basic',
        description: 'A user of the calendar. Not required if the calendar has no users.',
      },
      token: { type: 'http', scheme: 'bearer', description: 'Token of the owner of the server, or the control token.' },
    },
  };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Event calendar',
      version: project.version,
      summary: 'An event calendar over HTTP',
      description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: site.root, description: service.title() }],
    security: [{}, { basic: [] }, { token: [] }],
    tags: tagsOf(paths),
    paths: await inSentences(paths),
    components: Object.fromEntries(
      await Promise.all(Object.entries(await inUse(components, paths)).map(async ([kind, parts]) => [kind, await inSentences(parts)])),
    ),
  };
}

const sentence = (phrase: string): string => `${phrase[0]!.toUpperCase()}${phrase.slice(1)}${/[.!?]$/.test(phrase) ? '' : '.'}`;

/** Named parts of the document with their descriptions as sentences. Help and forms share the descriptions as phrases. */
async function inSentences(parts: Record<string, unknown>): Promise<Record<string, unknown>> {
  const formatted: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(parts)) {
    await machine.nextTurn();
    formatted[name] = withSentences(part);
  }
  return formatted;
}

function withSentences(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withSentences);
  if (typeof part !== 'object' || part === null) return part;
  const formatMember = ([name, value]: [string, unknown]) => {
    if (name === 'example') return [name, value];
    return [name, name === 'description' && typeof value === 'string' ? sentence(value) : withSentences(value)];
  };
  return Object.fromEntries(Object.entries(part).map(formatMember));
}
