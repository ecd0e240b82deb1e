import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { controlPath, isControl } from '../../src/model/addresses.ts';
import { resourceNames } from '../../src/model/calendar.ts';
import { failureKind, failures, recordFailureCodes } from '../../src/model/error.ts';
import { operations } from '../../src/model/operations/all.ts';
import { resources } from '../../src/model/resources/all.ts';
import { methodsOf, routePath, routes } from '../../src/model/routes.ts';
import { feedTemplates } from '../../src/model/site-address.ts';
import { contract, type Json, namespace, Server, type Setup } from '../support/contract-server.ts';
import { OpenApiCheck } from '../support/openapi-check.ts';

contract('/openapi.json', {}, (server) => {
  let document: Json;
  let check: OpenApiCheck;
  beforeAll(async () => {
    document = await server.get('/openapi.json');
    check = new OpenApiCheck(document);
  });

  it('is the same at the root of the site', async () => expect(await server.ask(200, { at: '/openapi.json' })).toEqual(document));
  it('has every action of every route, by every method', () => {
    for (const route of routes) {
      const { servers, ...operations } = document.paths[routePath(route, (name) => `{${name}}`)];
      expect(Object.keys(operations).sort()).toEqual(
        route.actions.flatMap((action) => methodsOf[action].map((method) => method.toLowerCase())).sort(),
      );
    }
    const paths = Object.keys(document.paths);
    const control = paths.filter(isControl);
    // In a page it is that of a whole calendar.
    expect(control.length > 0).toBe(server.way === 'in a browser');
    expect(paths).toHaveLength(control.length + routes.length + feedTemplates.length + 5);
  });
  it.each(resourceNames.map((name) => [name, resources[name]] as const))(
    'has every filter and field of %s',
    (name, { fields, list, kind }) => {
      const { parameters } = document.paths[`/${name}`].get;
      expect(parameters.map((parameter: Json) => parameter.name).filter(Boolean)).toEqual(list.parameters.map((filter) => filter.name));
      const capital = kind[0]!.toUpperCase() + kind.slice(1);
      for (const schema of [`New${capital}`, `${capital}Changes`])
        expect(Object.keys(document.components.schemas[schema].properties)).toEqual(fields.map((field) => field.name));
    },
  );
  it('has operations with names of their own, a tag, a description and responses', () => {
    const ids = check.operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const tags = document.tags.map((tag: Json) => tag.name);
    for (const { operation } of check.operations) {
      expect(tags).toContain(operation.tags[0]);
      expect(operation.description.length).toBeGreaterThan(5);
      expect(operation.responses).toMatchObject({
        '4XX': { $ref: '#/components/responses/Error' },
        '5XX': { $ref: '#/components/responses/Error' },
      });
    }
  });
  it('lists the codes of all errors', () => {
    const codes: string[] = document.components.schemas.Error.properties.code.enum;
    expect(codes.filter((code) => failureKind(code) === undefined)).toEqual([]);
    expect(codes).toEqual(expect.arrayContaining([...Object.keys(failures), ...recordFailureCodes('venue')]));
    expect(new Set(codes).size).toBe(codes.length);
  });
  it.each(resourceNames)('has examples of %s, which are as it says', async (name) => {
    const { get, post } = document.paths[`/${name}`];
    const page = get.responses[200].content['application/json'].example;
    const exchange = { query: '', body: '', headers: {}, path: `/${namespace}/${name}`, method: 'GET', status: 200 };
    const { headers } = await server.send({ path: `/${name}` });
    expect(page[name]).toHaveLength(1);
    expect(check.faults({ ...exchange, answered: { headers, body: JSON.stringify(page) } })).toEqual([]);
    const input = post.requestBody.content['application/json'].example;
    const body = JSON.stringify(input);
    expect(
      check.isAsDescribed({
        ...exchange,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        answered: { headers, body },
      }),
    ).toBe(true);
    await server.ask(201, { method: 'POST', path: `/${name}`, json: input, as: 'editor' });
  });
  it('has no pattern for several types, which generators of clients cannot read', () => {
    const texts: string[] = [];
    JSON.stringify(document, (_, value) => {
      if (Array.isArray(value?.type) && value.pattern !== undefined) texts.push(JSON.stringify(value));
      return value;
    });
    expect(texts).toEqual([]);
    const { term_group, filter } = document.components.schemas.EmbeddedTerm.properties;
    expect([term_group.type, filter.type]).toEqual(['integer', 'string']);
  });
  it.each([[[]], [5, []], [['x']]])('a list within a list of links is rejected: %j', async (...venue) => {
    const event = await server.make('events', { title: 'Nested', start_date: '2027-04-01', end_date: '2027-04-01' });
    await server.ask(400, { method: 'PUT', path: `/events/${event.id}`, json: { venue }, as: 'editor' });
  });
});

