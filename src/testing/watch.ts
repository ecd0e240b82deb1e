import { Failure } from '../model/error.ts';
import type { CalendarControl } from '../model/operations/all.ts';
import type { FaultInfo } from '../model/operations/faults.ts';
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
