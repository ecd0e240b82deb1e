import * as z from 'zod';
import { isObject } from '../../model/fields/coerce.ts';
import { resources } from '../../model/resources/all.ts';
import { valueSchemas } from '../../model/resources/value-schemas.ts';
import { isZone } from '../../model/time/zone.ts';

const counts = z.record(z.string(), z.number());
const memberForm = z.object({
  /** Number of objects that could have the member. */
  of: z.number(),
  /** Share of them that has it. */
  presence: z.number(),
  /** Number of values by JSON type. */
  types: counts,
  /** Number of non-empty strings by format. */
  formats: counts.optional(),
  /** Minimum and maximum length of strings and arrays. */
  length: z.tuple([z.number(), z.number()]).optional(),
  /** Values of booleans, statuses, time zones and currency positions. */
  values: z.array(z.union([z.string(), z.boolean()])).optional(),
});
const viewForm = z.object({ records: z.number(), members: z.record(z.string(), memberForm) });
const errorForm = z.object({ status: z.number(), code: z.string().optional(), members: z.record(z.string(), memberForm) });
const endpointForm = z.object({
  default_per_page: z.number().optional(),
  max_per_page: z.number().optional(),
  errors: z.record(z.string(), errorForm),
});

/** The shape of a site's responses, without values of records. */
export const shapeForm = z.object({
  version: z.literal(1),
  sample: z.number(),
  views: z.record(z.string(), viewForm),
  endpoints: z.record(z.string(), endpointForm),
});
export type Shape = z.infer<typeof shapeForm>;
export type EndpointShape = z.infer<typeof endpointForm>;
export type ShapeView = z.infer<typeof viewForm>;
type MemberShape = z.infer<typeof memberForm>;
type MemberShapes = ShapeView['members'];
export type JsonObject = Record<string, unknown>;

/** The knowledge by which names that are data are recognized. */
interface Naming {
  /** Values of records. A member with such a name is data. */
  texts: ReadonlySet<string>;
  /** Members of an earlier shape, whose names are taken over. */
  like?: MemberShapes;
}

/** Names that the API gives to members. */
const vocabulary = new Set([
  ...Object.values(resources).flatMap(({ response }) => response.members.map(({ name }) => name)),
  ...Object.values(valueSchemas).flatMap(({ properties }) => Object.keys(properties ?? {})),
  ...['self', 'collection', 'total', 'total_pages', 'next_rest_url', 'previous_rest_url'],
  ...['code', 'message', 'data', 'status', 'params', 'details', 'page', 'width', 'height', 'filesize'],
]);
/** Members whose keys sites choose. */
const maps = new Set(['custom_fields', 'meta', 'sizes']);
const enumerated: Record<string, (text: string) => boolean> = {
  status: (text) => /^[a-z][a-z_-]{0,19}$/.test(text),
  timezone: isZone,
  'cost_details.currency_position': (text) => /^(prefix|postfix|suffix)?$/.test(text),
};
const formats: [name: string, pattern: RegExp][] = [
  ['date-time', /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/],
  ['iso-date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d/],
  ['date', /^\d{4}-\d\d-\d\d$/],
  ['url', /^https?:\/\/\S+$/],
  ['email', /^[^\s@<>]+@[^\s@<>]+$/],
  ['integer', /^-?\d+$/],
  ['decimal', /^-?\d+\.\d+$/],
  ['html', /<[a-z][^<>]*>/i],
];
const maxDepth = 12;
/** Number of objects from which on their common keys count as structure. */
const minObjects = 3;

const isName = (key: string) => /^[@_a-z][\w:]*$/i.test(key) && key !== '__proto__';
const formatOf = (text: string) => formats.find(([, pattern]) => pattern.test(text))?.[0] ?? 'text';
const typeOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);
const join = (path: string, name: string) => (path === '' ? name : `${path}.${name}`);
const sorted = <T>(entries: Iterable<[string, T]>): Record<string, T> =>
  Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));

function countBy(values: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return sorted(counts);
}

/** The members of objects by path; those in `links` without the members of their values. */
export function membersOf(objects: readonly JsonObject[], naming: Naming, links: ReadonlySet<string> = new Set()): MemberShapes {
  const members = new Map<string, MemberShape>();
  const addObjects = (samples: readonly JsonObject[], path: string, depth: number): void => {
    const nameOf = namesIn(samples, path, naming);
    const values = new Map<string, { values: unknown[]; holders: Set<number> }>();
    for (const [at, object] of samples.entries())
      for (const [key, value] of Object.entries(object)) {
        const name = nameOf(key);
        const member = values.get(name) ?? { values: [], holders: new Set() };
        member.values.push(value);
        member.holders.add(at);
        values.set(name, member);
      }
    for (const [name, each] of values) addMember(join(path, name), each.values, each.holders.size, samples.length, depth);
  };
  const addMember = (path: string, values: readonly unknown[], holders: number, of: number, depth: number): void => {
    members.set(path, memberOf(path, values, holders, of));
    if (depth === maxDepth || links.has(path)) return;
    const inner = values.filter(isObject) as JsonObject[];
    if (inner.length) addObjects(inner, path, depth + 1);
    const items = values.filter((value) => Array.isArray(value)).flat();
    if (items.length) addMember(`${path}[]`, items, items.length, items.length, depth + 1);
  };
  addObjects(objects, '', 0);
  return sorted(members);
}

