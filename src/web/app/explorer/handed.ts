import { percentDecoded } from '../../../model/coerce.ts';
import type { ApiOperation } from './document.ts';
import type { Filled } from './request.ts';

const key = 'handed to the explorer';

/** Where the explorer shows a request, filled in; `target` is its path with its query. */
export const explorerAddress = (method: string, target: string): string =>
  `/_calendar/api?${new URLSearchParams({ request: `${method} ${target}` })}`;

/** Keeps the body of a request for the explorer: it has no place in an address. */
export function hand(method: string, target: string, body: string): void {
  sessionStorage.setItem(key, JSON.stringify({ request: `${method} ${target}`, body }));
}

/** The operation that a request asks for, and what its form holds; undefined where none does. */
export function handedTo(operations: readonly ApiOperation[], request: string): { operation: ApiOperation; filled: Filled } | undefined {
  const [, method, path = '', query = ''] = /^(\w+) ([^?]*)\??(.*)$/.exec(request) ?? [];
  for (const operation of operations) {
    if (operation.method !== method) continue;
    const values = valuesIn(operation, percentDecoded(path));
    if (!values) continue;
    const known = new Set(operation.parameters.filter((each) => each.in === 'query').map(({ name }) => name));
    for (const [name, value] of new URLSearchParams(query)) if (known.has(name)) values[name] = value;
    return { operation, filled: { values, body: bodyOf(request) ?? '' } };
  }
  return undefined;
}

/** The variables of an operation's path in a path; undefined where it is another's. */
function valuesIn({ root, path }: ApiOperation, given: string): Record<string, string> | undefined {
  const names: string[] = [];
  const pattern = `${root}${path}`
    .replace(/\/$/, '')
    .replace(/[.*+?^$()|[\]\\]/g, '\\$&')
    .replace(/\{(\w+)\}/g, (_, name) => {
      names.push(name);
      return name === 'id' ? '(\\d+)' : '([^/]+)';
    });
  const found = new RegExp(`^${pattern}/?$`).exec(given);
  return found ? Object.fromEntries(names.map((name, at) => [name, found[at + 1]!])) : undefined;
}

function bodyOf(request: string): string | undefined {
  const kept = JSON.parse(sessionStorage.getItem(key) ?? '{}') as { request?: string; body?: string };
  return kept.request === request ? kept.body : undefined;
}
