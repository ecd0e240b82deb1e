import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Failure } from '../../src/model/error.ts';
import { type DeclaredType, declaredTypes } from '../../src/model/fields/declared.ts';
import { resourceNames } from '../../src/model/resources/names.ts';
import type { ControlledCalendar } from '../../src/testing/calendar.ts';
import { createCalendar } from '../../src/testing/create.ts';

type Json = Record<string, unknown>;

const fields = {
  events: {
    age_group: { type: 'string', filter: true, about: 'Ages' },
    seats: { type: 'integer', filter: true },
    rating: { type: 'number', filter: true },
    kids: { type: 'boolean', filter: true },
    signup: { type: 'date', filter: true },
    form: { type: 'url', filter: true },
    memo: { type: 'string' },
  },
  venues: { rooms: { type: 'integer' } },
  organizers: { rooms: { type: 'integer' } },
  categories: { color: { type: 'string', filter: true } },
  tags: { color: { type: 'string', filter: true } },
} as const;

const when = { start_date: '2027-03-05 10:00', end_date: '2027-03-05 11:00' };
const seed = {
  fields,
  venues: { hall: { venue: 'Hall', rooms: 3 } },
  tags: { red: { name: 'Red', color: 'red' }, blue: { name: 'Blue', color: 'blue' } },
  events: {
    a: {
      title: 'A',
      ...when,
      age_group: '6-10',
      seats: 5,
      rating: 1.5,
      kids: true,
      signup: '2027-02-01 12:00',
      form: 'https://a.example/f',
      venue: '@hall',
    },
    b: { title: 'B', ...when, age_group: 'Ünder 6', seats: 20, rating: -2, signup: '2027-02-03', memo: 'x' },
    c: { title: 'C', ...when },
  },
};

let calendar: ControlledCalendar;
beforeAll(async () => {
  calendar = await createCalendar({ seed: seed as never, now: '2027-03-01T09:00Z', control: true });
});
afterAll(() => calendar.close());

const json = async (path: string, init?: RequestInit): Promise<Json> => (await calendar.fetch(path, init)).json() as Promise<Json>;
const titles = async (query: string) => ((await json(`events?${query}`)).events as Json[]).map(({ title }) => title).join('');

