import type { Entry, Resource } from '../calendar.ts';
import { slugOf } from '../fields/slug.ts';
import { nameKey } from '../html/name-key.ts';
import { encodeEntities, htmlToLine } from '../html/plain-text.ts';
import { unrenderTitle } from '../html/render.ts';
import { placeLine } from '../ical/event.ts';
import { treeField } from '../resources/relations.ts';

/** A record as people identify it. */
export interface RecordIdentifier {
  id: number;
  /** Plain text, as it is typed. */
  name: string;
  /** Can be empty. */
  slug: string;
  /** ID of the parent of a category; 0 for none. */
  parent: number;
  /** Name and address of a venue, e-mail address of an organizer; can be empty. */
  also: string;
}

/** A name in a cell, and the slug that tells records of this name apart. */
interface NamePart {
  name: string;
  slug?: string;
  /** True for a name in quotes, which is neither a slug nor an ID. */
  isQuoted: boolean;
}

/** The names of a record and its parents, from the top. */
export type NamePath = readonly NamePart[];

/** The names of a record of a response, as the owner sees it. */
export const namedRecord = ({ name, label, fields }: Pick<Resource, 'name' | 'label' | 'fields'>, entry: Entry): RecordIdentifier => ({
  id: entry.id,
  name: htmlToLine(unrenderTitle(String(entry[label] ?? ''))),
  slug: String(entry.slug ?? ''),
  parent: treeField(name) === undefined ? 0 : Number(entry.parent ?? 0),
  also: fields.some((field) => field.name === 'address') ? placeLine(entry) : String(entry.email ?? ''),
});

/** Text between the names of a path. */
const below = ' > ';

const isSlug = (text: string): boolean => /^[a-z0-9_%-]+$/.test(text);

/** True if a slug is one that a record of this name gets. */
function isSlugFor(slug: string, name: string): boolean {
  const plain = slugOf(encodeEntities(name));
  return plain !== '' && slug.startsWith(plain) && /^(-\d+)?$/.test(slug.slice(plain.length));
}

/** True if a name has to be quoted in a cell, because it would be read as something else. */
const needsQuotes = (name: string): boolean => /[,;|]|^"|\)$|^\s|\s$|^\d+$|^$/.test(name) || name.includes(below) || name.startsWith('#');

const quotedPart = /^"((?:[^"]|"")*)"(?: \(([a-z0-9_%-]+)\))?(?= > |$)/;

/** Parses the name of one record in a cell: `Name`, `Name (slug)`, `"quoted name"`, and in a tree `Parent > Name`. */
export function parseName(text: string, isTree: boolean): NamePath {
  const path: NamePart[] = [];
  for (let rest = text.trim(); ; ) {
    const match = quotedPart.exec(rest);
    const inside = match?.[1]?.replaceAll('""', '"');
    let length: number;
    // Quotes that would not be needed belong to the name.
    if (inside !== undefined && (match?.[2] !== undefined || needsQuotes(inside) || isSlug(inside))) {
      path.push({ name: inside, slug: match?.[2], isQuoted: true });
      length = match?.[0].length ?? 0;
    } else {
      const end = isTree ? rest.indexOf(below) : -1;
      const part = end < 0 ? rest : rest.slice(0, end);
      const [, name, slug] = /^(.*\S) \(([a-z0-9_%-]+)\)$/.exec(part) ?? [];
      path.push(slug !== undefined && isSlugFor(slug, name!) ? { name: name!, slug, isQuoted: false } : { name: part, isQuoted: false });
      length = part.length;
    }
    if (!isTree || !rest.startsWith(below, length)) return length < rest.length ? [{ name: text.trim(), isQuoted: false }] : path;
    rest = rest.slice(length + below.length);
  }
}

const quotedName = /"(?:[^"]|"")*"(?= \([a-z0-9_%-]+\)| > |\s*(?:[,;|]|$))/y;

