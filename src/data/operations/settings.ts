import { type ResourceName, resourceNames } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import { isEmpty } from '../transaction.ts';
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

export const fields: Implementations<'fields'> = {
  list: ({ store }) => ({ fields: store.settings.fields }),
  async add({ store }, { resource, name, ...declaration }) {
    await store.change((local) => local.declare({ [resource]: { [name]: declaration } }));
    return { fields: store.settings.fields };
  },
  async remove({ store }, { field }) {
    const [resource, name = ''] = field.split('.') as [ResourceName, string?];
    if (!resourceNames.includes(resource)) throw new Failure('not-found', `Unknown field ${field}`, 'Name it like events.age_group.');
    const run = () => store.change((local) => local.undeclare(resource, name));
    const isUndoable = store.db.file !== undefined && !isEmpty(store);
    const undo = isUndoable ? (await store.snapshots.undoable('fields', run, () => true)).undo : undefined;
    if (!isUndoable) await run();
    return { fields: store.settings.fields, undo };
  },
};
