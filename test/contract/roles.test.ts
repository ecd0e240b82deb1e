import { beforeAll, describe, expect, it } from 'vitest';
import { contract, type Json, users } from '../support/contract-server.ts';

const posts = ['events', 'venues', 'organizers'] as const;
const label = { events: 'title', venues: 'venue', organizers: 'organizer', categories: 'name', tags: 'name' };
const rest = {
  events: { start_date: '2027-03-01 10:00', end_date: '2027-03-01 12:00' },
  venues: {},
  organizers: {},
  categories: {},
  tags: {},
};
type Name = keyof typeof label;

/** Statuses of answers: create, then update and delete of the own draft, the own published record, another's draft, another's published one. */
const writes: [role: string, create: number, ownDraft: number, ownPublished: number, othersDraft: number, othersPublished: number][] = [
  ['administrator', 201, 200, 200, 200, 200],
  ['editor', 201, 200, 200, 200, 200],
  ['author', 201, 200, 200, 403, 403],
  ['contributor', 201, 200, 403, 403, 403],
  ['subscriber', 403, 403, 403, 403, 403],
  ['anonymous', 401, 401, 401, 401, 401],
];
/** Statuses of answers to writes of terms: create a category, create a tag, update or delete either. */
const termWrites: [role: string, category: number, tag: number, change: number][] = [
  ['administrator', 201, 201, 200],
  ['editor', 201, 201, 200],
  ['author', 201, 403, 403],
  ['contributor', 403, 403, 403],
  ['subscriber', 403, 403, 403],
  ['anonymous', 401, 401, 401],
];
const every = ['publish', 'draft', 'pending', 'private', 'future'] as const;
/** The status stored when a role sends one. */
const asked: [role: string, stored: Record<(typeof every)[number] | 'none', string>][] = [
  ['administrator', { none: 'publish', publish: 'publish', draft: 'draft', pending: 'pending', private: 'private', future: 'future' }],
  ['author', { none: 'publish', publish: 'publish', draft: 'draft', pending: 'pending', private: 'private', future: 'future' }],
  ['contributor', { none: 'draft', publish: 'pending', draft: 'draft', pending: 'pending', private: 'private', future: 'pending' }],
];

