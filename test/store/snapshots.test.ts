import fs, { copyFileSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { afterEach, describe, expect, it } from 'vitest';
import { owner } from '../../src/model/viewer.ts';
import { openCalendar, type Store } from '../../src/store/calendar.ts';
import { type SnapshotHost, Snapshots } from '../../src/store/snapshots.ts';
import { inFolder } from '../support/items.ts';

const site = { home: 'http://x.test', root: 'http://x.test/calendar' };
const open = (file: string, mode: 'read' | 'write' = 'write') =>
  openCalendar(file, { mode, now: () => Date.parse('2026-11-20T16:05:00Z') });
const add = (store: Store, title: string) =>
  store.calendarFor(owner, site).events.create({ title, start_date: '2026-12-01 10:00', end_date: '2026-12-01 11:00' });
const titles = (store: Store) => store.db.all<{ title: string }>('select title from events order by id').map(({ title }) => title);

const originals = { renameSync: fs.renameSync };
afterEach(() => {
  Object.assign(fs, originals);
  syncBuiltinESMExports();
});

const hostOf = (image: Uint8Array) => ({ db: {}, image: () => image }) as unknown as SnapshotHost;

it.each([{ named: 3 }, { namedBytes: 35 }])(
  'with the limit %j, no further named snapshot is saved, and none is deleted automatically',
  async (limit) => {
    const snapshots = new Snapshots(hostOf(new Uint8Array(10)), limit);
    for (const name of ['one', 'two', 'three']) await snapshots.save(name);
    const failure = { code: 'conflict', message: expect.stringContaining('Too many snapshots: 3') };
    await expect(snapshots.save('four')).rejects.toMatchObject(failure);
    await snapshots.save('two', true);
    snapshots.delete('one');
    await snapshots.save('four');
    expect(
      snapshots
        .list()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['four', 'three', 'two']);
  },
);

it('automatic snapshots are limited in bytes: the oldest are deleted', async () => {
  const image = new Uint8Array(10);
  const snapshots = new Snapshots(hostOf(image), { automaticBytes: 15 });
  await snapshots.save('mine');
  for (const action of ['reset', 'import', 'reset']) await snapshots.keep(action);
  expect(snapshots.list().map(({ name }) => name)).toEqual(['mine', 'before-reset-3']);
  expect(snapshots.bytes).toBe(2 * image.length);
});

describe.each(['in a file', 'in memory'])('snapshots of a calendar %s', (where) => {
  const within = (work: (store: Store) => Promise<void>) =>
    inFolder(async (folder) => {
      const store = await open(where === 'in memory' ? ':memory:' : `${folder}/a.db`);
      try {
        await work(store);
      } finally {
        await store.close();
      }
    });

  it('restore everything: records, terms, users, settings and the next IDs', () =>
    within(async (store) => {
      await add(store, 'one');
      await store.change(() => store.users.add({ name: 'ada', role: 'editor', password: 'old' }));
      await store.snapshots.save('clean');
      const next = await add(store, 'two');
      await store.change((local) => {
        local.settings.set('title', 'Other');
        local.users.remove('ada');
        local.users.add({ name: 'ada', role: 'author', password: 'new' });
      });
      expect((await store.users.authenticate('ada', 'new')).role).toBe('author');
      await store.snapshots.restore('clean');
      expect(titles(store)).toEqual(['one']);
      expect(store.settings.get('title')).not.toBe('Other');
      await expect(store.users.authenticate('ada', 'new')).rejects.toThrow('Incorrect password');
      expect((await store.users.authenticate('ada', 'old')).role).toBe('editor');
      expect((await add(store, 'three')).id).toBe(next.id);
      await store.snapshots.restore('clean');
      expect(titles(store)).toEqual(['one']);
    }));

  it('go back step by step with undo, and forward again', () =>
    within(async (store) => {
      for (const title of ['a', 'b', 'c'])
        await store.snapshots.undoable(
          'import',
          () => add(store, title),
          () => true,
        );
      await store.snapshots.undo();
      const { restored, undo } = await store.snapshots.undo();
      expect([titles(store), restored]).toEqual([['a'], 'before-import-2']);
      await store.snapshots.restore(undo);
      expect(titles(store)).toEqual(['a', 'b']);
    }));

  it('are not kept of what changed nothing, or failed', () =>
    within(async (store) => {
      expect(
        await store.snapshots.undoable(
          'shift',
          async () => 7,
          () => false,
        ),
      ).toEqual({ result: 7 });
      await expect(
        store.snapshots.undoable(
          'shift',
          () => Promise.reject(new Error('no')),
          () => true,
        ),
      ).rejects.toThrow('no');
      expect(store.snapshots.list()).toEqual([]);
      await expect(store.snapshots.undo()).rejects.toMatchObject({ code: 'not-found' });
    }));

  it('are ten of those that commands take, the oldest go; those with a name stay', () =>
    within(async (store) => {
      await store.snapshots.save('mine');
      for (let i = 0; i < 12; i += 1) await store.snapshots.keep('reset');
      const names = store.snapshots.list().map(({ name }) => name);
      expect(names).toHaveLength(11);
      expect(names).toContain('mine');
      expect(names).not.toContain('before-reset-2');
      expect(names.at(-1)).toBe('before-reset-12');
    }));

  it.each(['', 'A', '../x', 'a/b', 'start', 'empty', 'before-import-3', '.x', 'x'.repeat(65)])('cannot be called %j', (name) =>
    within(async (store) => {
      await expect(store.snapshots.save(name)).rejects.toMatchObject({ code: 'bad-request' });
      await expect(store.snapshots.restore(name)).rejects.toMatchObject({ code: 'not-found' });
    }),
  );

  it('replace another one only on request', () =>
    within(async (store) => {
      await store.snapshots.save('x');
      await expect(store.snapshots.save('x')).rejects.toMatchObject({ code: 'conflict' });
      await add(store, 'later');
      await store.snapshots.save('x', true);
      store.snapshots.delete('x');
      expect(() => store.snapshots.delete('x')).toThrow('Snapshot "x" not found');
    }));

  it('restore changed and deleted records', () =>
    within(async (store) => {
      const { events } = store.local(owner, site);
      const [one, two] = [await add(store, 'one'), await add(store, 'two')];
      const listed = () => events.list({}).entries.map(({ title }) => title);
      await store.snapshots.save('clean');
      await store.calendarFor(owner, site).events.update({ id: two.id }, { title: 'changed' });
      await add(store, 'three');
      expect(listed()).toEqual(['one', 'changed', 'three']);
      await store.snapshots.restore('clean');
      expect(listed()).toEqual(['one', 'two']);
      await store.calendarFor(owner, site).events.delete({ id: one.id });
      expect(listed()).toEqual(['two']);
      await store.snapshots.restore('clean');
      expect(listed()).toEqual(['one', 'two']);
    }));
});

describe('a calendar in memory that starts as an image of another', () => {
  it('is a copy with the same next IDs, and independent', async () => {
    const one = await open(':memory:');
    await add(one, 'a');
    await one.change((local) => local.settings.set('title', 'Mine'));
    const image = one.image();
    const other = await openCalendar(':memory:', { mode: 'write', image, now: () => 0 });
    const made = await add(other, 'b');
    expect([titles(one), titles(other), other.settings.get('title')]).toEqual([['a'], ['a', 'b'], 'Mine']);
    expect((await add(one, 'c')).id).toBe(made.id);
    await one.restore(image);
    expect([titles(one), titles(other)]).toEqual([['a'], ['a', 'b']]);
    await one.close();
    await other.close();
  });
});

describe('a restore of a file', () => {
  it('that is killed at any moment leaves a calendar that opens as before or after', () =>
    inFolder(async (folder) => {
      const store = await open(`${folder}/a.db`);
      await add(store, 'one');
      await store.snapshots.save('clean');
      await add(store, 'two');
      const killed: string[] = [];
      const copy = () => {
        const to = `${folder}/killed-${killed.length}`;
        mkdirSync(to);
        for (const end of ['', '-log', '-now'])
          if (existsSync(`${folder}/a.db${end}`)) copyFileSync(`${folder}/a.db${end}`, `${to}/a.db${end}`);
        killed.push(to);
      };
      Object.assign(fs, {
        renameSync(from: string, to: string) {
          if (to === `${folder}/a.db`) copy();
          originals.renameSync(from, to);
          if (to === `${folder}/a.db`) copy();
        },
      });
      syncBuiltinESMExports();
      await store.snapshots.restore('clean');
      copy();
      Object.assign(fs, originals);
      syncBuiltinESMExports();
      await add(store, 'three');
      await store.close();
      const found: string[][] = [];
      for (const place of killed)
        for (const mode of ['read', 'write'] as const) {
          const again = await open(`${place}/a.db`, mode);
          found.push(titles(again));
          await again.close();
        }
      expect(found).toEqual([['one', 'two'], ['one', 'two'], ['one'], ['one'], ['one'], ['one']]);
      const last = await open(`${folder}/a.db`, 'read');
      expect(titles(last)).toEqual(['one', 'three']);
      await last.close();
    }));

  it('that the disk refuses changes nothing', () =>
    inFolder(async (folder) => {
      const store = await open(`${folder}/a.db`);
      await add(store, 'one');
      await store.snapshots.save('clean');
      await add(store, 'two');
      Object.assign(fs, {
        renameSync(from: string, to: string) {
          if (to === `${folder}/a.db`) throw Object.assign(new Error('no space'), { code: 'ENOSPC', syscall: 'rename' });
          originals.renameSync(from, to);
        },
      });
      syncBuiltinESMExports();
      await expect(store.snapshots.restore('clean')).rejects.toMatchObject({ code: 'store-full' });
      Object.assign(fs, originals);
      syncBuiltinESMExports();
      expect(titles(store)).toEqual(['one', 'two']);
      await store.close();
    }));

  it('keeps snapshots beside the file, for their user alone, each a database that opens', () =>
    inFolder(async (folder) => {
      const store = await open(`${folder}/a.db`);
      await add(store, 'one');
      await store.snapshots.save('clean');
      await store.close();
      expect(readdirSync(`${folder}/a.db-snapshots`)).toEqual(['clean.db']);
      expect([statSync(`${folder}/a.db-snapshots`).mode & 0o777, statSync(`${folder}/a.db-snapshots/clean.db`).mode & 0o777]).toEqual([
        0o700, 0o600,
      ]);
      const kept = await open(`${folder}/a.db-snapshots/clean.db`, 'read');
      expect(titles(kept)).toEqual(['one']);
      await kept.close();
    }));
});

it('an owner deletes what a killed process left of a snapshot, and nothing else', () =>
  inFolder(async (folder) => {
    const file = `${folder}/a.db`;
    const first = await open(file);
    await first.snapshots.save('kept');
    await first.close();
    const left = ['kept.db-0a1b2c3d', 'other.db-ffffffff'];
    for (const name of [...left, 'notes.txt', 'a.db-journal']) copyFileSync(file, `${file}-snapshots/${name}`);
    await (await open(file, 'read')).close();
    expect(readdirSync(`${file}-snapshots`)).toHaveLength(5);
    await (await open(file)).close();
    expect(readdirSync(`${file}-snapshots`).sort()).toEqual(['a.db-journal', 'kept.db', 'notes.txt']);
  }));
