import { type Entry, type Resource, type ResourceName, type Row, resourceNames } from '../../model/calendar.ts';
import { extraColumn, parseExtra } from '../../model/fields/extra.ts';
import { embedded } from '../../model/fields/link.ts';
import { hashOf, isSame, onlySingle, type RecordSayings, sayingsOf, sitePart } from '../../model/fields/sayings.ts';
import { isRedacted } from '../../model/formats/remote-record.ts';
import type { SqlValue } from '../../model/record.ts';
import { isTerms } from '../../model/resources/names.ts';
import { linkFields } from '../../model/resources/relations.ts';
import type { LocalCalendar } from '../../store/calendar.ts';
import type { SiteState } from '../../store/identity/sites.ts';
import { ownForms } from '../../store/records/entries.ts';
import { localForms } from './forms.ts';
import { compareForms, isNested, neutralAddress, neutralView, type SiteIds, topOf } from './neutral.ts';
import { fieldsChangedHere } from './pair.ts';

/** A copied record, and its forms on the site as far as they were read. */
export interface SeenRecord {
  /** The local ID. */
  id: number;
  list?: Entry;
  single?: Entry;
  embedded?: Entry;
  /** True for an embedded form in a list, which has no schema.org data. */
  isInList?: boolean;
  /** The fields that were changed here, if they were compared before. */
  changes?: readonly string[];
}

/** Linked records come before those that embed them, because their address of a page is in all forms. */
const forms = ['list', 'single', 'embedded'] as const;
type Form = (typeof forms)[number];

/** A record with its row, and what is stored of it. */
interface ComparedRecord {
  seen: SeenRecord;
  row: Row;
  sayings: RecordSayings;
  /** True for members that depend on local changes, of which the site says nothing. */
  isOpen(path: string): boolean;
  /** The column as it is stored. */
  extra: SqlValue | undefined;
}

/** Compares the forms of copied records with those of their site, and stores what the site shows otherwise. */
export class SayingKeeper {
  /** Hashes of the embedded forms that were compared, by record. */
  readonly #embedded = new Map<string, string>();
  /** Numbers of events that the site shows for terms. */
  readonly #counts: { name: ResourceName; id: number; remote: number; count: number }[] = [];

  /** The fields of linked records that were changed here, as of a change of the calendar. */
  readonly #linkedChanges = new Map<string, readonly string[]>();

  /** IDs here of records of the site, of one page. */
  readonly #locals = new Map<string, number | undefined>();
  readonly #ids: SiteIds;

