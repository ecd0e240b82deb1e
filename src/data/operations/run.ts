import { operationCalls } from '../../client/operation-calls.ts';
import type { OperationInput, OperationName, OperationOutput } from '../../model/operations/all.ts';
import { clock } from './clock.ts';
import type { OperationContext } from './context.ts';
import { data } from './data.ts';
import { faults } from './faults.ts';
import { fields } from './fields.ts';
import { requests } from './requests.ts';
import { file, server } from './server.ts';
import { settings } from './settings.ts';
import { snapshots } from './snapshots.ts';
import { sync } from './sync.ts';
import { users } from './users.ts';
import { worlds } from './worlds.ts';

/** The implementations of operations, by group and name. */
export type ImplementationTable = Record<
  string,
  Record<string, (context: OperationContext, input: never, signal?: AbortSignal) => unknown>
>;

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
