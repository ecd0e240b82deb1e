import { Failure } from '../../model/error.ts';
import { millisecondsIn } from '../../model/time/duration.ts';
import type { FaultList } from '../../server/faults/fault-list.ts';
import type { Implementations, OperationContext } from './context.ts';

export const faults: Implementations<'faults'> = {
  list: (context) => ({ faults: faultsOf(context).list() }),
  add: (context, input) => faultsOf(context).add(input),
  get: (context, { id }) => faultsOf(context).get(id),
  remove: (context, { id }) => faultsOf(context).remove(id),
  release: (context, { id, response }) => faultsOf(context).release(Number(id), response),
  arrived: (context, { id, count = 1, timeout = '30s' }) => faultsOf(context).arrived(Number(id), count, millisecondsIn(timeout)),
  clear(context) {
    faultsOf(context).clear();
    return { faults: [] };
  },
};

function faultsOf({ world }: OperationContext): FaultList {
  if (world) return world.served.faults;
  throw new Failure('bad-request', 'No server is running, so there are no faults', 'Start one with calendar serve, or pass --url.');
}
