import { expect, it } from 'vitest';
import type { Connection } from '../../../src/cli/connect/connect.ts';
import { LazyConnection } from '../../../src/cli/ui/loader.ts';
import { resourceNames } from '../../../src/model/calendar.ts';

/** A connection that lists its openings, calls and ends, by a clock that is set; a list of `broken` fails. */
function lazy() {
  const said: string[] = [];
  const state = { now: 0 };
  const open = async (mode: string) => {
    said.push(`open ${mode}`);
    const call = (name: string) => async (input: { search?: string }) => {
      said.push(name);
      if (input.search === 'broken') throw new Error('gone');
    };
    const collection = Object.fromEntries(['list', 'get', 'create', 'update', 'delete'].map((name) => [name, call(name)]));
    const calendar = Object.fromEntries(resourceNames.map((name) => [name, collection]));
    return { calendar, close: async () => void said.push(`close ${mode}`) } as unknown as Connection;
  };
  return { said, state, connection: new LazyConnection(open, () => state.now) };
}

it('reads share a connection for five seconds', async () => {
  const { said, state, connection } = lazy();
  const { events, tags } = connection.calendar();
  await Promise.all([events.list({}), tags.get({ id: 1 })]);
  state.now = 5000;
  await events.list({});
  expect(said).toEqual(['open read', 'list', 'get', 'list']);
  state.now = 5001;
  await events.list({});
  expect(said.slice(4)).toEqual(['close read', 'open read', 'list']);
  await connection.close();
  await connection.close();
  expect(said.slice(7)).toEqual(['close read']);
});

it.each(['create', 'update', 'delete'] as const)('%s has its own connection, after that of the reads is closed', async (name) => {
  const { said, connection } = lazy();
  const { venues } = connection.calendar();
  await venues.list({});
  await (name === 'create' ? venues.create({}) : name === 'update' ? venues.update({ id: 1 }, {}) : venues.delete({ id: 1 }));
  expect(said).toEqual(['open read', 'list', 'close read', 'open write', name, 'close write']);
});

it('a read that fails closes the connection, so that the next one opens another', async () => {
  const { said, connection } = lazy();
  const { events } = connection.calendar();
  await expect(events.list({ search: 'broken' })).rejects.toThrow('gone');
  await events.list({});
  expect(said).toEqual(['open read', 'list', 'close read', 'open read', 'list']);
});
