import type { Implementations } from './context.ts';

export const settings: Implementations<'settings'> = {
  list: ({ store }) => ({ settings: store.settings.list() }),
  async change({ store }, values) {
    await store.change((local) => {
      for (const [name, value] of Object.entries(values)) local.settings.set(name, value);
    });
    return { settings: store.settings.list() };
  },
};
