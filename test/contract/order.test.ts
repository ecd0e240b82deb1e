import { beforeAll, expect, it } from 'vitest';
import { contract, type Json } from '../support/contract-server.ts';

const at = (start: string, end = start) => ({ start_date: start, end_date: end });

contract('order', {}, (server) => {
  beforeAll(async () => {
    await server.make('events', { title: 'B late', ...at('2027-03-02 10:00'), date: '2026-01-02' });
    await server.make('events', { title: 'B early', ...at('2027-03-02 10:00'), date: '2026-01-01' });
    await server.make('events', { title: 'A', ...at('2027-03-01 10:00'), date: '2026-02-01' });
    for (const [resource, label] of [
      ['venues', 'venue'],
      ['organizers', 'organizer'],
    ] as const) {
      await server.make(resource, { [label]: 'Old', date: '2025-01-01' });
      await server.make(resource, { [label]: 'New', date: '2026-01-01' });
      await server.make(resource, { [label]: 'Also new', date: '2026-01-01' });
    }
    for (const name of ['beta', 'Alpha', 'émile', 'Zeta', 'eta'])
      await server.make('tags', { name, slug: `s-${name.length}-${name.at(-1)}`, description: name === 'beta' ? 'zzz' : 'aaa' });
    for (const name of ['First', 'Second']) await server.make('categories', { name });
  });
  it.each([
    ['events', '', 'A, B early, B late'],
    ['events', 'include=8,9,10', 'A, B early, B late'],
    ['venues', '', 'Also new, New, Old'],
    ['organizers', '', 'Also new, New, Old'],
    ['tags', 'hide_empty=0', 'Alpha, beta, émile, eta, Zeta'],
    ['tags', 'hide_empty=0&order=desc', 'Zeta, eta, émile, beta, Alpha'],
    ['tags', 'hide_empty=0&orderby=id', 'beta, Alpha, émile, Zeta, eta'],
    ['tags', 'hide_empty=0&orderby=id&order=desc', 'eta, Zeta, émile, Alpha, beta'],
    ['tags', 'hide_empty=0&orderby=slug', 'eta, beta, Zeta, Alpha, émile'],
    // In any case, as the direction is.
    ['tags', 'hide_empty=0&orderby=ID&order=DESC', 'eta, Zeta, émile, Alpha, beta'],
    ['tags', 'hide_empty=0&orderby=include&include=7,3,5', 'eta, beta, émile'],
    ['tags', 'hide_empty=0&orderby=include&include[]=7&include[]=3&order=asc', 'eta, beta'],
    ['tags', 'hide_empty=0&orderby=include&include=7,3,5&order=desc', 'émile, beta, eta'],
    ['tags', 'hide_empty=0&orderby=include', 'Alpha, beta, émile, eta, Zeta'],
    ['categories', 'hide_empty=0&orderby=include&include=9,8', 'Second, First'],
  ])('of %s?%s: %s', async (resource, query, names) => {
    expect((await server.names(resource, query)).join(', ')).toBe(names);
  });
});

