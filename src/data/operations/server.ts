import { machine } from '../../machine.ts';
import { Failure } from '../../model/error.ts';
import type { ClockState, Health } from '../../model/operation-types.ts';
import { addDuration } from '../../model/time/date-steps.ts';
import { instantOf, modulo } from '../../model/time/datetime.ts';
import { durationOf, type Time, timeForms } from '../../model/time/duration.ts';
import { readInstant, toUtc, wallOf } from '../../model/time/time.ts';
import type { Store } from '../../store/calendar.ts';
import { hashPassword } from '../../store/users/users.ts';
import type { SettableClock } from '../world/clock.ts';
import { recordsIn } from '../world/reset.ts';
import { type Implementations, type OperationContext, servedWorld } from './context.ts';

function healthOf(context: OperationContext): Health {
  const { store, world, version, url, seed, followed } = context;
  return {
    version,
    url: url?.() ?? null,
    file: store.db.file ?? null,
    seed: seed ?? null,
    records: recordsIn(store),
    uptime: Math.round((world ? machine.uptime() - world.openedAt : 0) * 1000) / 1000,
    clock: clockStateOf(context),
    faults: world?.served.faults.active ?? 0,
    access: 'full',
    ...(followed ? { copy: { site: followed.host, as_of: followed.pulled, text: followed.text } } : {}),
  };
}

export const server: Implementations<'server'> = {
  health: healthOf,
  strict(context, { strict }) {
    servedWorld(context, 'checks of requests').strict = strict;
    return null;
  },
  ready(context) {
    const { pending } = context.followed ?? {};
    if (pending !== undefined) throw new Failure('not-ready', pending);
    return healthOf(context);
  },
  follow: (context, input, signal) => servedWorld(context, 'messages').served.messages.follow(input, signal),
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

export const clock: Implementations<'clock'> = {
  get: clockStateOf,
  set: (context, { now }) =>
    setClock(context, (clock) => {
      const instant = instantAt('now', now);
      clock.freeze();
      clock.moveTo(instant);
    }),
  advance: (context, input) =>
    setClock(context, (clock) => clock.moveTo(laterInstant(clock.now(), context.store.settings.get('timezone'), input))),
  freeze: (context) => setClock(context, (clock) => clock.freeze()),
  resume: (context) => setClock(context, (clock) => clock.resume()),
  reset: (context) => setClock(context, (clock) => clock.reset()),
};

function clockStateOf({ store, world }: OperationContext): ClockState {
  return world?.served.clock.state ?? { now: new Date(store.requestContext().now).toISOString(), frozen: false, ahead: 0 };
}

/** Sets the clock and publishes what is due. */
async function setClock(context: OperationContext, change: (clock: SettableClock) => void): Promise<ClockState> {
  const { clock, messages } = servedWorld(context, 'changes of the clock').served;
  const { store, onClock } = context;
  change(clock);
  store.requestContext();
  await store.db.synced();
  const { state } = clock;
  onClock?.(state);
  messages.publish('clock', state);
  return state;
}

function instantAt(name: string, text: string): number {
  const instant = readInstant(text);
  if (instant !== undefined) return instant;
  throw new Failure('bad-request', `Invalid ${name} ${JSON.stringify(text)}`, 'Write it like 2027-03-01T09:00:00Z.');
}

/** The instant after a duration, in the calendar of a time zone, or the given one. */
function laterInstant(now: number, zone: string, { by, to }: { by?: Time; to?: string }): number {
  if ((by === undefined) === (to === undefined)) throw new Failure('bad-request', 'Pass either by or to');
  if (to !== undefined) return instantAt('to', to);
  const duration = durationOf(by);
  if (!duration) throw new Failure('bad-request', `Invalid by ${JSON.stringify(by)}: must be ${timeForms('step')}`);
  const { months, days, seconds } = duration;
  // Hours are elapsed time, also across a change of the clocks.
  if (!months && !days) return now + seconds * 1000;
  const wall = addDuration(wallOf(now, zone), { months, days, seconds: 0 });
  return instantOf(toUtc(wall, zone)) + modulo(now, 1000) + seconds * 1000;
}

function worldsOf(context: OperationContext): Required<OperationContext>['worlds'] {
  servedWorld(context, 'worlds');
  return context.worlds!;
}

export const worlds: Implementations<'worlds'> = {
  list: (context) => ({ worlds: worldsOf(context).list() }),
  create: (context, input) => worldsOf(context).create(input),
  get: (context, { id }) => worldsOf(context).get(id),
  delete: (context, { id }) => worldsOf(context).delete(id),
};

/** The hash of a new password in a file. Hashing happens before the transaction, so that no other write waits for it. In memory, the store makes another hash, which takes no time. */
const secretOf = async ({ db }: Store, { password }: { password?: string }): Promise<string | undefined> =>
  password && db.file !== undefined ? hashPassword(password) : undefined;

export const users: Implementations<'users'> = {
  list: ({ store }) => ({ users: store.users.list() }),
  async add({ store }, user) {
    const secret = await secretOf(store, user);
    return store.change(() => store.users.add(user, secret));
  },
  async change({ store }, user) {
    const secret = await secretOf(store, user);
    return store.change(() => store.users.change(user, secret));
  },
  async remove({ store }, { name }) {
    await store.change(() => store.users.remove(name));
    return null;
  },
};
