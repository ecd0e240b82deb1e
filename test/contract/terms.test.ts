import { describe, expect, it } from 'vitest';
import { contract, type Json } from '../support/contract-server.ts';

const when = { start_date: '2027-03-01 10:00', end_date: '2027-03-01 12:00' };

contract('terms', {}, (server) => {
  let count = 0;
  const term = (resource: string, more: object = {}): Promise<Json> => server.make(resource, { name: `Term ${++count}`, ...more });
  const event = (more: object): Promise<Json> => server.make('events', { title: `Event ${++count}`, ...when, ...more });
  const read = (resource: string, { id }: Json) => server.get(`/${resource}/${id}`);

  describe.each(['categories', 'tags'])('%s', (resource) => {
    it('count their published events', async () => {
      const made = await term(resource);
      const counted = async () => (await read(resource, made)).count;
      const one = await event({ [resource]: [made.id] });
      const two = await event({ [resource]: [made.id] });
      expect(await counted()).toBe(2);
      const draft = await event({ [resource]: [made.id], status: 'draft' });
      expect(await counted()).toBe(2);
      await server.change('events', draft.id, { status: 'publish' });
      expect(await counted()).toBe(3);
      await server.change('events', draft.id, { status: 'private' });
      await server.change('events', one.id, { [resource]: [] });
      expect(await counted()).toBe(1);
      await server.drop('events', two.id);
      expect(await counted()).toBe(0);
      expect(await server.names(resource, `include=${made.id}`)).toEqual([]);
      expect(await server.names(resource, `include=${made.id}&hide_empty=0`)).toEqual([made.name]);
    });
    it('are found or made by an event', async () => {
      const known = await term(resource);
      const fresh = `Fresh ${++count}`;
      const made = await event({ [resource]: [known.id, fresh, known.slug, known.name.toUpperCase(), 999999, fresh.toLowerCase()] });
      expect(made[resource].map(({ name }: Json) => name)).toEqual([fresh, known.name]);
      expect((await event({ [resource]: `${known.name}, ${fresh}` }))[resource].map(({ id }: Json) => id)).toEqual(
        made[resource].map(({ id }: Json) => id),
      );
    });
    it('have a name once', async () => {
      const made = await term(resource);
      for (const name of [made.name, made.name.toUpperCase()]) {
        const failure = await server.ask(400, { method: 'POST', path: `/${resource}`, json: { name }, as: 'editor' });
        expect(failure).toMatchObject({ code: 'term_exists', data: { status: 400 } });
      }
    });
    it('are not found by a signed number, although slugs have no signs', async ({ skip }) => {
      skip(resource !== 'categories', 'tags have no parents');
      const slug = String(1e8 + ++count);
      await term(resource, { slug });
      for (const parent of [`-${slug}`, `+${slug}`, ` -${slug} `, '-1'])
        await server.ask(400, {
          method: 'POST',
          path: `/${resource}`,
          form: new URLSearchParams({ name: `Below ${parent}`, parent }).toString(),
          as: 'editor',
        });
      expect((await server.make(resource, { name: `Below ${slug}`, parent: slug })).parent).toBeGreaterThan(0);
    });
    it('have slugs of their own', async () => {
      const made = await term(resource, { slug: `taken ${++count}` });
      expect((await term(resource, { slug: made.slug })).slug).toBe(`${made.slug}-2`);
    });
    it.each([
      // As of events: a slug that comes to nothing is made of the name.
      ['Nothing left', '...', 'nothing-left'],
      ['Blank', '  ', 'blank'],
      ['!!!', '...', String],
    ])('called %j with the slug %j have one of their name', async (name, slug, expected) => {
      const called = `${name}${name === '!!!' ? '' : ` ${++count}`}`;
      const wanted = typeof expected === 'function' ? undefined : `${expected}-${count}`;
      const made = await term(resource, { name: called, slug });
      expect(made.slug).toBe(wanted ?? String(made.id));
      const other = await term(resource);
      const changed = await server.change(resource, other.id, { slug }, 'editor');
      expect(changed.slug).toBe(other.slug);
    });
    it.each([[' '], ['<b></b>'], ['\t\n']])('are not called %j', async (name) => {
      const failures = [
        await server.ask(400, { method: 'POST', path: `/${resource}`, json: { name }, as: 'editor' }),
        await server.ask(400, { method: 'PUT', path: `/${resource}/${(await term(resource)).id}`, json: { name }, as: 'editor' }),
      ];
      for (const { code, data } of failures) expect([code, Object.keys(data.params)]).toEqual(['rest_invalid_param', ['name']]);
    });
    it('are found by their slug however it is written', async () => {
      const written = `Written ${++count}`;
      const made = await term(resource, { slug: written });
      for (const slug of [made.slug, made.slug.toUpperCase(), written])
        expect(await server.names(resource, `hide_empty=0&slug=${encodeURIComponent(slug)}`)).toEqual([made.name]);
      expect(await server.names(resource, `hide_empty=0&slug=${made.slug},other`)).toEqual([]);
    });
    it('are deleted for good', async () => {
      const made = await term(resource);
      const of = await event({ [resource]: [made.id] });
      expect(await server.drop(resource, made.id)).toMatchObject({ id: made.id, name: made.name, count: 1 });
      await server.ask(400, { method: 'DELETE', path: `/${resource}/${made.id}`, as: 'editor' });
      await server.ask(400, { path: `/${resource}/${made.id}` });
      expect((await server.get(`/events/${of.id}`))[resource]).toEqual([]);
      await server.ask(400, { path: '/events', query: `${resource}=${made.id}` });
    });
    it('show in two forms', async () => {
      const made = await term(resource, { description: 'Words' });
      const alone = await read(resource, made);
      expect(Object.keys(alone)).toEqual([
        'id',
        'count',
        'description',
        'name',
        'slug',
        'taxonomy',
        ...(resource === 'categories' ? ['parent'] : []),
        'meta',
        'url',
        'urls',
        '_links',
      ]);
      expect(alone.meta).toEqual([]);
      const [embedded] = (await event({ [resource]: [made.id] }))[resource];
      expect(embedded).toMatchObject({
        name: made.name,
        slug: made.slug,
        term_group: 0,
        term_taxonomy_id: made.id,
        description: 'Words',
        parent: 0,
        count: 1,
        filter: 'raw',
        id: made.id,
        urls: { self: alone.urls.self },
      });
      const [listed] = (await server.get(`/${resource}`, `include=${made.id}`))[resource];
      expect(listed).not.toHaveProperty('_links');
    });
  });

  describe('a tree of categories', () => {
    const tree = async () => {
      const top = await term('categories');
      const middle = await term('categories', { parent: top.id });
      const leaf = await term('categories', { parent: middle.id });
      return { top, middle, leaf };
    };
    const parentOf = async (found: Json) => (await read('categories', found)).parent;

    it('leads from the top', async () => {
      const { top, middle, leaf } = await tree();
      expect(leaf.url).toMatch(new RegExp(`/events/category/${top.slug}/${middle.slug}/${leaf.slug}/$`));
      expect(leaf.urls.up).toMatch(new RegExp(`/categories/${middle.id}$`));
      expect(leaf._links.up).toEqual([{ href: leaf.urls.up }]);
      expect(top.urls).not.toHaveProperty('up');
      expect(await server.names('categories', `parent=${top.id}&hide_empty=0`)).toEqual([middle.name]);
    });
    it('closes when one is deleted', async () => {
      const { top, middle, leaf } = await tree();
      await server.drop('categories', middle.id);
      expect(await parentOf(leaf)).toBe(top.id);
      await server.drop('categories', top.id);
      expect(await parentOf(leaf)).toBe(0);
    });
    it.each(['top', 'middle', 'leaf'] as const)('has no circle: the top goes under its own %s', async (place) => {
      const found = await tree();
      const changed = await server.change('categories', found.top.id, { parent: found[place].id });
      expect(changed.parent).toBe(0);
      expect(await parentOf(found.middle)).toBe(found.top.id);
      await server.get('/categories', 'hide_empty=0&per_page=50');
      expect((await event({ categories: [found.leaf.id] })).categories[0].parent).toBe(found.middle.id);
    });
    it('has a name once under one parent', async () => {
      const { top, middle, leaf } = await tree();
      const again = await server.make('categories', { name: leaf.name, parent: top.id });
      expect(again.slug).not.toBe(leaf.slug);
      expect(
        (await server.ask(400, { method: 'POST', path: '/categories', json: { name: leaf.name, parent: middle.id }, as: 'editor' })).code,
      ).toBe('term_exists');
    });
    it('lists events of descendants', async () => {
      const { top, middle, leaf } = await tree();
      const { title } = await event({ categories: [leaf.id] });
      for (const { slug, id } of [top, middle, leaf])
        for (const value of [slug, id]) expect(await server.names('events', `categories=${value}`)).toEqual([title]);
    });
    it('takes a parent by digits that are a slug', async () => {
      const year = await server.make('categories', { name: '2099' });
      const under = await term('categories', { parent: '2099' });
      expect(under.parent).toBe(year.id);
      expect(await server.names('categories', 'parent=2099&hide_empty=0')).toEqual([under.name]);
    });
  });

  it.each(['name', 'slug', 'description'])('an update to an empty %s is refused', async (field) => {
    const { id } = await term('tags');
    await server.ask(400, { method: 'PATCH', path: `/tags/${id}`, json: { [field]: '' }, as: 'editor' });
  });
  it('a tag goes under no other', async () => {
    const { id } = await term('tags');
    for (const [method, path] of [
      ['POST', '/tags'],
      ['PUT', `/tags/${id}`],
    ])
      expect((await server.ask(400, { method, path, json: { name: 'Under', parent: id }, as: 'editor' })).code).toBe(
        'rest_taxonomy_not_hierarchical',
      );
  });
});
