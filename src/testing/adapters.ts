import project from '../../package.json' with { type: 'json' };
import type { OpenSource } from '../data/ingest/source.ts';
import { toHar } from '../model/formats/har.ts';
import type { FaultInput } from '../model/operation-types.ts';
import type { CalendarControl } from '../model/operations/all.ts';
import type { Message, Messages } from '../model/operations/messages.ts';
import { guarded } from './guarded.ts';
import type {
  CalendarClock,
  CalendarData,
  CalendarFaults,
  CalendarRequests,
  CalendarServer,
  CalendarSettings,
  CalendarSnapshots,
  Followed,
  HeldRequests,
} from './operations.ts';
import { defined, instantText, readSeedOption, settingTexts } from './options.ts';

/** The methods that do more than their operation, by group. */
interface AdaptedMethods {
  server: Pick<CalendarServer, 'follow'>;
  data: Pick<CalendarData, 'seed'>;
  clock: Pick<CalendarClock, 'set' | 'advance'>;
  faults: Pick<CalendarFaults, 'add' | 'hold' | 'clear'>;
  requests: Pick<CalendarRequests, 'har'>;
  snapshots: Pick<CalendarSnapshots, 'file'>;
  settings: Pick<CalendarSettings, 'change'>;
}

async function* messagesOf(batches: AsyncIterable<Messages>): AsyncGenerator<Message, void, undefined> {
  const iterator = batches[Symbol.asyncIterator]();
  try {
    for (;;) {
      // The process runs while it waits for messages, also without a socket.
      const waiting = setInterval(() => {}, 60_000);
      const { done, value } = await iterator.next().finally(() => clearInterval(waiting));
      if (done) return;
      yield* value.messages;
    }
  } finally {
    await iterator.return?.();
  }
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

/** `open` opens the files of seeds. */
export const adaptersOf = (control: CalendarControl, open: OpenSource): AdaptedMethods => ({
  server: {
    follow(options) {
      const { signal, ...input } = defined(options);
      return followed(control.events(input, signal).then(messagesOf));
    },
  },
  data: {
    seed: async (seed, options) => control.seed({ ...defined(options), ...(await readSeedOption(seed, open)) }),
  },
  clock: {
    set: (now) => control.setClock({ now: instantText(now) }),
    advance(by) {
      if (typeof by !== 'object') return control.advanceClock({ by });
      const input = defined(by);
      return control.advanceClock('to' in input ? { ...input, to: instantText(input.to) } : input);
    },
  },
  faults: {
    add: (input) => control.addFault(input as FaultInput),
    async hold(match, options) {
      const { times = 1, ...rest } = defined(options);
      const { id } = await control.addFault({ ...rest, match, times, then: 'hold' });
      const methods: Omit<HeldRequests, 'id'> = {
        async arrived(count = times, timeout) {
          await control.awaitFault({ id, ...(typeof count === 'object' ? { count: times, ...defined(count) } : { count, timeout }) });
        },
        async release(response) {
          await control.releaseFault({ id, response });
        },
      };
      return { id, ...guarded(methods, () => true) };
    },
    async clear() {
      await control.clearFaults({});
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
