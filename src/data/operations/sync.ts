import { Failure } from '../../model/error.ts';
import type { PullInput, PushInput } from '../../model/operations/sync.ts';
import { UpstreamState } from '../../store/identity/upstream-state.ts';
import type { RemoteCalendar } from '../sync/remote.ts';
import type { Implementations, OperationContext } from './context.ts';
import { changeRecords } from './data.ts';

export const sync: Implementations<'sync'> = {
  pull: (context, input) =>
    changeRecords(context, 'pull', input, async (options) => {
      const { pull } = await import('../sync/pull.ts');
      checkVisitors(context, input);
      const { since, only, restart, prefer, delete: deleting } = input;
      return withRemote(context, input, (remote) =>
        pull(context.store, remote, { ...options, since, only, restart, prefer, delete: deleting }),
      );
    }),
  push: (context, input) =>
    changeRecords(context, undefined, input, async (options) => {
      const { push } = await import('../sync/push.ts');
      const { only, prefer, delete: deleting } = input;
      return withRemote(context, input, (remote) => push(context.store, remote, { ...options, only, prefer, delete: deleting }));
    }),
  conflicts: async ({ store }) => {
    const { conflictsIn } = await import('../sync/resolve.ts');
    return { conflicts: conflictsIn(store) };
  },
  resolveConflicts: (context, input) =>
    changeRecords(context, 'resolve', {}, async (options) => {
      const { resolve } = await import('../sync/resolve.ts');
      const summary = await resolve(context.store, input, options);
      if (input.id !== undefined && summary.total === 0) throw new Failure('not-found', `There is no conflict of the record ${input.id}`);
      return summary;
    }),
  sites: async ({ store }) => {
    const { sitesIn } = await import('../sync/sites.ts');
    return { sites: sitesIn(store) };
  },
};

/** Throws `conflict` for a pull with credentials into the copy of a live site, whose visitors would see what only a user of the site sees. */
function checkVisitors({ store }: OperationContext, { authorization, headers = {} }: PullInput): void {
  const isSignedIn = authorization !== undefined || Object.keys(headers).some((name) => /^(?:authorization|cookie)$/i.test(name));
  if (!isSignedIn || !new UpstreamState(store.db).site) return;
  const hint = 'Start calendar serve --upstream with --user, which hides such records from visitors, or pull without credentials.';
  throw new Failure('conflict', 'This calendar is the copy of a live site as its visitors see it', hint);
}

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