/** Splits a cell after commas, semicolons and bars, but not within quoted names. */
export function splitNames(cell: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let isStart = true;
  for (let at = 0; at < cell.length; at++) {
    quotedName.lastIndex = at;
    if (isStart && cell[at] === '"' && quotedName.test(cell)) at = quotedName.lastIndex - 1;
    else if (/[,;|]/.test(cell[at]!)) {
      parts.push(cell.slice(start, at + 1));
      start = at + 1;
      isStart = true;
      continue;
    }
    isStart = (isStart && cell[at] === ' ') || cell.startsWith(below, at - 2);
  }
  return start < cell.length ? [...parts, cell.slice(start)] : parts;
}

/** Finds the records of a resource by name, and names each so that it is found. */
export class RecordNames {
  readonly #records = new Map<number, RecordIdentifier>();
  readonly #byKey = new Map<string, RecordIdentifier[]>();
  readonly #bySlug = new Map<string, RecordIdentifier>();
  readonly #byOther = new Map<string, RecordIdentifier>();
  /** Names by the slug that they would give. */
  readonly #bySlugOfName = new Map<string, Set<number>>();
  /** Keys by name: a table has the same few names in thousands of rows. */
  readonly #keys = new Map<string, string>();
  readonly isTree: boolean;
  /** True if people write one name in a cell, which may contain separators. Several have their slugs. */
  readonly isSingle: boolean;

  /** `isWhole` is false if only some of the records are added, of which several others may have the same name. */
  constructor(
    private readonly resource: Resource,
    private readonly isWhole = true,
  ) {
    this.isTree = treeField(resource.name) !== undefined;
    this.isSingle = resource.name === 'venues';
  }

