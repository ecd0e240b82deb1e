import type { PullInput, PushInput } from '../../model/operations/sync.ts';
import type { RemoteCalendar } from '../sync/remote.ts';
import { changeRecords } from './change.ts';
import type { Implementations, OperationContext } from './context.ts';

export const sync: Implementations<'sync'> = {
  pull: (context, input) =>
    changeRecords(context, 'pull', input, async (options) => {
      const { pull } = await import('../sync/pull.ts');
      const { since, only, restart } = input;
      return withRemote(context, input, (remote) => pull(context.world.store, remote, { ...options, since, only, restart }));
    }),
  push: (context, input) =>
    changeRecords(context, undefined, input, async (options) => {
      const { push } = await import('../sync/push.ts');
      const { only, delete: deleting } = input;
      return withRemote(context, input, (remote) => push(context.world.store, remote, { ...options, only, delete: deleting }));
    }),
};

async function withRemote<T>(
  { connectTo }: OperationContext,
  { root, authorization, headers }: PullInput | PushInput,
  work: (remote: RemoteCalendar) => Promise<T>,
): Promise<T> {
  const remote = await connectTo(root, authorization, headers);
  try {
    return await work(remote);
  } finally {
    await remote.close();
  }
}