function memberOf(path: string, values: readonly unknown[], holders: number, of: number): MemberShape {
  const strings = values.filter((value) => typeof value === 'string');
  const lengths = values.flatMap((value) => (typeof value === 'string' || Array.isArray(value) ? value.length : []));
  const filled = strings.filter((text) => text !== '');
  const isListed = enumerated[path];
  const listed = [...new Set(values.filter((value) => typeof value === 'boolean' || (typeof value === 'string' && isListed?.(value))))];
  return {
    of,
    presence: Math.round((holders / of) * 1000) / 1000,
    types: countBy(values.map(typeOf)),
    ...(filled.length ? { formats: countBy(filled.map(formatOf)) } : {}),
    // Not spread: there may be more values than a call takes arguments.
    ...(lengths.length
      ? { length: lengths.reduce(([min, max], n) => [Math.min(min, n), Math.max(max, n)], [lengths[0]!, lengths[0]!]) }
      : {}),
    ...(listed.length ? { values: listed.sort() as MemberShape['values'] } : {}),
  };
}

/** A function from a key of objects to the name of the member: `*` for keys that are data. */
function namesIn(objects: readonly JsonObject[], path: string, { texts, like }: Naming): (key: string) => string {
  const isKept = (key: string) => like !== undefined && join(path, key) in like;
  const isData = (key: string) => !isName(key) || (texts.has(key) && !vocabulary.has(key));
  // Objects with the keys of the API, and records, are structure.
  if (path === '') return (key) => (isKept(key) || !isData(key) ? key : '*');
  const isMap = like && `${path}.*` in like ? true : !Object.keys(like ?? {}).some((each) => each.startsWith(`${path}.`)) && isDataKeyed();
  return isMap ? () => '*' : (key) => (isKept(key) || !isData(key) ? key : '*');

  function isDataKeyed(): boolean {
    if (maps.has(path.slice(path.lastIndexOf('.') + 1))) return true;
    const keys = new Map<string, number>();
    for (const key of objects.flatMap(Object.keys)) keys.set(key, (keys.get(key) ?? 0) + 1);
    if ([...keys.keys()].some((key) => !isName(key))) return true;
    if ([...keys.keys()].every((key) => vocabulary.has(key)) || objects.every((object) => '@type' in object)) return false;
    return objects.length < minObjects || [...keys].some(([key, count]) => isData(key) || count < objects.length / 2);
  }
}

/** Adds all strings and numbers of a value to `found`, as texts. */
export function addTexts(value: unknown, texts: Set<string>, depth = 0): void {
  if (typeof value === 'string' || typeof value === 'number') texts.add(String(value));
  else if (value !== null && typeof value === 'object' && depth <= maxDepth)
    for (const each of Object.values(value)) addTexts(each, texts, depth + 1);
}

const maxLineLength = 140;

/** JSON with short objects on one line, so that a changed member is a changed line. */
export function shapeText(value: unknown, indent = ''): string {
  const line = JSON.stringify(value);
  if (!isObject(value) || line.length <= maxLineLength - indent.length) return line;
  const inner = Object.entries(value).map(([key, each]) => `${indent}  ${JSON.stringify(key)}: ${shapeText(each, `${indent}  `)}`);
  return `{\n${inner.join(',\n')}\n${indent}}`;
}

/** A difference between two shapes, or a part in which they are the same. */
interface ShapeResult {
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
/** The kinds with their numbers, e.g. "null (4 of 20) or object (16 of 20)"; only the kind if there is one. */
const sharesOf = (counts: Record<string, number>) => {
  const kinds = Object.entries(counts);
  return kinds.length < 2 ? listed(counts) : kinds.map(([kind, n]) => `${kind} (${n} of ${sum(counts)})`).join(' or ');
};

/** True if nothing in `n` trials is unlikely at a rate. */
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

/** The number of objects that could have a member. */
function parentsOf(members: MemberShapes, path: string, records: number): number {
  if (path.endsWith('[]')) return 0;
  const end = path.lastIndexOf('.');
  return end < 0 ? records : (members[path.slice(0, end)]?.types.object ?? 0);
}

function compareMember(at: string, old: MemberShape, now: MemberShape): Difference[] {
  const differences: Difference[] = [];
  // A type that no record had is a value that a client can't read, however few records have it.
  if (Object.keys(now.types).some((type) => !old.types[type]) || haveDifferentKinds(old.types, now.types))
    differences.push({ at, about: 'Type changed', reason: `from ${listed(old.types)} to ${sharesOf(now.types)}` });
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

/** True if a member that all had is missing in some, or if shares differ more than by chance. */
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
