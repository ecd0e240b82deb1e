import { beforeAll, describe, expect, it } from 'vitest';
import type { ResourceName } from '../../src/model/calendar.ts';
import { resources } from '../../src/model/resources/all.ts';
import { build, type City } from '../support/contract-calendar.ts';
import { contract, type Json } from '../support/contract-server.ts';

/** A query for each list parameter, alone or among others, and the user; each has more records than fit on a page of one. */
const tables: Record<ResourceName, [query: string, as?: string][]> = {
  events: [
    [''],
    ['', 'editor'],
    ['page=1'],
    ['start_date=2027-03-02'],
    ['start_date=tomorrow&end_date=2027-03-05'],
    ['end_date=2040-01-01'],
    ['starts_before=2027-03-04'],
    ['starts_before=2027-03-04', 'author'],
    ['starts_after=2027-03-01'],
    ['ends_before=2027-03-05'],
    ['ends_after=2026-10-01&starts_before=2040-01-01'],
    ['strict_dates=true'],
    ['strict_dates=1&start_date=2027-03-02 00:00&end_date=2027-03-07'],
    ['strict_dates=1&starts_after=2027-03-01 13:00:00&ends_before=2027-03-06T02:00:00-05:00'],
    ['strict_dates=1&start_date=2027-03-01 13:00:00', 'contributor'],
    ['strict_dates=no'],
    ['search=coffee'],
    ['search=coffee -evening OR "loud"'],
    ['search=e %26 %2B'],
    ['categories=jazz,food'],
    ['categories[]=music&categories[]={categories.food}'],
    ['tags=free,outdoor'],
    ['categories=food,jazz&tags=free'],
    ['venue={venues.hall},{venues.park}'],
    ['organizer={organizers.ada}'],
    ['organizer[]={organizers.ada}&organizer[]={organizers.bob}'],
    ['featured=false'],
    ['featured=0&ticketed=0'],
    ['status=publish'],
    ['status=draft,pending,private', 'editor'],
    ['status[]=draft&status[]=private', 'editor'],
    ['geoloc=true'],
    ['geoloc=false'],
    ['geoloc_lat=42.36&geoloc_lng=-71.06'],
    ['include={events.fair},{events.past},{events.distant}'],
    ['include[]={events.draft}&include[]={events.past}', 'editor'],
    ['post_parent={events.fair}'],
    ['ticketed=false'],
    ['hide_subsequent_recurrences=true'],
  ],
  venues: [
    [''],
    ['', 'editor'],
    ['search=a'],
    ['search=town hall'],
    ['event={events.concert}'],
    ['has_events=true'],
    ['has_events=no'],
    ['only_with_upcoming=yes'],
    ['only_with_upcoming=false'],
    ['only_with_upcoming=1', 'editor'],
    ['status=publish,draft', 'editor'],
  ],
  organizers: [
    [''],
    ['', 'author'],
    ['search=a'],
    ['event={events.concert}'],
    ['has_events=1'],
    ['only_with_upcoming=1'],
    ['status=publish'],
  ],
  categories: [
    [''],
    ['hide_empty=0'],
    ['hide_empty=0&search=e'],
    ['hide_empty=0&exclude={categories.music}'],
    ['hide_empty=0&include={categories.music},{categories.jazz}'],
    ['order=desc'],
    ['orderby=slug&order=desc&hide_empty=false'],
    ['hide_empty=0&parent={categories.music}'],
    ['post={events.concert}'],
    ['event={events.concert}'],
    ['hide_empty=0&slug=music'],
  ],
  tags: [
    [''],
    ['hide_empty=0'],
    ['hide_empty=0&search=e'],
    ['hide_empty=0&exclude[]={tags.free}'],
    ['hide_empty=0&include={tags.free},{tags.idle}'],
    ['order=desc'],
    ['orderby=count&hide_empty=0'],
    ['event={events.concert}'],
    ['post={events.concert}'],
    ['slug=free'],
  ],
};