const texts: [title: string, description: string, excerpt: string][] = [
  ['Crème brûlée night', 'Sugar and FIRE', ''],
  ['Fire safety', 'What to do', 'A short course'],
  ['Straße', 'Ein Fest für alle', 'course'],
  ['50% off_sale', 'Everything * must [go] ? "now"', ''],
  ["O'Brien & Sons", 'C++ and C#', ''],
];
contract('search of events', {}, (server) => {
  beforeAll(async () => {
    for (const [index, [title, description, excerpt]] of texts.entries())
      await server.make('events', { title, description, ...(excerpt ? { excerpt } : {}), ...at(`2027-03-0${index + 1} 10:00`) });
    await server.make('events', { title: 'Locked fire', ...at('2027-03-08 10:00'), post_password: 'x' });
  });
  it.each([
    ['fire', 0, 1],
    ['FIRE', 0, 1],
    ['creme', 0],
    ['CRÈME BRULEE', 0],
    ['brûlée sugar', 0],
    ['fire sugar', 0],
    ['sugar course'],
    ['course', 1, 2],
    ['"short course"', 1],
    ['"course short"'],
    ['course -short', 2],
    ['fire -"what to"', 0],
    ['-fire', 2, 3, 4],
    ['ir', 0, 1],
    ['50%', 3],
    ['%', 3],
    ['_', 3],
    ['*', 3],
    ['?', 3],
    ['[go]', 3],
    ["o'brien", 4],
    ['c++', 0, 1, 2, 4], // a plus parts words, as in the reference
    ['c#', 4],
    ['strasse'],
    ['für', 2],
    ['fur', 2],
    ["' or 1=1 --"],
    ['"; drop table events; --'],
    ['fire" OR "x'],
    ['title:fire'],
    ['NEAR(fire safety)'],
    ['   fire   ', 0, 1],
  ])('%j finds %j %j %j', async (search, ...found: (string | number)[]) => {
    const rows = found.filter((index) => typeof index === 'number');
    const names = (await server.get('/events', `search=${encodeURIComponent(search)}`)).events.map(
      ({ start_date }: Json) => Number(start_date.slice(8, 10)) - 1,
    );
    expect(names).toEqual(rows);
  });
  it('of a visitor does not look into what has a password', async () => {
    expect(await server.names('events', 'search=locked')).toEqual([]);
    expect(await server.names('events', 'search=locked', 'editor')).toHaveLength(1);
  });
  it.each([
    ['events', 'title'],
    ['venues', 'venue'],
    ['organizers', 'organizer'],
  ])('of %s finds what a password hides only for those who may read it', async (resource, label) => {
    const when = { start_date: '2027-03-01 10:00', end_date: '2027-03-01 12:00' };
    const hidden = { ...(resource === 'events' ? when : {}), description: 'Buried treasure', post_password: 'letmein' };
    const { id } = await server.make(resource, { [label]: 'Doubloon', author: 3, ...hidden });
    const found = async (words: string, as?: string, more = '') => {
      const page = await server.get(`/${resource}`, `search=${encodeURIComponent(words)}${more}`, as);
      expect(page.total).toBe(page[resource].length);
      return page[resource].some((record: Json) => record.id === id);
    };
    for (const role of [undefined, 'subscriber', 'contributor', 'other-author'])
      expect([role, await found('treasure', role), await found('treasure', role, '&password=wrong')]).toEqual([role, false, false]);
    for (const role of ['author', 'editor']) expect([role, await found('treasure', role)]).toEqual([role, true]);
    for (const role of ['subscriber', 'contributor']) {
      expect([role, await found('treasure', role, '&password=letmein'), await found('doubloon', role)]).toEqual([role, true, true]);
      if (resource === 'events') expect([role, await found('doubloon -treasure', role)]).toEqual([role, true]);
    }
  });
});

contract('geolocation', {}, (server) => {
  beforeAll(async () => {
    const places = {
      'Near 0': [50, 10],
      'At 39 km': [50.35, 10],
      'At 41 km': [50.37, 10],
      'Across the line': [-17, 179.9],
      'No place': undefined,
      'Half a place': [50, 0],
    };
    for (const [title, place] of Object.entries(places)) {
      const venue = place ? { venue: `Venue of ${title}`, geo_lat: place[0], geo_lng: place[1] } : { venue: `Venue of ${title}` };
      await server.make('events', { title, ...at('2027-03-01 10:00'), venue });
    }
    await server.make('events', { title: 'No venue', ...at('2027-03-01 10:00') });
  });
  it.each([
    ['geoloc_lat=50&geoloc_lng=10', 'Near 0, At 39 km'],
    ['geoloc_lat=50.0&geoloc_lng=+10', 'Near 0, At 39 km'],
    ['geoloc_lat=-17&geoloc_lng=-179.9', 'Across the line'],
    ['geoloc_lat=0&geoloc_lng=0', ''],
    ['geoloc=true', 'Near 0, At 39 km, At 41 km, Across the line'],
    ['geoloc=false', 'No place, Half a place, No venue'],
  ])('%s: %s', async (query, names) => {
    expect((await server.names('events', query.replace('+', '%2B'))).join(', ')).toBe(names);
  });
  it.each(['geoloc_lat=50', 'geoloc_lng=10', 'geoloc=true&geoloc_lat=50'])('%s alone is refused', async (query) => {
    expect((await server.ask(400, { path: '/events', query })).code).toBe('rest_invalid_param');
  });
});
