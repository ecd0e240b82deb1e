import { operationCalls } from '../../client/control.ts';
import type { OperationInput, OperationName, OperationOutput } from '../../model/operations/all.ts';
import type { OperationContext } from './context.ts';
import { data, snapshots } from './data.ts';
import { faults, requests } from './requests.ts';
import { clock, file, server, users, worlds } from './server.ts';
import { fields, settings } from './settings.ts';
import { sync } from './sync.ts';

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
