import { Failure } from '../model/error.ts';
import type { FaultInfo } from '../model/operation-types.ts';
import type { CalendarControl } from '../model/operations/all.ts';
import type { Messages, RecordMessage } from '../model/operations/messages.ts';
import type { ControlledCalendar } from './calendar.ts';

/** The parts of a calendar that the entries of test runners use, and its methods don't return. */
export interface Watch {
  control: CalendarControl;
  /** Called when a method starts that creates records, with their number. */
  onCreate?(created: Promise<number>): void;
  /** Called with a fault that was added. */
  onFault?(fault: FaultInfo): void;
  /** Called with faults that were removed. */
  onFaultsRemoved?(faults: readonly FaultInfo[]): void;
  /** Returns how long a wait without a timeout may take, in ms; undefined for the default. */
  waitMs?(): number | undefined;
  /** Calls that have not resolved. */
  readonly waits: Set<string>;
}

const watches = new WeakMap<ControlledCalendar, Watch>();

export const rememberWatch = (calendar: ControlledCalendar, watch: Watch): void => void watches.set(calendar, watch);

/** Throws `bad-request` for the calendar of a whole test file, which is not known before it is open. */
export function watchOf(calendar: ControlledCalendar): Watch {
  const watch = watches.get(calendar);
  if (watch) return watch;
  throw new Failure('bad-request', 'recordChanges requires the calendar of createCalendar, connectCalendar or worlds.create');
}

/** A record that was changed, with its state after the last change. */
export interface RecordedChange extends RecordMessage {
  /** The record; undefined if it was deleted. */
  record?: object;
}

/** The changes of a calendar. */
export interface RecordedChanges {
  /** The changed records, in the order of their first change. */
  changes: RecordedChange[];
  /** True if more was changed than could be recorded, for example by an import. */
  isIncomplete: boolean;
}

/** Returns the messages after one that was received: the first batch has them all. */
async function messagesAfter(control: CalendarControl, after: string | undefined): Promise<Messages> {
  for await (const batch of await control.events({ ...(after !== undefined && { after }), types: ['change', 'reset'] })) return batch;
  return { last: '', messages: [] };
}

/** Combines the changes of each record. A reset takes back all before it. */
function combined({ messages }: Messages): RecordedChanges {
  const changes = new Map<string, RecordedChange>();
  let isIncomplete = false;
  for (const { type, data } of messages)
    if (type === 'reset') {
      if (data.reason === 'replaced') changes.clear();
      isIncomplete = data.reason !== 'replaced';
    } else if (type === 'change') {
      const key = `${data.resource} ${data.id}`;
      const isNew = changes.get(key)?.action === 'created' && data.action === 'updated';
      changes.set(key, { ...data, action: isNew ? 'created' : data.action });
    }
  return { changes: [...changes.values()], isIncomplete };
}

/**
 * Records the changes of a calendar from now on. Returns a function that returns them. Throws `bad-request` for the calendar of a whole test file, which it can't know before it is open.
 * @example const changes = await recordChanges(calendar);
 */
export async function recordChanges(calendar: ControlledCalendar): Promise<() => Promise<RecordedChanges>> {
  const { control } = watchOf(calendar);
  const { last } = await messagesAfter(control, undefined);
  return async () => {
    const { changes, isIncomplete } = combined(await messagesAfter(control, last));
    const withRecord = async (change: RecordedChange): Promise<RecordedChange> => {
      if (change.action === 'deleted') return change;
      // A fault of the test may concern this request too.
      return { ...change, record: await calendar[change.resource].get(change.id).catch(() => undefined) };
    };
    return { changes: await Promise.all(changes.map(withRecord)), isIncomplete };
  };
}
