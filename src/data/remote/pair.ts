import type { Entry, Resource, ResourceName } from '../../model/calendar.ts';
import { dateFields } from '../../model/conflict-choices.ts';
import { quoted } from '../../model/fields/coerce.ts';
import { comparable } from '../../model/formats/remote-record.ts';
import type { ConflictSide, FieldConflicts } from '../../model/operations/sync.ts';
import { hasDates } from '../../model/resources/relations.ts';
import type { RecordForm, StoredPair } from '../../store/identity/sites.ts';

/* Decides what a pull, a push or a comparison does with a pair. Reads and writes nothing: forms.ts reads the forms of a pair, and the callers store what is decided. */

/** The only comparison of values and forms: what pull, push, diff and resolve call equal. */
export const isEqual = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);

/** True if a form still has the values that it had as a base. Members that the base lacks count as changed. */
export const isBase = (form: RecordForm, base: RecordForm | undefined): boolean =>
  base !== undefined && isEqual({ ...base, ...form }, base);

/** The fields of a local record that are not as they were when it last agreed with its site; none for a pair without a base. Its dates in UTC follow from the others. */
export function fieldsChangedHere(form: RecordForm, row: StoredPair): string[] {
  const { localBase } = row;
  if (!localBase) return [];
  const here = Object.entries(asOnSite(form, row)).filter(
    ([field, value]) => !utcDates.includes(field) && !isEqual(value, localBase[field]),
  );
  return here.map(([field]) => field);
}

/** True if a local record is as it was when it last agreed with its site. */
export const isUnchangedHere = (form: RecordForm, row: StoredPair): boolean =>
  row.localBase !== undefined && !fieldsChangedHere(form, row).length;

/** True if both records of a pair are in the trash. Their pair stays, so that they are not two records when both are restored. */
export const isBuried = ({ withheld }: StoredPair): boolean => withheld === 'trash';

/** Why a slug of the site is not taken: another record has it here, `holder` if that is known. */
export const takenReason = (slug: unknown, name: ResourceName, holder: number | undefined): string =>
  `the site has its slug ${quoted(slug)}, which ${holder === undefined ? 'another record' : `${name} ${holder}`} has here`;

/** Why a record of a site is left out that {@link isOlder} finds. */
export const olderReason = 'older than at the last pull or push, as in a cached response';

/** The dates that a site computes from the local ones. A copy takes them as they are. */
export const utcDates = ['utc_start_date', 'utc_end_date'];

/** The side whose value a field takes, if that was chosen. */
export type SideOf = (field: string) => ConflictSide | undefined;

/** The form of a record in a response, with the IDs of its calendar. */
export function formOf(resource: Resource, entry: Entry): RecordForm {
  const form = comparable(resource, entry, (_, id) => id, entry.slug === undefined ? {} : { slug: entry.slug });
  if ('utc_start_date' in resource.derived) for (const name of utcDates) if (typeof entry[name] === 'string') form[name] = entry[name];
  return form;
}

/** The form of a local record as its site would have it: without what hides it here, and scheduled until the site publishes it. `status` is that of the site. */
export function asOnSite(form: RecordForm, row: StoredPair | undefined, status: unknown = row?.localBase?.status): RecordForm {
  if (!row) return form;
  const base = row.localBase ?? {};
  const isWithheld = row.withheld !== '' && form.status === 'private';
  const isDue = status === 'future' && form.status === 'publish' && base.status === 'future' && form.date_utc === base.date_utc;
  return {
    ...form,
    ...(isWithheld || isDue ? { status } : {}),
    ...(row.withheld === 'password' ? { post_password: base.post_password ?? '' } : {}),
  };
}

/** The local ID of a remote record, or a text for one that has no copy. */
export type Linked = (to: ResourceName, id: number) => unknown;

/** True if a translated link refers to a record without a copy. */
const isUnlinked = (value: unknown): boolean => [value].flat().some((id) => typeof id === 'string' && /^remote \d+$/.test(id));

/** A remote form with local IDs: the border at which all IDs are translated. */
function translated(form: RecordForm, { fields }: Resource, linked: Linked): RecordForm {
  const result = { ...form };
  for (const { name, links: to } of fields) {
    const value = form[name];
    if (!to || to === 'images' || to === 'users' || value === undefined) continue;
    const here = (id: unknown) => linked(to as ResourceName, Number(id));
    if (!Array.isArray(value)) result[name] = value ? here(value) : 0;
    // Terms have no order.
    else result[name] = typeof value[0] === 'string' ? value.map((id) => String(here(id))).sort() : value.map(here);
  }
  return result;
}

