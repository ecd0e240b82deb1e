import { beforeAll, describe, expect, it } from 'vitest';
import type { Resource } from '../../src/model/calendar.ts';
import { resources } from '../../src/model/resources/all.ts';
import { methodsOf, routePath, routes } from '../../src/model/routes.ts';
import { contract, type Json, namespace } from '../support/contract-server.ts';

const all: Resource[] = Object.values(resources);
const verbs = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
const types = ['string', 'integer', 'number', 'boolean', 'array', 'object'];

/** The errors of a document by the rules of OpenAPI 3.0 that this one can break. */
function faultsOf(document: Json): string[] {
  const faults: string[] = [];
  const want = (holds: unknown, fault: string) => holds || faults.push(fault);
  const only = (value: object, at: string, keys: string[]) => {
    for (const key of Object.keys(value)) want(keys.includes(key) || key.startsWith('x-'), `${at}: ${key} does not belong here`);
  };
  const schema = (value: Json, at: string): void => {
    want(value !== null && typeof value === 'object' && !Array.isArray(value), `${at}: not an object`);
    if (value.$ref !== undefined) {
      const name = /^#\/components\/schemas\/(\w+)$/.exec(value.$ref)?.[1];
      return void want(name && document.components.schemas[name], `${at}: ${value.$ref} leads nowhere`);
    }
    only(value, at, [
      'type',
      'items',
      'properties',
      'required',
      'description',
      'default',
      'format',
      'enum',
      'oneOf',
      'anyOf',
      'allOf',
      'nullable',
      'minimum',
      'maximum',
      'additionalProperties',
      'readOnly',
      'writeOnly',
      'example',
      'pattern',
      'title',
    ]);
    want(value.type === undefined || types.includes(value.type), `${at}: type ${value.type}`);
    want(value.type !== 'array' || value.items, `${at}: an array without items`);
    if (value.items) schema(value.items, `${at}.items`);
    for (const [name, inner] of Object.entries(value.properties ?? {})) {
      want(name === name.trim(), `${at}: ${JSON.stringify(name)}`);
      schema(inner, `${at}.${name}`);
    }
    for (const name of value.required ?? []) want(value.properties?.[name], `${at}: requires ${name}, which it has not`);
    for (const inner of [...(value.oneOf ?? []), ...(value.anyOf ?? []), ...(value.allOf ?? [])]) schema(inner, `${at}|`);
  };
  const content = (value: Json, at: string) => {
    for (const [type, media] of Object.entries<Json>(value ?? {})) {
      want(/^[\w.+-]+\/[\w.+*-]+$/.test(type), `${at}: ${type}`);
      if (media.schema) schema(media.schema, at);
    }
  };

  want(/^3\.0\.\d+$/.test(document.openapi), 'openapi');
  only(document, 'document', ['openapi', 'info', 'servers', 'paths', 'components', 'security', 'tags', 'externalDocs']);
  want(typeof document.info?.title === 'string' && typeof document.info.version === 'string', 'info');
  for (const { url } of document.servers) want(URL.canParse(url), `server ${url}`);
  for (const [name, value] of Object.entries(document.components.schemas)) schema(value, name);
  const operationIds = new Set<string>();
  for (const [path, item] of Object.entries<Json>(document.paths)) {
    want(path.startsWith('/'), path);
    only(item, path, [...verbs, 'summary', 'description', 'parameters', 'servers']);
    for (const [verb, operation] of Object.entries<Json>(item).filter(([key]) => verbs.includes(key))) {
      const at = `${verb} ${path}`;
      only(operation, at, [
        'tags',
        'summary',
        'description',
        'externalDocs',
        'operationId',
        'parameters',
        'requestBody',
        'responses',
        'callbacks',
        'deprecated',
        'security',
        'servers',
      ]);
      if (operation.operationId)
        want(!operationIds.has(operation.operationId) && operationIds.add(operation.operationId), `${at}: ${operation.operationId} twice`);
      const parameters: Json[] = operation.parameters ?? [];
      want(
        new Set(parameters.map((parameter) => `${parameter.in} ${parameter.name}`)).size === parameters.length,
        `${at}: a parameter twice`,
      );
      for (const parameter of parameters) {
        only(parameter, `${at} ${parameter.name}`, [
          'name',
          'in',
          'description',
          'required',
          'deprecated',
          'allowEmptyValue',
          'style',
          'explode',
          'allowReserved',
          'schema',
          'example',
          'examples',
          'content',
        ]);
        want(['query', 'path', 'header', 'cookie'].includes(parameter.in), `${at}: in ${parameter.in}`);
        want(
          parameter.in !== 'path' || (parameter.required === true && path.includes(`{${parameter.name}}`)),
          `${at}: ${parameter.name} of the path`,
        );
        want(
          parameter.style === undefined ||
            (parameter.in === 'query' ? ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'] : ['simple', 'label', 'matrix']).includes(
              parameter.style,
            ),
          `${at}: ${parameter.style}`,
        );
        schema(parameter.schema, `${at} ${parameter.name}`);
      }
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      for (const name of inPath)
        want(
          parameters.some((parameter) => parameter.in === 'path' && parameter.name === name),
          `${at}: {${name}} is not explained`,
        );
      want(!operation.requestBody || !['get', 'delete', 'head'].includes(verb), `${at}: a body`);
      if (operation.requestBody) {
        want(Object.keys(operation.requestBody.content ?? {}).length, `${at}: a body without content`);
        content(operation.requestBody.content, `${at} body`);
      }
      want(Object.keys(operation.responses ?? {}).length, `${at}: no responses`);
      for (const [status, response] of Object.entries<Json>(operation.responses ?? {})) {
        want(/^([1-5]\d\d|[1-5]XX|default)$/.test(status), `${at}: ${status}`);
        want(typeof response.description === 'string', `${at}: ${status} is not described`);
        content(response.content, `${at} ${status}`);
      }
    }
  }
  return faults;
}

