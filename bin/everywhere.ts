/** The exports of the package wherever it runs. */

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
  ReadParameters,
  RecordPage,
  RecordRef,
  TrashCollection,
  TypedCollection,
} from '../src/testing/calendar.ts';
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
export type { CalendarHooks, NewWorld } from '../src/testing/options.ts';
