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
