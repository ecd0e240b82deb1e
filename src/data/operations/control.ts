import { Failure } from '../../model/error.ts';
import { type CalendarControl, operationGroups } from '../../model/operations/all.ts';
import type { Operation, OperationGroups } from '../../model/operations/operation.ts';
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

const implementations = { server, data, snapshots, sync, clock, faults, settings, fields, requests, file, users, worlds };

/** Operations with their implementations, both by group and name. */
export interface OperationTable {
  groups: OperationGroups;
  implementations: Record<string, Record<string, (context: OperationContext, input: never, signal?: AbortSignal) => unknown>>;
}

export interface ControlSettings {
  /** True to reject every operation that changes the calendar. */
  readOnly?: boolean;
}

/** The control of an open calendar: for commands on a file, for a server and for tests. Serialized operations run one after the other. */
export function createControl(
  context: OperationContext,
  { readOnly = false }: ControlSettings = {},
  table: OperationTable = { groups: operationGroups, implementations },
): CalendarControl {
  let last: Promise<unknown> = Promise.resolve();
  const methodOf = (operation: Operation, implementation: (context: OperationContext, input: never, signal?: AbortSignal) => unknown) => {
    if (readOnly && operation.changes) return rejectChange;
    const run = async (input: object = {}, signal?: AbortSignal) => implementation(context, input as never, signal);
    if (!operation.serialized) return run;
    return (input?: object) => {
      const result = last.then(() => run(input));
      last = result.catch(() => {});
      return result;
    };
  };
  const methods = Object.entries(table.groups).flatMap(([group, operations]) =>
    Object.entries(operations).map(([name, operation]) => [operation.id, methodOf(operation, table.implementations[group]![name]!)]),
  );
  return Object.fromEntries(methods);
}

export const readOnlyFailure = () => new Failure('read-only', 'This calendar is read-only', 'Start the server without --read-only.');
export const rejectChange = () => Promise.reject(readOnlyFailure());
