import { Failure } from '../../model/error.ts';
import { type CalendarControl, operationGroups } from '../../model/operations/all.ts';
import type { Operation } from '../../model/operations/operation.ts';
import type { OperationContext } from './context.ts';
import { implementations } from './run.ts';

interface ControlSettings {
  /** True to reject every operation that changes the calendar. */
  readOnly?: boolean;
}

/** The control of a calendar that a server or a test has open. Serialized operations run one after the other. */
export function createControl(context: OperationContext, { readOnly = false }: ControlSettings = {}): CalendarControl {
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
  const methods = Object.entries(operationGroups).flatMap(([group, operations]) =>
    Object.entries<Operation>(operations).map(([name, operation]) => [operation.id, methodOf(operation, implementations[group]![name]!)]),
  );
  return Object.fromEntries(methods);
}

export const readOnlyFailure = () => new Failure('read-only', 'This calendar is read-only', 'Start the server without --read-only.');
export const rejectChange = () => Promise.reject(readOnlyFailure());