describe('the check of exchanges', () => {
  const server = new Server('in process');
  let check: OpenApiCheck;
  beforeAll(async () => {
    await server.open();
    check = new OpenApiCheck(await server.get('/openapi.json'));
    await server.make('events', { title: 'One', start_date: '2027-03-01', end_date: '2027-03-01', venue: { venue: 'Hall' } });
  });
  afterAll(() => server.close());

  const exchange = async (path = '/events') => {
    const answered = await server.send({ path });
    return { method: 'GET', path: `/${namespace}${path}`, query: '', headers: {}, body: '', status: answered.status, answered };
  };
  it('finds nothing in a right one', async () => expect(check.faults(await exchange())).toEqual([]));
  it.each<[string, (page: Json) => void, string]>([
    ['an author that is a number', (page) => (page.events[0].author = 1), '/events/0/author must be string'],
    ['a missing member', (page) => delete page.events[0].title, "/events/0 must have required property 'title'"],
    ['an extra member', (page) => (page.events[0].venue.color = 'red'), '/events/0/venue must NOT have additional properties'],
    ['a total in words', (page) => (page.total = 'one'), '/total must be integer'],
    ['an image that is null', (page) => (page.events[0].image = null), '/events/0/image'],
    ['a date in another form', (page) => (page.events[0].start_date = '2027-03-01T00:00'), '/events/0/start_date must match pattern'],
  ])('finds %s', async (_what, change, fault) => {
    const given = await exchange();
    const page = JSON.parse(given.answered.body);
    change(page);
    expect(check.faults({ ...given, answered: { ...given.answered, body: JSON.stringify(page) } }).join()).toContain(fault);
  });
  it('finds an undeclared status, a missing header, another type', async () => {
    const given = await exchange();
    const { etag: _, ...headers } = given.answered.headers;
    expect(check.faults({ ...given, status: 206 })).toEqual(['206 is not declared']);
    expect(check.faults({ ...given, answered: { ...given.answered, headers } })).toEqual(['no header ETag']);
    const html = { ...given.answered, headers: { ...given.answered.headers, 'content-type': 'text/html' } };
    expect(check.faults({ ...given, answered: html })).toEqual(['200 answers text/html, which is not declared']);
  });
  it('finds an unknown code, and a failure without a status', async () => {
    const given = await exchange('/events/999999');
    expect(check.faults(given)).toEqual([]);
    for (const [part, other] of [
      ['rest-event-not-found', 'rest-event-gone'],
      ['"status":404', '"state":404'],
    ] as const) {
      const body = given.answered.body.replace(part, other);
      expect(check.faults({ ...given, answered: { ...given.answered, body } })).toHaveLength(1);
    }
  });
  it('finds a request that is taken and not described', async () => {
    const given = await exchange();
    expect(check.faults({ ...given, query: 'page=0' })).toHaveLength(1);
    expect(check.faults({ ...given, query: 'page=2&categories=a,b&featured=1&status=publish' })).toEqual([]);
    const answered = await server.send({ method: 'POST', path: '/tags', json: { name: 'x' }, as: 'editor' });
    const sent = {
      ...given,
      method: 'POST',
      path: `/${namespace}/tags`,
      status: 201,
      answered,
      headers: { 'content-type': 'application/json' },
    };
    expect(check.faults({ ...sent, body: '{"name":"x"}' })).toEqual([]);
    expect(check.faults({ ...sent, body: '{"name":5}' })).toHaveLength(1);
    expect(check.faults({ ...sent, body: '{}' })).toHaveLength(1);
  });
});

