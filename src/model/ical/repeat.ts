/** Maximum number of events that a rule may create. */
export const maxRepeats = 730;

/** Returns why a rule cannot create a series; undefined if it can. */
export function repeatFault(rule: string): string | undefined {
  if (!/^FREQ=/i.test(rule.trim())) return 'must start with FREQ=, e.g. FREQ=WEEKLY;COUNT=10';
  if (!/(?:^|;)(?:COUNT|UNTIL)=/i.test(rule)) return 'needs COUNT or UNTIL, e.g. FREQ=WEEKLY;COUNT=10';
  return undefined;
}