/** The fields of a pair by what has to be done with them. Fields on which both sides agree are in none. */
interface Merge {
  fromRemote: string[];
  fromLocal: string[];
  /** Fields that were changed differently on both sides. */
  conflicts: string[];
  /** Fields with a value that the site did not accept before. */
  refused: string[];
}

/** Differing fields of a local and a remote record, with both values. `direction` is the side that changed a field. */
export type DifferingFields = Record<string, { local: unknown; remote: unknown; direction: 'here' | 'there' | 'both' }>;

/** The parts of a pair. */
interface PairParts {
  resource: Resource;
  /** ID of the local record. */
  id: number;
  /** Its form, without what hides it here. */
  form: RecordForm;
  /** When it was last changed, for pairs without forms. */
  modified?: unknown;
  /** The record of the site. */
  entry: Entry;
  /** The stored pair of these records. */
  row: StoredPair | undefined;
  linked: Linked;
}

/** A record here and on a site, and the base: what both were when they last agreed. All three forms have local IDs. */
export class Pair {
  readonly id: number;
  readonly entry: Entry;
  readonly row: StoredPair | undefined;
  readonly local: RecordForm;
  readonly remote: RecordForm;
  /** Each side has a base, because sites rewrite texts. A field that is missing has none. */
  readonly base: { local: RecordForm; remote: RecordForm };
  /** The remote form with the site's IDs, as it is stored. */
  readonly #stored: RecordForm;

  constructor(private readonly parts: PairParts) {
    const { resource, id, form, entry, row, linked } = parts;
    this.id = id;
    this.entry = entry;
    this.row = row?.local === id ? row : undefined;
    this.local = asOnSite(form, this.row, entry.status);
    this.#stored = formOf(resource, entry);
    this.remote = translated(this.#stored, resource, linked);
    this.base = this.#bases();
  }

  /** Pairs of the first version have only the time of the last change. */
  #bases(): Pair['base'] {
    const { row } = this;
    const { resource, linked, modified } = this.parts;
    if (row?.localBase && row.remoteBase) return { local: row.localBase, remote: translated(row.remoteBase, resource, linked) };
    const isKnown = row !== undefined && row.modified !== '';
    return {
      local: isKnown && modified === row.modified ? this.local : {},
      remote: isKnown && this.entry.modified_utc === row.modified ? this.remote : {},
    };
  }

