import { readdirSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { folder, run, words } from '../../support/transcript.ts';

type Respond = (request: IncomingMessage, response: ServerResponse) => void;
const json = (status: number, body: object, headers = {}): Respond => {
  return (_, response) => void response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
};
const off = json(403, { code: 'rest_forbidden', message: 'The API is off.', data: { status: 403 } });
const login: Respond = ({ url }, response) =>
  url === '/wp-login.php'
    ? void response.writeHead(200, { 'Content-Type': 'text/html' }).end('<form><input type="password"></form>')
    : void response.writeHead(302, { Location: '/wp-login.php' }).end();
const locked: Respond = (_, response) => void response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="staging"' }).end('locked');
const loop: Respond = ({ url }, response) => void response.writeHead(302, { Location: `${url}&a=2` }).end();

/** Responses of a site, requests with or without a user, and the failure of `pull` with what to do. */
it.each<[string, Respond, user: boolean, exit: number, said: string[]]>([
  ['an API that is off', off, false, 4, ['HOST does not allow it: The API is off.', 'whether its REST API is switched off']],
  ['an API that is off for a user', off, true, 4, ['HOST does not allow it: The API is off.', 'what this user may do']],
  ['a login page', login, false, 5, ['returned 200 with a login page', '--user NAME']],
  ['a login page for a user', login, true, 5, ['returned 200 with a login page', 'pass a cookie']],
  ['a password of the web server', locked, false, 4, ['returned 401', '--user NAME']],
  ['a password of the web server beside that of a user', locked, true, 4, ['returned 401', 'Basic realm="staging"']],
  ['a redirect to itself', loop, false, 5, ['redirects again and again', 'Open it in a browser']],
  ['an empty list for everything', json(200, []), false, 5, ['not a response of a calendar', 'Check the address']],
])('%s', async (_, respond, hasUser, exit, said) => {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.url}`);
    respond(request, response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const place = folder();
  try {
    const env: Record<string, string> = hasUser ? { CALENDAR_PASSWORD: 'secret' } : {};
    const line = `pull http://${host}/wp-json/calendar/events/v1?a=1 --db copy.db${hasUser ? ' --user ana' : ''}`;
    const { exit: code, stdout, stderr } = await run(words(line), { cwd: place.path, env });
    expect([code, stdout], stderr).toEqual([exit, '']);
    for (const each of said) expect(stderr).toContain(each.replace('HOST', host));
    expect(stderr.includes('with --user NAME')).toBe(said.some((each) => each.includes('--user NAME')) || (!hasUser && exit === 4));
    expect(requests.length).toBeLessThan(10);
    expect(readdirSync(place.path)).toEqual([]);
  } finally {
    server.close();
    place.remove();
  }
});

it('a namespace that a site lacks is not reported as found', async () => {
  const index = {
    name: 'A',
    namespaces: ['calendar/events/v1'],
    routes: { '/calendar/events/v1/events': {}, '/calendar/events/v1/venues': {}, '/calendar/events/v1/organizers': {} },
  };
  const server = createServer(({ url = '' }, response) => {
    if (url.startsWith('/wp-json') && !/\/events\//.test(url)) return json(200, index)({} as never, response);
    if (url === '/')
      return void response.writeHead(200, { 'X-Calendar-API-Root': 'http://site.test/wp-json/calendar/events/v1/' }).end('<html></html>');
    return json(404, { code: 'rest_no_route', message: 'No', data: { status: 404 } })({} as never, response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const place = folder();
  const { exit, stderr } = await run(
    words(`pull http://127.0.0.1:${(server.address() as AddressInfo).port} --namespace nope/events/v1 --db copy.db`),
    {
      cwd: place.path,
    },
  );
  server.close();
  place.remove();
  expect(exit, stderr).toBe(2);
  expect(stderr).not.toContain('The API is at');
  expect(stderr).toContain('has no events in the namespace nope/events/v1');
  expect(stderr).toContain('calendar/events/v1');
});