it.each(Object.entries(tables))('every list parameter of %s is followed', (resource, rows) => {
  const followed = new Set(rows.flatMap(([query]) => query.match(/(?<=^|&)\w+/g) ?? []));
  const names = resources[resource as ResourceName].list.parameters
    .map(({ name }) => name)
    .filter((name) => name !== 'page' && name !== 'per_page');
  expect(names.filter((name) => !followed.has(name))).toEqual([]);
});

contract('pages', {}, (server) => {
  let city: City;
  beforeAll(async () => {
    city = await build(server);
  });
  const filled = (query: string) =>
    query
      .replace(/\{(\w+)\.(\w+)\}/g, (_, resource: keyof City, key: string) => city[resource][key].id)
      .replaceAll(' ', '%20')
      .replaceAll('"', '%22');
  const idsOf = (page: Json, resource: string): number[] => page[resource].map(({ id }: Json) => id);
  /** The page that a link leads to. */
  const follow = (link: string, as?: string): Promise<Json> => {
    const { pathname, search } = new URL(link);
    return server.ask(200, { at: pathname, query: search.slice(1), as });
  };

  describe.each(Object.entries(tables))('of %s', (resource, rows) => {
    it.each(rows)('?%s (%s), followed to the end and back, are the whole', async (query, as) => {
      const all = filled(query);
      const whole = await server.get(`/${resource}`, `${all}&per_page=50`, as);
      expect([whole.next_rest_url, whole.previous_rest_url]).toEqual([undefined, undefined]);
      let page = await server.get(`/${resource}`, `${all}&per_page=1`, as);
      const forth = idsOf(page, resource);
      while (page.next_rest_url) {
        page = await follow(page.next_rest_url, as);
        expect(page.total).toBe(whole.total);
        forth.push(...idsOf(page, resource));
      }
      expect(forth).toEqual(idsOf(whole, resource));
      expect([page.total, page.total_pages]).toEqual([forth.length, forth.length]);
      const back = idsOf(page, resource);
      while (page.previous_rest_url) {
        page = await follow(page.previous_rest_url, as);
        back.push(...idsOf(page, resource));
      }
      expect(back.reverse()).toEqual(forth);
    });
    it('past the last are an end', async () => {
      for (const query of ['page=99', 'page=2&search=nothing-at-all', 'page=9007199254740991&per_page=50']) {
        const reply = await server.send({ path: `/${resource}`, query });
        const ends = ['categories', 'tags'].includes(resource);
        expect([query, reply.status]).toEqual([query, ends ? 200 : 404]);
        if (ends) expect(JSON.parse(reply.body)).toMatchObject({ [resource]: [], previous_rest_url: expect.any(String) });
      }
    });
    it('with nothing on them are empty', async () => {
      const reply = await server.send({ path: `/${resource}`, query: 'search=nothing-at-all' });
      expect(JSON.parse(reply.body)).toEqual({ [resource]: [], rest_url: expect.any(String), total: 0, total_pages: 0 });
      expect(reply.headers).toMatchObject({ 'x-calendar-total': '0', 'x-calendar-totalpages': '0' });
    });
    it('hold ten records by default, and at most fifty', async () => {
      expect((await server.get(`/${resource}`)).total_pages).toBeLessThanOrEqual(1);
      if (resource.length < 11 && !['categories', 'tags'].includes(resource)) {
        expect((await server.get(`/${resource}`)).rest_url).toContain('per_page=10');
        expect((await server.get(`/${resource}`, 'per_page=999')).rest_url).toContain('per_page=50');
      }
    });
  });

  it('rest_url contains the effective parameters in the order of the reference', async () => {
    const { search } = new URL(
      (await server.get('/events', filled('featured=1&organizer={organizers.ada}&search=coffee&per_page=5&venue={venues.park}'))).rest_url,
    );
    expect([...new URLSearchParams(search).keys()]).toEqual([
      'page',
      'per_page',
      'start_date',
      'end_date',
      'search',
      'status',
      'venue',
      'organizer',
      'featured',
    ]);
  });
});
