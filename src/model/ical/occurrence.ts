const occurrence = /^(.+)#(\d{8}(?:T\d{6}Z)?)$/s;

/** Splits the UID of an occurrence into the UID of its series and its recurrence ID. Returns undefined for other events. */
export function occurrenceOf(uid: unknown): { series: string; recurrenceId: string } | undefined {
  const match = occurrence.exec(String(uid ?? ''));
  return match ? { series: match[1]!, recurrenceId: match[2]! } : undefined;
}
