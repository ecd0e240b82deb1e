import { timed } from './change.ts';
import type { Implementations } from './context.ts';

export const snapshots: Implementations<'snapshots'> = {
  list: ({ world }) => ({ snapshots: world.store.snapshots.list() }),
  save: ({ world }, { name, replace }) => world.store.snapshots.save(name, replace),
  keep: ({ world }, { what }) => world.store.snapshots.keep(what),
  file: ({ world }, { name }) => world.store.snapshots.image(name),
  restore: ({ world }, { name }) => timed(async () => ({ restored: name, undo: await world.store.snapshots.restore(name) })),
  delete: ({ world }, { name }) => world.store.snapshots.delete(name),
};
