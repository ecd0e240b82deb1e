import type { LinkBase } from '../context.ts';
import type { Entry, Row } from '../record.ts';
import { isDeepEqual, isObject } from './coerce.ts';

/*
 * A copy answers as its site does. Where this program would show a member of a copied record otherwise, a saying is stored with the record: a hash of the
 * own value, and the value of the site. It is shown as long as the own value is still the same, so that each change here makes exactly those members
 * the own ones again that it changes.
 */

/** Increase it when this program shows a member otherwise: the next pull compares all copies again. */
export const sayingRules = 3;

/** The hash of the own value, and the value of the site. Without the second, the site lacks the member. */
type Saying = [own: string] | [own: string, theirs: unknown];

/** A hash that every value has, and one that none has: the own value is shown then. */
const [any, none] = ['', '~'];

/** Sayings of one form of a record, by the path of a member. A path that ends with `#` has the order of linked records. */
export type Sayings = Record<string, Saying>;

type Form = 'list' | 'single' | 'embedded';

/** The sayings of a record: of each form, and of the address of its page, which other members contain. `single` has only those that `list` lacks. */
export interface RecordSayings extends Partial<Record<Form, Sayings>> {
  url?: Saying;
  /** Number of events that the site counts for a term besides those that were copied. */
  elsewhere?: number;
}

/** The part of the column `extra` with the sayings of a record. */
export const sitePart = 'site';

/** The start of links in sayings, which don't depend on the address of a server. */
export const anySite = { home: '{home}', root: '{root}' };

/** Members that belong to this calendar. The count of a term is in its column. */
const ownMembers = ['id', 'global_id', 'global_id_lineage', 'uid', 'sequence', 'series_uid', 'recurrence_id', 'prices', 'raw', 'count'];
/** Members with members that follow from different fields. */
const parted = ['json_ld', 'image'];
/** Members with linked records. */
const linking = ['venue', 'organizer', 'categories', 'tags'];

/** A short hash of a text (FNV-1a, 32 bits). */
export function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(36);
}

const isGlobal = (name: string) => name.startsWith('global_id');

/** The hash of an own value, without its addresses. */
function ownHash(value: unknown, { home, root }: LinkBase): string {
  if (value === undefined) return '-';
  let text = JSON.stringify(value);
  if (text.includes('"global_id')) text = JSON.stringify(value, (name, inner) => (isGlobal(name) ? undefined : inner));
  // An address that another one starts with is not in it.
  if (home !== anySite.home)
    for (const [from, to] of [...(root === home ? [] : [[root, anySite.root]]), [home, anySite.home]])
      if (text.includes(`"${from}`)) for (const end of ['/', '"']) text = text.replaceAll(`"${from}${end}`, `"${to}${end}`);
  return hashOf(text);
}

const isHolding = ([own]: Saying, value: unknown, site: LinkBase): boolean => own === any || (own !== none && own === ownHash(value, site));

/** True if two values are equal, but for the IDs that contain the address of a server. */
export const isSame = (a: unknown, b: unknown): boolean => isDeepEqual(a, b, isGlobal);

/** The circumstances of a comparison. */
interface Comparison {
  /** True for a form of a list, which has no schema.org data. */
  isList: boolean;
  /** True for members that are stored elsewhere. */
  isOther(name: string): boolean;
  isField(name: string): boolean;
}

/** Compares a record as this program shows it with that of a site, member by member. Both have the addresses of {@link anySite}. */
export function sayingsOf(
  own: Record<string, unknown>,
  theirs: Record<string, unknown>,
  { isList, isOther, isField }: Comparison,
): Sayings {
  const sayings: Sayings = {};
  const compare = (path: string, mine: unknown, other: unknown, isAny = false): void => {
    if (isSame(mine, other)) return;
    sayings[path] = other === undefined ? [isAny ? any : ownHash(mine, anySite)] : [ownHash(mine, anySite), other];
  };
  const compareAll = (prefix: string, mine: Record<string, unknown>, others: Record<string, unknown>): void => {
    const isTop = prefix === '';
    for (const name of new Set([...Object.keys(mine), ...Object.keys(others)])) {
      const [a, b] = [mine[name], others[name]];
      const path = prefix + name;
      // Some releases show IDs as text.
      if (name === 'id' && typeof b === 'string' && String(a) === b) compare(path, a, b);
      if (ownMembers.includes(name) || (isTop && isOther(name)) || (isList && name === 'json_ld')) continue;
      if (parted.includes(name) && isObject(a) && isObject(b)) {
        for (const part of new Set([...Object.keys(a), ...Object.keys(b)]))
          compare(`${path}.${part}`, a[part], b[part], name === 'json_ld');
      } else if (isTop && linking.includes(name) && areSameRecords(a, b)) {
        const ids = idsIn(b);
        if (!isSame(idsIn(a), ids)) sayings[`${path}#`] = [ownHash(idsIn(a), anySite), ids];
        compareLinked(path, a, Array.isArray(b) ? sortedBy(b, idsIn(a)) : b);
      } else compare(path, a, b, !isTop || !isField(name));
    }
  };
  const compareLinked = (path: string, a: unknown, b: unknown): void => {
    if (!Array.isArray(a)) compareAll(`${path}.`, a as Record<string, unknown>, b as Record<string, unknown>);
    else for (const [at, each] of a.entries()) compareAll(`${path}.${at}.`, each, (b as Record<string, unknown>[])[at]!);
  };
  compareAll('', own, theirs);
  return sayings;
}

