import { operationGroups } from '../model/operations/all.ts';
import { type FileOutput, fileOf, type Operation, type OperationGroups } from '../model/operations/operation.ts';

/** Route and output of an operation, as its callers need them. */
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

/** Returns the operations of groups, as their callers need them. */
export const callsOf = (groups: OperationGroups): OperationCalls => mapped(groups, (operations) => mapped(operations, callOf));

/** Every operation, as its callers need it. The bundle contains only this, as a literal (see build.ts): loading the definitions takes longer than a request. */
export const operationCalls: OperationCalls = callsOf(operationGroups);
