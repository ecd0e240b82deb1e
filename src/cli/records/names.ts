import { entriesWithin, idNamed, listAny, nameNormalizer, onlyOf, similarRecords } from '../../data/record-names.ts';
import type { Calendar, Collection, Entry, Page, Ref, Resource, ResourceName } from '../../model/calendar.ts';
import { closestWords } from '../../model/did-you-mean.ts';
import { Failure, invalidParams, isMissingRecord } from '../../model/error.ts';
import { toWholeNumber } from '../../model/fields/coerce.ts';
import type { Field, LinkTarget, ParameterDefinition } from '../../model/fields/field.ts';
import { slugOf } from '../../model/fields/slug.ts';
import { capitalized } from '../../model/grammar.ts';
import { resources } from '../../model/resources/all.ts';
import type { User } from '../../model/viewer.ts';
import { readAll } from '../terminal/prompt.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { shellWord } from '../terminal/terminal.ts';

/** The names in arguments: IDs, slugs or names. `-` reads IDs and slugs from standard input, separated by white space. */
export async function namesOf(args: readonly string[], terminal: Terminal): Promise<string[]> {
  const names: string[] = [];
  for (const arg of args) {
    if (arg !== '-') names.push(arg);
    else names.push(...(await readAll(terminal, 'IDs or slugs')).split(/\s+/).filter((name) => name !== ''));
  }
  return [...new Set(names)];
}

const isId = (name: string): boolean => /^\d+$/.test(name);
const isSlug = (name: string): boolean => name !== '' && slugOf(name) === name;

/**
 * Runs `work` on the record with this ID, else with this slug, else with this name, ignoring case. IDs and slugs are not looked up first. Throws
 * `not-found`, or `bad-request` if several records have the name.
 */
export async function withRecord<T>(name: string, resource: Resource, collection: Collection, work: (ref: Ref) => Promise<T>): Promise<T> {
  const direct: Ref | undefined =
    isId(name) && Number.isSafeInteger(Number(name))
      ? { id: Number(name) }
      : resource.family === 'post' && isSlug(name)
        ? { slug: name }
        : undefined;
  let missing: unknown;
  if (direct) {
    try {
      return await work(direct);
    } catch (error) {
      if (!isMissingRecord(error, direct)) throw error;
      missing = error;
    }
  }
  const id = await idNamed(name, resource, collection);
  if (id !== undefined) return work({ id });
  // The slug of the name, e.g. main-hall for "Main-Hall".
  if (!direct && resource.family === 'post' && slugOf(name) !== '') {
    try {
      return await work({ slug: slugOf(name) });
    } catch (error) {
      if (!isMissingRecord(error, { slug: name })) throw error;
    }
  }
  // The API's own error for a missing event is kept.
  if (isId(name) && missing instanceof Failure && missing.code !== 'rest_invalid_param') throw missing;
  throw await notFound(name, resource, collection);
}

/** Throws if there is none or several. */
export async function idInTrash(name: string, resource: Resource, collection: Collection): Promise<number> {
  const hint = `See: calendar ${resource.name} list --status trash`;
  const find = () => withRecord(name, resource, collection, (ref) => collection.get(ref, { context: 'edit' })).catch(() => undefined);
  if (isId(name)) {
    const [trashed] = (await listAny({ status: 'trash', include: name }, resource, collection)).entries;
    if (trashed) return trashed.id;
    const existing = await find();
    if (existing?.id === Number(name)) throw notInTrash(existing, resource, hint);
  }
  const key = await nameNormalizer();
  const [bySlug, byName]: [Entry[], Entry[]] = [[], []];
  for await (const entry of entriesWithin({ status: 'trash' }, resource, collection)) {
    if ([entry.slug, String(entry.slug).replace(/__trashed(-\d+)?$/, '')].includes(name)) bySlug.push(entry);
    else if (key(entry[resource.label]) === key(name)) byName.push(entry);
  }
  const id = onlyOf(bySlug.length ? bySlug : byName, name, resource);
  if (id !== undefined) return id;
  const existing = await find();
  if (existing) throw notInTrash(existing, resource, hint);
  throw new Failure('not-found', `No ${resource.kind} in the trash has the ID, slug or name ${JSON.stringify(name)}`, hint);
}

const notInTrash = ({ id }: Entry, { kind }: Resource, hint: string): Failure =>
  new Failure('conflict', `${capitalized(kind)} ${id} is not in the trash`, hint);

/** The failure for an unknown name, with similar names: `Did you mean main-hall (8)?`. */
async function notFound(name: string, resource: Resource, collection: Collection): Promise<Failure> {
  if (isId(name)) return new Failure('not-found', `No ${resource.kind} has the ID ${name}`, `See: calendar ${resource.name} list`);
  const key = await nameNormalizer();
  const matches = (await similarRecords(name, resource, collection)).map(
    (entry) => `${entry.slug || key(entry[resource.label])} (${entry.id})`,
  );
  const hint = matches.length ? `Did you mean ${matches.join(' or ')}?` : undefined;
  return new Failure('not-found', `No ${resource.kind} has the slug or name ${JSON.stringify(name)}`, hint);
}

/** A resource whose records can be created by a link; terms are always created. */
const creatable = (name: ResourceName): Resource | undefined => (resources[name].family === 'post' ? resources[name] : undefined);