const idsIn = (records: unknown): string[] => (Array.isArray(records) ? records.map((each) => String(each?.id)) : []);
const sortedBy = (records: unknown, ids: readonly string[]): unknown[] =>
  ids.map((id) => (records as Record<string, unknown>[]).find((each) => String(each.id) === id));

/** True if two values are the same records, in any order. */
function areSameRecords(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    const [own, theirs] = [idsIn(a), idsIn(b)];
    return (
      own.length === theirs.length && new Set(theirs).size === own.length && own.every((id) => id !== 'undefined' && theirs.includes(id))
    );
  }
  return isObject(a) && isObject(b) && !Array.isArray(a) && !Array.isArray(b) && a.id !== undefined && String(a.id) === String(b.id);
}

/** The sayings of a single form that those of the list don't have. Where only the list has one, a single record shows the own value. */
export function onlySingle(single: Sayings, list: Sayings): Sayings {
  const more = Object.entries(single).filter(
    ([path, saying]) => list[path] !== saying && JSON.stringify(list[path]) !== JSON.stringify(saying),
  );
  const fewer = Object.keys(list).filter((path) => !(path in single));
  return Object.fromEntries([...more, ...fewer.map((path): [string, Saying] => [path, [none]])]);
}

/** A column `extra` as it was parsed, by its text, so that lists don't parse it again. */
const parsed = new Map<string, Readonly<Record<string, unknown>>>();
const maxParsed = 1000;

/** The parts of the column `extra` of a row. They are shared: a caller must not change them. */
export function partsOf({ extra }: Row): Readonly<Record<string, unknown>> | undefined {
  if (typeof extra !== 'string' || extra === '') return undefined;
  let parts = parsed.get(extra);
  if (parts) return parts;
  if (parsed.size >= maxParsed) parsed.clear();
  parts = JSON.parse(extra) as Record<string, unknown>;
  parsed.set(extra, parts);
  return parts;
}

const sayingsIn = (row: Row): RecordSayings | undefined => partsOf(row)?.[sitePart] as RecordSayings | undefined;

/** A copy of a value of a site, with the addresses of one. */
export function siteValue(value: unknown, site: LinkBase): unknown {
  if (typeof value === 'string')
    return value.startsWith(anySite.root)
      ? site.root + value.slice(anySite.root.length)
      : value.startsWith(anySite.home)
        ? site.home + value.slice(anySite.home.length)
        : value;
  if (Array.isArray(value)) return value.map((each) => siteValue(each, site));
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, siteValue(each, site)])) : value;
}

/** The address of a record's page: that of the site, while this program would show the one that it would have shown when the record was copied. */
export function pageAsSite(own: string, row: Row, site: LinkBase): string {
  const said = sayingsIn(row)?.url;
  return said && isHolding(said, own, site) ? String(siteValue(said[1], site)) : own;
}

/** The path of a record's page on its site, below the folder of that; undefined if it is the same as here. */
export function sitePathIn(row: Row): string | undefined {
  const said = sayingsIn(row)?.url?.[1];
  return typeof said === 'string' && said.startsWith(anySite.home) ? said.slice(anySite.home.length) : undefined;
}

/** The slug of a copy as responses show it; undefined for other records. */
export function siteSlug(row: Row): unknown {
  const sayings = sayingsIn(row);
  const said = sayings?.list?.slug ?? sayings?.embedded?.slug;
  return said && isHolding(said, row.slug, anySite) ? said[1] : sayings && row.slug;
}

/** A form of a record with what its site says. With `members`, only those. */
export function asSite(entry: Entry, row: Row, form: Form, site: LinkBase, members?: ReadonlySet<string>): Entry {
  const stored = sayingsIn(row);
  const sayings = form === 'single' ? { ...stored?.list, ...stored?.single } : stored?.[form];
  if (!sayings) return entry;
  const result: Record<string, unknown> = { ...entry };
  const copied = new Set<unknown>([result]);
  /** The part of the result that a path leads to; copied, since responses share linked records. */
  const placeOf = (path: readonly string[]): Record<string, unknown> | undefined => {
    let place: Record<string, unknown> = result;
    for (const name of path) {
      const inner: unknown = place[name];
      if (!isObject(inner) && !Array.isArray(inner)) return undefined;
      const copy = copied.has(inner) ? inner : Array.isArray(inner) ? [...inner] : { ...inner };
      copied.add(copy);
      place[name] = copy;
      place = copy as Record<string, unknown>;
    }
    return place;
  };
  const orders: [name: string, ids: readonly string[]][] = [];
  for (const key in sayings) {
    const saying = sayings[key]!;
    const parts = key.split('.');
    if (members && !members.has(parts[0]!.replace('#', ''))) continue;
    const name = parts.pop()!;
    if (name.endsWith('#')) {
      const list = name.slice(0, -1);
      if (isHolding(saying, idsIn(entry[list]), site) && Array.isArray(saying[1])) orders.push([list, saying[1].map(String)]);
      continue;
    }
    const place = parts.length ? placeOf(parts) : result;
    if (!place || !isHolding(saying, place[name], site)) continue;
    if (saying.length === 1) delete place[name];
    else place[name] = siteValue(saying[1], site);
  }
  for (const [name, ids] of orders) if (Array.isArray(result[name])) result[name] = sortedBy(result[name], ids).filter(Boolean);
  return result as Entry;
}
