import { Failure } from '../../model/error.ts';
import type { Implementations, OperationContext, WorldRegistry } from './context.ts';

function registryOf({ worlds }: OperationContext): WorldRegistry {
  if (worlds) return worlds;
  throw new Failure('bad-request', 'No server is running, and only a server has worlds', 'Start one with calendar serve --memory.');
}

export const worlds: Implementations<'worlds'> = {
  list: (context) => ({ worlds: registryOf(context).list() }),
  create: (context, input) => registryOf(context).create(input),
  get: (context, { id }) => registryOf(context).get(id),
  delete: (context, { id }) => registryOf(context).delete(id),
};