it.each([
  [{}, 'get /x: no responses'],
  [{ responses: { 200: {} } }, 'get /x: 200 is not described'],
  [
    { responses: { 200: { description: '', content: { 'application/json': { schema: { $ref: '#/components/schemas/No' } } } } } },
    'get /x 200: #/components/schemas/No leads nowhere',
  ],
  [
    { responses: { 200: { description: '' } }, parameters: [{ name: 'id', in: 'path', required: true, schema: {} }] },
    'get /x: id of the path',
  ],
  [
    { responses: { 200: { description: '' } }, parameters: [{ name: 'q', in: 'query', schema: { type: 'array' } }] },
    'get /x q: an array without items',
  ],
])('%j is found wrong', (operation, fault) => {
  expect(
    faultsOf({
      openapi: '3.0.0',
      info: { title: 't', version: '1' },
      servers: [],
      components: { schemas: {} },
      paths: { '/x': { get: operation } },
    }),
  ).toEqual([fault]);
});

contract('documents', {}, (server) => {
  let document: Json;
  let index: Json;
  beforeAll(async () => {
    [document, index] = [await server.get('/doc'), await server.get('')];
  });

  it('/doc is OpenAPI 3.0', () => expect(faultsOf(document)).toEqual([]));
  it('/doc has every route, and an operation for every action but creating, which the reference leaves out', () => {
    const paths = Object.fromEntries(
      routes.map((route) => [
        routePath(route, (name) => `{${name}}`),
        route.actions
          .filter((action) => action !== 'create')
          .map((action) => methodsOf[action][0]!.toLowerCase())
          .sort(),
      ]),
    );
    expect(Object.fromEntries(Object.entries<object>(document.paths).map(([path, item]) => [path, Object.keys(item).sort()]))).toEqual({
      '/doc': ['get'],
      ...paths,
    });
  });
  it('/doc names the address of this server', () =>
    expect(document.servers[0].url).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:\\d+/${namespace}/$`)));

  describe.each(all.map((resource) => [resource.name, resource] as const))('%s', (name, resource) => {
    const names = (list: readonly Json[]) => list.map((one) => one.name).sort();
    it('every filter is in /doc and in the index', () => {
      const { parameters } = document.paths[`/${name}`].get;
      expect(names(parameters)).toEqual(names(resource.list.parameters));
      for (const parameter of parameters)
        expect([parameter.name, parameter.in, parameter.required, parameter.description.length > 3]).toEqual([
          parameter.name,
          'query',
          false,
          true,
        ]);
      const shown = resource.list.parameters.filter(({ unindexed }) => !unindexed);
      expect(Object.keys(index.routes[`/${namespace}/${name}`].endpoints[0].args).sort()).toEqual(names(shown));
    });
    it('every field of the specification is in the index', () => {
      const { args } = index.routes[`/${namespace}/${name}`].endpoints[1];
      expect(Object.keys(args).sort()).toEqual(names(resource.fields.filter(({ unindexed }) => !unindexed)));
      for (const field of resource.fields)
        if (!field.unindexed) expect([field.name, args[field.name].required]).toEqual([field.name, field.required ?? false]);
    });
    it('an update is in /doc with every field, none required', () => {
      const { schema } = document.paths[`/${name}/{id}`].post.requestBody.content['application/json'];
      expect(Object.keys(schema.properties).sort()).toEqual(names(resource.fields));
      for (const [field, { description }] of Object.entries<Json>(schema.properties))
        expect([field, description.length > 3]).toEqual([field, true]);
      expect(schema).not.toHaveProperty('required');
    });
    it('responses are in /doc', async () => {
      const input = {
        events: { title: 'One', start_date: '2027-03-01', end_date: '2027-03-01' },
        venues: { venue: 'One' },
        organizers: { organizer: 'One' },
        categories: { name: 'One' },
        tags: { name: 'One' },
      }[name];
      const record = await server.make(name, input);
      const { $ref } = document.paths[`/${name}/{id}`].get.responses[200].content['application/json'].schema;
      const { properties } = document.components.schemas[$ref.split('/').pop()];
      const beyond = ['meta', 'urls', '_links', 'custom_fields', 'json_ld'];
      expect(Object.keys(record).filter((key) => !(key in properties) && !beyond.includes(key))).toEqual([]);
    });
    it('OPTIONS returns the same as the index', async () => {
      for (const route of routes.filter(({ resource }) => resource === name)) {
        const key = `/${namespace}${routePath(route, (part) => (part === 'id' ? '(?P<id>\\d+)' : '(?P<slug>[^/]+)'))}`;
        const described = index.routes[key];
        expect(await server.ask(200, { method: 'OPTIONS', path: routePath(route, (part) => (part === 'id' ? '1' : 'x')) })).toEqual(
          described,
        );
        expect(described.methods.sort()).toEqual(route.actions.flatMap((action) => [...methodsOf[action]]).sort());
        expect(described._links !== undefined).toBe(route.by === 'all');
      }
    });
  });

  it('the index has every route and where the site is', () => {
    expect(Object.keys(index)).toEqual(['namespace', 'routes', '_links']);
    expect(Object.keys(index.routes)).toHaveLength(routes.length + 2);
    expect(index._links.up[0].href).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
  });
  it('the index contains the current default dates', () => {
    const { args } = index.routes[`/${namespace}/events`].endpoints[0];
    expect([args.start_date.default, args.end_date.default]).toEqual([
      expect.stringMatching(/^2026-11-19 \d\d:\d\d:\d\d$/),
      expect.stringMatching(/^2028-11-20 \d\d:\d\d:\d\d$/),
    ]);
    expect([args.page.default, args.per_page.default]).toEqual([1, '10']);
  });
});
