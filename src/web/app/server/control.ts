import { controlPath, worldHeader } from '../../../model/addresses.ts';
import type { OperationInput, OperationOutput } from '../../../model/operations/all.ts';
import { operationRoutes, type PageOperation } from '../../definitions.ts';
import { toast } from '../parts/toast.tsx';
import { type ApiResult, fetchJson, messageOf } from './api.ts';
import { announceChange } from './changes.ts';
import { controlAuthorization } from './session.ts';

const routeOf = (operation: PageOperation) => operationRoutes[operation].split(' ') as [method: string, path: string];

/** The path of an operation; `name` replaces its variable. */
export const controlAddress = (operation: PageOperation, name = ''): string =>
  `${controlPath}${routeOf(operation)[1].replace(/\{\w+\}/, encodeURIComponent(name))}`;

/** Calls an operation, of the page's world by default. `allow` contains the methods of its path that the caller may use. Throws an ApiError. */
export function callOperation<Name extends PageOperation>(
  operation: Name,
  input?: OperationInput<Name>,
  signal?: AbortSignal,
  world?: string,
): Promise<ApiResult<OperationOutput<Name>>> {
  const [method, path] = routeOf(operation);
  const variable = /\{(\w+)\}/.exec(path)?.[1];
  const { [variable ?? '']: name, ...rest } = (input ?? {}) as Record<string, unknown>;
  const members = Object.entries(rest).filter(([, value]) => value !== undefined);
  const query = method === 'GET' && members.length ? `?${new URLSearchParams(members.map(([key, value]) => [key, String(value)]))}` : '';
  return fetchJson(method, controlAddress(operation, String(name ?? '')) + query, {
    signal,
    world,
    authorization: controlAuthorization(),
    body: method === 'GET' || method === 'DELETE' ? undefined : Object.fromEntries(members),
  });
}

const listeners = new Set<() => void>();

/** Calls the listener after each operation that may have changed the server. */
export const onOperation = (listener: () => void): void => void listeners.add(listener);

/** Calls an operation and reloads all views. */
export async function callAndReload<Name extends PageOperation>(
  operation: Name,
  input?: OperationInput<Name>,
  world?: string,
): Promise<OperationOutput<Name>> {
  const { value } = await callOperation(operation, input, undefined, world);
  announceChange();
  for (const listener of listeners) listener();
  return value;
}

/** Downloads a file of the control API. A link can't send the control token. */
export async function download(address: string, name: string, world?: string): Promise<void> {
  const authorization = controlAuthorization();
  try {
    const response = await fetch(address, {
      headers: { ...(authorization && { Authorization: authorization }), ...(world && { [worldHeader]: world }) },
    });
    if (!response.ok) throw new Error(((await response.json()) as { message: string }).message);
    const link = document.createElement('a');
    link.href = URL.createObjectURL(await response.blob());
    link.download = name;
    link.click();
    URL.revokeObjectURL(link.href);
  } catch (error) {
    toast(`Couldn’t download ${name}: ${messageOf(error)}`);
  }
}
