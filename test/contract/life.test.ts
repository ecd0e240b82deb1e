import { describe, expect, it } from 'vitest';
import { contract, type Json } from '../support/contract-server.ts';

const rest = { events: { start_date: '2027-03-01 10:00', end_date: '2027-03-01 12:00' }, venues: {}, organizers: {} };
const kinds = [
  ['events', 'title', 'event'],
  ['venues', 'venue', 'venue'],
  ['organizers', 'organizer', 'organizer'],
] as const;

contract('the trash', {}, (server) => {
  let count = 0;
  describe.each(kinds)('of %s', (resource, label, kind) => {
    const make = (more: object = {}): Promise<Json> => server.make(resource, { ...rest[resource], [label]: `Record ${++count}`, ...more });
    it('takes a record and its address', async () => {
      const made = await make();
      const gone = await server.drop(resource, made.id);
      expect(gone).toMatchObject({ id: made.id, status: 'trash', slug: `${made.slug}__trashed` });
      expect(gone.url).toMatch(new RegExp(`/\\?post_type=calendar_${kind === 'event' ? 'events' : kind}&p=${made.id}$`));
      expect(gone).not.toHaveProperty('json_ld');
      expect((await server.ask(410, { method: 'DELETE', path: `/${resource}/${made.id}`, as: 'editor' })).code).toBe(`${kind}-is-in-trash`);
      await server.ask(400, { path: `/${resource}/by-slug/${made.slug}`, as: 'editor' });
      await server.ask(400, { method: 'DELETE', path: `/${resource}/by-slug/${made.slug}`, as: 'editor' });
      expect(await server.names(resource, 'per_page=50', 'editor')).not.toContain(made[label]);
      expect(await server.names(resource, 'per_page=50&status=trash', 'editor')).toContain(made[label]);
    });
    it('is entered by slug too, and force changes nothing', async () => {
      const made = await make();
      await server.ask(200, { method: 'DELETE', path: `/${resource}/by-slug/${made.slug}`, query: 'force=true', as: 'editor' });
      await server.ask(410, { method: 'DELETE', path: `/${resource}/${made.id}`, as: 'editor' });
    });
    it('leaves the slug to others', async () => {
      const made = await make();
      await server.drop(resource, made.id);
      expect((await server.make(resource, { ...rest[resource], [label]: made[label] })).slug).toBe(made.slug);
    });
    it('restores it as published, or keeps its status', async () => {
      const made = await make();
      await server.drop(resource, made.id);
      expect((await server.change(resource, made.id, { description: 'Still there' })).status).toBe('trash');
      expect(await server.change(resource, made.id, { status: 'publish' })).toMatchObject({ status: 'publish', slug: made.slug });
      await server.get(`/${resource}/${made.id}`);
    });
    it('counts IDs on', async () => {
      const made = await make();
      await server.drop(resource, made.id);
      expect((await make()).id).toBeGreaterThan(made.id);
    });
  });
});

contract('an empty password', { oddRequests: true }, (server) => {
  // Only the routes of events by ID have a parameter of this name.
  it.each([
    ['venues', { venue: 'Locked' }, 200],
    ['organizers', { organizer: 'Locked' }, 200],
    ['events', { title: 'Locked', start_date: '2027-03-01', end_date: '2027-03-01' }, 400],
  ] as const)('is wrong for events by ID, and nothing elsewhere: %s', async (resource, input, status) => {
    const { id, slug } = await server.make(resource, { ...input, post_password: 'open sesame' });
    for (const query of ['password=', 'password[]=open%20sesame']) {
      await server.ask(status, { path: `/${resource}/${id}`, query });
      await server.ask(resource === 'events' ? 403 : 200, { path: `/${resource}/by-slug/${slug}`, query });
    }
  });
});

contract('records with a password', {}, (server) => {
  let count = 0;
  const make = (resource: 'events' | 'venues' | 'organizers', label: string, more: object = {}): Promise<Json> =>
    server.make(resource, {
      ...rest[resource],
      [label]: `Locked ${++count}`,
      description: 'Secret words',
      website: 'https://example.org',
      post_password: 'open sesame',
      ...more,
    });

  it.each([
    ['', 403],
    ['password=wrong', 403],
    ['password=open%20sesame', 200],
    ['password=OPEN%20SESAME', 403],
    ['password=', 400],
    ['password[]=open%20sesame', 400],
  ])('an event ?%s: %i', async (query, status) => {
    const { id, slug } = await make('events', 'title');
    const found = await server.ask(status, { path: `/events/${id}`, query });
    if (status === 200) expect(found.description).toBe('<p>Secret words</p>');
    else expect(JSON.stringify(found)).not.toContain('Secret');
    await server.ask(403, { path: `/events/by-slug/${slug}` });
  });
  it('an event in a list is blank', async () => {
    const made = await make('events', 'title', {
      cost: '5',
      tags: ['Hidden'],
      categories: ['Hidden'],
      venue: { venue: 'Hidden hall' },
      organizer: { organizer: 'Hidden Ada' },
      image: 'https://example.org/a.jpg',
      featured: true,
    });
    const [listed] = (await server.get('/events', `include=${made.id}`)).events;
    expect(listed).toMatchObject({
      title: made.title,
      description: '',
      excerpt: '',
      image: false,
      all_day: null,
      cost: '',
      website: '',
      show_map: null,
      show_map_link: null,
      hide_from_listings: null,
      sticky: null,
      featured: null,
      categories: [],
      tags: [],
      venue: [],
      organizer: [],
      cost_details: { values: [] },
      start_date: made.start_date,
    });
    expect(Object.keys(listed)).toEqual(Object.keys(made));
  });
  it.each(kinds.slice(1))('one of %s is blank', async (resource, label) => {
    const made = await make(resource, label, { phone: '555' });
    const found = await server.get(`/${resource}/${made.id}`);
    expect(found).toMatchObject({ id: made.id, description: '', website: '', phone: '', [label]: [] });
    expect(found).not.toHaveProperty('json_ld');
    expect(JSON.stringify(await server.get(`/${resource}`))).not.toContain('Secret words');
    expect((await server.get(`/${resource}/${made.id}`, 'password=open%20sesame')).description).toBe('<p>Secret words</p>');
  });
  it.each(kinds)('one of %s is complete for its editor, and no response contains the password', async (resource, label) => {
    const made = await make(resource, label);
    expect(made.description).toBe('<p>Secret words</p>');
    const changed = await server.change(resource, made.id, { description: 'Other words' });
    expect(changed.description).toBe('<p>Other words</p>');
    expect((await server.get(`/${resource}/${made.id}`, 'context=edit', 'editor')).description).toBe('<p>Other words</p>');
    for (const record of [made, changed, await server.get(`/${resource}`, 'context=edit', 'editor')])
      expect(JSON.stringify(record)).not.toContain('sesame');
    await server.change(resource, made.id, { post_password: '' });
    expect((await server.get(`/${resource}/${made.id}`)).description).toBe('<p>Other words</p>');
  });
  it('context=edit opens nothing to a visitor', async () => {
    const { id } = await make('events', 'title');
    await server.ask(403, { path: `/events/${id}`, query: 'context=edit' });
  });
});
