import type { ResourceName } from './calendar.ts';
import type { FailureCode, FailureData } from './error.ts';
import type { Input } from './record.ts';

/** A change of records of one resource: new values of fields, dates that are moved, or without both their deletion. */
export interface RecordsChange {
  resource: ResourceName;
  ids: readonly number[];
  fields?: Input;
  /** A duration such as `2 days`, by which events are moved. */
  shift?: string;
}

/** Changes of many records, or the ID of the changes to undo. */
export type ChangesInput = { changes: readonly RecordsChange[] } | { undo: string };

/** A record that was not changed, and why. */
export interface UnchangedRecord {
  resource: ResourceName;
  id: number;
  /** Title or name; empty for a missing record. */
  name: string;
  code: FailureCode;
  message: string;
  hint?: string;
  status: number;
  data?: FailureData;
}

/** A line of the response to {@link ChangesInput}: one at the start and one after each batch. */
export interface ChangesProgress {
  /** Number of records that were handled. */
  done: number;
  total: number;
  /** ID that undoes what was changed; absent for an undo, and for changes of another site. */
  undo?: string;
  /** The records that were not changed; only in the last line. */
  unchanged?: readonly UnchangedRecord[];
  /** Why not all records were handled; only in the last line. */
  stopped?: string;
}
