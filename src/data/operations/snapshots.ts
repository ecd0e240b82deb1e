import { timed } from './change.ts';
import type { Implementations } from './context.ts';

export const snapshots: Implementations<'snapshots'> = {
  list: ({ store }) => ({ snapshots: store.snapshots.list() }),
  save: ({ store }, { name, replace }) => store.snapshots.save(name, replace),
  keep: ({ store }, { what }) => store.snapshots.keep(what),
  file: ({ store }, { name }) => store.snapshots.image(name),
  restore: ({ store }, { name }) => timed(async () => ({ restored: name, undo: await store.snapshots.restore(name) })),
  delete: ({ store }, { name }) => store.snapshots.delete(name),
};
