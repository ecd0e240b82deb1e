import { beforeAll, describe, expect, it } from 'vitest';
import { type FailureCode, failureKind, failures, recordFailureCodes } from '../../src/model/error.ts';
import type { Service } from '../../src/model/operations/service.ts';
import { resources } from '../../src/model/resources/all.ts';
import { defaultSlugs } from '../../src/model/site-address.ts';
import { owner } from '../../src/model/viewer.ts';
import { createHandler } from '../../src/server/router.ts';
import { bodyText } from '../support/body-text.ts';
import { type Call, contract, type Json, namespace } from '../support/contract-server.ts';

/** Failures that no request to a server that works comes to, and where they belong. */
const elsewhere: FailureCode[] = [
  // Sent to raw sockets: test/server.
  ...(['header-too-large', 'request-timeout'] as const),
  // What is sent to be taken in as a whole: test/server/control.test.ts.
  'invalid-data',
  // The command line adds and removes users, and reads files.
  ...([
    'user-exists',
    'user-not-found',
    'store-missing',
    'store-foreign',
    'store-damaged',
    'store-newer',
    'store-older',
    'store-locked',
  ] as const),
  // The disk failed, or the file was deleted, under a running server: test/server/failing-disk.test.ts and full-disk.long.test.ts.
  ...(['store-gone', 'store-changed', 'store-read-only', 'store-io', 'store-full'] as const),
  // What is said below `/_calendar`: test/server/control.test.ts and requests.test.ts.
  ...(['control-not-allowed', 'method-not-allowed', 'verification-failed', 'requests-dropped'] as const),
  // Servers with worlds: test/data/serving/worlds.test.ts.
  ...(['unknown-world', 'world-required'] as const),
  // A server that is started to be read only, and one that is being filled: test/cli/commands/serve-reading.test.ts, test/data/serving/serve.test.ts.
  ...(['read-only', 'not-ready'] as const),
  // Resets: test/data/world/epoch.test.ts.
  'world-reset',
  // Servers with a folder of images, and users who sign in: test/server/images.test.ts.
  ...(['rest_cannot_create', 'rest_not_logged_in', 'rest_post_invalid_id', 'rest_upload_no_data', 'rest_upload_sideload_error'] as const),
  ...(['rest_upload_no_content_disposition', 'rest_upload_invalid_disposition'] as const),
  // What asks before it changes a site: test/data/remote/edges.test.ts.
  'not-confirmed',
  // What a client says of servers.
  ...(['unreachable', 'not-a-calendar', 'not-found', 'conflict', 'server-failure', 'busy'] as const),
];

const event = { title: 'Event', start_date: '2027-03-01 10:00', end_date: '2027-03-01 12:00' };
const post = (path: string, json: unknown, as?: string): Call => ({ method: 'POST', path, json, as });
const remove = (path: string, as = 'editor'): Call => ({ method: 'DELETE', path, as });

const upload = '--x\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n\r\nPNG\r\n--x--\r\n';

