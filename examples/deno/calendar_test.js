import { createCalendar } from 'local-calendar/web';
import source wasm from 'local-calendar/web/sqlite.wasm';

Deno.test('an app on this server creates and reads', async () => {
  const calendar = await createCalendar({ seed: 'shapes', now: '2027-03-01T09:00Z', wasm });
  await using server = Deno.serve({ port: 0, onListen() {} }, (request) => calendar.handler(request));
  const tags = `http://localhost:${server.addr.port}/calendar/events/v1/tags`;
  const created = await fetch(tags, { method: 'POST', body: new URLSearchParams({ name: 'Rooftop' }) });
  const { urls } = await created.json();
  if (created.status !== 201 || urls.collection !== tags) throw new Error(`${created.status}, ${urls.collection}`);
  if ((await calendar.tags.get('rooftop')).name !== 'Rooftop') throw new Error('The tag is not in the calendar');
  await calendar.requests.verify({ method: 'POST', path: '/tags' }, { exactly: 1 });
  await calendar.close();
});
