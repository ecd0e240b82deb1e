import { resourceNames } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import type { Health } from '../../model/operations/server.ts';
import type { Store } from '../../store/calendar.ts';
import { UpstreamState } from '../../store/identity/upstream-state.ts';
import { rowFor, wholeSelection } from '../upstream/coverage.ts';
import type { UpstreamMode } from '../upstream/modes.ts';
import { recordsIn } from '../world/reset.ts';
import { clockStateOf } from './clock.ts';
import type { Implementations, OperationContext } from './context.ts';

/** Returns the state of the copy of a live site. */
function upstreamOf({ db }: Store, mode: UpstreamMode = 'offline'): Pick<Health, 'upstream'> {
  const state = new UpstreamState(db);
  const { site } = state;
  if (!site) return {};
  const rows = state.coverage().filter(({ viewer }) => viewer === 'public');
  const whole = resourceNames.flatMap((name) => rowFor(rows, wholeSelection(name)) ?? []);
  const [oldest] = whole.map(({ asOf }) => asOf).toSorted();
  return { upstream: { site: site.root, mode, complete: whole.map(({ resource }) => resource), as_of: oldest ?? null } };
}

function healthOf(context: OperationContext): Health {
  const { store, world, version, url, seed, upstreamMode } = context;
  return {
    version,
    url: url?.() ?? null,
    file: store.db.file ?? null,
    seed: seed ?? null,
    records: recordsIn(store),
    uptime: Math.round((world ? process.uptime() - world.openedAt : 0) * 1000) / 1000,
    clock: clockStateOf(context),
    ...upstreamOf(store, upstreamMode),
  };
}

export const server: Implementations<'server'> = {
  health: healthOf,
  ready: healthOf,
  follow({ world }, input, signal) {
    if (world) return world.served.messages.follow(input, signal);
    throw new Failure('bad-request', 'No server is running, so there are no messages to follow', 'Start one with calendar serve.');
  },
};

export const file: Implementations<'file'> = {
  info: ({ store }) => ({ ...store.db.info(), records: recordsIn(store) }),
  async checkpoint({ store }) {
    await store.db.checkpoint();
    return null;
  },
  async backup({ store }, { file }) {
    await store.db.backup(file);
    return null;
  },
};
