import type { Json, Server } from './contract-server.ts';

/** The records that lists are asked for: events of a week in March 2027, where they take place, who holds them. */
export interface City {
  events: Record<string, Json>;
  venues: Record<string, Json>;
  organizers: Record<string, Json>;
  categories: Record<string, Json>;
  tags: Record<string, Json>;
}

/** Fills a server. */
export async function build(server: Server): Promise<City> {
  const city: City = { events: {}, venues: {}, organizers: {}, categories: {}, tags: {} };
  const put = async (resource: keyof City, key: string, input: object, as?: string) => {
    city[resource][key] = await server.make(resource, input, as);
  };
  const day = (name: 'venue' | 'organizer', of: keyof City, key: string) => ({ [name]: city[of][key].id });
  const at = (from: string, to = from) => ({ start_date: `2027-03-${from}`, end_date: `2027-03-${to}` });

  await put('categories', 'music', { name: 'Music', description: 'Sound, in order' });
  await put('categories', 'jazz', { name: 'Jazz', parent: city.categories.music.id });
  await put('categories', 'bebop', { name: 'Bebop', parent: city.categories.jazz.id });
  await put('categories', 'food', { name: 'Food & Drink', slug: 'food' });
  await put('categories', 'idle', { name: 'Idle' });
  await put('tags', 'free', { name: 'Free' });
  await put('tags', 'outdoor', { name: 'Outdoor', description: 'Under the sky' });
  await put('tags', 'idle', { name: 'Unused' });

  const date = (hour: number) => ({ date: `2026-11-20 0${hour}:00:00` });
  await put('venues', 'hall', {
    venue: 'Town Hall',
    city: 'Boston',
    zip: '02108',
    country: 'United States',
    state: 'MA',
    geo_lat: 42.36,
    geo_lng: -71.06,
    ...date(1),
  });
  await put('venues', 'park', {
    venue: 'City Park',
    description: 'Grass and trees',
    city: 'Cambridge',
    geo_lat: 42.37,
    geo_lng: -71.11,
    ...date(2),
  });
  await put('venues', 'far', { venue: 'Far Barn', city: 'Lisboa', phone: '555 0100', geo_lat: 38.72, geo_lng: -9.14, ...date(3) });
  await put('venues', 'empty', { venue: 'Empty Room', ...date(4) });
  await put('venues', 'draft', { venue: 'Draft Room', status: 'draft', ...date(5) });
  await put('organizers', 'ada', { organizer: 'Ada Lovelace', email: 'ada@example.org', ...date(1) });
  await put('organizers', 'bob', { organizer: 'Bob', website: 'https://bob.example.org', phone: '555 0199', ...date(2) });
  await put('organizers', 'idle', { organizer: 'Idle Hands', description: 'Nothing to do', ...date(3) });
  await put('organizers', 'draft', { organizer: 'Draft Folk', status: 'draft', ...date(4) });

  await put('events', 'breakfast', {
    title: 'Breakfast',
    description: 'Crème brûlée and coffee',
    categories: 'food',
    tags: 'free',
    ...at('01 08:00', '01 09:30'),
    ...day('venue', 'venues', 'hall'),
    ...day('organizer', 'organizers', 'ada'),
  });
  await put('events', 'concert', {
    title: 'Concert',
    excerpt: 'An evening of loud coffee',
    categories: ['jazz'],
    tags: ['outdoor', 'free'],
    featured: true,
    ...at('02 20:00', '02 23:00'),
    ...day('venue', 'venues', 'park'),
    organizer: [city.organizers.ada.id, city.organizers.bob.id],
  });
  await put('events', 'session', {
    title: 'Session',
    categories: 'bebop',
    ticketed: true,
    ...at('03 21:00', '04 02:00'),
    ...day('venue', 'venues', 'far'),
  });
  await put('events', 'fair', { title: 'Fair', all_day: true, ...at('04', '06'), ...day('organizer', 'organizers', 'bob') });
  await put('events', 'stall', { title: 'Stall', post_parent: city.events.fair.id, tags: 'outdoor', ...at('05 10:00', '05 11:00') });
  await put('events', 'past', { title: 'Past', start_date: '2026-10-01 10:00', end_date: '2026-10-01 11:00', categories: 'food' });
  await put('events', 'distant', { title: 'Distant', start_date: '2031-01-01 10:00', end_date: '2031-01-01 11:00' });
  await put('events', 'secret', { title: 'Secret', hide_from_listings: true, ...at('05 12:00', '05 13:00') });
  for (const status of ['draft', 'pending', 'private'])
    await put('events', status, {
      title: status[0]!.toUpperCase() + status.slice(1),
      status,
      ...at('07 10:00', '07 11:00'),
      ...(status === 'draft' ? { venue: city.venues.empty.id } : {}),
    });
  await put('events', 'future', { title: 'Future', date: '2027-01-01 00:00:00', ...at('07 12:00', '07 13:00') });
  await put('events', 'trashed', { title: 'Trashed', ...at('07 14:00', '07 15:00') });
  await server.drop('events', city.events.trashed.id);
  await put('events', 'unfinished', { title: 'Unfinished', status: 'auto-draft', ...at('07 16:00', '07 17:00') });
  return city;
}
