import { beforeAll, describe, expect, it } from 'vitest';
import { contract, type Json } from '../support/contract-server.ts';

const fields = { title: 'Märkte & more', start_date: '2027-03-01 10:00', end_date: '2027-03-01 12:00', tags: ['a', 'b'], featured: 'true' };
const json = JSON.stringify(fields);
const form = 'title=M%C3%A4rkte+%26+more&start_date=2027-03-01+10%3A00&end_date=2027-03-01%2012:00&tags[]=a&tags[]=b&featured=true';
const multipart = `${Object.entries({ ...fields, tags: undefined, 'tags[0]': 'a', 'tags[1]': 'b' })
  .filter(([, value]) => value !== undefined)
  .map(([name, value]) => `--edge\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
  .join('')}--edge--\r\n`;

contract('requests and answers', { handler: { cors: ['*'] } }, (server) => {
  let event: Json;
  beforeAll(async () => {
    event = await server.make('events', { ...fields, venue: { venue: 'Hall', city: 'Boston' } });
  });
  const create = (call: object) => server.ask(201, { method: 'POST', path: '/events', as: 'editor', ...call });
  const like = { title: 'Märkte &#038; more', start_date: '2027-03-01 10:00:00', featured: true, tags: [{ slug: 'a' }, { slug: 'b' }] };

  describe('bodies', () => {
    it.each([
      ['application/json', json],
      ['application/json; charset=utf-8', json],
      ['APPLICATION/JSON', json],
      ['application/vnd.api+json', json],
      ['application/x-www-form-urlencoded', form],
      ['application/x-www-form-urlencoded; charset=UTF-8', form],
      ['application/x-www-form-urlencoded', form.replaceAll('tags[]', 'tags%5B%5D')],
      ['multipart/form-data; boundary=edge', multipart],
      ['multipart/form-data; boundary="edge"', multipart],
      ['Multipart/Form-Data; boundary=edge', multipart],
    ])('as %s', async (type, body) => {
      expect(await create({ body, headers: { 'content-type': type } })).toMatchObject(like);
    });
    it.each(['POST', 'PUT', 'PATCH'])('of a form with %s', async (method) => {
      expect(await server.ask(200, { method, path: `/events/${event.id}`, form: 'excerpt=By+form', as: 'editor' })).toMatchObject({
        excerpt: '<p>By form</p>',
      });
    });
    it('an address may hold what a body may', async () => {
      expect(await create({ query: form })).toMatchObject(like);
    });
    it('a body takes precedence over the query', async () => {
      expect(await create({ query: form, json: { title: 'Body' } })).toMatchObject({ ...like, title: 'Body' });
    });
    it('nested names of a form', async () => {
      const made = await create({
        form: `${form}&venue[venue]=Barn&venue[city]=Lisboa&organizer[0][organizer]=Ada&organizer[1][organizer]=Bob`,
      });
      expect(made).toMatchObject({ venue: { venue: 'Barn', city: 'Lisboa' }, organizer: [{ organizer: 'Ada' }, { organizer: 'Bob' }] });
    });
    it.each([
      ['application/json', ''],
      ['application/json', '[]'],
      ['application/json', 'null'],
      ['application/json', '"text"'],
      ['text/plain', json],
      ['application/octet-stream', json],
    ])('of %s %j say nothing', async (type, body) => {
      expect((await server.ask(400, { method: 'POST', path: '/events', body, headers: { 'content-type': type }, as: 'editor' })).code).toBe(
        'rest_missing_callback_param',
      );
    });
    it.each(['{', '{"a":}', 'nope', '{"a":1}x', '\u0000', "{'a':1}", '{"a":NaN}'])('%j is not JSON', async (body) => {
      const failure = await server.ask(400, {
        method: 'POST',
        path: '/events',
        body,
        headers: { 'content-type': 'application/json' },
        as: 'editor',
      });
      expect(failure.code).toBe('rest_invalid_json');
    });
  });

  describe('the method', () => {
    const over = (method: string, how: object) => ({ method: 'POST', path: `/events/${event.id}`, as: 'editor', ...how, expected: method });
    it.each([
      ['the header', (method: string) => ({ headers: { 'x-http-method-override': method } })],
      ['_method', (method: string) => ({ query: `_method=${method}` })],
    ])('is overridden by %s', async (_name, how) => {
      for (const method of ['PUT', 'PATCH', 'patch']) expect((await server.ask(200, over(method, how(method)))).id).toBe(event.id);
      expect((await server.ask(200, over('GET', how('GET')))).json_ld).toBeDefined();
      await server.ask(404, over('PROPFIND', how('PROPFIND')));
      const { id } = await server.make('events', fields);
      expect((await server.ask(200, { method: 'POST', path: `/events/${id}`, as: 'editor', ...how('DELETE') })).status).toBe('trash');
    });
    it('of a GET is not overridden by _method', async () => {
      await server.ask(200, { path: `/events/${event.id}`, query: '_method=DELETE', as: 'editor' });
      expect((await server.get(`/events/${event.id}`)).status).toBe('publish');
    });
    it('of a GET is overridden by the header', async () => {
      const headers = { 'x-http-method-override': 'DELETE' };
      expect(await server.ask(404, { path: '/events', headers, as: 'editor' })).toMatchObject({ code: 'rest_no_route' });
      const { id } = await server.make('events', fields);
      expect((await server.ask(200, { path: `/events/${id}`, headers, as: 'editor' })).status).toBe('trash');
    });
  });

  describe('_fields', () => {
    it.each([
      ['_fields=id', { id: 0 }],
      ['_fields=id,title', { id: 0, title: 0 }],
      ['_fields=id,%20title', { id: 0, title: 0 }],
      ['_fields[]=id&_fields[]=slug', { id: 0, slug: 0 }],
      ['_fields=venue.city', { venue: { city: 0 } }],
      ['_fields=venue.city,venue', { venue: undefined }],
      ['_fields=nothing', []],
    ])('%s', async (query, shape) => {
      const cut = (value: Json, by: Json): Json =>
        by === undefined || by === 0
          ? value
          : Array.isArray(by)
            ? by
            : Object.fromEntries(Object.keys(by).map((key) => [key, cut(value[key], by[key])]));
      expect(await server.get(`/events/${event.id}`, query)).toEqual(cut(await server.get(`/events/${event.id}`), shape));
    });
    it('empty is all', async () =>
      expect(await server.get(`/events/${event.id}`, '_fields=')).toEqual(await server.get(`/events/${event.id}`)));
    it('of a list names its keys', async () =>
      expect(Object.keys(await server.get('/events', '_fields=total,rest_url'))).toEqual(['rest_url', 'total']));
    it('leaves failures whole', async () =>
      expect(await server.ask(404, { path: '/events/999999', query: '_fields=id' })).toHaveProperty('code'));
  });

  describe('_envelope', () => {
    it('holds status, headers and body', async () => {
      const { body, status, headers } = await server.get('/events', '_envelope=1');
      expect([headers['X-Calendar-Total'], headers['X-Calendar-TotalPages']]).toEqual([body.total, body.total_pages]);
      expect([status, Object.keys(headers)]).toEqual([200, expect.arrayContaining(['X-Calendar-Total', 'X-Calendar-TotalPages'])]);
      expect(body).toEqual(expect.objectContaining({ events: expect.any(Array) }));
    });
    it.each(['/events/999999', '/nothing'])('holds the failure at %s', async (path) => {
      expect(await server.get(path, '_envelope')).toMatchObject({ status: 404, body: { data: { status: 404 } } });
    });
  });

  describe('_jsonp', () => {
    it.each(['f', 'a.b.c', '$_1'])('calls %s', async (name) => {
      const { status, headers, body } = await server.send({ path: '/tags', query: `_jsonp=${name}&hide_empty=0` });
      expect([status, headers['content-type'], headers['x-content-type-options']]).toEqual([
        200,
        'application/javascript; charset=UTF-8',
        'nosniff',
      ]);
      expect(body.startsWith(`/**/${name}(`) && body.endsWith(')')).toBe(true);
      expect(JSON.parse(body.slice(name.length + 5, -1))).toEqual(await server.get('/tags', 'hide_empty=0'));
    });
    it.each(['', 'alert(1)', 'a b', '<x>', 'a;b', 'ä'])('refuses %j', async (name) => {
      expect((await server.ask(400, { path: '/tags', query: `_jsonp=${encodeURIComponent(name)}` })).code).toBe('rest_callback_invalid');
    });
    it('of several is refused', () => server.ask(400, { path: '/tags', query: '_jsonp[]=a' }));
  });
  it('_pretty breaks lines', async () => expect((await server.send({ path: '/tags', query: '_pretty' })).body).toContain('\n'));

  describe('headers', () => {
    it('of every answer', async () => {
      for (const path of ['', '/events', '/events/999999', '/nothing'])
        expect((await server.send({ path })).headers).toMatchObject({
          'content-type': 'application/json; charset=UTF-8',
          'x-content-type-options': 'nosniff',
          'x-robots-tag': 'noindex',
        });
    });
    it('of a request from a page', async () => {
      expect((await server.send({ path: '/events', headers: { origin: 'https://page.example' } })).headers).toMatchObject({
        'access-control-allow-origin': 'https://page.example',
        'access-control-allow-methods': 'OPTIONS, GET, POST, PUT, PATCH, DELETE',
        'access-control-allow-credentials': 'true',
        'access-control-expose-headers': expect.stringContaining('X-Calendar-Total'),
        vary: expect.stringContaining('Origin'),
      });
      expect((await server.send({ path: '/events' })).headers).not.toHaveProperty('access-control-allow-origin');
    });
  });

  it('the record on every route is the same', async () => {
    const { json_ld, ...single } = await server.get(`/events/${event.id}`);
    expect(json_ld['@type']).toBe('Event');
    const { json_ld: _place, ...venue } = single.venue;
    const listed = (await server.get('/events', `include=${event.id}`)).events[0];
    expect({ ...single, venue }).toEqual({ ...listed, venue: listed.venue });
    expect((await server.get(`/events/by-slug/${event.slug}`)).json_ld).toEqual(json_ld);
  });
  it('keys of an event are in the order of the reference', () => {
    expect(Object.keys(event).join(' ')).toBe(
      'id global_id global_id_lineage author status date date_utc modified modified_utc url rest_url title description excerpt slug image all_day start_date start_date_details end_date end_date_details utc_start_date utc_start_date_details utc_end_date utc_end_date_details timezone timezone_abbr cost cost_details website show_map show_map_link hide_from_listings sticky featured categories tags venue organizer custom_fields',
    );
  });
});

contract('origins that may call', { handler: { cors: ['https://page.example'] } }, (server) => {
  it.each([
    ['https://page.example', 'https://page.example'],
    ['https://other.example', undefined],
    ['null', undefined],
  ])('%s: %s', async (origin, allowed) => {
    expect((await server.send({ path: '/events', headers: { origin } })).headers['access-control-allow-origin']).toBe(allowed);
  });
});
