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

/** Maximum number of events that a rule may create. */
export const maxRepeats = 730;

/** Returns why a rule cannot create a series; undefined if it can. */
export function repeatFault(rule: string): string | undefined {
  if (!/^FREQ=/i.test(rule.trim())) return 'must start with FREQ=, e.g. FREQ=WEEKLY;COUNT=10';
  const names = rule.split(';').map((part) => part.split('=')[0]!.trim().toUpperCase());
  const repeated = names.find((name, at) => names.indexOf(name) !== at);
  if (repeated) return `has ${repeated} twice`;
  const ends = names.filter((name) => name === 'COUNT' || name === 'UNTIL');
  if (!ends.length) return 'needs COUNT or UNTIL, e.g. FREQ=WEEKLY;COUNT=10';
  if (ends.length > 1) return 'has both COUNT and UNTIL';
  if (/(?:^|;)\s*COUNT=0*(?:;|$)/i.test(rule)) return 'has no events, because COUNT is 0';
  return undefined;
}