contract('roles', {}, (server) => {
  let count = 0;
  const input = (resource: Name, more: object = {}) => ({ ...rest[resource], [label[resource]]: `Record ${++count}`, ...more });
  const userOf = (role: string) => (role === 'anonymous' ? undefined : role);
  const idOf = (role: string) => users.find((user) => user.name === role)?.id ?? 1;
  const refused = (status: number, failure: Json) => {
    if (status >= 400) expect(failure).toEqual({ code: 'rest_forbidden', message: expect.any(String), data: { status } });
  };

  describe.each(posts)('%s', (resource) => {
    it.each(writes)('%s creates: %i', async (role, status) => {
      refused(status, await server.ask(status, { method: 'POST', path: `/${resource}`, json: input(resource), as: userOf(role) }));
    });

    const targets = writes.flatMap(([role, , ...statuses]) =>
      (['own draft', 'own publish', 'other draft', 'other publish'] as const).map(
        (target, index) => [role, target, statuses[index]!] as const,
      ),
    );
    it.each(targets)('%s changes and deletes %s: %i', async (role, target, status) => {
      const [whose, stored] = target.split(' ');
      const author = whose === 'own' ? idOf(role) : 6;
      if (whose === 'own' && role === 'anonymous') return;
      const made = await server.make(resource, input(resource, { author, status: stored }));
      expect(made).toMatchObject({ author: String(author), status: stored });
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const reply = await server.ask(status, {
          method,
          path: `/${resource}/${made.id}`,
          json: method === 'DELETE' ? undefined : { description: method },
          as: userOf(role),
        });
        refused(status, reply);
      }
      const after = await server.send({ path: `/${resource}/${made.id}`, query: 'context=edit', as: 'administrator' });
      if (status === 200)
        expect(JSON.parse(after.body)).toMatchObject(resource === 'events' ? { code: 'event-no-longer-available' } : { status: 'trash' });
      else expect(JSON.parse(after.body)).toMatchObject({ status: stored, id: made.id });
    });

    it.each(targets)('%s changes and deletes %s by slug: %i', async (role, target, status) => {
      const [whose, stored] = target.split(' ');
      if (whose === 'own' && role === 'anonymous') return;
      const name = `by-slug-${++count}`;
      const made = await server.make(resource, {
        ...input(resource, { author: whose === 'own' ? idOf(role) : 6, status: stored }),
        ...(resource === 'events' ? { slug: name } : { [label[resource]]: name }),
      });
      for (const method of ['PATCH', 'DELETE'])
        refused(
          status,
          await server.ask(status, {
            method,
            path: `/${resource}/by-slug/${made.slug}`,
            json: method === 'DELETE' ? undefined : { description: 'x' },
            as: userOf(role),
          }),
        );
    });

    it.each(asked)('what %s asks for is stored as allowed', async (role, stored) => {
      for (const [status, expected] of Object.entries(stored)) {
        const more = { ...(status === 'none' ? {} : { status }), ...(status === 'future' ? { date: '2027-01-01' } : {}) };
        expect([status, (await server.make(resource, input(resource, more), role)).status]).toEqual([status, expected]);
      }
    });
    it('a published date to come makes it future, and one that is past publishes it', async () => {
      expect((await server.make(resource, input(resource, { date: '2027-01-01' }))).status).toBe('future');
      expect((await server.make(resource, input(resource, { date: '2026-01-01', status: 'future' }))).status).toBe('publish');
    });

    it.each(['publish', 'draft', 'pending', 'private', 'future', 'trash'])(
      'a record that is %s is read by those who may',
      async (status) => {
        const more = { author: 3, ...(status === 'trash' ? {} : { status }), ...(status === 'future' ? { date: '2027-01-01' } : {}) };
        const made = await server.make(resource, input(resource, more));
        if (status === 'trash') await server.drop(resource, made.id);
        const may = (role: string) =>
          status === 'publish'
            ? true
            : status === 'trash' && resource === 'events'
              ? false
              : ['administrator', 'editor', 'author'].includes(role);
        for (const role of [...users.map(({ name }) => name), 'anonymous']) {
          const reply = await server.send({ path: `/${resource}/${made.id}`, as: userOf(role) });
          expect([role, reply.status]).toEqual([role, may(role) ? 200 : 403]);
          const code =
            status === 'trash' && resource === 'events' ? 'event-no-longer-available' : `${resource.slice(0, -1)}-not-accessible`;
          if (!may(role)) expect(JSON.parse(reply.body)).toMatchObject({ code, data: { status: 403 } });
        }
      },
    );

    it('lists show what each may see', async () => {
      const tag = `Visible ${++count}`;
      for (const status of every)
        await server.make(resource, {
          ...input(resource, { status, ...(status === 'future' ? { date: '2027-01-01' } : {}) }),
          [label[resource]]: `${tag} ${status}`,
        });
      const gone = await server.make(resource, { ...input(resource), [label[resource]]: `${tag} trash` });
      await server.drop(resource, gone.id);
      for (const role of [...users.map(({ name }) => name), 'anonymous']) {
        const names = await server.names(resource, `search=${encodeURIComponent(tag)}&per_page=50`, userOf(role));
        const seen = names.map((name) => name.split(' ')[2]).sort();
        expect([role, seen]).toEqual([role, ['subscriber', 'anonymous'].includes(role) ? ['publish'] : [...every].sort()]);
      }
      expect(await server.names(resource, `search=${encodeURIComponent(tag)}&status=trash`, 'editor')).toEqual([`${tag} trash`]);
    });
  });

  describe.each(['categories', 'tags'] as const)('%s', (resource) => {
    it.each(termWrites)('%s', async (role, category, tag, change) => {
      const create = resource === 'categories' ? category : tag;
      refused(create, await server.ask(create, { method: 'POST', path: `/${resource}`, json: input(resource), as: userOf(role) }));
      const { id } = await server.make(resource, input(resource));
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
        refused(
          change,
          await server.ask(change, {
            method,
            path: `/${resource}/${id}`,
            json: method === 'DELETE' ? undefined : { description: method },
            as: userOf(role),
          }),
        );
      await server.ask(change === 200 ? 400 : 200, { path: `/${resource}/${id}` });
    });
  });

  describe('the order in which a request is judged', () => {
    it.each([
      ['POST', '/nothing', {}, 404, 'rest_no_route'],
      ['POST', '/events', {}, 400, 'rest_missing_callback_param'],
      ['POST', '/events', { title: 'x', start_date: 'soon', end_date: 'later' }, 400, 'rest_invalid_param'],
      ['POST', '/events', { title: 'x', start_date: 'now', end_date: 'now' }, 401, 'rest_forbidden'],
      ['DELETE', '/venues/999999', undefined, 400, 'rest_invalid_param'],
      ['DELETE', '/organizers/999999', undefined, 400, 'rest_invalid_param'],
      ['DELETE', '/categories/999999', undefined, 400, 'rest_invalid_param'],
      ['DELETE', '/events/999999', undefined, 401, 'rest_forbidden'],
      ['PATCH', '/events/999999', { title: '' }, 400, 'rest_invalid_param'],
      ['PATCH', '/events/999999', { title: 'x' }, 401, 'rest_forbidden'],
    ])('a visitor’s %s %s %j: %i %s', async (method, path, json, status, code) => {
      expect((await server.ask(status, { method, path, json })).code).toBe(code);
    });
  });

  describe.each([
    ['venues', 'venue'],
    ['organizers', 'organizer'],
  ] as const)('%s of a name that another has', (resource, field) => {
    /** Makes one as itself, and within an event: the IDs of both. */
    const both = async (name: string, more: object, as: string): Promise<number[]> => {
      const alone = await server.make(resource, { [field]: name, ...more }, as);
      const within = await server.make('events', input('events', { [field]: { [field]: name, ...more } }), as);
      return [alone.id, [within[field]].flat()[0].id];
    };
    const stored = (id: number) => server.get(`/${resource}/${id}`, 'context=edit', 'administrator');

    it.each(['author', 'contributor'])('are that one, as it is, to %s', async (role) => {
      const name = `Shared ${++count}`;
      const { id } = await server.make(resource, { [field]: name, phone: '1', website: 'https://example.org/own' });
      const before = await stored(id);
      expect(await both(name, { phone: '2', website: 'https://example.org/taken', status: 'draft' }, role)).toEqual([id, id]);
      expect(await stored(id)).toEqual(before);
    });
    it.each([{ status: 'private' }, { status: 'draft' }, { post_password: 'letmein' }])(
      'are others where the first is not open: %j',
      async (closed) => {
        const name = `Closed ${++count}`;
        const { id } = await server.make(resource, { [field]: name, phone: '1', ...closed });
        const before = await stored(id);
        const [alone, within] = await both(name, { phone: '2' }, 'author');
        expect([alone === id, within]).toEqual([false, alone]);
        expect(await stored(id)).toEqual(before);
        expect(await stored(alone!)).toMatchObject({ author: '3', phone: '2' });
      },
    );
    it.each(['author', 'contributor'])('take new details from %s who made the first', async (role) => {
      const name = `Own ${++count}`;
      const made = await server.make(resource, { [field]: name, phone: '1' }, role);
      expect(await both(name, { phone: '2' }, role)).toEqual([made.id, made.id]);
      expect(await stored(made.id)).toMatchObject({ phone: '2' });
    });
    it('are published with an event in front by those alone who may change them', async () => {
      const { id } = await server.make(resource, { [field]: `Waiting ${++count}`, status: 'draft' });
      await server.make('events', input('events', { sticky: true, [field]: id }), 'author');
      expect((await stored(id)).status).toBe('draft');
      await server.make('events', input('events', { sticky: true, [field]: id }), 'editor');
      expect((await stored(id)).status).toBe('publish');
    });
  });

  it.each(posts)('%s: only editors name another as the author', async (resource) => {
    for (const role of ['author', 'contributor']) {
      refused(403, await server.ask(403, { method: 'POST', path: `/${resource}`, json: input(resource, { author: 1 }), as: role }));
      const made = await server.make(resource, input(resource, { author: idOf(role), status: 'draft' }), role);
      const path = `/${resource}/${made.id}`;
      refused(403, await server.ask(403, { method: 'PATCH', path, json: { author: 1 }, as: role }));
      await server.ask(200, { method: 'PATCH', path, json: { author: idOf(role), description: 'Words' }, as: role });
      expect(await server.get(path, 'context=edit', 'editor')).toMatchObject({ author: String(idOf(role)) });
      expect(await server.change(resource, made.id, { author: 6 }, 'editor')).toMatchObject({ author: '6' });
    }
    const inline = { venue: { venue: `Inline ${++count}`, author: 1 } };
    refused(403, await server.ask(403, { method: 'POST', path: '/events', json: input('events', inline), as: 'author' }));
  });

  it('only those who may add images add them by address', async () => {
    const image = 'https://example.org/a.jpg';
    await server.ask(400, { method: 'POST', path: '/events', json: input('events', { image }), as: 'contributor' });
    expect((await server.make('events', input('events', { image }), 'author')).image.url).toBe(image);
  });
  it.each([
    ['editor', '<p><script>x()</script><b>Bold</b></p>'],
    ['author', '<p><b>Bold</b></p>'],
    ['contributor', '<p><b>Bold</b></p>'],
  ])('HTML of %s', async (role, description) => {
    const made = await server.make('events', input('events', { description: '<script>x()</script><b>Bold</b>' }), role);
    expect(made.description.includes('<script>')).toBe(role === 'editor');
    if (role !== 'editor') expect(made.description).not.toContain('script');
    expect(made.description).toContain(description.includes('<b>') ? '<b>Bold</b>' : '');
  });

  it('linked records that the caller may not read are left out', async () => {
    const venue = await server.make('venues', input('venues', { status: 'draft' }));
    const organizer = await server.make('organizers', input('organizers', { status: 'private' }));
    const { id } = await server.make('events', input('events', { venue: venue.id, organizer: organizer.id }));
    expect(await server.get(`/events/${id}`)).toMatchObject({ venue: [], organizer: [] });
    expect(await server.get(`/events/${id}`, '', 'editor')).toMatchObject({ venue: { id: venue.id }, organizer: [{ id: organizer.id }] });
  });

  it.each([
    // PHP passes on nothing of them to a site.
    ['Basic !!!', 200, ''],
    ['Basic', 200, ''],
    [`Basic ${Buffer.from('unknown:password').toString('base64')}`, 401, 'invalid_username'],
    [`Basic ${Buffer.from('editor:wrong').toString('base64')}`, 401, 'incorrect_password'],
    [`basic ${Buffer.from('editor:password').toString('base64')}`, 200, ''],
  ])('%s: %i %s', async (authorization, status, code) => {
    const reply = await server.send({ path: '/events', headers: { authorization } });
    expect(reply.status).toBe(status);
    if (status === 401) expect([JSON.parse(reply.body).code, reply.headers['www-authenticate']]).toEqual([code, undefined]);
  });
});

