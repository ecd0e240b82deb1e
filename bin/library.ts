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

export { Failure, type FailureCode, type Problem } from '../src/model/error.ts';
export type { HttpArchive } from '../src/model/formats/har.ts';
export type {
  ClockState,
  DeclaredFields,
  Done,
  ExportInput,
  FaultAnswer,
  FaultInfo,
  FaultInput,
  FieldInput,
  GenerateInput,
  Health,
  Hint,
  HintedRequest,
  HintsInput,
  ImportInput,
  JournaledRequest,
  JournalMatch,
  PatchStep,
  PullInput,
  PullNowInput,
  PushInput,
  RecordChange,
  RequestList,
  RequestMatch,
  RequestsInput,
  ResetInput,
  Restored,
  SeedInput,
  SettingValue,
  ShiftInput,
  SnapshotInfo,
  UndoInput,
  VerifyInput,
  WorldInfo,
} from '../src/model/operation-types.ts';
export type { ConnectionFault } from '../src/model/operations/connection-faults.ts';
export type { Message } from '../src/model/operations/messages.ts';
export type { SettingValues } from '../src/model/operations/settings.ts';
export type { DeclaredValues } from '../src/model/resources/declared-values.ts';
export type {
  CategoryChanges,
  CategoryParameters,
  CategoryRecord,
  EventChanges,
  EventParameters,
  EventRecord,
  NewCategory,
  NewEvent,
  NewOrganizer,
  NewTag,
  NewVenue,
  OrganizerChanges,
  OrganizerParameters,
  OrganizerRecord,
  RecordTypes,
  Status,
  TagChanges,
  TagParameters,
  TagRecord,
  VenueChanges,
  VenueParameters,
  VenueRecord,
} from '../src/model/resources/record-types.ts';
export type { NewUser, Role, User, UserChange } from '../src/model/viewer.ts';
export type {
  CalendarWorld,
  CalendarWorlds,
  ConnectedCalendar,
  ControlledCalendar as Calendar,
  ReadParameters,
  RecordPage,
  RecordRef,
  TrashCollection,
  TypedCollection,
} from '../src/testing/calendar.ts';
export { type RecordedChange, type RecordedChanges, recordChanges } from '../src/testing/changes.ts';
export { type ConnectOptions, connectCalendar } from '../src/testing/connect.ts';
export { createCalendar } from '../src/testing/create.ts';
export { defineFixture, type FixtureEntry, type FixtureInput as Fixture, type FixtureSection } from '../src/testing/fixture.ts';
export type {
  CalendarClock,
  CalendarData,
  CalendarFaults,
  CalendarRequests,
  CalendarSettings,
  CalendarSnapshots,
  CalendarUsers,
  FollowOptions,
  FunctionFault,
  HeldRequests,
  LocalFault,
} from '../src/testing/operations.ts';
export type { CalendarHooks, CalendarOptions, MountOptions, NewWorld } from '../src/testing/options.ts';
export type { SharedServerOptions } from '../src/testing/shared-server.ts';
export type { SharedCalendarOptions } from '../src/testing/test-hooks.ts';
export { vitePlugin } from '../src/testing/vite.ts';
export type { OnServer, TestCalendarOptions } from '../src/testing/world-source.ts';

/** For the entry points of test runners. @internal */
export const internal = {
  ...{ calendarBetween, failureReport, limitWaits, shareServer, sharedServerFor, waitWithin, worldSource },
  ...{ HintReport, isReportedLater, sharedOptionNames, watchOf },
};
