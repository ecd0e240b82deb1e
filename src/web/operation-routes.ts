import { type OperationName, operations } from '../model/operations/all.ts';

/** Method and path of every operation, like `GET /clock`: short, because the page contains them. */
export const operationRoutes = Object.fromEntries(
  Object.entries(operations).map(([id, { method, path }]) => [id, `${method} ${path}`]),
) as Record<OperationName, string>;
