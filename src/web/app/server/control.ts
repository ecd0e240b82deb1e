import type { OperationInput, OperationName, OperationOutput } from '../../../model/operations/all.ts';
import { controlPath } from '../../../model/operations/control.ts';
import type { Operation } from '../../../model/operations/operation.ts';
import { context } from '../context.ts';
import { type Answer, askAt } from './api.ts';
import { announceChange } from './changes.ts';
import { controlAuthorization } from './session.ts';

/** Method and path of every operation, compiled in as data. */
declare const OPERATIONS: Record<OperationName, Pick<Operation, 'method' | 'path'>>;

/** Returns whether the page can use the control API: the server offers it to everyone, or there is a token. */
export const isControlled = (): boolean =>
  context.control === 'everyone' || (context.control === 'token' && controlAuthorization() !== undefined);

/** Returns the path of an operation; `name` is the member of the input in it. */
export const controlAddress = (operation: OperationName, name = ''): string =>
  `${controlPath}${OPERATIONS[operation].path.replace(/\{\w+\}/, encodeURIComponent(name))}`;

/** Calls an operation; `allow` of the result has the other methods of its path. Throws an ApiError. */
export function control<Name extends OperationName>(
  name: Name,
  input?: OperationInput<Name>,
  signal?: AbortSignal,
): Promise<Answer<OperationOutput<Name>>> {
  const { method, path } = OPERATIONS[name];
  const variable = /\{(\w+)\}/.exec(path)?.[1];
  const { [variable ?? '']: part, ...rest } = (input ?? {}) as Record<string, unknown>;
  const given = Object.entries(rest).filter(([, value]) => value !== undefined);
  const query = method === 'GET' && given.length ? `?${new URLSearchParams(given.map(([key, value]) => [key, String(value)]))}` : '';
  return askAt(method, controlAddress(name, String(part ?? '')) + query, {
    signal,
    authorization: controlAuthorization(),
    body: method === 'GET' || method === 'DELETE' ? undefined : Object.fromEntries(given),
  });
}

/** Calls an operation that may change everything the page shows. */
export async function change<Name extends OperationName>(name: Name, input?: OperationInput<Name>): Promise<OperationOutput<Name>> {
  const { value } = await control(name, input);
  announceChange();
  return value;
}
