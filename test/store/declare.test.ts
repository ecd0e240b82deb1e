import { expect, it } from 'vitest';
import type { Input } from '../../src/model/calendar.ts';
import type { Declarations } from '../../src/model/resources/declared.ts';
import { removeField } from '../../src/store/declare.ts';
import { imported, memory } from '../support/calendars.ts';

/** A venue with members that another site added to it, in a calendar that declares fields afterwards. */
async function declared(extra: object, fields: Declarations) {
  const store = await memory();
  await imported(store, 'ndjson', JSON.stringify({ resource: 'venues', venue: 'Hall', extra }));
  const changed = await store.change((local) => local.declare(fields));
  const [source] = await store.change((local) => [...local.sources('venues')] as Input[]);
  return { store, changed, source: source!, extra: source!.extra };
}
const rooms: Declarations = { venues: { rooms: { type: 'integer' } } };

it.each<[what: string, extra: object, value: unknown, left: unknown]>([
  ['of lists', { list: { rooms: 5, size: 9 } }, 5, { list: { size: 9 } }],
  ['of single records', { single: { rooms: 5 } }, 5, undefined],
  ['of events', { embedded: { rooms: 5 } }, 5, undefined],
  ['of lists before others', { single: { rooms: 4 }, list: { rooms: 5 }, embedded: { rooms: 3 } }, 5, undefined],
  ['of another name', { list: { size: 9 } }, undefined, { list: { size: 9 } }],
])('a declared field takes the values that another site added, %s', async (_what, extra, value, left) => {
  const { store, changed, source } = await declared(extra, rooms);
  expect(changed).toBe(true);
  expect([source.rooms ?? undefined, source.extra]).toEqual([value, left]);
  expect(await store.change((local) => local.declare(rooms))).toBe(false);
  await store.close();
});

it('a value that the field does not accept is named, and nothing is declared', async () => {
  await expect(declared({ list: { rooms: 'many' } }, rooms)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringMatching(/^venues \d+ has the rooms "many", which must be a whole number/),
  });
});

it('a field is removed with its values, and no others', async () => {
  const { store } = await declared({ list: { rooms: 5, size: 9 } }, { venues: { rooms: { type: 'integer' }, size: { type: 'integer' } } });
  removeField(store, 'venues', 'rooms');
  expect(store.settings.fields).toEqual({ venues: { size: expect.objectContaining({ type: 'integer' }) } });
  expect(store.db.get<{ extra: string }>('select extra from venues')!.extra).not.toContain('rooms');
  expect(store.db.get<{ extra: string }>('select extra from venues')!.extra).toContain('9');
  expect(() => removeField(store, 'venues', 'rooms')).toThrow('"rooms" is not a declared field of venues');
  await store.close();
});
