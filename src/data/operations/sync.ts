import { Failure } from '../../model/error.ts';
import type { Done, PushInput } from '../../model/operation-types.ts';
import type { ConnectTo, Site } from '../remote/site.ts';
import type { OperationOptions, Summary } from '../summary.ts';
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

/** The operations on other sites, which `connectTo` opens. */
export const syncOver = (connectTo: ConnectTo): Implementations<'sync'> => ({
  pull: (context, input) =>
    syncing(connectTo, context, 'pull', input, async (remote, options) => {
      assertClock(context);
      const { pull } = await import('../remote/pull.ts');
      return pull(context.store, remote, { ...input, ...options });
    }),
  async pullNow(context, { root }) {
    const { followed } = context;
    if (!followed) throw new Failure('bad-request', 'The server pulls from no site', 'Start it with calendar serve --pull URL.');
    if (root !== undefined && !followed.isAt(root))
      throw new Failure('not-found', `The server pulls from ${followed.host}, not from ${root}`);
    assertClock(context);
    return followed.pullNow();
  },
  push: (context, input) =>
    syncing(connectTo, context, undefined, input, async (remote, options) => {
      const { push } = await import('../remote/push.ts');
      return push(context.store, remote, { ...input, ...options });
    }),
  conflicts: async ({ store }) => {
    const { conflictsIn } = await import('../remote/conflicts.ts');
    return { conflicts: conflictsIn(store) };
  },
  resolveConflicts: (context, input) =>
    withSnapshot(context, 'resolve', {}, async (options) => {
      const { resolve } = await import('../remote/conflicts.ts');
      return resolve(context.store, input, options);
    }),
  sites: async ({ store, followed }) => {
    const { sitesIn } = await import('../remote/status.ts');
    return { sites: sitesIn(store, (site) => followed?.failsAt(site) ?? false) };
  },
});

/** Runs a pull or a push when no other one runs. */
async function syncing(
  connectTo: ConnectTo,
  context: OperationContext,
  what: 'pull' | undefined,
  input: PushInput,
  work: (remote: Site, options: OperationOptions) => Promise<Summary>,
): Promise<Done> {
  const { inTurn, remembered } = await import('../remote/site.ts');
  return inTurn(context.store, () =>
    withSnapshot(context, what, input, async (options) => {
      const remote = await connectTo(remembered(context.store.db, input).root, input.authorization, input.headers);
      try {
        return await work(remote, options);
      } finally {
        await remote.close();
      }
    }),
  );
}
