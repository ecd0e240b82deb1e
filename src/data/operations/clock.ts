import { Failure } from '../../model/error.ts';
import type { ClockState } from '../../model/operations/clock.ts';
import { instantOf, modulo } from '../../model/time/datetime.ts';
import { addDuration, durationForms, readDuration } from '../../model/time/duration.ts';
import { readInstant } from '../../model/time/instant.ts';
import { toUtc, wallOf } from '../../model/time/time.ts';
import type { SettableClock } from '../world/clock.ts';
import type { Implementations, OperationContext } from './context.ts';

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

/** Returns the state of a server's clock, or the time of a file. */
export function clockStateOf({ store, world }: OperationContext): ClockState {
  return world?.served.clock.state ?? { now: new Date(store.requestContext().now).toISOString(), frozen: false, ahead: 0 };
}

/** Sets the clock and publishes what is due. */
async function setClock({ store, world, onClock }: OperationContext, change: (clock: SettableClock) => void): Promise<ClockState> {
  if (!world)
    throw new Failure(
      'bad-request',
      'No server is running, so there is no clock to set',
      'Start one with calendar serve, or pass --now with each command.',
    );
  const { clock, messages } = world.served;
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

/** Returns the instant after a duration, in the calendar of a time zone, or the given one. */
function laterInstant(now: number, zone: string, { by, to }: { by?: string; to?: string }): number {
  if ((by === undefined) === (to === undefined)) throw new Failure('bad-request', 'Pass either by or to');
  if (to !== undefined) return instantAt('to', to);
  const duration = readDuration(by!);
  if (!duration) throw new Failure('bad-request', `Invalid by ${JSON.stringify(by)}`, `Write it like ${durationForms}.`);
  const { months, days, seconds } = duration;
  // Hours are elapsed time, also across a change of the clocks.
  if (!months && !days) return now + seconds * 1000;
  const wall = addDuration(wallOf(now, zone), { months, days, seconds: 0 });
  return instantOf(toUtc(wall, zone)) + modulo(now, 1000) + seconds * 1000;
}