  /** Adds a record, or replaces it. Of several with the same slug, address or e-mail address, the first is found. */
  add(record: RecordIdentifier): void {
    const before = this.#records.get(record.id);
    if (before) this.#remove(before);
    this.#records.set(record.id, record);
    const key = this.#keyOf(record.name);
    this.#byKey.set(key, [...(this.#byKey.get(key) ?? []), record]);
    if (record.slug !== '' && !this.#bySlug.has(record.slug)) this.#bySlug.set(record.slug, record);
    const other = this.#keyOf(record.also);
    if (other !== '' && !this.#byOther.has(other)) this.#byOther.set(other, record);
    const slug = slugOf(encodeEntities(record.name));
    this.#bySlugOfName.set(slug, (this.#bySlugOfName.get(slug) ?? new Set()).add(record.id));
  }

  #remove({ id, name, slug, also }: RecordIdentifier): void {
    const key = this.#keyOf(name);
    this.#byKey.set(
      key,
      this.#byKey.get(key)!.filter((other) => other.id !== id),
    );
    for (const [index, text] of [
      [this.#bySlug, slug],
      [this.#byOther, this.#keyOf(also)],
    ] as const)
      if (index.get(text)?.id === id) index.delete(text);
    this.#bySlugOfName.get(slugOf(encodeEntities(name)))?.delete(id);
  }

  get(id: number): RecordIdentifier | undefined {
    return this.#records.get(id);
  }

  get names(): Iterable<string> {
    return [...this.#records.values()].map(({ name }) => name);
  }

  /** The records of this name, or of this name and slug. */
  named({ name, slug }: NamePart): readonly RecordIdentifier[] {
    if (slug === undefined) return this.#byKey.get(this.#keyOf(name)) ?? [];
    const record = this.#bySlug.get(slug);
    return record && (name === '' || this.isSame(record.name, name)) ? [record] : [];
  }

  /** True if two names in plain text are compared as equal. */
  isSame(one: string, other: string): boolean {
    return this.#keyOf(one) === this.#keyOf(other);
  }

  /**
   * The record with these names. Of several, that with the same case, then that with the slug of the name, at the top of a tree, or the first. With `isExact`, names
   * of a tree begin at the top.
   */
  find(path: NamePath, isExact = false): RecordIdentifier | undefined {
    const leaf = path.at(-1)!;
    const matches = this.named(leaf).filter((record) => this.#isBelow(record, path.slice(0, -1), isExact));
    if (matches.length < 2) return matches[0];
    const ranks = [
      ({ name }: RecordIdentifier) => name === leaf.name,
      ({ parent }: RecordIdentifier) => !this.isTree || path.length > 1 || !parent,
      ({ slug }: RecordIdentifier) => slug === slugOf(encodeEntities(leaf.name)),
    ];
    return ranks.reduce((left, isBetter) => (left.some(isBetter) ? left.filter(isBetter) : left), matches)[0];
  }

  bySlug(slug: string): RecordIdentifier | undefined {
    return this.#bySlug.get(slug);
  }

  /** The record with this name and address, or e-mail address. */
  byOther(text: string): RecordIdentifier | undefined {
    return this.#byOther.get(this.#keyOf(text));
  }

  /**
   * The cell that stands for a record: its bare name if an import finds this record by it, else with its slug or in quotes. An unknown record of a response is added.
   * In a cell for one record, such as a parent, an import reads a bare text as a slug first.
   */
  cellOf(record: number | Entry, { isSlugFirst = false, isOneOfSeveral = false } = {}): string {
    const id = typeof record === 'number' ? record : Number(record.id);
    if (typeof record !== 'number' && !this.get(id)) this.add(namedRecord(this.resource, record));
    const chain = this.#chainOf(id);
    const hasOtherSlug = isSlugFirst && chain.length === 1 && slugOf(encodeEntities(chain[0]!.name)) !== chain[0]!.slug;
    const needsSlug = hasOtherSlug || (isOneOfSeveral && this.isSingle);
    const cell = (isQuoted: boolean, hasSlug: boolean) =>
      chain.map((each) => this.#textOf(each, isQuoted, hasSlug || needsSlug)).join(below);
    const texts = [cell(false, false), cell(true, false), cell(true, true)];
    return texts.find((text) => this.#stands(text, chain)) ?? texts[2]!;
  }

  /** True if a cell is read as these names, and finds this record. */
  #stands(text: string, chain: readonly RecordIdentifier[]): boolean {
    if (splitNames(text).length > 1) return false;
    const path = parseName(text, this.isTree);
    const isNamed =
      path.length === chain.length &&
      path.every(({ name }, at) => this.isSame(name, chain[at]!.name) && name.trim() === chain[at]!.name.trim());
    return isNamed && this.find(path, true)?.id === chain.at(-1)!.id;
  }

  #textOf({ id, name, slug }: RecordIdentifier, isQuoted: boolean, hasSlug: boolean): string {
    const withSlug = slug !== '' && (hasSlug || name === '' || this.#isShared(name, slug));
    const bySlug = isSlug(name) ? [this.#bySlug.get(name)?.id ?? id, ...(this.#bySlugOfName.get(name) ?? [])] : [];
    const quotes = isQuoted || needsQuotes(name) || (withSlug ? !isSlugFor(slug, name) : bySlug.some((other) => other !== id));
    return `${quotes ? `"${name.replaceAll('"', '""')}"` : name}${withSlug ? ` (${slug})` : ''}`;
  }

  #isShared(name: string, slug: string): boolean {
    return this.isWhole ? this.named({ name, isQuoted: false }).length > 1 : slug !== slugOf(encodeEntities(name));
  }

  /** A record and its parents, from the top. */
  #chainOf(id: number): RecordIdentifier[] {
    const chain: RecordIdentifier[] = [];
    for (let record = this.get(id); record && !chain.includes(record); record = this.get(record.parent)) chain.unshift(record);
    return chain;
  }

  #isBelow(record: RecordIdentifier, path: NamePath, isExact: boolean): boolean {
    const parent = record.parent ? this.get(record.parent) : undefined;
    if (!path.length) return !isExact || parent === undefined;
    return parent !== undefined && this.named(path.at(-1)!).includes(parent) && this.#isBelow(parent, path.slice(0, -1), isExact);
  }

  #keyOf(name: string): string {
    let key = this.#keys.get(name);
    if (key === undefined) {
      key = nameKey(name);
      this.#keys.set(name, key);
    }
    return key;
  }
}
