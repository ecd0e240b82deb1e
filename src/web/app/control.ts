import { type OperationInput, type OperationName, type OperationOutput, operations } from '../../model/operations/all.ts';
import { controlPath } from '../../model/operations/control.ts';
import { pathMemberOf } from '../../model/operations/operation.ts';
import { type Answer, askAt } from './api.ts';
import { announceChange } from './changes.ts';
import { context } from './context.ts';
import { controlAuthorization } from './session.ts';

/** Whether control of the calendar can be asked for: the server offers it to everybody, or a token for it is there. */
export const isControlled = (): boolean =>
  context.control === 'everyone' || (context.control === 'token' && controlAuthorization() !== undefined);

/** The address of an operation; `name` stands for the part of it that varies. */
export const controlAddress = (operation: OperationName, name = ''): string =>
  `${controlPath}${operations[operation].path.replace(/\{\w+\}/, encodeURIComponent(name))}`;

/** Asks for an operation on the calendar as a whole; the answer's `allow` says what else is open at its address. Fails with an ApiError. */
export function control<Name extends OperationName>(
  name: Name,
  input?: OperationInput<Name>,
  signal?: AbortSignal,
): Promise<Answer<OperationOutput<Name>>> {
  const operation = operations[name];
  const { method } = operation;
  const variable = pathMemberOf(operation);
  const { [variable ?? '']: part, ...rest } = (input ?? {}) as Record<string, unknown>;
  const given = Object.entries(rest).filter(([, value]) => value !== undefined);
  const query = method === 'GET' && given.length ? `?${new URLSearchParams(given.map(([key, value]) => [key, String(value)]))}` : '';
  return askAt(method, controlAddress(name, String(part ?? '')) + query, {
    signal,
    authorization: controlAuthorization(),
    body: method === 'GET' || method === 'DELETE' ? undefined : Object.fromEntries(given),
  });
}

/** The same, of an operation after which everything may be another. */
export async function change<Name extends OperationName>(name: Name, input?: OperationInput<Name>): Promise<OperationOutput<Name>> {
  const { value } = await control(name, input);
  announceChange();
  return value;
}
