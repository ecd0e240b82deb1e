import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readRequest } from '../../../src/cli/commands/request.ts';
import { serving } from '../../support/serving.ts';
import { folder, type Given, run, words } from '../../support/transcript.ts';

const place = folder();
const at = (line: string, given: Given = {}) => run(words(line), { cwd: place.path, ...given });
afterAll(place.remove);

describe('a request as words', () => {
  it.each<[string, object]>([
    ['/events', { method: 'GET', path: '/events', query: '', fields: undefined }],
    ['events', { method: 'GET', path: '/events' }],
    ["get '/events?page=2'", { method: 'GET', query: 'page=2' }],
    ['http://localhost:8787/wp-json/x?y=1', { path: '/wp-json/x', query: 'y=1', origin: 'http://localhost:8787' }],
    ['/events page==2 search=jazz', { method: 'POST', query: 'page=2', fields: { search: 'jazz' } }],
    [
      "GET '/events?page=2' search='a b' starts_after==today",
      { method: 'GET', query: 'page=2&search=a+b&starts_after=today', fields: undefined },
    ],
    ['/tags name=Outdoor', { method: 'POST', fields: { name: 'Outdoor' } }],
    ['PUT /tags/7 name=a=b X-One:two', { method: 'PUT', fields: { name: 'a=b' }, headers: { 'x-one': 'two' } }],
    [
      'POST /events all_day:=true venue.venue=Hall venue.city=Paris',
      { fields: { all_day: true, venue: { venue: 'Hall', city: 'Paris' } } },
    ],
    ['POST /events tags=a tags=b organizer[]:=3', { fields: { tags: ['a', 'b'], organizer: [3] } }],
    ['DELETE /tags/7', { method: 'DELETE', fields: undefined }],
  ])('%s', (line, said) => expect(readRequest(words(line), undefined, false)).toMatchObject(said));

  it('has the method that is named, and POST with a body', () => {
    expect(readRequest(['/tags/7', 'name=x'], 'PATCH', false)).toMatchObject({ method: 'PATCH', path: '/tags/7', fields: { name: 'x' } });
    expect(readRequest(['/tags'], undefined, true).method).toBe('POST');
    expect(JSON.stringify(readRequest(['/tags', '__proto__.x=1'], undefined, false).fields)).toBe('{"__proto__":{"x":"1"}}');
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });
});

