import type { Input } from '../calendar.ts';

/** Sorts keys so that each follows its parent. Omits keys in cycles and returns the cycles. */
export function keysByParent(parents: ReadonlyMap<string, string | undefined>): { keys: string[]; cycles: string[][] } {
  const keys = new Set<string>();
  const cycles: string[][] = [];
  const stuck = new Set<string>();
  for (const start of parents.keys()) {
    const path = new Set<string>();
    let at: string | undefined = start;
    while (at !== undefined && !keys.has(at) && !stuck.has(at) && !path.has(at)) {
      path.add(at);
      at = parents.get(at);
    }
    if (at !== undefined && path.has(at)) {
      const all = [...path];
      const cycle = all.slice(all.indexOf(at));
      cycles.push(cycle);
      for (const key of cycle) stuck.add(key);
    }
    for (const key of [...path].reverse()) if (!stuck.has(key)) keys.add(key);
  }
  return { keys: [...keys], cycles };
}

/** Sorts categories so that each follows its parent. */
export function parentsFirst(records: readonly (Input & { id: number })[]): (Input & { id: number })[] {
  const byId = new Map(records.map((record) => [String(record.id), record]));
  const parents = new Map(
    records.map((record) => [String(record.id), byId.has(String(record.parent)) ? String(record.parent) : undefined]),
  );
  return keysByParent(parents).keys.map((key) => byId.get(key)!);
}