describe('the control interface', () => {
  const server = new Server('in process', { handler: { control: 'everyone' } });
  let document: Json;
  beforeAll(async () => {
    await server.open();
    document = await server.get('/openapi.json');
  });
  afterAll(() => server.close());
  it('is in the document with every operation, at the root of the site', () => {
    for (const { path, method } of Object.values(operations)) {
      const described = document.paths[`${controlPath}${path}`];
      expect(described[method.toLowerCase()].tags, `${method} ${path}`).toEqual(['Control']);
      expect(new URL(described.servers[0].url).pathname).toBe('/');
    }
    expect(document.paths['/_calendar/reset'].post.requestBody.content['application/json'].schema.properties).toHaveProperty('to');
    expect(document.paths['/_calendar/snapshots/{name}'].put.parameters[0]).toMatchObject({ name: 'name', in: 'path', required: true });
  });
  it('describes the items of every array for linters and generators', () => {
    const arrays = partsOf(document).filter(({ type }) => type === 'array');
    expect(arrays.filter(({ items, prefixItems }) => typeof items !== 'object' || prefixItems !== undefined)).toEqual([]);
    expect(arrays.length).toBeGreaterThan(50);
  });
  it('describes every parameter, in the place for it', () => {
    for (const [path, { servers: _, ...item }] of Object.entries<Json>(document.paths))
      for (const [method, { parameters }] of Object.entries<Json>(item))
        for (const each of parameters) {
          const parameter = each.$ref ? document.components.parameters[each.$ref.split('/').at(-1)] : each;
          expect(parameter, `${method} ${path}`).toHaveProperty('description');
          expect(parameter.schema.description, `${method} ${path} ${parameter.name}`).toBeUndefined();
        }
    expect(document.paths['/_calendar/faults/{id}'].get.parameters[0].schema).toMatchObject({ type: 'integer', minimum: 1 });
  });
  it('describes everything in sentences', () => {
    const said = partsOf(document).flatMap(({ description }) => (typeof description === 'string' ? [description] : []));
    expect(said.filter((text) => !/^[^a-z].*[.!?]$/s.test(text))).toEqual([]);
    expect(said.length).toBeGreaterThan(500);
  });
});

/** All objects of a document, without its examples and its servers. */
const partsOf = (part: Json): Json[] =>
  Array.isArray(part)
    ? part.flatMap(partsOf)
    : typeof part === 'object' && part !== null
      ? [part, ...Object.entries(part).flatMap(([name, value]) => (name === 'example' || name === 'servers' ? [] : partsOf(value)))]
      : [];

describe('servers set up in another way', () => {
  it.each<[Setup, string[]]>([
    [{ extensions: [] }, []],
    [{ extensions: ['geolocation'] }, ['NewVenue.geo_lat']],
    [{}, ['NewVenue.geo_lat', 'NewEvent.ticketed']],
  ])('with %j, what belongs to other parts is not described', async (setup, described) => {
    const server = new Server('in process', setup);
    await server.open();
    const { schemas } = (await server.get('/openapi.json')).components;
    const has = (path: string) => path.split('.')[1]! in schemas[path.split('.')[0]!].properties;
    expect(['NewVenue.geo_lat', 'NewEvent.ticketed'].filter(has)).toEqual(described);
    await server.close();
  });
  it('it has the base path, the namespace and the prefix', async () => {
    const handler = { basePath: '/wp-json', namespace: 'brand/events/v1', headerPrefix: 'X-Brand', publicUrl: 'https://example.org' };
    const server = new Server('in process', { handler });
    await server.open();
    const document = await server.ask(200, { at: '/wp-json/brand/events/v1/openapi.json' });
    expect(document.servers[0].url).toBe('https://example.org/wp-json/brand/events/v1');
    expect(document.paths['/calendar.ics'].servers).toEqual([{ url: 'https://example.org/wp-json' }]);
    expect(Object.keys(document.paths['/events'].get.responses[200].headers)).toContain('X-Brand-Total');
    await server.close();
  });
});