describe('calendar request', () => {
  beforeAll(async () => {
    for (const name of ['a', 'b', 'c']) await at(`request POST /tags name=${name}`);
    await at(
      "request POST /events title=T start_date='2027-01-01 10:00' end_date='2027-01-01 11:00' all_day:=true venue.venue=Hall tags=a tags=b",
    );
  });

  it('makes what its values say', async () => {
    const { stdout } = await at('request /events start_date==2027-01-01 --fields title,all_day,venue.venue,tags.slug');
    expect(JSON.parse(stdout)).toEqual([{ title: 'T', all_day: true, venue: { venue: 'Hall' }, tags: [{ slug: 'a' }, { slug: 'b' }] }]);
  });

  it('takes some fields of one record, and of none where a failure is answered', async () => {
    const [{ id }] = JSON.parse((await at('request /tags hide_empty==false --fields id')).stdout);
    expect(JSON.parse((await at(`request /tags/${id} --fields name,description`)).stdout)).toEqual({ name: 'a', description: '' });
    expect(JSON.parse((await at('request /tags/999 --fields name')).stdout)).toHaveProperty('code');
  });

  it('takes a URL of the calendar', async () => {
    for (const host of ['127.0.0.1', 'localhost']) expect((await at(`request http://${host}:8787/calendar/events/v1/tags`)).exit).toBe(0);
  });

  it('goes through all pages of a list', async () => {
    const { stdout, exit } = await at('request /tags hide_empty==false per_page==1 --paginate --fields name');
    expect(JSON.parse(stdout)).toEqual([{ name: 'a' }, { name: 'b' }, { name: 'c' }]);
    expect(exit).toBe(0);
    expect(JSON.parse((await at('request /tags hide_empty==false per_page==1 page==2 --paginate --fields name')).stdout)).toHaveLength(2);
  });

  it('goes through lists of other routes, and reads a list again that changed meanwhile', async () => {
    let ids = [1, 2, 3, 4, 5];
    const server = createServer(({ url = '' }, response) => {
      const page = Number(new URL(url, 'http://x').searchParams.get('page') ?? 1);
      const list = ids.slice(2 * page - 2, 2 * page).map((id) => ({ id }));
      if (url.includes('changing') && page === 1) ids = [0, ...ids].slice(0, 6);
      response
        .setHeader('X-WP-Total', ids.length)
        .setHeader('X-WP-TotalPages', Math.ceil(ids.length / 2))
        .end(JSON.stringify(list));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const listed = async (path: string) =>
      (JSON.parse((await at(`request ${url}${path} --paginate --url ${url}`)).stdout) as { id: number }[]).map(({ id }) => id);
    expect(await listed('/wp-json/wp/v2/posts')).toEqual([1, 2, 3, 4, 5]);
    expect(await listed('/wp-json/wp/v2/changing')).toEqual([1, 2, 3, 4, 5, 0]);
    expect((await at(`request ${url}/wp-json/wp/v2/tags --fields link --url ${url}`)).stderr).toContain('Unknown field "link" of /wp-json');
    expect(await at(`request ${url}/wp-json/wp/v2/posts --paginate --fields titel --url ${url}`)).toMatchObject({ exit: 2, stdout: '' });
    server.close();
  });

  it.each([
    ['request', 2, 'Missing argument <words>'],
    ['request GTE /tags', 2, 'Unknown method "GTE"\n  Did you mean GET?'],
    ['request -X TRACE /tags', 2, 'Expected one of GET, POST'],
    ['request http://example.org/calendar/events/v1/tags', 2, 'http://example.org is not the address of '],
    [
      'request POST http://127.0.0.1:9999/calendar/events/v1/tags name=x',
      2,
      'Its URLs begin with http://127.0.0.1:8787. Pass only the path',
    ],
    ['request POST /tags name', 2, 'Invalid item "name"'],
    ['request POST /tags x:={', 2, 'x:= requires JSON'],
    ['request POST /tags a=1 a.b=2', 2, 'a.b: a already has a value'],
    ['request POST /tags name=x --data {}', 2, 'Use either --data or body items'],
    ['request POST /tags name=x --paginate', 2, '--paginate requires GET'],
    ['request /doc --paginate', 2, '/doc is not a paginated list'],
    ['request /tags _fields==tags.name --paginate', 2, 'Use either --paginate or _fields, not both\n  Select fields with --fields.'],
    ['request /tags --fields nmae', 2, 'Unknown field "nmae" of tags\n  Did you mean name?'],
    ['request /events --paginate --fields venue.ctiy', 2, 'Unknown field "venue.ctiy" of events'],
    ['request POST /tags name=never --fields nmae', 2, 'Unknown field "nmae" of tags'],
    ['request http://127.0.0.1:8787/calendar/events/v1/tags --fields nmae', 2, 'Unknown field "nmae" of tags'],
    ['request /constructor --fields id', 3, 'GET /constructor returned 404'],
    ['request /doc --fields pahts', 2, 'Unknown field "pahts" of /doc\n  Did you mean paths?'],
    ['request /tags -H nonsense', 2, 'Invalid header'],
  ])('refuses %s', async (line, exit, says) => {
    const { stderr, exit: code } = await at(line);
    expect(stderr).toContain(says);
    expect(code).toBe(exit);
  });

  it('reaches routes outside the namespace, at a file and at a server', async () => {
    expect((await at('request /calendar.ics')).stdout).toMatch(/^BEGIN:VCALENDAR/);
    const { said, stop } = await serving('--memory --seed minimal --base-path /wp-json');
    const site = new URL(said.url).origin;
    for (const url of [site, `${site}/wp-json`, said.url]) {
      const ask = async (path: string) =>
        (await at(`request ${path} --url ${url}${url === site ? ' --namespace wp-json/calendar/events/v1' : ''}`)).stdout;
      if (url !== site) expect(await ask('/calendar.ics'), url).toMatch(/^BEGIN:VCALENDAR/);
      expect(await ask(`${site}/wp-json/calendar.ics`), url).toMatch(/^BEGIN:VCALENDAR/);
      expect(JSON.parse(await ask('/_calendar/health')).records.events, url).toBe(1);
      expect(JSON.parse(await ask('/events')).total, url).toBe(1);
      const { rest_url } = JSON.parse(await ask('/events'));
      expect(JSON.parse(await ask(`'${rest_url}'`)).total, url).toBe(1);
    }
    await stop();
  });

  it('fails by the status of the response, or not with --no-fail', async () => {
    expect(await at('request /nothing')).toMatchObject({ exit: 3, stderr: 'calendar: GET /nothing returned 404\n' });
    const calm = await at('request /nothing --no-fail');
    expect([calm.exit, calm.stderr, JSON.parse(calm.stdout).data.status]).toEqual([0, '', 404]);
  });
});
