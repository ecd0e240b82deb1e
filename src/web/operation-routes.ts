import { type OperationName, operations } from '../model/operations/all.ts';

/** Method and path of every operation. */
export const operationRoutes = Object.fromEntries(
  Object.entries(operations).map(([id, { method, path }]) => [id, { method, path }]),
) as Record<OperationName, { method: string; path: string }>;
