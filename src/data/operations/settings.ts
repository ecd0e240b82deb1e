import type { Implementations } from './context.ts';

export const settings: Implementations<'settings'> = {
  list: ({ world }) => ({ settings: world.store.settings.list() }),
  async change({ world: { store } }, values) {
    await store.change((local) => {
      for (const [name, value] of Object.entries(values)) local.settings.set(name, value);
    });
    return { settings: store.settings.list() };
  },
};
