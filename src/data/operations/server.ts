import { Failure } from '../../model/error.ts';
import type { Health } from '../../model/operations/server.ts';
import { recordsIn } from '../world/reset.ts';
import type { Implementations, OperationContext } from './context.ts';

function healthOf({ world, version, url, seed }: OperationContext): Health {
  return {
    version,
    url: url?.() ?? null,
    file: world.store.db.file ?? null,
    seed: seed ?? null,
    records: recordsIn(world.store),
    uptime: Math.round(performance.now() - world.openedAt) / 1000,
    clock: world.clockState,
  };
}

export const server: Implementations<'server'> = {
  health: healthOf,
  ready: healthOf,
  follow({ world: { served } }, input, signal) {
    if (served) return served.messages.follow(input, signal);
    throw new Failure('bad-request', 'No server is running, so there are no messages to follow', {}, 'Start one with calendar serve.');
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