contract('the owner’s token', { handler: { token: 'secret' } }, (server) => {
  it.each([
    ['Bearer secret', 201],
    ['bearer secret', 201],
    ['Bearer wrong', 401],
    ['Bearer', 401],
    ['Bearer ', 401],
  ])('%s: %i', async (authorization, status) => {
    await server.ask(status, { method: 'POST', path: '/tags', json: { name: `Tag ${Math.random()}` }, headers: { authorization } });
  });
});

contract('without users', { users: false }, (server) => {
  let id: number;
  beforeAll(async () => {
    id = (await server.make('events', { title: 'Draft', status: 'draft', start_date: '2027-03-01', end_date: '2027-03-01' })).id;
  });
  it('every caller may write everything', async () => {
    await server.make('venues', { venue: 'Hall', author: 77 });
    await server.make('tags', { name: 'Tag' });
    await server.change('events', id, { title: 'Changed', author: 12 });
    expect((await server.send({ path: `/events/${id}` })).headers.allow).toContain('DELETE');
  });
  it('every caller reads everything, and a list that names no status shows the published', async () => {
    expect((await server.get(`/events/${id}`)).status).toBe('draft');
    expect(await server.names('events')).toEqual([]);
    expect(await server.names('events', 'status=draft')).toEqual(['Changed']);
    expect((await server.get('/events')).rest_url).toContain('status=publish');
  });
  it('credentials are not looked at', () => server.ask(200, { path: '/events', headers: { authorization: 'Basic !!!' } }));
});
