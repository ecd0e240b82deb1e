/** The exports of the package; see src/testing. */

import { watchOf } from '../src/testing/changes.ts';
import { failureReport, limitWaits, waitWithin } from '../src/testing/evidence.ts';
import { HintReport, isReportedLater } from '../src/testing/hint-report.ts';
import { sharedOptionNames } from '../src/testing/options.ts';
import { sharedServerFor, shareServer } from '../src/testing/shared-server.ts';
import { calendarBetween } from '../src/testing/test-hooks.ts';
import { worldSource } from '../src/testing/world-source.ts';
import { runOnNode } from './machine/node.ts';

runOnNode();

export type { ConnectedCalendar, ControlledCalendar as Calendar } from '../src/testing/calendar.ts';
export { type RecordedChange, type RecordedChanges, recordChanges } from '../src/testing/changes.ts';
export { type ConnectOptions, connectCalendar } from '../src/testing/connect.ts';
export { createCalendar } from '../src/testing/create.ts';
export type { CalendarOptions, MountOptions } from '../src/testing/options.ts';
export type { SharedServerOptions } from '../src/testing/shared-server.ts';
export type { SharedCalendarOptions } from '../src/testing/test-hooks.ts';
export { vitePlugin } from '../src/testing/vite.ts';
export type { OnServer, TestCalendarOptions } from '../src/testing/world-source.ts';
export * from './everywhere.ts';

/** For the entry points of test runners. @internal */
export const internal = {
  ...{ calendarBetween, failureReport, limitWaits, shareServer, sharedServerFor, waitWithin, worldSource },
  ...{ HintReport, isReportedLater, sharedOptionNames, watchOf },
};