/** A request that is answered with each code. `{venues.draft}` stands for an ID. */
const table: [code: FailureCode, call: Call][] = [
  ['rest_invalid_param', { path: '/events', query: 'page=foo' }],
  ['rest_invalid_param', { path: '/venues/999999' }],
  ['rest_invalid_param', { path: '/venues/{events.plain}' }],
  ['rest_invalid_param', { path: '/organizers/{venues.plain}' }],
  ['rest_invalid_param', { path: '/categories/999999' }],
  ['rest_invalid_param', { path: '/tags/999999' }],
  ['rest_invalid_param', { path: '/events/by-slug/nothing' }],
  ['rest_invalid_param', { path: '/venues/by-slug/nothing' }],
  ['rest_invalid_param', { path: '/events/{events.plain}', query: 'password=' }],
  ['rest_invalid_param', remove('/events/by-slug/trashed')],
  ['rest_missing_callback_param', post('/events', {})],
  ['rest_invalid_json', { method: 'POST', path: '/events', body: '{"title":', headers: { 'content-type': 'application/json' } }],
  ['rest_callback_invalid', { path: '/events', query: '_jsonp=alert(1)' }],
  ['rest_taxonomy_not_hierarchical', post('/tags', { name: 'New', parent: 999 }, 'editor')],
  ['could-not-create-venue', post('/events', { ...event, venue: { venue: '' } }, 'editor')],
  ['could-not-create-organizer', post('/events', { ...event, organizer: { organizer: '' } }, 'editor')],
  ['term_exists', post('/categories', { name: 'Plain' }, 'editor')],
  ['duplicate_term_slug', { method: 'PATCH', path: '/tags/{tags.plain}', json: { slug: 'second' }, as: 'editor' }],
  ['rest-invalid-event-id', { path: '/events/{venues.plain}' }],
  ['rest-invalid-event-id', { method: 'PATCH', path: '/events/{venues.plain}', json: {}, as: 'editor' }],
  ['bad-request', { method: 'POST', path: '/events', body: 'nonsense', headers: { 'content-type': 'multipart/form-data; boundary=x' } }],
  ['bad-request', { method: 'POST', path: '/events', body: upload, headers: { 'content-type': 'multipart/form-data; boundary=x' } }],
  [
    'unsupported-encoding',
    { method: 'POST', path: '/events', body: '{}', headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' } },
  ],
  ['origin-not-allowed', { method: 'POST', path: '/events', form: 'title=x', headers: { origin: 'https://evil.example' } }],
  ['invalid_username', { path: '/events', headers: { authorization: 'Basic bm9ib2R5Ong=' } }],
  ['incorrect_password', { path: '/events', headers: { authorization: 'Basic ZWRpdG9yOng=' } }],
  ['rest_cookie_invalid_nonce', { path: '/events', headers: { 'x-wp-nonce': 'abc' } }],
  ['rest_forbidden', post('/events', event, 'subscriber')],
  ['event-not-accessible', { path: '/events/{events.draft}' }],
  ['venue-not-accessible', { path: '/venues/{venues.draft}' }],
  ['organizer-not-accessible', { path: '/organizers/{organizers.draft}' }],
  ['venue-not-accessible', { path: '/venues/{venues.trashed}' }],
  ['event-no-longer-available', { path: '/events/{events.trashed}' }],
  ['event-password-protected', { path: '/events/{events.locked}' }],
  ['event-password-protected', { path: '/events/{events.locked}', query: 'password=wrong' }],
  ['rest_no_route', { path: '/nothing' }],
  ['rest-event-not-found', { path: '/events/999999' }],
  ['rest-event-not-found', { path: '/events/0' }],
  ['rest-event-not-found', { path: '/events/99999999999999999999999999' }],
  ['rest-event-not-found', remove('/events/999999')],
  ['rest-event-not-found', { method: 'PATCH', path: '/events/by-slug/nothing', json: {}, as: 'editor' }],
  ['event-archive-page-not-found', { path: '/events', query: 'page=2' }],
  ['event-archive-page-not-found', { path: '/events', query: 'page=9007199254740991&search=nothing' }],
  ['venue-archive-page-not-found', { path: '/venues', query: 'page=2' }],
  ['organizer-archive-page-not-found', { path: '/organizers', query: 'page=2' }],
  ['event-is-in-trash', remove('/events/{events.trashed}')],
  ['venue-is-in-trash', remove('/venues/{venues.trashed}')],
  ['organizer-is-in-trash', remove('/organizers/{organizers.trashed}')],
];
const overHttp: [code: FailureCode, call: Call][] = [
  ['host-not-allowed', { path: '/events', headers: { host: 'example.org' } }],
  ['body-too-large', { method: 'POST', path: '/events', body: new Uint8Array((1 << 20) + 1) }],
];

const recordFailures = Object.values(resources).flatMap((resource) =>
  resource.family === 'post' ? recordFailureCodes(resource.kind).filter((code) => resource.isLinked || !code.startsWith('could-not')) : [],
);

it('every code that HTTP can answer has its case', () => {
  const shown = new Set([...table, ...overHttp].map(([code]) => code));
  expect([...shown, ...elsewhere, 'unexpected-failure'].sort()).toEqual([...Object.keys(failures), ...recordFailures].sort());
});

contract('errors', {}, (server) => {
  const ids: Record<string, number> = {};
  const filled = <T>(value: T): T =>
    JSON.parse(
      JSON.stringify(value).replace(/"\{(\w+\.\w+)\}"|\{(\w+\.\w+)\}/g, (_, whole: string, part: string) => String(ids[whole ?? part])),
    );
  beforeAll(async () => {
    const put = async (resource: string, key: string, input: object) => {
      ids[`${resource}.${key}`] = (await server.make(resource, input)).id;
    };
    for (const [resource, label, rest] of [
      ['events', 'title', event],
      ['venues', 'venue', {}],
      ['organizers', 'organizer', {}],
    ] as const) {
      for (const key of ['plain', 'trashed']) await put(resource, key, { ...rest, [label]: key });
      await put(resource, 'draft', { ...rest, [label]: 'draft', status: 'draft' });
      await server.drop(resource, ids[`${resource}.trashed`]!);
    }
    await put('events', 'locked', { ...event, post_password: 'open' });
    for (const key of ['plain', 'second']) for (const resource of ['categories', 'tags']) await put(resource, key, { name: key });
  });

  it.each(table)('%s: %j', async (code, call) => {
    const { body, ...rest } = call;
    const failure = await server.ask(failureKind(code)!.status, { ...filled(rest), body });
    if (code === 'rest_callback_invalid') expect(failure).toEqual({ code, message: expect.any(String) });
    else expect(failure).toMatchObject({ code, message: expect.any(String), data: { status: failureKind(code)!.status } });
  });
  it.each(overHttp)('%s: over HTTP', async (code, call) => {
    if (server.way === 'over HTTP')
      expect(await server.ask(failureKind(code)!.status, call)).toMatchObject({ code, data: { status: failureKind(code)!.status } });
  });

  // Every wrong parameter of a request is named at once, the one in the path too.
  it.each([
    ['PUT', '/venues/999999', { venue: '', website: 'foo' }, 'id venue website'],
    ['PATCH', '/venues/by-slug/nope', { venue: '' }, 'slug venue'],
    ['POST', '/organizers/999999', { organizer: 'Ada', author: 9999 }, 'id author'],
    ['PUT', '/categories/99999', { name: '', parent: 99999 }, 'id name parent'],
    ['PATCH', '/tags/99999', { name: 5, slug: '' }, 'id name slug'],
    ['PUT', '/venues/999999', { show_map: true }, 'id'],
    ['PUT', '/events/{events.plain}?password=', { title: '' }, 'title password'],
  ])('%s %s of %j: %s are wrong', async (method, path, json, names) => {
    const [where, query] = filled(path).split('?');
    for (const as of ['administrator', 'subscriber', undefined]) {
      const { code, data } = await server.ask(400, { method, path: where, query, json, as });
      expect([code, Object.keys(data.params).sort()]).toEqual(['rest_invalid_param', names.split(' ').sort()]);
    }
  });
  it('a name that is in use is reported with its term', async () => {
    const failure = await server.ask(400, post('/categories', { name: 'PLAIN' }, 'editor'));
    expect(failure.data.term_id ?? failure.additional_data?.[0]).toBe(ids['categories.plain']);
  });
  it('invalid JSON is reported like in PHP', async () => {
    const failure = await server.ask(400, { method: 'POST', path: '/tags', body: 'nope', headers: { 'content-type': 'application/json' } });
    expect(failure.data).toEqual({ status: 400, json_error_code: 4, json_error_message: 'Syntax error' });
  });
  it('a wrong type has its details', async () => {
    const failure = await server.ask(400, { path: '/events', query: 'featured=foo' });
    expect(failure.data.details.featured).toMatchObject({ code: 'rest_invalid_type', data: { param: 'featured' } });
  });
});

describe('a mistake of ours', () => {
  const broken: Service = {
    calendar: () => {
      throw new TypeError('x is undefined');
    },
    may: () => true,
    together: async (work) => work(),
    stored: () => undefined,
    putBack: () => false,
    authenticate: () => {
      throw new Error('no');
    },
    hasUsers: () => false,
    defaultViewer: () => owner,
    findImage: () => undefined,
    checkUpload: () => {},
    addUpload: async () => 1,
    requestContext: () => {
      throw new Error('no');
    },
    resources: () => resources,
    sitePageAt: () => undefined,
    title: () => 'Broken',
    slugs: () => defaultSlugs,
  };
  const handle = createHandler(broken, { basePath: '', namespace, headerPrefix: 'X-Calendar' });
  it.each(['/events', '', '/doc'])('is answered in the error form at %j', async (path) => {
    const response = await handle({ method: 'GET', path: `/${namespace}${path}`, query: '', headers: {}, body: new Uint8Array() });
    const { status } = response;
    const body = bodyText(response);
    const failure: Json = JSON.parse(body);
    expect([status, failure]).toEqual([500, { code: 'unexpected-failure', message: expect.any(String), data: { status: 500 } }]);
    expect(body).not.toContain('.ts:');
  });
});
