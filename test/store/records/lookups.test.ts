import { expect, it } from 'vitest';
import { type LocalCalendar, openCalendar, type Store } from '../../../src/store/calendar.ts';
import { clear } from '../../../src/store/records/counts.ts';

const when = { start_date: '2027-03-01', end_date: '2027-03-01' };

/** Runs work on an empty calendar. `add` returns the IDs of the tags of a new event. */
async function inCalendar(work: (change: Store['change'], add: typeof tagsOfNew) => Promise<void>) {
  const store = await openCalendar(':memory:', { mode: 'write', now: () => Date.parse('2026-11-20T16:05:00Z') });
  try {
    await work(store.change.bind(store), tagsOfNew);
  } finally {
    await store.close();
  }
}

function tagsOfNew(local: LocalCalendar, ...tags: unknown[]): number[] {
  const { id } = local.events.add({ title: 'Concert', ...when, tags });
  return local.source('events', id)!.tags as number[];
}

it('a change looks up references again after it has deleted, renamed or created what they mean', () =>
  inCalendar(async (change, add) => {
    await change((local) => {
      const [rock] = add(local, 'Rock');
      expect(add(local, 'Rock', rock)).toEqual([rock]);
      local.tags.delete({ id: rock! });
      const [again] = add(local, 'Rock');
      expect(again).not.toBe(rock);
      local.tags.update({ id: again! }, { name: 'Pop', slug: 'pop' });
      const [third] = add(local, 'Rock');
      expect(third).not.toBe(again);
      expect(add(local, 'Pop')).toEqual([again]);
      // A name means the tag with the slug of the same text first.
      const jazz = local.tags.add({ name: 'Jazz', slug: 'other' }).id;
      expect(add(local, 'Jazz')).toEqual([jazz]);
      const slugged = local.tags.add({ name: 'Swing', slug: 'jazz' }).id;
      expect(add(local, 'Jazz')).toEqual([slugged]);
      const folk = local.tags.add({ name: 'Folk', slug: 'traditional' }).id;
      expect(add(local, 'Folk')).toEqual([folk]);
      local.tags.update({ id: folk }, { name: 'Country' });
      expect(add(local, 'Folk')).not.toEqual([folk]);
    });
  }));

it('a change that is rolled back leaves no references, and neither does a calendar that is cleared', () =>
  inCalendar(async (change, add) => {
    const failed = change((local) => {
      local.venues.add({ venue: 'Hall' });
      add(local, 'Rock');
      throw new Error('stop');
    });
    await expect(failed).rejects.toThrow('stop');
    await change((local) => {
      expect(() => local.events.add({ title: 'Concert', ...when, venue: 8 })).toThrow('venue');
      const venue = local.venues.add({ venue: 'Hall' }).id;
      local.events.add({ title: 'Concert', ...when, venue });
      clear(local.context.db);
      expect(() => local.events.add({ title: 'Concert', ...when, venue })).toThrow('venue');
      expect(local.has('tags', add(local, 'Rock')[0]!)).toBe(true);
    });
  }));

it('IDs go on after those of a change, and a change that is rolled back uses none', () =>
  inCalendar(async (change) => {
    const add = (local: LocalCalendar, id?: number) => local.events.add({ id, title: 'Concert', ...when }).id;
    const copying = { copying: true };
    expect(await change((local) => [add(local), add(local, 100), add(local, 50), add(local), add(local, 100)], undefined, copying)).toEqual(
      [8, 100, 50, 101, 102],
    );
    await expect(
      change((local) => {
        add(local);
        throw new Error('stop');
      }),
    ).rejects.toThrow('stop');
    expect(await change((local) => add(local))).toBe(103);
  }));

it.each([0, 1])('a change finds the slugs and UIDs of rows that it created, after %i earlier ones', (before) =>
  inCalendar(async (change) => {
    if (before) await change((local) => local.events.add({ title: 'Earlier', ...when }));
    const copying = { copying: true };
    await change(
      (local) => {
        const add = (input: object) => local.events.add({ title: 'Concert', ...when, ...input });
        const { id } = add({ uid: 'a', lineage: 'b' });
        const other = add({ uid: 'a', lineage: 'c' });
        expect([local.idBy('events', 'uid', 'a'), local.idBy('events', 'uid', 'b'), local.idBy('events', 'uid', 'c')]).toEqual([
          id,
          id,
          other.id,
        ]);
        // Of several, the one with the lowest ID, also if it was created last.
        for (const id of [900, 700, 800]) add({ id, title: 'Other', lineage: 'e' });
        expect(local.idBy('events', 'uid', 'e')).toBe(700);
        expect([local.idBy('events', 'uid', 'undefined'), local.idBy('events', 'slug', 'concert')]).toEqual([undefined, id]);
        expect(other.slug).toBe('concert-2');
        local.events.update({ id }, { slug: 'moved', lineage: 'd' });
        expect([local.idBy('events', 'slug', 'concert'), local.idBy('events', 'slug', 'moved')]).toEqual([undefined, id]);
        expect([local.idBy('events', 'uid', 'b'), local.idBy('events', 'uid', 'd')]).toEqual([undefined, id]);
        expect(add({}).slug).toBe('concert');
        clear(local.context.db);
        expect([local.idBy('events', 'uid', 'a'), add({ uid: 'a' }).slug]).toEqual([undefined, 'concert']);
        expect(local.idBy('events', 'uid', 'a')).toBeGreaterThan(other.id);
      },
      undefined,
      copying,
    );
  }),
);
