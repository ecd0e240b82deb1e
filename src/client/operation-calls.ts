import { operationGroups } from '../model/operations/all.ts';
import { type FileOutput, fileOf, type Operation } from '../model/operations/operation.ts';

/** Route and output of an operation, as its callers need them. */
export interface OperationCall extends Pick<Operation, 'id' | 'method' | 'path' | 'arg' | 'unwrap'> {
  /** Form and media types of an output that is sent as it is. */
  file?: { form: FileOutput['form']; types: readonly string[] };
}

function callOf(operation: Operation): OperationCall {
  const { id, method, path, arg, unwrap } = operation;
  const file = fileOf(operation);
  return {
    id,
    method,
    path,
    ...(arg && { arg }),
    ...(unwrap && { unwrap }),
    ...(file && { file: { form: file.form, types: Object.keys(file.types) } }),
  };
}

const mapped = <From, To>(object: Readonly<Record<string, From>>, change: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));

/** Every operation, as its callers need it. The bundle contains only this, as a literal (see build.ts): loading the definitions takes longer than a request. */
export const operationCalls: Readonly<Record<string, Readonly<Record<string, OperationCall>>>> = mapped(operationGroups, (operations) =>
  mapped<Operation, OperationCall>(operations, callOf),
);