  /** True if both sides have the same value of a field, or still those on which they agreed. */
  #agrees(field: string): boolean {
    const { local, remote, base } = this;
    if (isEqual(local[field], remote[field])) return true;
    return (
      !this.#hasReturned(field) &&
      isEqual(local[field], base.local[field]) &&
      isEqual(remote[field], base.remote[field]) &&
      field in base.local &&
      field in base.remote
    );
  }

  /** True if the site still has a link that went here with the copy of its record, and the record has a copy again. */
  #hasReturned(field: string): boolean {
    const { row } = this;
    if (!row?.localBase || !(field in row.localBase) || !hasLostLinks(this.parts.resource, row, this.#stored)) return false;
    const here = [this.base.local[field] ?? []].flat();
    const isLink = this.parts.resource.fields.some(({ name, links }) => name === field && isRecordLink(links));
    return isLink && [this.remote[field]].flat().some((id) => id && !isUnlinked(id) && !here.includes(id));
  }

  /** True if the site refused the local value before and has not changed its own since. What it refused together with a status, it may take of a public record. */
  #isRefused(field: string): boolean {
    const refused = this.row?.refused ?? {};
    if (field !== 'status' && 'status' in refused && this.remote.status === 'publish') return false;
    return field in refused && isEqual(refused[field], this.local[field]) && isEqual(this.remote[field], this.base.remote[field]);
  }

  /** Fields whose values differ on the two sides. Without its dates in UTC, unless the dates they follow from are equal. */
  #differing(): string[] {
    const isSameTime = dateFields.every((field) => isEqual(this.local[field], this.remote[field]));
    const names = new Set([...Object.keys(this.local), ...Object.keys(this.remote)]);
    return [...names].filter((field) => !this.#agrees(field) && (isSameTime || !utcDates.includes(field)));
  }

  /**
   * Returns what has to be done with each field. `sideOf` decides fields, and `prefer` the other conflicts. With an older version of the site's record, as from a cache, only what was changed here counts.
   */
  merge({ prefer, sideOf, isOld = false }: { prefer?: ConflictSide; sideOf?: SideOf; isOld?: boolean } = {}): Merge {
    const result: Merge = { fromRemote: [], fromLocal: [], conflicts: [], refused: [] };
    const { local, remote, base } = this;
    const isDifferent = (field: string) => !isEqual(local[field], base.local[field]);
    for (const field of this.#differing()) {
      const isShown = field in remote;
      const isChangedHere = isShown
        ? !(field in base.local) || isDifferent(field)
        : field in base.local
          ? isDifferent(field)
          : Boolean(local[field]) && !isEmptyValue(local[field]);
      const isChangedThere =
        isShown &&
        (!(field in base.remote) || !isEqual(remote[field], base.remote[field]) || (this.#hasReturned(field) && !isDifferent(field)));
      if (utcDates.includes(field)) result.fromRemote.push(field);
      else if (this.#isRefused(field)) result.refused.push(field);
      else if (sideOf?.(field)) result[sideOf(field) === 'ours' ? 'fromLocal' : 'fromRemote'].push(field);
      else if (isChangedHere && isChangedThere) result.conflicts.push(field);
      else if (isChangedHere && field in local) result.fromLocal.push(field);
      else if (isChangedThere) result.fromRemote.push(field);
    }
    const { fromRemote, fromLocal, conflicts, refused } = result;
    if (isOld) return { fromRemote: [], fromLocal: [...fromLocal, ...conflicts].filter(isDifferent), conflicts: [], refused };
    if (prefer === 'theirs') fromRemote.push(...conflicts.splice(0));
    if (prefer === 'ours') fromLocal.push(...conflicts.splice(0));
    return result;
  }

  /** The fields that differ, with both values and the sides that changed them, and those that the site did not accept or that can't be sent. */
  diff(): { fields: DifferingFields; refused: string[] } {
    const { refused, fromLocal, fromRemote } = this.merge();
    // The site chooses the slugs of venues and organizers.
    const isUnsendable = (field: string) => field === 'slug' && !this.parts.resource.fields.some(({ name }) => name === 'slug');
    const unsent = [...refused, ...fromLocal.filter(isUnsendable)];
    const differing = this.#differing().filter((field) => field in this.remote && !unsent.includes(field));
    const directionOf = (field: string) => (fromLocal.includes(field) ? 'here' : fromRemote.includes(field) ? 'there' : 'both');
    const valuesOf = (field: string) => ({ local: this.local[field], remote: this.remote[field], direction: directionOf(field) }) as const;
    return { fields: Object.fromEntries(differing.map((field) => [field, valuesOf(field)])), refused: unsent };
  }

  /** True if the stored bases are those of this state. */
  get isStored(): boolean {
    return isBase(this.local, this.row?.localBase) && isBase(this.#stored, this.row?.remoteBase);
  }

  values(fields: readonly string[]): FieldConflicts {
    const { local, remote, base } = this;
    return Object.fromEntries(fields.map((field) => [field, { base: base.local[field], local: local[field], remote: remote[field] }]));
  }

  /** The same pair with a later response, and with fields of the local record that changed since. Both are compared with the same bases. */
  with(entry: Entry, changes: RecordForm = {}): Pair {
    return new Pair({ ...this.parts, row: this.row, form: { ...this.local, ...changes }, entry });
  }

  /**
   * Returns which of some changed `fields` the site did not take, and which others it changed although they were sent as they were. It took a field if its value is now the local one, or
   * another one than `before`, since sites may rewrite texts.
   */
  outcome(fields: readonly string[], sent: readonly string[], before?: Pair): { refused: string[]; lost: string[] } {
    const { local, remote } = this;
    const field = (name: string) => this.parts.resource.fields.find((each) => each.name === name);
    const isTaken = (name: string): boolean => {
      // Slugs of venues and organizers can't be sent, so no site refuses them. A site without a declared field doesn't show it.
      if (!field(name)) return true;
      if (!(name in remote)) return isEmptyValue(local[name]) || !field(name)!.isDeclared;
      if (isEqual(local[name], remote[name])) return true;
      // Two records may exchange their slugs, so another one is not what the site made of it. For none, the site chooses one.
      if (name === 'slug') return isEmptyValue(local.slug);
      return before ? !isEqual(remote[name], before.remote[name]) : sent.includes(name) && !isEmptyValue(remote[name]);
    };
    const isLost = (name: string) =>
      before && name in before.remote && !fields.includes(name) && !isEqual(remote[name], before.remote[name]);
    return { refused: fields.filter((name) => !isTaken(name)), lost: sent.filter(isLost) };
  }

  /** The pair to store, with both forms as bases: all fields, or only those that a push sent and the site took. */
  toStore({
    only,
    pending = [],
    unread = [],
    refused = this.merge().refused,
    withheld = this.row?.withheld ?? '',
    more = {},
  }: BaseOptions = {}): StoredPair {
    const { row, entry, local } = this;
    const isIncluded = (field: string) => !pending.includes(field) && !refused.includes(field);
    // A link to a record without a copy is taken when it has one.
    const isRead = (field: string) => !unread.includes(field) && !isUnlinked(this.remote[field]);
    const part = (form: RecordForm, isPart: (field: string) => boolean) =>
      Object.fromEntries(Object.entries(form).filter(([field]) => isPart(field)));
    const bases = { local: row?.localBase ?? {}, remote: row?.remoteBase ?? {} };
    // The site made something else of the value, so that the one before is not that of both any more.
    const isReplaced = (field: string) => refused.includes(field) && !isEqual(this.#stored[field], bases.remote[field]);
    // A value that was kept in place of the site's would not be sent if it were still the base.
    const isKept = (field: string) => pending.includes(field) && isEqual(local[field], bases.local[field]);
    return {
      remote: entry.id,
      local: this.id,
      modified: String(entry.modified_utc ?? ''),
      localBase: {
        ...part(bases.local, (field) => (field in local || field in this.#stored) && !isReplaced(field) && !isKept(field)),
        ...part(local, (field) => isIncluded(field) && (only?.includes(field) ?? true)),
      },
      remoteBase: {
        ...bases.remote,
        ...part(this.#stored, (field) => isRead(field) && (only?.includes(field) ?? true)),
        ...more,
      },
      refused: part(local, (field) => refused.includes(field)),
      withheld,
    };
  }
}

const isRecordLink = (to: string | undefined): to is ResourceName => to !== undefined && to !== 'images' && to !== 'users';
const countOf = (value: unknown): number => [value ?? []].flat().filter(Boolean).length;

/** True if a record of a site has more links than its copy had when both last agreed: some went with the copies of their records. */
export const hasLostLinks = ({ fields }: Resource, { localBase = {} }: StoredPair, remote: RecordForm): boolean =>
  fields.some(({ name, links }) => isRecordLink(links) && countOf(remote[name]) > countOf(localBase[name]));

interface BaseOptions {
  /** Fields to store; all by default. */
  only?: readonly string[];
  /** Fields with local changes that the site doesn't have yet. */
  pending?: readonly string[];
  /** Fields with values of the site that this calendar doesn't have yet. */
  unread?: readonly string[];
  /** Fields whose local values the site did not accept. */
  refused?: readonly string[];
  withheld?: StoredPair['withheld'];
  /** Members of the site that this program doesn't know. */
  more?: RecordForm;
}

const isEmptyValue = (value: unknown): boolean => value === undefined || value === null || value === '' || isEqual(value, []);

/** True if a response has an earlier time than the stored record. */
const isEarlier = ({ modified_utc }: Entry, row: StoredPair | undefined): row is StoredPair =>
  row !== undefined && typeof modified_utc === 'string' && modified_utc < row.modified;

/**
 * True if a response is older than the stored record, as one from a cache. `completed` is when the last pull or push before this one was complete: a stored time after it proves
 * nothing, since sites give a new scheduled event its date as the time of its last change.
 */
export const isOlder = (entry: Entry, row: StoredPair | undefined, completed: string | undefined): boolean =>
  isEarlier(entry, row) && completed !== undefined && row.modified <= completed;

/** True if the stored time of a pair proves nothing: a response has an earlier one. Once the time has passed, it would seem to prove that again. */
export const isMisdated = (entry: Entry, row: StoredPair | undefined, completed: string | undefined): row is StoredPair =>
  isEarlier(entry, row) && !isOlder(entry, row, completed);

/** An update of dates with all of them. */
export const withAllDates = (name: ResourceName, fields: readonly string[]): string[] =>
  hasDates(name) && fields.some((field) => dateFields.includes(field)) ? [...new Set([...fields, ...dateFields])] : [...fields];

/** The side whose state both have afterwards, of a record that one side deleted or withdrew; or that this is a conflict, because the other side edited it. */
export function winnerOf(gone: ConflictSide, isEdited: boolean, prefer: ConflictSide | undefined): ConflictSide | 'conflict' {
  return isEdited ? (prefer ?? 'conflict') : gone;
}