/** A hint with similar names, and how to create a record with an unknown name. */
function hintToCreate(similar: string | undefined, field: string, value: unknown, { name, label }: Resource): string {
  const [first] = [value].flat();
  return `${similar ? `${similar} ` : ''}To create it, pass --create-missing or --set ${field}.${label}=${shellWord(String(first))}, or use calendar ${name} create.`;
}

/** Where names are looked up. */
export interface NameScope {
  calendar: Calendar;
  /** Undefined if the caller may not list them. */
  users(): Promise<readonly User[] | undefined>;
}

type Values = Record<string, unknown>;

/** Looks up the records that parameters name. Each name is looked up once. */
export class Names {
  readonly #ids = new Map<string, Promise<number>>();
  readonly #terms: Partial<Record<LinkTarget, Promise<Page>>> = {};

  /** With `createMissing`, unknown names of records that are linked by a field become new records. */
  constructor(
    private readonly scope: NameScope,
    private readonly createMissing = false,
  ) {}

  /** Replaces slugs and names of records with IDs. Throws `rest_invalid_param` for the parameter of an unknown one. */
  async resolve<V extends Values>(
    parameters: readonly (ParameterDefinition & { stored?: Pick<Field['stored'], 'join'> })[],
    values: V,
  ): Promise<V> {
    const resolved: Values = { ...values };
    for (const { name, links, many, makesNew, stored } of parameters) {
      const value = values[name];
      if (!links || links === 'images' || makesNew || value === undefined) continue;
      const created = stored?.join ? creatable(links as ResourceName) : undefined;
      try {
        resolved[name] = many ? await this.#several(value, links, this.createMissing ? created : undefined) : await this.#one(value, links);
      } catch (error) {
        if (error instanceof Failure && (error.code === 'not-found' || error.code === 'bad-request')) {
          const hint = error.code === 'not-found' && created ? hintToCreate(error.hint, name, value, created) : error.hint;
          throw invalidParams({ [name]: { reason: error.message } }, hint);
        }
        throw error;
      }
    }
    return resolved as V;
  }

  idOf(name: string, to: Exclude<LinkTarget, 'images'>): Promise<number> {
    const key = `${to}:${name}`;
    const id = this.#ids.get(key) ?? (to === 'users' ? this.#userId(name) : this.#recordId(name, to as ResourceName));
    this.#ids.set(key, id);
    return id;
  }

  async #one(value: unknown, to: Exclude<LinkTarget, 'images'>): Promise<unknown> {
    return typeof value === 'string' && value.trim() !== '' && toWholeNumber(value) === undefined ? this.idOf(value.trim(), to) : value;
  }

  /** Resolves names of several records. Unknown names become records of `created`, if given. */
  async #several(value: unknown, to: Exclude<LinkTarget, 'images'>, created?: Resource): Promise<unknown> {
    const items: unknown[] = [];
    for (const item of Array.isArray(value) ? value : [value])
      try {
        if (typeof item !== 'string' || !item.includes(',')) items.push(await this.#one(item, to));
        else items.push(...(await this.#listed(item, to)));
      } catch (error) {
        if (!created || !(error instanceof Failure) || error.code !== 'not-found') throw error;
        items.push({ [created.label]: String(item).trim() });
      }
    return Array.isArray(value) || items.length !== 1 ? items : items[0];
  }

  /** Resolves a text with commas: several records, or one with commas in its name. */
  async #listed(text: string, to: Exclude<LinkTarget, 'images'>): Promise<unknown[]> {
    const parts = text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean);
    try {
      const items: unknown[] = [];
      // One after the other, so that the error names the first unknown one.
      for (const part of parts) items.push(await this.#one(part, to));
      return items;
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'not-found') throw error;
      const whole = await this.idOf(text, to).catch(() => undefined);
      if (whole === undefined) throw error;
      return [whole];
    }
  }

  async #userId(name: string): Promise<number> {
    const users = await this.scope.users();
    if (!users)
      throw new Failure(
        'bad-request',
        `You cannot list the users of this calendar to find ${JSON.stringify(name)}`,
        'Use the ID of the user.',
      );
    const user = users.find((each) => each.name === name) ?? users.find((each) => each.name.toLowerCase() === name.toLowerCase());
    if (user) return user.id;
    const labels = new Map(users.map((user) => [user.name, `${user.name} (${user.id})`]));
    const [near] = closestWords(name, labels.keys());
    throw new Failure('not-found', `No user has the name ${JSON.stringify(name)}`, near && `Did you mean ${labels.get(near)}?`);
  }

  async #recordId(name: string, to: ResourceName): Promise<number> {
    const [resource, collection] = [resources[to] as Resource, this.scope.calendar[to]];
    if (resource.family === 'term') {
      // Most calendars have at most one page of terms, so one request finds all slugs.
      this.#terms[to] ??= listAny({}, resource, collection);
      const term = (await this.#terms[to]!).entries.find(({ slug }) => slug === name);
      if (term) return term.id;
    }
    const id = async (ref: Ref) => ('id' in ref ? ref.id : (await collection.get(ref, { context: 'edit' })).id);
    return withRecord(name, resource, collection, id);
  }
}
