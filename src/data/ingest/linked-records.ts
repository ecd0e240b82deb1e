import { machine } from '../../machine.ts';
import type { Input, Resource, ResourceName } from '../../model/calendar.ts';
import { closestWords } from '../../model/did-you-mean.ts';
import { Failure, invalidParams } from '../../model/error.ts';
import { quoted } from '../../model/fields/coerce.ts';
import { type NamePath, namedRecord, parseName, type RecordIdentifier, RecordNames, splitNames } from '../../model/formats/record-names.ts';
import { andList, withArticle } from '../../model/grammar.ts';
import { nameKey } from '../../model/html/name-key.ts';
import { encodeEntities } from '../../model/html/plain-text.ts';
import { treeField } from '../../model/resources/relations.ts';
import { storedForm } from '../../model/validate.ts';
import type { LocalCalendar } from '../../store/calendar.ts';
import type { Summary } from '../summary.ts';

/** Maximum number of new names that are compared with existing ones, and of those. */
const maxCompared = 200;

/** Maximum number of separators in a name, plus one. */
const maxNameParts = 8;

/** The form in which a table refers to records: names as exports have them, or as people write them. */
export type NameForm = 'names' | 'typed';

/** Where a cell with names is: its line and field, the form of its table, the records that the event has, and whether an ID in it is one of another calendar. */
export interface CellPlace {
  at: string;
  field: string;
  form: NameForm;
  linked: readonly number[];
  isForeign: boolean;
  /** Values of the record in other cells of the row. */
  values: Input;
}

/** Values of a record for a message: `city "Bonn" and zip "53111"`. */
export const assigned = (values: Input): string => andList(Object.entries(values).map(([name, value]) => `${name} ${quoted(value)}`));

/** The records of one resource that the records of a source refer to by name. Creates unknown ones. */
export class LinkedRecords {
  readonly names: RecordNames;
  readonly #resource: Resource;
  readonly #existing: string[];
  #compared = 0;
  readonly #notedIds = new Set<number>();
  /** Lines that created a record, by ID. */
  readonly #lines = new Map<number, string>();
  /** The first line of the table that names the city of a record, by ID. */
  readonly #cities = new Map<number, string>();
  /** The records that names with values mean, until another one is created: most rows repeat those of another. */
  readonly #settled = new Map<string, number>();
  /** Values that were left out, each of which is noted once. */
  readonly #leftOut = new Set<string>();

