/**
 * Correct clients of a calendar with users, each of which a careless rule would accuse of a mistake.
 * `advance` moves the timers and the clock that the test fakes.
 */
const headers = { 'Content-Type': 'application/json', Authorization: `Basic ${Buffer.from('editor:editor').toString('base64')}` };
const concert = { title: 'Concert', start_date: '2027-04-01 20:00', end_date: '2027-04-01 22:00' };

const get = (calendar, path) => calendar.fetch(path, { headers });
const send = (calendar, method, path, json, more = {}) => calendar.fetch(path, { method, headers, body: JSON.stringify(json), ...more });
const times = (count, work) => Promise.all(Array.from({ length: count }, work));
/** Adds an event with a value in each field that a site resets. */
const whole = (calendar) =>
  calendar.events.create({
    ...concert,
    cost: '10',
    featured: true,
    timezone: 'Asia/Tokyo',
    venue: { venue: 'Hall' },
    organizer: { organizer: 'Ada' },
  });

exports.clients = {
  'a list that is read again and again': (calendar) => times(10, () => get(calendar, 'events')),
  'first pages': async (calendar) => {
    for (const page of [1, 2]) await get(calendar, `events?per_page=5&page=${page}`);
    await get(calendar, 'categories?per_page=50&orderby=name&order=desc');
  },
  'double reads of a development mode': (calendar) => times(2, () => get(calendar, 'venues')),
  'a factory': async (calendar) => {
    for (let i = 0; i < 2; i += 1) await send(calendar, 'POST', 'events', concert);
    for (let i = 0; i < 12; i += 1) await send(calendar, 'POST', 'tags', { name: `tag ${i}` });
  },
  'a load test': (calendar) => times(20, () => send(calendar, 'POST', 'events', concert)),
  'a form that saves itself': async (calendar) => {
    const { id } = await whole(calendar);
    // A site takes no image that is false.
    const { image: _, ...record } = await (await get(calendar, `events/${id}`)).json();
    await times(2, () => send(calendar, 'PUT', `events/${id}`, { ...record, title: 'Renamed' }));
  },
  'a retry after a fault': async (calendar) => {
    await calendar.faults.add({ match: { method: 'POST' }, times: 1, then: 503 });
    while ((await send(calendar, 'POST', 'events', concert)).status === 503);
  },
  'a retry after a lost answer': async (calendar) => {
    await calendar.faults.add({ match: { method: 'POST' }, times: 1, at: 'after', then: 'reset' });
    await send(calendar, 'POST', 'events', concert).catch(() => send(calendar, 'POST', 'events', concert));
  },
  'a retry that waits by a faked clock': async (calendar, advance) => {
    await calendar.faults.add({ match: { path: '/events' }, times: 3, then: { status: 429, headers: { 'Retry-After': '30' } } });
    while ((await get(calendar, 'events')).status === 429) await advance(30_000);
  },
  'a contract test that expects 401': async (calendar) => {
    const { status } = await calendar.fetch('events', { method: 'POST', body: new URLSearchParams(concert) });
    if (status !== 401) throw new Error(`Without credentials: ${status}`);
  },
  'a delete that is repeated': async (calendar) => {
    const { id } = await whole(calendar);
    for (let i = 0; i < 2; i += 1) await calendar.fetch(`events/${id}`, { method: 'DELETE', headers });
  },
  'a form with every field': async (calendar) => {
    const body = new URLSearchParams({ ...concert, categories: 'Music,Talks', cost: '8' });
    await calendar.fetch('events', { method: 'POST', headers: { Authorization: headers.Authorization }, body });
  },
  'reads of a visitor': async (calendar) => {
    for (const path of ['events', 'venues', 'organizers', 'categories', 'tags', 'events/by-slug/no-such-event']) await calendar.fetch(path);
  },
};

exports.options = { seed: 'shapes', users: 'roles' };
