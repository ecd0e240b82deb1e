import { operationGroups } from '../model/operations/all.ts';
import { type FileOutput, fileOf, type Operation, type OperationGroups } from '../model/operations/operation.ts';

/** How an operation is called over HTTP. */
export interface OperationCall extends Pick<Operation, 'id' | 'method' | 'path'> {
  /** Form and media types of an output that is sent as it is. */
  file?: { form: FileOutput<unknown>['form']; types: readonly string[] };
}

/** Calls by the names of groups and of members, as in {@link OperationGroups}. */
export type OperationCalls = Readonly<Record<string, Readonly<Record<string, OperationCall>>>>;

function callOf(operation: Operation): OperationCall {
  const { id, method, path } = operation;
  const file = fileOf(operation);
  return { id, method, path, ...(file && { file: { form: file.form, types: Object.keys(file.types) } }) };
}

const mapped = <From, To>(object: Readonly<Record<string, From>>, change: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));

/** Returns how the operations of groups are called. */
export const callsOf = (groups: OperationGroups): OperationCalls => mapped(groups, (operations) => mapped(operations, callOf));

/** How every operation is called. The bundle contains only this, as a literal (see build.ts): loading the definitions takes longer than a request. */
export const operationCalls: OperationCalls = callsOf(operationGroups);
