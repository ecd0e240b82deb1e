import { machine } from '../../machine.ts';
import { Failure } from '../../model/error.ts';
import type { World } from '../world/world.ts';
import type { Implementations, OperationContext } from './context.ts';
import { data } from './data.ts';

export const tests: Implementations<'tests'> = {
  async begin(context, { as_start = false }) {
    const { store } = context;
    const world = worldOf(context);
    const { faults, journal } = world.served;
    const { start } = world.tests;
    const active = faults.list();
    const count = journal
      .exchanges()
      .filter(({ id, method, status }) => id > world.tests.end && method === 'POST' && status === 201).length;
    const names = store.snapshots.list().map(({ name }) => name);
    if (as_start) world.tests.start = new Set(names);
    const { in_flight = [] } = await data.reset(context, { as_start });
    if (!as_start) for (const name of names) if (start && !start.has(name)) store.snapshots.delete(name);
    world.tests.end = Number.POSITIVE_INFINITY;
    world.tests.began = machine.uptime();
    return { faults: active, in_flight, made: count };
  },
  end(context) {
    const world = worldOf(context);
    world.tests.end = world.served.journal.total;
    return { faults: world.served.faults.list(), refused: context.worlds?.refusedSince(world.tests.began) ?? [] };
  },
};

function worldOf({ world }: OperationContext): World {
  if (world) return world;
  throw new Failure('bad-request', 'Tests need a running server', 'Start one with calendar serve.');
}
