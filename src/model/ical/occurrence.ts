import type { DateTime } from '../time/datetime.ts';

/** The rule that a series of events was created from. */
export interface Series {
  /** UID of the series. The UIDs of its occurrences add `#` and their recurrence ID. */
  uid: string;
  /** Recurrence rule (RFC 5545, 3.3.10). */
  rule: string;
  /** First occurrence, as local times in `timezone`. */
  start: DateTime;
  end: DateTime;
  timezone: string;
  all_day: boolean;
  /** Period in which it was expanded, in epoch milliseconds. */
  from: number;
  until: number;
}

const occurrence = /^(.+)#(\d{8}(?:T\d{6}Z)?)$/s;

/** Splits the UID of an occurrence into the UID of its series and its recurrence ID. Returns undefined for other events. */
export function occurrenceOf(uid: unknown): { series: string; recurrenceId: string } | undefined {
  const match = occurrence.exec(String(uid ?? ''));
  return match ? { series: match[1]!, recurrenceId: match[2]! } : undefined;
}
