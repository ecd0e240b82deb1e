import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addTexts, compareShapes, type JsonObject, membersOf, type Shape } from '../../../src/data/shape/shape.ts';

const shown = (records: JsonObject[], like?: ReturnType<typeof membersOf>) => {
  const texts = new Set<string>();
  addTexts(records, texts);
  return membersOf(records, { texts, like });
};
const shape = (records: JsonObject[], endpoint: Partial<Shape['endpoints'][string]> = {}): Shape => ({
  version: 1,
  sample: 20,
  views: { 'events.list': { records: records.length, members: shown(records) } },
  endpoints: { '/events': { errors: {}, ...endpoint } },
});
const times = (n: number, record: (i: number) => JsonObject) => Array.from({ length: n }, (_, i) => record(i));
const differences = (before: Shape, after: Shape) =>
  compareShapes(before, after)
    .filter(({ outcome }) => outcome === 'wrong')
    .map(({ name, about, reason }) => `${name}: ${about}: ${reason}`);

describe('names of members', () => {
  it.each<[string, (i: number) => JsonObject, string[]]>([
    ['keys with spaces', () => ({ extra: { 'Dress code': 'casual', b: 1 } }), ['extra', 'extra.*']],
    ['IDs', (i) => ({ seats: { [`${100 + i}`]: { free: i } } }), ['seats', 'seats.*', 'seats.*.free']],
    ['slugs of records', () => ({ slug: 'concert', counts: { concert: 3 } }), ['counts', 'counts.*', 'slug']],
    ['keys that few records have', (i) => ({ notes: { [`note${'abcde'[i]}`]: 1 } }), ['notes', 'notes.*']],
    [
      'sizes of images',
      () => ({ image: { id: 1, sizes: { medium: { width: 1 } } } }),
      ['image', 'image.id', 'image.sizes', 'image.sizes.*', 'image.sizes.*.width'],
    ],
    ['a member that is named like a record', () => ({ slug: 'jazz', jazz: true }), ['*', 'slug']],
    ['objects with the same keys', () => ({ series: { part: 1, of: 3 } }), ['series', 'series.of', 'series.part']],
    ['items', () => ({ tickets: [{ price: 1 }] }), ['tickets', 'tickets[]', 'tickets[].price']],
  ])('%s', (_what, record, paths) => expect(Object.keys(shown(times(5, record)))).toEqual(paths));
  it('of a rare object are not known to be structure', () => {
    expect(Object.keys(shown([{ a: { color: 'red' } }]))).toEqual(['a', 'a.*']);
    expect(Object.keys(shown([{ a: { color: 'red' } }], shown(times(3, () => ({ a: { color: 'red' } })))))).toEqual(['a', 'a.color']);
  });
  it('never depend on a prototype, and depth is limited', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(500)}1${'}'.repeat(500)}`);
    const paths = Object.keys(shown([JSON.parse('{"__proto__":{"x":1},"constructor":1}'), deep]));
    expect(paths).toContain('*');
    expect(paths.length).toBeLessThan(40);
  });
});

describe('values', () => {
  it.each<[string, unknown, object]>([
    ['status', 'publish', { values: ['publish'], formats: { text: 1 } }],
    ['status', 'Private: 2 seats', { values: undefined }],
    ['timezone', 'Europe/Paris', { values: ['Europe/Paris'] }],
    ['timezone', 'Room 12', { values: undefined }],
    ['sticky', false, { values: [false], types: { boolean: 1 } }],
    ['title', 'Concert', { values: undefined, formats: { text: 1 }, length: [7, 7] }],
    ['start_date', '2027-03-01 20:00:00', { formats: { 'date-time': 1 } }],
    ['start_date', '2027-03-01T20:00:00Z', { formats: { 'iso-date-time': 1 } }],
    ['website', 'https://example.org/a', { formats: { url: 1 } }],
    ['description', '<p>Hello</p>', { formats: { html: 1 } }],
    ['excerpt', '', { formats: undefined, length: [0, 0] }],
  ])('%s: %j', (name, value, expected) => {
    const { types, formats, length, values } = shown([{ [name]: value }])[name]!;
    expect({ types, formats, length, values }).toMatchObject(expected);
  });

  it('do not change the shape, except for lengths', () => {
    const text = fc.stringMatching(/^[a-z]{3,9}( [a-z]{3,9})?$/);
    const id = fc.integer({ min: 1, max: 1e6 });
    const record = fc.record({
      id,
      title: text,
      map: fc.dictionary(text, id, { minKeys: 1, maxKeys: 3 }),
      tags: fc.array(fc.record({ name: text, id }), { minLength: 1 }),
    });
    fc.assert(
      fc.property(fc.array(record, { minLength: 1, maxLength: 5 }), (records) => {
        const words = JSON.stringify(shown(records)).match(/"[^"]*"/g)!;
        const structure = [
          'id',
          'title',
          'map',
          'tags',
          'name',
          '*',
          '[]',
          'of',
          'presence',
          'types',
          'formats',
          'length',
          'text',
          'string',
          'number',
          'object',
          'array',
        ];
        for (const word of words)
          for (const part of word
            .slice(1, -1)
            .split(/[.[\]]+/)
            .filter(Boolean))
            expect(structure).toContain(part);
      }),
    );
  });
});

describe('comparison', () => {
  const event = { id: 1, title: 'a', cost: '5', start_date: '2027-03-01 20:00:00', venue: { id: 1 } };
  it.each<[string, (i: number) => JsonObject, string[]]>([
    ['nothing', () => ({ ...event, title: 'another', id: 7 }), []],
    ['an added member', () => ({ ...event, age: '18' }), ['events.list.age: Added: string in 100% of 20']],
    ['a venue that is empty now', () => ({ ...event, venue: [] }), ['events.list.venue: Type changed: from object to array']],
    ['another type', () => ({ ...event, id: '1' }), ['events.list.id: Type changed: from number to string']],
    [
      'another type in half',
      (i) => ({ ...event, id: i % 2 ? 1 : null }),
      ['events.list.id: Type changed: from number to null (10 of 20) or number (10 of 20)'],
    ],
    [
      'another format',
      () => ({ ...event, start_date: '2027-03-01T20:00:00Z' }),
      ['events.list.start_date: Format changed: from date-time to iso-date-time'],
    ],
    [
      'one record without a member',
      (i) => (i ? event : { id: 1, title: 'a', start_date: event.start_date, venue: { id: 1 } }),
      ['events.list.cost: Presence changed: from 100% of 20 to 95% of 20'],
    ],
    [
      'a type that few records have',
      (i) => ({ ...event, venue: i > 3 ? event.venue : null }),
      ['events.list.venue: Type changed: from object to null (4 of 20) or object (16 of 20)'],
    ],
    ['a rare new member', (i) => (i ? event : { ...event, zip: '1' }), []],
  ])('%s', (_what, record, expected) => expect(differences(shape(times(20, () => event)), shape(times(20, record)))).toEqual(expected));
  it('a removed member is reported once', () => {
    const { venue: _, ...rest } = event;
    expect(differences(shape([event]), shape([rest]))).toEqual(['events.list.venue: Removed: was object in 100% of 1']);
  });
  it('limits and errors', () => {
    const error = (status: number, code: string, body: JsonObject) => ({ status, code, members: shown([body]) });
    const before = shape([event], { max_per_page: 50, errors: { unknown: error(404, 'a', { code: 'a', data: { status: 404 } }) } });
    const after = shape([event], { max_per_page: 100, errors: { unknown: error(400, 'b', { code: 'b' }) } });
    expect(differences(before, after)).toEqual([
      '/events.max_per_page: Limit changed: from 50 to 100',
      '/events.unknown: Error changed: from 404 a to 400 b',
      '/events.unknown.data: Removed: was object in 100% of 1',
    ]);
    expect(differences(before, shape([event], { errors: before.endpoints['/events']!.errors }))).toEqual([]);
  });
  it('skips views without records', () => {
    expect(compareShapes(shape([event]), shape([]))).toContainEqual(
      expect.objectContaining({ outcome: 'skipped', reason: 'no records now' }),
    );
  });
});