describe('a declared field', () => {
  it('is shown in lists, single records and linked records', async () => {
    const { events } = (await json('events')) as { events: Json[] };
    expect(events[0]).toMatchObject({ age_group: '6-10', seats: 5, rating: 1.5, kids: true, signup: '2027-02-01 12:00:00', memo: '' });
    expect(events[0]!.venue).toMatchObject({ rooms: 3 });
    expect(events[2]).toMatchObject({ age_group: '', seats: null, rating: null, kids: false, signup: null, form: '' });
    expect(await json('tags?slug=red&hide_empty=0')).toMatchObject({ tags: [{ color: 'red' }] });
  });

  it.each([
    ['age_group=6-10', 'A'],
    ['age_group=6-10,under 6', 'AB'],
    ['seats=5,20', 'AB'],
    ['seats_min=6', 'B'],
    ['seats_min=5&seats_max=5', 'A'],
    ['rating_max=0', 'B'],
    ['rating_min=1.4', 'A'],
    ['kids=1', 'A'],
    ['kids=false', 'BC'],
    ['signup_max=2027-02-01', 'A'],
    ['signup_min=2027-02-02', 'B'],
    ['signup=2027-02-03', 'B'],
    ['form=https://a.example/f', 'A'],
  ])('filters lists by %s', async (query, found) => {
    expect(await titles(query)).toBe(found);
  });

  it.each([
    [{ seats: 'many' }, 'must be a whole number, not "many"'],
    [{ rating: 'good' }, 'must be a number, not "good"'],
    [{ signup: 'someday' }, '"someday" is not a valid date'],
    [{ form: 'nowhere' }, 'must be an absolute URL'],
    [{ age_group: 6 }, 'must be text'],
    [{ kids: 'maybe' }, 'must be true or false, not "maybe"'],
  ])('is validated: %j', async (input, reason) => {
    const body = JSON.stringify({ title: 'X', ...when, ...input });
    const answer = await json('events', { method: 'POST', body, headers: { 'Content-Type': 'application/json' } });
    expect(answer).toMatchObject({ code: 'rest_invalid_param', data: { params: { [Object.keys(input)[0]!]: reason } } });
  });

  it.each([['seats_min=x'], ['signup_max=someday'], ['kids=maybe'], ['age_group=']])('rejects the parameter %s', async (query) => {
    expect(await json(`events?${query}`)).toMatchObject({ code: 'rest_invalid_param' });
  });

  it('keeps its value in updates without it, and null and empty text clear it', async () => {
    const { id } = await calendar.events.create({ title: 'D', ...when, seats: 7, age_group: 'all' } as never);
    expect(await calendar.events.update(id, { title: 'E' })).toMatchObject({ seats: 7, age_group: 'all' });
    expect(await calendar.events.update(id, { seats: null, age_group: '' } as never)).toMatchObject({ seats: null, age_group: '' });
    await calendar.events.delete(id);
  });

  it('is part of the documents', async () => {
    const openApi = (await json('openapi.json')) as { paths: Json; components: { schemas: Record<string, { properties: Json }> } };
    expect(openApi.components.schemas.NewEvent!.properties).toMatchObject({ age_group: { description: 'Ages.' } });
    expect(openApi.components.schemas.Event!.properties).toHaveProperty('seats');
    expect(JSON.stringify(openApi.paths['/events'])).toContain('"seats_max"');
    expect(JSON.stringify(openApi.paths['/events'])).not.toContain('"memo"');
    const reference = (await json('doc')) as { components: { schemas: Record<string, { properties: Json }> } };
    expect(reference.components.schemas.Event!.properties).toHaveProperty('age_group');
    expect(reference.components.schemas.Term!.properties).toHaveProperty('color');
  });

  it('gets no hint, and an undeclared member gets one', async () => {
    const body = JSON.stringify({ title: 'X', ...when, age_group: '1', agegroup: '2' });
    const response = await calendar.fetch('events', { method: 'POST', body, headers: { 'Content-Type': 'application/json' } });
    expect(response.headers.get('x-calendar-hint')).toBe('Ignored unknown field agegroup. Did you mean age_group?');
    await calendar.events.delete(((await response.json()) as { id: number }).id);
  });

  it('is hidden by a password, and visitors find no protected record by it', async () => {
    await calendar.users.add({ name: 'ada', role: 'editor', password: 'lovelace' });
    const { id } = await calendar.events.create({ title: 'P', ...when, age_group: 'secret', post_password: 'pw' } as never);
    expect(await titles('age_group=secret')).toBe('');
    expect(((await json(`events?include=${id}`)).events as Json[])[0]).toMatchObject({ age_group: '', seats: null });
    expect(await json(`events/${id}?password=pw`)).toMatchObject({ age_group: 'secret' });
    await calendar.events.delete(id);
    await calendar.users.remove('ada');
  });

  it.each(['json', 'ndjson'] as const)('is in exports as %s, which declare it elsewhere', async (format) => {
    const text = await calendar.data.export({ format });
    await using copy = await createCalendar({ control: true });
    await copy.data.import({ text: text as string, format });
    expect(await copy.fields.list()).toEqual(await calendar.fields.list());
    expect((await copy.events.get('a')) as Json).toMatchObject({ age_group: '6-10', seats: 5, kids: true, signup: '2027-02-01 12:00:00' });
  });

  it('is a column of CSV', async () => {
    const text = String(await calendar.data.export({ format: 'csv', fields: ['title', 'age_group', 'seats', 'kids', 'signup'] } as never));
    expect(text).toContain('A,6-10,5,true,2027-02-01 12:00:00');
    const back = await calendar.data.import({ text: 'title,start_date,end_date,seats\nImported,2027-03-05,2027-03-05,9\n', format: 'csv' });
    expect(back.created).toBe(1);
    expect(await titles('seats=9')).toBe('Imported');
  });

  it('survives a reset, a snapshot and a world', async () => {
    await calendar.reset();
    expect(await titles('seats_min=1')).toBe('AB');
    await using world = await calendar.worlds.create({ name: 'other' });
    await world.fields.remove('events.seats');
    expect(Object.keys((await world.fields.list()).events!)).not.toContain('seats');
    expect((await world.events.get('a')) as Json).not.toHaveProperty('seats');
    expect((await calendar.events.get('a')) as Json).toHaveProperty('seats', 5);
    await calendar.snapshots.save('before');
    await calendar.fields.remove('events.age_group');
    expect((await calendar.events.get('a')) as Json).not.toHaveProperty('age_group');
    await calendar.snapshots.restore('before');
    expect((await calendar.events.get('a')) as Json).toHaveProperty('age_group', '6-10');
  });
});

describe('a declaration', () => {
  it.each([
    ['title', /have a field of this name/],
    ['url', /have a field of this name/],
    ['per_page', /have the parameter per_page/],
    ['_fields', /names consist of/],
    ['Ages', /names consist of/],
    ['context', /have the parameter context/],
    ['uid', /reserved/],
    ['count', /reserved/],
    ['help', /reserved/],
    ['seats_min', /have the parameter seats_min/],
  ])('of %s is rejected', async (name, reason) => {
    await expect(calendar.fields.add({ resource: 'events', name, type: 'string' })).rejects.toThrow(reason);
  });

  it('is rejected if it contradicts an earlier one', async () => {
    await expect(calendar.fields.add({ resource: 'events', name: 'seats', type: 'string' })).rejects.toMatchObject({
      code: 'conflict',
    } as Partial<Failure>);
    await calendar.fields.add({ resource: 'events', name: 'seats', type: 'integer', filter: true, about: 'Other words' });
  });

  it.each(
    declaredTypes.flatMap((type) => resourceNames.map((resource): [DeclaredType, (typeof resourceNames)[number]] => [type, resource])),
  )('of a %s works for %s', async (type, resource) => {
    await using empty = await createCalendar({ control: true });
    await empty.fields.add({ resource, name: 'more', type, filter: true });
    const value = { string: 'x', integer: 3, number: 2.5, boolean: true, date: '2027-01-01 10:00:00', url: 'https://x.example/' }[type];
    const required = {
      events: { title: 'T', ...when },
      venues: { venue: 'T' },
      organizers: { organizer: 'T' },
      categories: { name: 'T' },
      tags: { name: 'T' },
    };
    const entry = (await empty[resource].create({ ...required[resource], more: value } as never)) as Json;
    expect(entry.more).toEqual(value);
    const listed = (await (
      await empty.fetch(`${resource}?more=${encodeURIComponent(String(value))}&hide_empty=0&start_date=2000-01-01`)
    ).json()) as Json;
    expect((listed[resource] as Json[])[0]).toMatchObject({ more: value });
    // Created again from its own response.
    expect(((await empty[resource].update(entry.id as number, entry as never)) as Json).more).toEqual(value);
  });
});
