import { operationCalls } from '../../client/operation-calls.ts';
import { type ResourceName, resourceNames } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import { type OperationInput, type OperationName, type OperationOutput, operationGroups } from '../../model/operations/all.ts';
import { removeField } from '../../store/declare.ts';
import { isEmpty } from '../transaction.ts';
import { type Implementations, nodeFor, type OperationContext } from './context.ts';
import { data, snapshots } from './data.ts';
import { faults, requests } from './requests.ts';
import { clock, file, server, users, worlds } from './server.ts';
import { tests } from './tests.ts';

const settings: Implementations<'settings'> = {
  list: ({ store }) => ({ settings: store.settings.list() }),
  async change({ store }, values) {
    await store.change((local) => {
      for (const [name, value] of Object.entries(values)) local.settings.set(name, value);
    });
    return { settings: store.settings.list() };
  },
};

const fields: Implementations<'fields'> = {
  list: ({ store }) => ({ fields: store.settings.fields }),
  async add({ store }, { resource, name, ...declaration }) {
    await store.change((local) => local.declare({ [resource]: { [name]: declaration } }));
    return { fields: store.settings.fields };
  },
  async remove({ store }, { field }) {
    const [resource, name = ''] = field.split('.') as [ResourceName, string?];
    if (!resourceNames.includes(resource)) throw new Failure('not-found', `Unknown field ${field}`, 'Name it like events.age_group.');
    const run = () => store.change((local) => removeField({ db: local.context.db, settings: local.settings }, resource, name));
    const isUndoable = store.db.file !== undefined && !isEmpty(store);
    const undo = isUndoable ? (await store.snapshots.undoable('fields', run, () => true)).undo : undefined;
    if (!isUndoable) await run();
    return { fields: store.settings.fields, undo };
  },
};

type Methods = Record<string, (context: OperationContext, input: never, signal?: AbortSignal) => unknown>;

const sync: Methods = Object.fromEntries(
  Object.entries(operationGroups.sync).map(([name, { id }]): [string, Methods[string]] => [
    name,
    async (context, input) => {
      const methods: Methods = await nodeFor(id, context.node).sync();
      return methods[name]!(context, input);
    },
  ]),
);

/** The implementations of operations, by group and name. */
type ImplementationTable = Record<string, Methods>;

export const implementations: ImplementationTable = {
  server,
  data,
  snapshots,
  sync,
  clock,
  faults,
  settings,
  fields,
  requests,
  file,
  users,
  worlds,
  tests,
};

/** Runs one operation on an open file. */
export async function runOperation<Name extends OperationName>(
  context: OperationContext,
  name: Name,
  input: OperationInput<Name>,
): Promise<OperationOutput<Name>> {
  for (const [group, calls] of Object.entries(operationCalls))
    for (const [member, { id }] of Object.entries(calls))
      if (id === name) return implementations[group]![member]!(context, input as never) as Promise<OperationOutput<Name>>;
  throw new TypeError(`Unknown operation ${name}`);
}
