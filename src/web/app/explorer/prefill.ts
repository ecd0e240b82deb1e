import { percentDecoded } from '../../../model/fields/coerce.ts';
import type { FormInput } from './build-request.ts';
import type { ApiOperation } from './document.ts';

const storageKey = 'explorer request';

/** Stores the body of a request for the explorer, because it may be too long for an address. */
export function saveBody(method: string, target: string, body: string): void {
  sessionStorage.setItem(storageKey, JSON.stringify({ request: `${method} ${target}`, body }));
}

/** Finds the operation of a request and returns it with the input of its form. */
export function prefillFor(
  operations: readonly ApiOperation[],
  request: string,
): { operation: ApiOperation; input: FormInput } | undefined {
  const [, method, path = '', query = ''] = /^(\w+) ([^?]*)\??(.*)$/.exec(request) ?? [];
  for (const operation of operations) {
    if (operation.method !== method) continue;
    const values = matchPath(operation, percentDecoded(path));
    if (!values) continue;
    const names = new Set(operation.parameters.filter((each) => each.in === 'query').map(({ name }) => name));
    for (const [name, value] of new URLSearchParams(query)) if (names.has(name)) values[name] = value;
    return { operation, input: { values, body: loadBody(request) ?? '' } };
  }
  return undefined;
}

/** Returns the values of the path variables; undefined if the path doesn't match the operation. */
function matchPath({ root, path }: ApiOperation, requestPath: string): Record<string, string> | undefined {
  const names: string[] = [];
  const pattern = `${root}${path}`
    .replace(/\/$/, '')
    .replace(/[.*+?^$()|[\]\\]/g, '\\$&')
    .replace(/\{(\w+)\}/g, (_, name) => {
      names.push(name);
      return name === 'id' ? '(\\d+)' : '([^/]+)';
    });
  const match = new RegExp(`^${pattern}/?$`).exec(requestPath);
  return match ? Object.fromEntries(names.map((name, index) => [name, match[index + 1]!])) : undefined;
}

function loadBody(request: string): string | undefined {
  const saved = JSON.parse(sessionStorage.getItem(storageKey) ?? '{}') as { request?: string; body?: string };
  return saved.request === request ? saved.body : undefined;
}
