/** Keys with their parents before them, in the order given otherwise; and the circles that have no beginning. */
export function keysByParent(parents: ReadonlyMap<string, string | undefined>): { keys: string[]; cycles: string[][] } {
  const keys = new Set<string>();
  const cycles: string[][] = [];
  const stuck = new Set<string>();
  for (const start of parents.keys()) {
    const path: string[] = [];
    let at: string | undefined = start;
    while (at !== undefined && !keys.has(at) && !stuck.has(at) && !path.includes(at)) {
      path.push(at);
      at = parents.get(at);
    }
    if (at !== undefined && path.includes(at)) {
      const cycle = path.slice(path.indexOf(at));
      cycles.push(cycle);
      for (const key of cycle) stuck.add(key);
    }
    for (const key of path.reverse()) if (!stuck.has(key)) keys.add(key);
  }
  return { keys: [...keys], cycles };
}
