import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { createCalendar } from 'local-calendar';
import { http } from 'msw';
import { setupServer } from 'msw/node';

// The code under test calls the site; its requests get the responses of a calendar in this process.
const api = 'https://example.org/wp-json/calendar/events/v1';
const calendar = await createCalendar({
  ...{ seed: 'shapes', now: '2027-03-01T09:00Z', basePath: '/wp-json', strict: true },
  ...{ listen: false, allowHosts: ['example.org'] },
});
const server = setupServer(http.all('*/calendar/*', ({ request }) => calendar.handler(request)));

before(() => server.listen({ onUnhandledRequest: 'error' }));
beforeEach(() => calendar.reset());
after(async () => {
  server.close();
  await calendar.close();
});

test('lists events, with links to the site', async () => {
  const { total, events } = await (await fetch(`${api}/events?search=choir&per_page=1`)).json();
  assert.equal(total, 1);
  assert.match(events[0].rest_url, /^https:\/\/example\.org\/wp-json\//);
});

test('creates, and the log has the request', async () => {
  const response = await fetch(`${api}/tags`, { method: 'POST', body: new URLSearchParams({ name: 'Rooftop' }) });
  assert.equal(response.status, 201);
  assert.equal((await calendar.tags.get('rooftop')).name, 'Rooftop');
  await calendar.requests.verify({ method: 'POST', path: '/tags' }, { exactly: 1 });
});

test('fails as over the network', async () => {
  await calendar.faults.add({ then: 'reset', times: 1 });
  await assert.rejects(fetch(`${api}/events`), TypeError);
  assert.equal((await fetch(`${api}/events`)).status, 200);
});
