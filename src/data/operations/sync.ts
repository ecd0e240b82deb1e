import { Failure } from '../../model/error.ts';
import type { PushInput } from '../../model/operations/sync.ts';
import type { Site } from '../remote/site.ts';
import type { Implementations, OperationContext } from './context.ts';
import { withSnapshot } from './data.ts';

/** Throws `bad-request` on a server whose clock is set: the records of a site have times of the clock of the system. */
function assertClock({ world }: OperationContext): void {
  if (world?.served.clock.isSet)
    throw new Failure(
      'bad-request',
      'The clock of the server is set, so that it requests nothing from a site',
      'Reset it first: calendar clock reset.',
    );
}

export const sync: Implementations<'sync'> = {
  pull: (context, input) =>
    withSnapshot(context, 'pull', input, async (options) => {
      assertClock(context);
      const { pull } = await import('../remote/pull.ts');
      const { only, prefer, yes, separate, delete: deleting } = input;
      return withRemote(context, input, (remote) =>
        pull(context.store, remote, { ...options, only, prefer, yes, separate, delete: deleting }),
      );
    }),
  async pullNow(context) {
    const { followed } = context;
    if (followed) assertClock(context);
    if (followed) return followed.pullNow();
    throw new Failure('bad-request', 'The server pulls from no site', 'Start it with calendar serve --pull URL.');
  },
  push: (context, input) =>
    withSnapshot(context, undefined, input, async (options) => {
      const { push } = await import('../remote/push.ts');
      const { only, prefer, yes, separate, unpublished, delete: deleting } = input;
      return withRemote(context, input, (remote) =>
        push(context.store, remote, { ...options, only, prefer, yes, separate, unpublished, delete: deleting }),
      );
    }),
  conflicts: async ({ store }) => {
    const { conflictsIn } = await import('../remote/conflicts.ts');
    return { conflicts: conflictsIn(store) };
  },
  resolveConflicts: (context, input) =>
    withSnapshot(context, 'resolve', {}, async (options) => {
      const { resolve } = await import('../remote/conflicts.ts');
      const summary = await resolve(context.store, input, options);
      if (input.id !== undefined && summary.total === 0) throw new Failure('not-found', `There is no conflict of the record ${input.id}`);
      return summary;
    }),
  sites: async ({ store }) => {
    const { sitesIn } = await import('../remote/status.ts');
    return { sites: sitesIn(store) };
  },
};

async function withRemote<T>(
  { connectTo }: OperationContext,
  { root, authorization, headers }: PushInput,
  work: (remote: Site) => Promise<T>,
): Promise<T> {
  const remote = await connectTo(root, authorization, headers);
  try {
    return await work(remote);
  } finally {
    await remote.close();
  }
}
