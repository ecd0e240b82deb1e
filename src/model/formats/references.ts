import type { Input, Resource, ResourceName } from '../calendar.ts';
import { didYouMean } from '../did-you-mean.ts';
import type { Problem } from '../error.ts';
import type { LinkTarget } from '../fields/field.ts';
import { resources } from '../resources/all.ts';
import { parentField } from '../resources/relations.ts';

/** One record of a fixture. */
export interface FixtureRecord {
  name: ResourceName;
  /** The key for references; in a list, `#ID` or the position. */
  key: string;
  /** Position in the document. */
  path: string;
  /** Its input, with unresolved references. */
  input: Input;
}

/** Resources that records can refer to. Users are not exported. */
type Section = Exclude<LinkTarget, 'users'>;

const linksOf = ({ fields }: Resource): [string, Section][] =>
  fields
    .flatMap(({ name, links }): [string, Section][] => (links && links !== 'users' ? [[name, links]] : []))
    .sort((a, b) => rank(a) - rank(b));
const rank = ([, to]: [string, Section]) => Number(to === 'images');

/** The fields of a record that name other records, and the section of a fixture that these stand in; images last. */
export const references = Object.fromEntries(
  Object.values(resources).map((resource) => [resource.name, Object.fromEntries(linksOf(resource))]),
) as Record<ResourceName, Record<string, Section>>;

/** The key of a reference, without the `@`; undefined for other values. */
export const keyOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.startsWith('@') ? value.slice(1) : undefined;

/** Valid keys of references by section. */
export type KnownKeys = Map<string, ReadonlySet<string>>;

/** A problem for each unknown reference of a record. With `withHints`, suggests similar keys, which compares all keys. */
export function referenceProblems(record: FixtureRecord, keys: KnownKeys, withHints: boolean): Problem[] {
  return Object.entries(references[record.name]).flatMap(([field, section]) => {
    const value = record.input[field];
    return [value].flat().flatMap((item, at): Problem[] => {
      const key = keyOf(item);
      if (key === undefined || keys.get(section)!.has(key)) return [];
      const hint = withHints ? didYouMean(key, keys.get(section)!) : undefined;
      const path = `${record.path}.${field}${Array.isArray(value) ? `[${at}]` : ''}`;
      return [{ at: path, reason: `unknown key @${key} in ${section}${hint ? `. ${hint}` : ''}` }];
    });
  });
}

/** Sorts the records of a section so that each follows its parent. Omits records in cycles and adds them to `problems`. */
export function inParentOrder(name: ResourceName, records: readonly FixtureRecord[], problems: Problem[]): readonly FixtureRecord[] {
  const field = parentField(name)?.name;
  if (!field) return records;
  const byKey = new Map(records.map((record) => [record.key, record]));
  const parentOf = (record: FixtureRecord): string | undefined => {
    const value = record.input[field];
    const key = keyOf(value) ?? (typeof value === 'number' ? `#${value}` : undefined);
    return key !== undefined && byKey.has(key) ? key : undefined;
  };
  const { keys, cycles } = keysByParent(new Map(records.map((record) => [record.key, parentOf(record)])));
  for (const cycle of cycles)
    problems.push({
      at: `${byKey.get(cycle[0]!)!.path}.${field}`,
      reason: `circular reference: ${[...cycle, cycle[0]].map((key) => `@${key}`).join(' -> ')}`,
    });
  return keys.map((key) => byKey.get(key)!);
}

/** Sorts keys so that each follows its parent. Omits keys in cycles and returns the cycles. */
function keysByParent(parents: ReadonlyMap<string, string | undefined>): { keys: string[]; cycles: string[][] } {
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