  constructor(private readonly state: SiteState) {
    const localOf = (to: ResourceName, remote: number) => {
      const key = `${to}:${remote}`;
      if (!this.#locals.has(key)) this.#locals.set(key, state.localOf(to, remote));
      return this.#locals.get(key);
    };
    this.#ids = { site: state.site, localOf };
  }

  /** Must be called when the calendar was changed between two pages. */
  forgetLinked(): void {
    this.#linkedChanges.clear();
  }

  /** Compares records of a page, those that they embed first. Returns the local IDs of those whose sayings changed. */
  keep(local: LocalCalendar, name: ResourceName, records: readonly SeenRecord[]): ReadonlySet<number> {
    this.#locals.clear();
    const open = new Map<number, string[]>();
    for (const { name: field, links: to } of linkFields(name)) {
      const links = records.map(({ id: from, list, single }) => ({
        from,
        linked: embedded((single ?? list)?.[field]).map((entry) => ({
          id: this.#ids.localOf(to, Number(entry.id)) ?? -1,
          embedded: entry,
          isInList: !single,
        })),
      }));
      const all = links.flatMap(({ linked }) => linked).filter(({ id }) => id !== -1);
      const changes = this.#linkedChangesOf(local, to, new Set(all.map(({ id }) => id)));
      // A link to a record that has no copy is missing here.
      const isOpen = ({ id }: SeenRecord) => id === -1 || changes.has(id);
      for (const { from, linked } of links) if (linked.some(isOpen)) open.set(from, [...(open.get(from) ?? []), field]);
      const latest = new Map(all.filter((each) => this.#isNew(to, each)).map((each) => [each.id, each]));
      this.#compare(local, to, [...latest.values()], changes);
    }
    const changes = this.#changedHere(local, name, new Set(records.flatMap((each) => (each.changes ? [] : [each.id]))));
    for (const each of records) if (each.changes?.length) changes.set(each.id, new Set(each.changes));
    return this.#compare(local, name, records, changes, open);
  }

  /** Remembers the number of events of a term. */
  addCount(name: ResourceName, id: number, { id: remote, count }: Entry): void {
    if (isTerms(name) && typeof count === 'number') this.#counts.push({ name, id, remote, count });
  }

  /** Stores how many events the site counts besides the copies, when all events have been copied. */
  settleCounts({ context: { db } }: LocalCalendar): void {
    const counts = this.#counts.splice(0);
    const fields = counts.length ? resourceNames.flatMap((from) => linkFields(from).map((field) => ({ from, ...field }))) : [];
    const copies = new Map(
      fields.filter(({ links: to }) => isTerms(to)).map(({ from, name, links: to }) => [to, this.state.linkedBy(from, name)]),
    );
    for (const { name, id, remote, count } of counts) {
      const row = db.get<Row>(`select extra from ${name} where id = ?`, id);
      if (!row) continue;
      const sayings = (parseExtra(row.extra)[sitePart] ?? {}) as RecordSayings;
      const others = count - (copies.get(name)?.get(remote) ?? 0);
      if (others === (sayings.elsewhere ?? 0)) continue;
      setSayings(row, { ...sayings, elsewhere: others || undefined });
      db.run(`update ${name} set extra = ? where id = ?`, row.extra!, id);
    }
  }

  /** True if an embedded record was not compared in this form before. */
  #isNew(name: ResourceName, { id, embedded: entry }: SeenRecord): boolean {
    const hash = hashOf(JSON.stringify(entry));
    if (this.#embedded.get(`${name}:${id}`) === hash) return false;
    this.#embedded.set(`${name}:${id}`, hash);
    return true;
  }

  /** The fields of linked records that were changed here, by ID. Each is read once. */
  #linkedChangesOf(local: LocalCalendar, name: ResourceName, ids: ReadonlySet<number>): Map<number, ReadonlySet<string>> {
    const unread = [...ids].filter((id) => !this.#linkedChanges.has(`${name}:${id}`));
    const read = this.#changedHere(local, name, new Set(unread));
    for (const id of unread) this.#linkedChanges.set(`${name}:${id}`, [...(read.get(id) ?? [])]);
    const fieldsOf = (id: number) => this.#linkedChanges.get(`${name}:${id}`)!;
    return new Map([...ids].filter((id) => fieldsOf(id).length).map((id) => [id, new Set(fieldsOf(id))]));
  }

  /** The fields of copies that were changed here, by ID. */
  #changedHere(local: LocalCalendar, name: ResourceName, ids: ReadonlySet<number>): Map<number, ReadonlySet<string>> {
    const changes = new Map<number, ReadonlySet<string>>();
    if (!ids.size) return changes;
    for (const [id, form] of localForms(local, name, [...ids])) {
      const row = this.state.ofLocal(name, id);
      const fields = row ? fieldsChangedHere(form, row) : [];
      if (fields.length) changes.set(id, new Set(fields));
    }
    return changes;
  }

  #compare(
    local: LocalCalendar,
    name: ResourceName,
    records: readonly SeenRecord[],
    changes: ReadonlyMap<number, ReadonlySet<string>>,
    open: ReadonlyMap<number, readonly string[]> = new Map(),
  ): Set<number> {
    const resource = local.resources[name];
    const compared = this.#read(local, name, records).map((record) => ({
      ...record,
      isOpen: openPaths(resource, changes.get(record.seen.id), open.get(record.seen.id) ?? []),
    }));
    const isShown = (form: Form, { seen }: ComparedRecord) => seen[form] !== undefined && !isRedacted(resource, seen[form]);
    const visible = compared.filter((record) => forms.some((form) => isShown(form, record)));
    // A single record has all members of a list.
    const form = (['single', 'list', 'embedded'] as const).find((each) => visible.some((record) => isShown(each, record)));
    if (form) {
      const pages = this.#ownForms(local, name, form, visible, new Set(['id', 'url']));
      for (const record of visible) this.#comparePage(record, pages.get(record.seen.id)!);
      const own = this.#ownForms(local, name, form, visible);
      for (const record of visible)
        for (const each of forms) if (isShown(each, record)) this.#compareForm(local, name, record, each, own.get(record.seen.id)!);
    }
    return new Set(compared.filter((record) => this.#store(local, name, record)).map(({ seen }) => seen.id));
  }

  /** Reads the rows of records, without the sayings that they have. */
  #read(local: LocalCalendar, name: ResourceName, records: readonly SeenRecord[]): Omit<ComparedRecord, 'isOpen'>[] {
    if (!records.length) return [];
    const ids = JSON.stringify(records.map(({ id }) => id));
    const rows = new Map(
      local.context.db
        .all<Row>(`select ${name}.* from json_each(?) cross join ${name} on ${name}.id = value`, ids)
        .map((row) => [Number(row.id), row]),
    );
    return records.flatMap((seen) => {
      const row = rows.get(seen.id);
      if (!row) return [];
      const { extra } = row;
      const sayings = { ...(parseExtra(extra)[sitePart] as RecordSayings | undefined) };
      setSayings(row, {});
      return [{ seen, row, extra, sayings }];
    });
  }

  /** Records as this program shows them, by ID, with linked records as the site shows them. */
  #ownForms(
    local: LocalCalendar,
    name: ResourceName,
    form: Form,
    records: readonly ComparedRecord[],
    members?: ReadonlySet<string>,
  ): Map<number, Entry> {
    const view = { ...neutralView(local, this.#ids), members };
    const rows = records.map(({ row }) => row);
    const entries = ownForms({ ...local.context, site: view.site }, local.resources[name], rows, form, view);
    return new Map(entries.map((entry) => [entry.id, entry]));
  }

  /** Compares the address of a record's page, which is in other members too. */
  #comparePage({ seen, row, sayings }: ComparedRecord, own: Entry): void {
    const theirs = (seen.list ?? seen.single ?? seen.embedded)!.url;
    if (typeof own.url !== 'string' || typeof theirs !== 'string') return;
    const pages = [own.url, neutralAddress(this.state.site, theirs)].map((url) => ({ url }));
    const { url } = sayingsOf(pages[0]!, pages[1]!, { isList: false, isOther: () => false, isField: () => false });
    sayings.url = url as RecordSayings['url'];
    setSayings(row, { url: sayings.url });
  }

  #compareForm(local: LocalCalendar, name: ResourceName, { seen, sayings, isOpen }: ComparedRecord, form: Form, own: Entry): void {
    const isList = form === 'list' || (form === 'embedded' && seen.isInList === true);
    const entry = seen[form]!;
    const { list } = seen;
    // What a single record repeats of the list was compared with that.
    const isRepeated = (member: string) =>
      form === 'single' && list !== undefined && member in list && !isNested(name, member) && isSame(list[member], entry[member]);
    const repeated = form === 'single' ? Object.entries(sayings.list ?? {}).filter(([path]) => isRepeated(topOf(path))) : [];
    const differing = Object.entries(compareForms(this.#ids, local.resources[name], own, entry, isList, isRepeated));
    // Lists have no schema.org data of embedded records.
    const isUnseen = (path: string) => isOpen(path) || (form === 'embedded' && isList && path.startsWith('json_ld'));
    const unseen = Object.entries(sayings[form] ?? {}).filter(([path]) => isUnseen(path));
    sayings[form] = Object.fromEntries([...repeated, ...differing.filter(([path]) => !isOpen(path)), ...unseen]);
  }

  /** Stores the sayings of a record. Returns true if they changed. */
  #store(local: LocalCalendar, name: ResourceName, { seen, row, extra, sayings }: ComparedRecord): boolean {
    const { db } = local.context;
    if (seen.single && sayings.list) sayings.single = onlySingle(sayings.single ?? {}, sayings.list);
    setSayings(row, sayings);
    if (row.extra === extra) return false;
    db.run(`update ${name} set extra = ? where id = ?`, row.extra!, seen.id);
    return true;
  }
}

/** True for the paths of members that depend on local changes: of fields, and of `links` to records with changes. */
function openPaths({ fields }: Resource, changes: ReadonlySet<string> | undefined, links: readonly string[]): (path: string) => boolean {
  if (!changes && !links.length) return () => false;
  return (path) => {
    const [top = ''] = path.replace('#', '').split('.');
    // Other members may depend on any field.
    if (changes) return changes.has(top) || !fields.some(({ name }) => name === top) || links.includes(top);
    return links.includes(top) || ['json_ld.location', 'json_ld.organizer'].includes(path);
  };
}

/** Sets the sayings in the column of a row, without empty parts. */
function setSayings(row: Row, { url, list, single, embedded: inOthers, elsewhere }: RecordSayings): void {
  const { [sitePart]: _, ...extra } = parseExtra(row.extra);
  const parts = Object.entries({ url, list, single, embedded: inOthers, elsewhere });
  const stored = parts.filter(([, part]) => typeof part === 'number' || (part !== undefined && Object.keys(part).length > 0));
  row.extra = extraColumn(stored.length ? { ...extra, [sitePart]: Object.fromEntries(stored) } : extra);
}