  constructor(
    private readonly local: LocalCalendar,
    private readonly to: ResourceName,
    private readonly summary: Summary,
  ) {
    this.#resource = local.resources[to] as Resource;
    this.names = new RecordNames(this.#resource);
    for (const entry of local.entries(to)) this.names.add(namedRecord(this.#resource, entry));
    this.#existing = [...this.names.names].slice(0, maxCompared * 10);
  }

  /** The record with this name, name and address, or e-mail address. */
  find(text: string): number | undefined {
    return (this.names.find([{ name: text, isQuoted: false }]) ?? this.names.byOther(text))?.id;
  }

  /** The record that people mean by a text: that of {@link find}, else that with this slug or, unless the cell is of another calendar, with this ID, which is noted. */
  meant(text: string, at: string, isForeign: boolean): number | undefined {
    return this.find(text) ?? this.names.bySlug(text)?.id ?? (isForeign ? undefined : this.#byId(text, at));
  }

  /** The record of a name, preferably one of `linked`. Creates an unknown one. */
  idNamed(name: string, { at, linked }: { at: string; linked: readonly number[] }): number {
    const path = [{ name, isQuoted: true }];
    const existing = linked.find((id) => this.#isNamed(id, path)) ?? this.names.find(path)?.id;
    return existing ?? this.add({ [this.#resource.label]: encodeEntities(name) }, { at, name });
  }

  /**
   * The record with an address or e-mail address, and with a name if given, preferably one of `linked`. A record without an address has that of a file, and a file
   * without one means any record of the name.
   */
  idWith(also: string, { name, linked }: { name?: string; linked: readonly number[] }): number | undefined {
    const own = linked.flatMap((id) => this.names.get(id) ?? this.#fromTrash(id) ?? []);
    const others = name === undefined ? [this.names.byOther(also) ?? []].flat() : this.names.named({ name, isQuoted: true });
    const candidates = [...own, ...others].filter((record) => name === undefined || this.names.isSame(record.name, name));
    const exact = candidates.find((record) => this.names.isSame(record.also, also));
    if (exact || name === undefined) return exact?.id;
    return (also === '' ? candidates[0] : candidates.find((record) => record.also === ''))?.id;
  }

  /** Creates a record. `also` is the address or e-mail address by which later records of the source find it. */
  add(input: Input, { at, name, also = '' }: { at: string; name: string; also?: string }): number {
    const { id, slug } = this.local[this.to].add(input);
    const parent = treeField(this.to) === undefined ? 0 : Number(input.parent ?? 0);
    this.names.add({ id, name, slug: String(slug ?? ''), parent, also });
    this.summary.link(this.to, name, id);
    this.#compare(name, at);
    return id;
  }

  /** Notes the existing name that a new one may be a typo of. */
  #compare(name: string, at: string): void {
    if (!this.#existing.length || ++this.#compared > maxCompared) return;
    const near = closestWords(name, this.#existing).find((each) => !each.toLowerCase().startsWith(name.toLowerCase()));
    if (near !== undefined)
      this.summary.notes.push({ at, reason: `${this.#resource.kind} ${quoted(name)} is new; did you mean ${quoted(near)}?` });
  }

  /** The IDs of the records in a cell, the only one with the values of its row. `linked` are those that the event has. */
  idsIn(cell: string, place: CellPlace): { ids: number[]; names: string[] } {
    const { form, at, field, values } = place;
    const isKnown = (text: string) => this.#find(text, place) !== undefined;
    const whole = form === 'names' ? undefined : this.#find(cell, place);
    const isWhole = whole !== undefined || (this.names.isSingle && form !== 'names' && !isListOfPaths(cell));
    const items = isWhole ? [cell] : namesIn(cell, (text) => form !== 'names' && isKnown(text));
    const isOne = items.length === 1;
    if (!isOne && Object.keys(values).length)
      this.summary.notes.push({ at, reason: `left out ${assigned(values)}: the row names several ${this.to}` });
    try {
      const idOf = (text: string) => {
        const first = this.#find(text, place);
        const path = parseName(text, this.names.isTree);
        if (!isOne || !Object.keys(values).length) return first ?? this.#create(path, form, at, {});
        const key = JSON.stringify([text, first, values]);
        const id = this.#settled.get(key) ?? this.#settle(first, path, place);
        this.#settled.set(key, id);
        return id;
      };
      return { ids: [...new Set(items.map(idOf))], names: items };
    } catch (error) {
      throw ofLinked(error, field, values);
    }
  }

  /**
   * The record of a name that a row means by its values: of several the one that has most of them, else a new one. If the row has another city and an earlier one has that
   * of the record, it is a new one with a note: a table that names two cities means two records.
   */
  #settle(first: number | undefined, path: NamePath, { at, form, values }: CellPlace): number {
    const leaf = path.at(-1)!;
    const alike = leaf.slug === undefined ? this.names.named(leaf).map(({ id }) => id) : [];
    const candidates = first !== undefined && alike.includes(first) ? [first, ...alike] : [];
    const match = candidates.reduce((best, id) => (this.#common(id, values) > this.#common(best!, values) ? id : best), first);
    const isElsewhere = match !== undefined && values.city !== undefined && this.#common(match, { city: values.city }) < 0;
    const line = isElsewhere && candidates.length ? this.#cities.get(match) : undefined;
    if (line !== undefined) {
      const [name, city] = [leaf.name, this.local.source(this.to, match!)!.city].map(quoted);
      const reason = `${this.#resource.kind} ${name} is not that of ${line}: city ${quoted(values.city)}, not ${city}`;
      this.summary.notes.push({ at, reason });
    }
    const isNew = match === undefined || line !== undefined;
    const id = isNew ? this.#create(path, form, at, values) : match;
    if (values.city !== undefined && (isNew || !isElsewhere) && !this.#cities.has(id)) this.#cities.set(id, at);
    if (!isNew) this.#complete(id, values, at);
    return id;
  }

  /** Counts the values that a record has too, less those that it has otherwise. */
  #common(id: number, values: Input): number {
    const before = this.local.source(this.to, id)!;
    const { request } = this.local.context;
    const points = Object.entries(values).map(([name, value]) => {
      const own = String(before[name] ?? '');
      return own === '' ? 0 : this.names.isSame(own, String(storedForm(this.#resource, name, value, request))) ? 1 : -1;
    });
    return points.reduce<number>((sum, point) => sum + point, 0);
  }

  /** Adds values to a record that an earlier row created without them. Notes those that another value precludes, and those of a record that existed before. */
  #complete(id: number, values: Input, at: string): void {
    const { request } = this.local.context;
    const before = this.local.source(this.to, id)!;
    const other = Object.entries(values).filter(
      ([name, value]) => (before[name] ?? '') !== storedForm(this.#resource, name, value, request),
    );
    const line = this.#lines.get(id);
    const isMissing = ([name]: [string, unknown]) => line !== undefined && (before[name] ?? '') === '';
    const missing = other.filter(isMissing);
    if (missing.length) this.local[this.to].update({ id }, Object.fromEntries(missing));
    const contrary = other.filter((each) => !isMissing(each));
    const key = JSON.stringify([id, contrary]);
    if (!contrary.length || this.#leftOut.has(key)) return;
    this.#leftOut.add(key);
    const name = quoted(this.names.get(id)?.name ?? before[this.#resource.label]);
    const reason = `${this.#resource.kind} ${name} ${line === undefined ? 'exists and stays as it is' : `is that of ${line}`}: ${andList(
      contrary.map(([field, value]) => `${field} ${quoted(before[field] ?? '')}, not ${quoted(value)}`),
    )}`;
    this.summary.notes.push({ at, reason });
  }

  /** The ID of the record with these names. */
  findPath(path: NamePath): number | undefined {
    return this.#marked(path) ?? this.names.find(path, true)?.id;
  }

  /** Reads a record again that was written. */
  refresh(id: number): void {
    const entry = this.local.entry(this.to, id) ?? this.local.source(this.to, id);
    if (entry) this.names.add(namedRecord(this.#resource, entry));
  }

  #find(text: string, { form, linked, at, isForeign }: CellPlace): number | undefined {
    const path = parseName(text, this.names.isTree);
    const leaf = path.at(-1)!;
    const isMarked = leaf.slug !== undefined || (form === 'names' && this.names.named(leaf).length > 1);
    const marked = isMarked ? this.#marked(path) : undefined;
    // What an earlier table called so, among the records that the event has; its slug may belong to another one here.
    const own = linked.find((id) => id === marked) ?? linked.find((id) => this.#isNamed(id, path));
    if (own !== undefined || marked !== undefined) return own ?? marked;
    const match =
      this.names.find(path, form === 'names') ?? (path.length > 1 ? this.names.find([{ name: text, isQuoted: true }]) : undefined);
    if (match || form === 'names' || leaf.isQuoted || leaf.slug !== undefined) return match?.id;
    return this.meant(text, at, isForeign);
  }

  /** The record that a table of an earlier import had under these names. */
  #marked(path: NamePath): number | undefined {
    const { name, slug } = path.at(-1)!;
    const id = this.local.marks.find(this.to, markOf(name, slug));
    // Its slug may be another one here.
    return id !== undefined &&
      this.#isNamed(
        id,
        path.map(({ name }) => ({ name, isQuoted: true })),
      )
      ? id
      : undefined;
  }

  #byId(text: string, at: string): number | undefined {
    const record = /^\d+$/.test(text) ? (this.names.get(Number(text)) ?? this.#fromTrash(Number(text))) : undefined;
    if (record && !this.#notedIds.has(record.id)) {
      const reason = `${quoted(text)} is not the name of ${withArticle(this.#resource.kind)}; linked ${quoted(record.name)}, which has this ID here`;
      this.summary.notes.push({ at, reason });
      this.#notedIds.add(record.id);
    }
    return record?.id;
  }

  /** True if a record has these names. Those in the trash can be linked, but are not found by name. */
  #isNamed(id: number, path: NamePath): boolean {
    const record = this.names.get(id) ?? this.#fromTrash(id);
    const { name, slug } = path.at(-1)!;
    if (!record || !this.names.isSame(record.name, name) || (slug !== undefined && record.slug !== slug)) return false;
    return path.length === 1 || this.#isNamed(record.parent, path.slice(0, -1));
  }

  #fromTrash(id: number): RecordIdentifier | undefined {
    const source = this.local.source(this.to, id);
    return source && namedRecord(this.#resource, source);
  }

  /** Creates the record with these names and values, and its parents. */
  #create(path: NamePath, form: NameForm, at: string, values: Input): number {
    const [leaf, above] = [path.at(-1)!, path.slice(0, -1)];
    const parent = above.length ? (this.names.find(above, form === 'names')?.id ?? this.#create(above, form, at, {})) : 0;
    const name = leaf.name.trim() === '' ? (leaf.slug ?? leaf.name) : leaf.name;
    const input = {
      [this.#resource.label]: encodeEntities(name),
      ...(leaf.slug === undefined ? {} : { slug: leaf.slug }),
      ...(parent ? { parent } : {}),
      ...values,
    };
    const id = this.add(input, { at, name });
    this.#lines.set(id, at);
    this.#settled.clear();
    if (leaf.slug !== undefined) this.remember(id, name, leaf.slug);
    return id;
  }

  /** Remembers the record that a name and slug of a table mean, which may have another slug here. */
  remember(id: number, name: string, slug: string): void {
    for (const mark of [markOf(name, slug), markOf(name)]) this.local.marks.set(this.to, mark, id);
  }
}

/** An error about values of a linked record, with their columns in place of its fields. */
function ofLinked(error: unknown, field: string, values: Input): unknown {
  const params = error instanceof Failure ? error.data.params : undefined;
  if (!params || typeof params !== 'object' || Array.isArray(params)) return error;
  const faults = Object.entries(params).map(([name, reason]) => [name in values ? `${field}_${name}` : name, { reason: String(reason) }]);
  return invalidParams(Object.fromEntries(faults));
}

/** The mark of a record that a table names. */
const markOf = (name: string, slug?: string): string =>
  machine.hash('sha256', JSON.stringify(['named', nameKey(name), slug ?? '']), 'hex').slice(0, 20);

/** True if each part of a cell with separators is a name in quotes or with its slug. */
const isListOfPaths = (cell: string): boolean => {
  const parts = splitNames(cell).map((part) => parseName(part.replace(/[,;|]\s*$/, ''), false)[0]!);
  return parts.length > 1 && parts.every(({ isQuoted, slug }) => isQuoted || slug !== undefined);
};

/** Splits a cell at commas, semicolons and bars, except within known names, the longest first. */
function namesIn(cell: string, isKnown: (name: string) => boolean): string[] {
  const parts = splitNames(cell);
  const names: string[] = [];
  for (let start = 0; start < parts.length; ) {
    let [end, name] = [start + 1, ''];
    for (let last = Math.min(parts.length, start + maxNameParts); last > start; last--) {
      [end, name] = [
        last,
        parts
          .slice(start, last)
          .join('')
          .replace(/[,;|]\s*$/, '')
          .trim(),
      ];
      if (isKnown(name)) break;
    }
    if (name !== '') names.push(name);
    start = end;
  }
  return names;
}
