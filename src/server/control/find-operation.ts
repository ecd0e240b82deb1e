import { Failure } from '../../model/error.ts';
import { percentDecoded } from '../../model/fields/coerce.ts';
import { operationGroups } from '../../model/operations/all.ts';
import { controlPath } from '../../model/operations/control.ts';
import { type Operation, type OperationGroups, operationsIn } from '../../model/operations/operation.ts';
import type { Request } from '../http.ts';

/** An operation, the members of its input in the path, and all operations on that path. */
export interface OperationMatch {
  operation: Operation;
  members: Record<string, string>;
  others: Operation[];
}

const patterns = new WeakMap<OperationGroups, { operation: Operation; pattern: RegExp }[]>();

const patternOf = ({ path }: Operation) => new RegExp(`^${controlPath}${path.replace(/\{(\w+)\}/, '(?<$1>[^/]+)')}/?$`);

/** Returns the operations on a path, with the patterns that match it. */
export function operationsAt(path: string, groups: OperationGroups = operationGroups): { operation: Operation; pattern: RegExp }[] {
  const routes = patterns.get(groups) ?? operationsIn(groups).map((operation) => ({ operation, pattern: patternOf(operation) }));
  patterns.set(groups, routes);
  return routes.filter(({ pattern }) => pattern.test(path));
}

/** Returns a function that finds the operation of a request. It throws `rest_no_route`, or `method-not-allowed` if the path takes another method. */
export function findOperation(groups?: OperationGroups): (request: Request) => OperationMatch {
  return ({ method, path }) => {
    const matches = operationsAt(path, groups);
    if (!matches.length) throw new Failure('rest_no_route', `No route for ${path}`);
    const match = matches.find(({ operation }) => operation.method === (method === 'HEAD' ? 'GET' : method));
    const others = matches.map(({ operation }) => operation);
    if (!match) {
      const allow = others.map((each) => each.method).join(', ');
      throw new Failure('method-not-allowed', `Method ${method} is not allowed for ${path}; use ${allow}`, undefined, { allow });
    }
    const members = Object.entries(match.pattern.exec(path)?.groups ?? {}).map(([name, text]) => [name, percentDecoded(text)]);
    return { operation: match.operation, members: Object.fromEntries(members), others };
  };
}
