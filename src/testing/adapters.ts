import project from '../../package.json' with { type: 'json' };
import { type HttpArchive, toHar } from '../model/formats/har.ts';
import type { CalendarControl } from '../model/operations/all.ts';
import type { ClockState } from '../model/operations/clock.ts';
import type { SeedInput } from '../model/operations/data.ts';
import type { FaultAnswer, FaultInfo, FaultInput, PatchFunction } from '../model/operations/faults.ts';
import type { FollowInput, Message, Messages } from '../model/operations/messages.ts';
import type { RequestMatch } from '../model/operations/request-match.ts';
import type { RequestsInput } from '../model/operations/requests.ts';
import type { SettingValue, SettingValues } from '../model/operations/settings.ts';
import type { Done } from '../model/operations/summary.ts';
import type { FixtureInput } from './fixture.ts';
import { guarded } from './guarded.ts';
import { defined, instantText, seedInput, settingTexts } from './options.ts';

/** Requests that a fault holds. */
export interface HeldRequests {
  /** ID of the fault. */
  readonly id: number;
  /**
   * Wait until that number of requests is held; all of them by default. `timeout` is a time like `10s`.
   * @example await held.arrived(2);
   */
  arrived(count?: number, timeout?: string): Promise<void>;
  /**
   * Send the true response, or another one like `{ status: 503 }`, and remove the fault.
   * @example await held.release();
   */
  release(response?: FaultAnswer): Promise<void>;
}

/** A fault of a calendar of this process that changes the true response by a function. */
export interface FunctionFault extends Omit<FaultInput, 'then'> {
  /** Change of the true response. */
  then: {
    /** Returns the changed response, like `(response) => ({ ...response, status: 206 })`. */
    patch: PatchFunction;
  };
}

/** Which messages to follow, and until when. */
export interface FollowOptions extends FollowInput {
  /** Ends the iteration. */
  signal?: AbortSignal;
}

/** Messages that can be iterated over at once. Those from when it resolves are included. */
export type Followed = AsyncIterable<Message> & Promise<AsyncIterable<Message>>;

/** Duration or instant to advance a clock to. */
export type ClockStep =
  | {
      /** Duration in ISO 8601, like `P1DT2H`. */
      by: string;
    }
  | {
      /** Instant, like `2027-03-01T09:00Z`. */
      to: string | Date;
    };

/** The methods that do more than their operation, by group. */
export interface AdaptedMethods {
  /** Methods of the calendar. */
  server: {
    /**
     * Follow changes, requests, resets and the clock until the signal, or until the loop ends. Await it to miss nothing of what comes next.
     * @example for await (const { type, data } of calendar.follow({ types: ['change'] })) seen.push([type, data]);
     */
    follow(options?: FollowOptions): Followed;
  };
  /** Methods of `calendar.data`. */
  data: {
    /**
     * Create the records of a seed: its name, a fixture, or the path or URL of one. If there are records already, an option has to decide about them.
     * @example await calendar.data.seed('demo', { replace: true });
     */
    seed(seed: string | FixtureInput, options?: Omit<SeedInput, 'seed'>): Promise<Done>;
  };
  /** Methods of `calendar.clock`. */
  clock: {
    /**
     * Stop the clock at an instant, like `2027-03-01T09:00Z`.
     * @example await calendar.clock.set('2027-03-01T09:00Z');
     */
    set(now: string | Date): Promise<ClockState>;
    /**
     * Advance the clock by a duration, like `P1DT2H`, or to an instant. Publishes what becomes due before it resolves.
     * @example await calendar.clock.advance('P1DT2H');
     */
    advance(by: string | ClockStep): Promise<ClockState>;
  };
  /** Methods of `calendar.faults`. */
  faults: {
    /**
     * Inject a fault: a delay, an error response, a broken connection, or a change of the true response, which in this process may be a function.
     * @example await calendar.faults.add({ match: { path: '/events' }, then: { patch: (response) => ({ ...response, status: 206 }) } });
     */
    add(input: FaultInput | FunctionFault): Promise<FaultInfo>;
    /**
     * Hold the next requests that match until the release: `arrived(n)` waits until they are there, and `release()` sends the true response, or another one. After `timeout` (default 30s),
     * the true response is sent. A request whose client goes away is no longer held.
     * @example const held = await calendar.faults.hold({ path: '/events' });
     */
    hold(match: RequestMatch, options?: Pick<FaultInput, 'times' | 'timeout' | 'at'>): Promise<HeldRequests>;
    /**
     * Remove all faults.
     * @example await calendar.faults.clear();
     */
    clear(): Promise<void>;
  };
  /** Methods of `calendar.requests`. */
  requests: {
    /**
     * Get the requests as an HTTP Archive (HAR), which the developer tools of browsers open. Secrets are redacted.
     * @example await writeFile('requests.har', JSON.stringify(await calendar.requests.har()));
     */
    har(input?: RequestsInput): Promise<HttpArchive>;
  };
  /** Methods of `calendar.snapshots`. */
  snapshots: {
    /**
     * Get a snapshot as a SQLite file.
     * @example await writeFile('before.db', await calendar.snapshots.file('before'));
     */
    file(name: string): Promise<Uint8Array>;
  };
  /** Methods of `calendar.settings`. */
  settings: {
    /**
     * Change settings; the others stay as they are.
     * @example await calendar.settings.change({ timezone: 'Europe/Paris' });
     */
    change(settings: SettingValues): Promise<SettingValue[]>;
  };
}

async function* messagesOf(batches: AsyncIterable<Messages>): AsyncGenerator<Message, void, undefined> {
  for await (const { messages } of batches) yield* messages;
}

/** Lets a promise of messages be iterated over. */
export function followed(messages: Promise<AsyncIterable<Message>>): Followed {
  // The caller who iterates gets the failure, even if later.
  messages.catch(() => {});
  return Object.assign(messages, {
    async *[Symbol.asyncIterator]() {
      yield* await messages;
    },
  });
}

export const adaptersOf = (control: CalendarControl): AdaptedMethods => ({
  server: { follow: ({ signal, ...input } = {}) => followed(control.events(input, signal).then(messagesOf)) },
  data: {
    seed: async (seed, options) => control.seed({ ...defined(options), ...(await seedInput(seed)) }),
  },
  clock: {
    set: (now) => control.setClock({ now: instantText(now) }),
    advance(by) {
      if (typeof by === 'string') return control.advanceClock({ by });
      const input = defined(by);
      return control.advanceClock('to' in input ? { ...input, to: instantText(input.to) } : input);
    },
  },
  faults: {
    add: (input) => control.addFault(input as FaultInput),
    async hold(match, { times = 1, ...options } = {}) {
      const { id } = await control.addFault({ ...options, match, times, then: 'hold' });
      const methods: Omit<HeldRequests, 'id'> = {
        async arrived(count = times, timeout) {
          await control.awaitFault({ id, count, timeout });
        },
        async release(response) {
          await control.releaseFault({ id, response });
        },
      };
      return { id, ...guarded(methods, () => true) };
    },
    async clear() {
      await control.clearFaults();
    },
  },
  requests: {
    har: async (input) => toHar((await control.requests(defined(input))).requests, project.version),
  },
  snapshots: {
    file: async (name) => (await control.snapshotFile({ name })).slice(),
  },
  settings: {
    change: async (settings) => (await control.changeSettings(settingTexts(settings))).settings,
  },
});
