import { resourceNames } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import type { Health } from '../../model/operations/server.ts';
import type { Store } from '../../store/calendar.ts';
import { UpstreamState } from '../../store/identity/upstream-state.ts';
import { rowFor, wholeSelection } from '../upstream/coverage.ts';
import type { UpstreamMode } from '../upstream/modes.ts';
import { recordsIn } from '../world/reset.ts';
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

function healthOf({ world, version, url, seed, upstreamMode }: OperationContext): Health {
  return {
    version,
    url: url?.() ?? null,
    file: world.store.db.file ?? null,
    seed: seed ?? null,
    records: recordsIn(world.store),
    uptime: Math.round((process.uptime() - world.openedAt) * 1000) / 1000,
    clock: world.clockState,
    ...upstreamOf(world.store, upstreamMode),
  };
}

export const server: Implementations<'server'> = {
  health: healthOf,
  ready: healthOf,
  follow({ world: { served } }, input, signal) {
    if (served) return served.messages.follow(input, signal);
    throw new Failure('bad-request', 'No server is running, so there are no messages to follow', 'Start one with calendar serve.');
  },
};

export const file: Implementations<'file'> = {
  info: ({ world: { store } }) => ({ ...store.db.info(), records: recordsIn(store) }),
  async checkpoint({ world }) {
    await world.store.db.checkpoint();
    return null;
  },
  async backup({ world }, { file }) {
    await world.store.db.backup(file);
    return null;
  },
};
