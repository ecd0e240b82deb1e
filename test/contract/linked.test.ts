import { describe, expect, it } from 'vitest';
import { contract, type Json } from '../support/contract-server.ts';

const when = { start_date: '2027-03-01 10:00', end_date: '2027-03-01 12:00' };
const kinds = [
  ['venues', 'venue'],
  ['organizers', 'organizer'],
] as const;

contract('linked records', {}, (server) => {
  let count = 0;
  const event = (more: object = {}, as?: string): Promise<Json> =>
    server.make('events', { title: `Event ${++count}`, ...when, ...more }, as);
  const list = (value: Json): Json[] => (Array.isArray(value) ? value : [value]);

  describe.each(kinds)('%s', (resource, field) => {
    const name = () => `${resource} ${++count}`;
    const total = async () => (await server.get(`/${resource}`, '', 'administrator')).total;

    it('show as one or several', async () => {
      const [a, b] = [await server.make(resource, { [field]: name() }), await server.make(resource, { [field]: name() })];
      const [none, one, two] = [await event(), await event({ [field]: a.id }), await event({ [field]: [b.id, a.id] })];
      expect(none[field]).toEqual([]);
      expect(Array.isArray(one[field])).toBe(resource === 'organizers');
      expect(list(one[field]).map(({ id }) => id)).toEqual([a.id]);
      expect(two[field].map(({ id }: Json) => id)).toEqual([b.id, a.id]);
    });
    it.each([
      ['objects with an ID', (ids: number[]) => ids.map((id) => ({ id }))],
      ['one text with commas', (ids: number[]) => ids.join(',')],
    ])('are taken as %s', async (_form, given) => {
      const ids = [(await server.make(resource, { [field]: name() })).id, (await server.make(resource, { [field]: name() })).id];
      expect(list((await event({ [field]: given(ids) }))[field]).map(({ id }) => id)).toEqual(ids);
    });
    it.each(['', [], 0])('are taken off by an update with %j', async (nothing) => {
      const { id } = await event({ [field]: { [field]: name() } });
      expect((await server.change('events', id, { [field]: nothing }))[field]).toEqual([]);
    });
    it('are made with the event', async () => {
      const label = name();
      const made = await event({ [field]: { [field]: label, description: 'Words', phone: '555' } });
      const [linked] = list(made[field]);
      expect(linked).toMatchObject({ [field]: label, description: '<p>Words</p>', phone: '555', status: 'publish', author: '1' });
      expect(await server.get(`/${resource}/${linked.id}`)).toMatchObject({ [field]: label });
    });
    it('made by a contributor wait', async () => {
      const made = await event({ [field]: { [field]: name() } }, 'contributor');
      expect(['draft', 'pending']).toContain(list(made[field])[0].status);
    });
    it('with an empty name cannot be made: could-not-create', async () => {
      const before = await total();
      const json = { title: 'x', ...when, [field]: { [field]: '' } };
      const failure = await server.ask(400, { method: 'POST', path: '/events', json, as: 'editor' });
      expect(failure.code).toBe(`could-not-create-${field}`);
      expect(await total()).toBe(before);
    });
    it.each([
      ['no name', () => ({ phone: '1' })],
      ['a bad status', () => ({ [field]: 'x', status: 'foo' })],
      ['a bad web address', () => ({ [field]: 'x', website: 'foo' })],
      ['a text of a wrong type', () => ({ [field]: 'x', phone: ['1'] })],
    ])('with %s are refused, and nothing is made', async (_name, input) => {
      const before = await total();
      const failure = await server.ask(400, {
        method: 'POST',
        path: '/events',
        json: { title: 'x', ...when, [field]: input() },
        as: 'editor',
      });
      expect(Object.keys(failure.data.params)).toEqual([field]);
      expect(await total()).toBe(before);
    });

    it('with the same name are one, ignoring case', async () => {
      const label = name();
      const first = await server.make(resource, { [field]: label, phone: '1' });
      const again = await server.make(resource, { [field]: label.toUpperCase(), phone: '2' });
      expect([again.id, again.phone, again[field]]).toEqual([first.id, '2', label]);
      expect(list((await event({ [field]: { [field]: label, website: 'https://example.org' } }))[field])[0]).toMatchObject({
        id: first.id,
        phone: '2',
        website: 'https://example.org',
      });
    });
    it('of the same name and another description are two', async () => {
      const label = name();
      const [plain, words, others] = [
        await server.make(resource, { [field]: label }),
        await server.make(resource, { [field]: label, description: 'Words' }),
        await server.make(resource, { [field]: label, description: 'WORDS' }),
      ];
      expect(words.id).not.toBe(plain.id);
      expect(others.id).toBe(words.id);
      expect(words.slug).toBe(`${plain.slug}-2`);
    });
    it('in the trash are not used again', async () => {
      const label = name();
      const first = await server.make(resource, { [field]: label });
      await server.drop(resource, first.id);
      expect((await server.make(resource, { [field]: label })).id).not.toBe(first.id);
    });
    it('take the name of another by an update', async () => {
      const [a, b] = [await server.make(resource, { [field]: name() }), await server.make(resource, { [field]: name() })];
      expect(await server.change(resource, b.id, { [field]: a[field] })).toMatchObject({ id: b.id, slug: b.slug, [field]: a[field] });
    });
    it('that are deleted leave their events, and only they', async () => {
      const [a, b] = [await server.make(resource, { [field]: name() }), await server.make(resource, { [field]: name() })];
      const made = await event({ [field]: [a.id, b.id] });
      await server.drop(resource, a.id);
      expect(list((await server.get(`/events/${made.id}`))[field]).map(({ id }) => id)).toEqual([b.id]);
      await server.ask(400, { path: '/events', query: `${field}=999999` });
    });
    it('say which event they belong to', async () => {
      const made = await event({ [field]: { [field]: name() } });
      const [linked] = list(made[field]);
      expect((await server.get(`/${resource}`, `event=${made.id}`))[resource].map(({ id }: Json) => id)).toEqual([linked.id]);
    });
    it('have no keys without a value', async () => {
      const { id } = await server.make(resource, { [field]: name() });
      const record = await server.get(`/${resource}/${id}`);
      for (const [key, value] of Object.entries(record))
        if (!key.startsWith('show_map')) expect([key, Boolean(value)]).toEqual([key, true]);
      expect(record).not.toHaveProperty('rest_url');
      expect(record.json_ld['@type']).toBe(resource === 'venues' ? 'Place' : 'Person');
      expect((await server.get(`/${resource}`)).venues?.[0] ?? {}).not.toHaveProperty('json_ld');
    });
  });

  it.each([
    ['United States', 'MA', 'QC', 'MA'],
    ['', 'MA', 'QC', 'MA'],
    ['US', 'MA', '', 'MA'],
    ['Canada', 'MA', 'QC', 'QC'],
    ['Canada', 'MA', '', undefined],
    ['United States', '', 'Prov', 'Prov'],
    ['United States', undefined, 'Prov', 'Prov'],
    [undefined, undefined, 'Prov', 'Prov'],
  ])('a venue in %j with state %j and province %j is in %j', async (country, state, province, stateprovince) => {
    expect((await server.make('venues', { venue: `Place ${++count}`, country, state, province })).stateprovince).toBe(stateprovince);
  });
  it.each(['trash', 'draft', 'private'])('a venue and an organizer with status %s show to an editor, and to no visitor', async (status) => {
    const [venue, organizer] = [
      { venue: `Place ${++count}`, status },
      { organizer: `Folk ${++count}`, status },
    ];
    const made = await event({ venue, organizer });
    const whole = { venue: { ...venue, id: expect.any(Number) }, organizer: [{ ...organizer, id: expect.any(Number) }] };
    expect(made).toMatchObject(whole);
    expect(await server.get(`/events/${made.id}`, '', 'editor')).toMatchObject(whole);
    const [listed] = (await server.get('/events', `include=${made.id}`, 'editor')).events;
    expect(listed).toMatchObject(whole);
    expect(await server.get(`/events/${made.id}`)).toMatchObject({ venue: [], organizer: [] });
  });
  it.each([
    ['tags', (i: number) => `Tag ${i}`],
    ['categories', (i: number) => `Category ${i}`],
    ['venue', (i: number) => ({ venue: `Venue ${i}` })],
    ['organizer', (i: number) => ({ organizer: `Organizer ${i}` })],
  ] as const)('at most 500 %s are taken at once, and the failure says so', async (field, item) => {
    const failureOf = async (length: number, more: object = {}) => {
      const json = { title: 'Event', ...when, ...more, [field]: Array.from({ length }, (_, i) => item(i)) };
      return (await server.ask(400, { method: 'POST', path: '/events', json, as: 'editor' })).data.params;
    };
    expect(await failureOf(501)).toEqual({ [field]: 'must have at most 500 records, not 501' });
    expect(Object.keys(await failureOf(500, { end_date: 'never' }))).toEqual(['end_date']);
  });
  it('an event’s slug is its own', async () => {
    const titles = ['Same title', 'Same  Title!', 'Same title'];
    const slugs = [];
    for (const title of titles) slugs.push((await server.make('events', { title, ...when })).slug);
    expect(slugs).toEqual(['same-title', 'same-title-2', 'same-title-3']);
    expect((await server.make('venues', { venue: 'Same title' })).slug).toBe('same-title');
  });
  it('the first free number is taken, also past ten and among slugs that begin alike', async () => {
    const made = [];
    for (let i = 0; i < 12; i += 1) made.push(await server.make('events', { title: 'Choir', ...when }));
    expect(made.map(({ slug }) => slug)).toEqual(['choir', ...Array.from({ length: 11 }, (_, i) => `choir-${i + 2}`)]);
    for (const title of ['Choir 13th', 'Choir 1', 'Choir 14, extra']) await server.make('events', { title, ...when });
    expect((await server.make('events', { title: 'Choir', ...when })).slug).toBe('choir-13');
    await server.change('events', made[10]!.id, { slug: 'elsewhere' });
    expect((await server.make('events', { title: 'Choir', ...when })).slug).toBe('choir-11');
    expect((await server.make('events', { title: 'Choir', ...when })).slug).toBe('choir-14');
  });
  it('coordinates stand only in pairs', async () => {
    expect(await server.make('venues', { venue: `Place ${++count}`, geo_lat: 5 })).not.toHaveProperty('geo_lat');
  });
  it.each([
    ['only_with_upcoming', 'false', true],
    ['only_with_upcoming', 'true', false],
    ['has_events', 'true', true],
    ['has_events', 'false', false],
  ])('a venue with a past event: %s=%s', async (parameter, value, shown) => {
    const { venue } = await event({ venue: { venue: `Past ${++count}` }, start_date: '2020-01-01', end_date: '2020-01-01' });
    expect((await server.names('venues', `${parameter}=${value}&per_page=50`)).includes(venue.venue)).toBe(shown);
  });
  it.each([
    ['draft', false, true],
    ['private', false, true],
    ['publish', true, true],
  ])('a venue whose event to come is %s is upcoming to a visitor: %s, to an editor: %s', async (status, visitor, editor) => {
    const { venue } = await event({ venue: { venue: `To come ${++count}` }, status });
    const shown = async (as?: string) => (await server.names('venues', 'only_with_upcoming=1&per_page=50', as)).includes(venue.venue);
    expect([await shown(), await shown('editor')]).toEqual([visitor, editor]);
  });
});
