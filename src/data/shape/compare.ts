import type { EndpointShape, MemberShape, MemberShapes, Shape } from './shape.ts';

/** A difference between two shapes, or a part in which they are the same. */
export interface ShapeResult {
  /** The view, and the path of a member that differs. */
  name: string;
  about: string;
  outcome: 'ok' | 'wrong' | 'skipped';
  reason?: string;
}

type Difference = { at: string; about: string; reason: string };

/** Largest probability of a chance difference that is reported. */
const maxChance = 0.001;
/** Number of records from which on a member that all have counts as mandatory. */
const minMandatory = 20;
/** Standard deviations that correspond to {@link maxChance}. */
const minDeviation = 3.3;

/** Compares the shape of a site with an earlier one. */
export function compareShapes(before: Shape, after: Shape): ShapeResult[] {
  const results: ShapeResult[] = [];
  const add = (name: string, about: string, differences: Difference[]) => {
    for (const { at, about: kind, reason } of differences)
      results.push({ name: at ? `${name}.${at}` : name, about: kind, outcome: 'wrong', reason });
    if (!differences.length) results.push({ name, about, outcome: 'ok' });
  };
  for (const name of namesOf(before.views, after.views)) {
    const [old, now] = [before.views[name], after.views[name]];
    if (!old?.records || !now?.records)
      results.push({ name, about: 'Members', outcome: 'skipped', reason: `no records ${old?.records ? 'now' : 'in the file'}` });
    else add(name, 'Members, types and presence are the same', compareMembers(old.members, now.members, old.records, now.records));
  }
  for (const path of namesOf(before.endpoints, after.endpoints))
    add(path, 'Limits of pages and errors are the same', compareEndpoints(before.endpoints[path], after.endpoints[path]));
  return results;
}

const namesOf = (a: object, b: object): string[] => [...new Set([...Object.keys(a), ...Object.keys(b)])];
const percent = (rate: number) => `${Math.round(rate * 1000) / 10}%`;
const sum = (counts: Record<string, number>) => Object.values(counts).reduce((total, count) => total + count, 0);
const listed = (counts: Record<string, number>) => Object.keys(counts).join(' or ');

/** Returns whether nothing in `n` trials is unlikely at a rate. */
const isTelling = (rate: number, n: number) => n > 0 && (1 - rate) ** n <= maxChance;

function compareMembers(before: MemberShapes, after: MemberShapes, oldRecords: number, newRecords: number): Difference[] {
  const differences: Difference[] = [];
  for (const path of namesOf(before, after).sort()) {
    const [old, now] = [before[path], after[path]];
    if (!old && isTelling(now!.presence, parentsOf(before, path, oldRecords)))
      differences.push({ at: path, about: 'Added', reason: `${listed(now!.types)} in ${percent(now!.presence)} of ${now!.of}` });
    else if (!now && isTelling(old!.presence, parentsOf(after, path, newRecords)))
      differences.push({ at: path, about: 'Removed', reason: `was ${listed(old!.types)} in ${percent(old!.presence)} of ${old!.of}` });
    else if (old && now) differences.push(...compareMember(path, old, now));
  }
  return differences;
}

/** Returns the number of objects that could have a member. */
function parentsOf(members: MemberShapes, path: string, records: number): number {
  if (path.endsWith('[]')) return 0;
  const end = path.lastIndexOf('.');
  return end < 0 ? records : (members[path.slice(0, end)]?.types.object ?? 0);
}

function compareMember(at: string, old: MemberShape, now: MemberShape): Difference[] {
  const differences: Difference[] = [];
  if (haveDifferentKinds(old.types, now.types))
    differences.push({ at, about: 'Type changed', reason: `from ${listed(old.types)} to ${listed(now.types)}` });
  else if (haveDifferentKinds(old.formats ?? {}, now.formats ?? {}))
    differences.push({ at, about: 'Format changed', reason: `from ${listed(old.formats!)} to ${listed(now.formats!)}` });
  if (isOtherPresence(old, now))
    differences.push({
      at,
      about: 'Presence changed',
      reason: `from ${percent(old.presence)} of ${old.of} to ${percent(now.presence)} of ${now.of}`,
    });
  return differences;
}

function haveDifferentKinds(before: Record<string, number>, after: Record<string, number>): boolean {
  const [oldTotal, newTotal] = [sum(before), sum(after)];
  return namesOf(before, after).some((kind) => {
    const [old = 0, now = 0] = [before[kind], after[kind]];
    return (old === 0 && isTelling(now / newTotal, oldTotal)) || (now === 0 && isTelling(old / oldTotal, newTotal));
  });
}

/** Returns whether a member that all had is missing in some, or whether shares differ more than by chance. */
function isOtherPresence(old: MemberShape, now: MemberShape): boolean {
  if (old.presence === now.presence) return false;
  if (old.presence === 1 && old.of >= minMandatory) return true;
  const pooled = (old.presence * old.of + now.presence * now.of) / (old.of + now.of);
  return Math.abs(old.presence - now.presence) > minDeviation * Math.sqrt(pooled * (1 - pooled) * (1 / old.of + 1 / now.of));
}

function compareEndpoints(old: EndpointShape | undefined, now: EndpointShape | undefined): Difference[] {
  if (!old || !now) return [{ at: '', about: now ? 'Added' : 'Removed', reason: now ? 'not in the file' : 'not read' }];
  const differences: Difference[] = [];
  for (const limit of ['default_per_page', 'max_per_page'] as const)
    if (old[limit] && now[limit] && old[limit] !== now[limit])
      differences.push({ at: limit, about: 'Limit changed', reason: `from ${old[limit]} to ${now[limit]}` });
  for (const label of namesOf(old.errors, now.errors)) {
    const [was, is] = [old.errors[label], now.errors[label]];
    if (!was || !is) {
      differences.push({ at: label, about: is ? 'Added' : 'Removed', reason: `status ${(is ?? was)!.status}` });
      continue;
    }
    const [from, to] = [was, is].map(({ status, code }) => `${status}${code ? ` ${code}` : ''}`);
    if (from !== to) differences.push({ at: label, about: 'Error changed', reason: `from ${from} to ${to}` });
    for (const difference of compareMembers(was.members, is.members, 1, 1))
      differences.push({ ...difference, at: `${label}.${difference.at}` });
  }
  return differences;
}
