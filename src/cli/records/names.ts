import type { Calendar, Collection, Entry, Page, Ref, Resource, ResourceName } from '../../model/calendar.ts';
import { wholeNumber } from '../../model/coerce.ts';
import { closestWords } from '../../model/did-you-mean.ts';
import { Failure, invalidParams } from '../../model/error.ts';
import type { LinkTarget, ParameterDefinition } from '../../model/fields/field.ts';
import type { Query } from '../../model/fields/list.ts';
import { statuses } from '../../model/fields/status.ts';
import { resources } from '../../model/resources/all.ts';
import { slugOf } from '../../model/slug.ts';
import type { User } from '../../model/viewer.ts';
import { readAll } from '../terminal/prompt.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** The names that arguments give: IDs, slugs or names, and for `-` the IDs and slugs on stdin, separated by white space. */
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
 * Does work on the record that a name means: the one with this ID, else with this slug, else the only one of this name, whatever its case.
 * An ID or a slug is not looked up first. Fails with `not-found`, or with `bad-request` where several have the name.
 */
export async function withNamed<T>(name: string, resource: Resource, collection: Collection, work: (ref: Ref) => Promise<T>): Promise<T> {
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
      if (!isMissing(error, direct)) throw error;
      missing = error;
    }
  }
  const id = await idNamed(name, resource, collection);
  if (id !== undefined) return work({ id });
  // The slug that the calendar makes of it, as of "Main-Hall".
  if (!direct && resource.family === 'post' && slugOf(name) !== '') {
    try {
      return await work({ slug: slugOf(name) });
    } catch (error) {
      if (!isMissing(error, { slug: name })) throw error;
    }
  }
  // What the API says of an event that is not there is not this program's to change.
  if (isId(name) && missing instanceof Failure && missing.code !== 'rest_invalid_param') throw missing;
  throw await notFound(name, resource, collection);
}

/** Whether a failure says that nothing has this ID or slug. */
function isMissing(error: unknown, ref: Ref): boolean {
  if (!(error instanceof Failure)) return false;
  if (error.code === 'rest-invalid-event-id' || error.code === 'rest-event-not-found') return true;
  const params = Object.keys((error.data.params as object | undefined) ?? {});
  return error.code === 'rest_invalid_param' && params.length === 1 && params[0] === ('id' in ref ? 'id' : 'slug');
}

/** A name as it is compared: without markup, case, and the shapes of quotes and dashes. */
async function comparable(): Promise<(html: unknown) => string> {
  const { htmlToLine } = await import('../../model/html/plain-text.ts');
  return (html) =>
    htmlToLine(String(html ?? ''))
      .replace(/[\u2018\u2019\u201b]/g, "'")
      .replace(/[\u201c\u201d]/g, '"')
      .replace(/[\u2013\u2014]/g, '-')
      .toLowerCase()
      .trim();
}

/** The ID of the record with this slug, or of the only one with this name; undefined when there is none. Fails where several have it. */
async function idNamed(name: string, resource: Resource, collection: Collection): Promise<number | undefined> {
  const key = await comparable();
  const wanted = key(name);
  if (wanted === '') return undefined;
  const found: Entry[] = [];
  for await (const entry of entriesLike(name, resource, collection)) {
    if (entry.slug === name) return entry.id;
    if (key(entry[resource.label]) === wanted) found.push(entry);
    if (found.length > mostNamed) break;
  }
  const same = found.filter((entry) => entry[resource.label] === name);
  return onlyOf(same.length ? same : found, name, resource);
}

/** The ID of the only one of some records; undefined when there is none. Fails where there are several, naming them. */
function onlyOf(found: readonly Entry[], name: string, resource: Resource): number | undefined {
  if (found.length < 2) return found[0]?.id;
  const ids = found.map(({ id }) => id).sort((a, b) => a - b);
  const shown = ids.slice(0, mostNamed).join(', ');
  throw new Failure(
    'bad-request',
    `${ids.length > mostNamed ? `more than ${mostNamed}` : ids.length} ${resource.name} are called ${JSON.stringify(name)}: ${shown}`,
    {},
    'Give the ID of one of them.',
  );
}

const mostNamed = 10;
const mostPages = 20;
const perPage = '50';

const wide: Partial<Record<ResourceName, Query>> = {
  events: { start_date: '1000-01-01', end_date: '9999-12-31' },
  categories: { hide_empty: 'false' },
  tags: { hide_empty: 'false' },
};

/** Lists records at every time, and in every status that the caller may see but the trash, unless the query names one. */
async function listWide(query: Query, resource: Resource, collection: Collection): Promise<Page> {
  const whole = { ...wide[resource.name], ...query, per_page: perPage };
  if (resource.family === 'term' || query.status !== undefined) return collection.list(whole);
  try {
    return await collection.list({ ...whole, status: statuses.filter((status) => status !== 'trash').join(',') });
  } catch (error) {
    if (error instanceof Failure && 'status' in ((error.data.params as object | undefined) ?? {})) return collection.list(whole);
    throw error;
  }
}

/** Records that may have a name, page after page. */
function entriesLike(name: string, resource: Resource, collection: Collection): AsyncIterable<Entry> {
  const words = (name.match(/[\p{L}\p{N}]+/gu) ?? []).sort((a, b) => b.length - a.length);
  // Terms are searched for one text; the entities of others are in the way of more than words.
  const search = resource.family === 'term' ? words[0] : words.join(' ');
  return entriesOf(search ? { search } : {}, resource, collection);
}

async function* entriesOf(query: Query, resource: Resource, collection: Collection): AsyncIterable<Entry> {
  for (let page = 1; page <= mostPages; page++) {
    const found = await listWide({ ...query, page: String(page) }, resource, collection);
    yield* found.entries;
    if (!found.entries.length || !(page < found.total_pages)) return;
  }
}

/** The ID of a record in the trash, by ID, by the slug that it had or has there, or by name. Fails where none or several are meant. */
export async function idInTrash(name: string, resource: Resource, collection: Collection): Promise<number> {
  const key = await comparable();
  const [bySlug, byName]: [Entry[], Entry[]] = [[], []];
  for await (const entry of entriesOf({ status: 'trash' }, resource, collection)) {
    if (String(entry.id) === name) return entry.id;
    if ([entry.slug, String(entry.slug).replace(/__trashed(-\d+)?$/, '')].includes(name)) bySlug.push(entry);
    else if (key(entry[resource.label]) === key(name)) byName.push(entry);
  }
  const id = onlyOf(bySlug.length ? bySlug : byName, name, resource);
  if (id !== undefined) return id;
  const there = await withNamed(name, resource, collection, (ref) => collection.get(ref, { context: 'edit' })).catch(() => undefined);
  const hint = `See calendar ${resource.name} list --status trash.`;
  throw there
    ? new Failure('conflict', `${resource.kind} ${there.id} is not in the trash`, {}, hint)
    : new Failure('not-found', `no ${resource.kind} in the trash has the ID, slug or name ${JSON.stringify(name)}`, {}, hint);
}

/** The failure of a name that no record has, with the closest that there are: `Did you mean main-hall (8)?`. */
async function notFound(name: string, resource: Resource, collection: Collection): Promise<Failure> {
  if (isId(name)) return new Failure('not-found', `no ${resource.kind} has the ID ${name}`, {}, `See calendar ${resource.name} list.`);
  const hint = await suggestion(name, resource, collection);
  return new Failure('not-found', `no ${resource.kind} has the slug or name ${JSON.stringify(name)}`, {}, hint);
}

async function suggestion(name: string, resource: Resource, collection: Collection): Promise<string | undefined> {
  const key = await comparable();
  const known = new Map<string, string>();
  const [word] = name.split(/[\s-]/).sort((a, b) => b.length - a.length);
  for (const query of [...(word ? [{ search: word }] : []), {}]) {
    try {
      for (const entry of (await listWide(query, resource, collection)).entries) {
        const shown = `${entry.slug || key(entry[resource.label])} (${entry.id})`;
        for (const text of [String(entry.slug ?? ''), key(entry[resource.label])]) if (text && !known.has(text)) known.set(text, shown);
      }
    } catch {
      // A suggestion is optional.
    }
  }
  const found = [...new Set(closestWords(name, known.keys()).map((text) => known.get(text)!))];
  return found.length ? `Did you mean ${found.join(' or ')}?` : undefined;
}

/** What names are looked up in. */
export interface Named {
  calendar: Calendar;
  /** The users of the calendar; undefined where it does not tell them. */
  users(): Promise<readonly User[] | undefined>;
}

type Values = Record<string, unknown>;

/** Looks up the records that values of parameters name, each name once. */
export class Names {
  readonly #ids = new Map<string, Promise<number>>();
  readonly #terms: Partial<Record<LinkTarget, Promise<Page>>> = {};

  constructor(private readonly named: Named) {}

  /** Values with the IDs of records in place of their slugs and names. Fails with `rest_invalid_param`, naming the parameter. */
  async resolve<V extends Values>(parameters: readonly ParameterDefinition[], values: V): Promise<V> {
    const resolved: Values = { ...values };
    for (const { name, links, many, makesNew } of parameters) {
      const value = values[name];
      if (!links || links === 'images' || makesNew || value === undefined) continue;
      try {
        resolved[name] = many ? await this.#several(value, links) : await this.#one(value, links);
      } catch (error) {
        if (error instanceof Failure && (error.code === 'not-found' || error.code === 'bad-request')) {
          const { code, message, data, status } = invalidParams({ [name]: { reason: error.message } });
          throw new Failure(code, message, data, error.hint, status);
        }
        throw error;
      }
    }
    return resolved as V;
  }

  /** The ID of the record that a slug or a name means. */
  idOf(name: string, to: Exclude<LinkTarget, 'images'>): Promise<number> {
    const key = `${to}:${name}`;
    const known = this.#ids.get(key) ?? (to === 'users' ? this.#userId(name) : this.#recordId(name, to as ResourceName));
    this.#ids.set(key, known);
    return known;
  }

  async #one(value: unknown, to: Exclude<LinkTarget, 'images'>): Promise<unknown> {
    return typeof value === 'string' && value.trim() !== '' && wholeNumber(value) === undefined ? this.idOf(value.trim(), to) : value;
  }

  async #several(value: unknown, to: Exclude<LinkTarget, 'images'>): Promise<unknown> {
    const items: unknown[] = [];
    for (const item of Array.isArray(value) ? value : [value])
      if (typeof item !== 'string' || !item.includes(',')) items.push(await this.#one(item, to));
      else items.push(...(await this.#listed(item, to)));
    return Array.isArray(value) || items.length !== 1 ? items : items[0];
  }

  /** A text with commas: several records, or one that has them in its name. */
  async #listed(text: string, to: Exclude<LinkTarget, 'images'>): Promise<unknown[]> {
    const parts = text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean);
    try {
      return await Promise.all(parts.map((part) => this.#one(part, to)));
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'not-found') throw error;
      const whole = await this.idOf(text, to).catch(() => undefined);
      if (whole === undefined) throw error;
      return [whole];
    }
  }

  async #userId(name: string): Promise<number> {
    const users = await this.named.users();
    if (!users)
      throw new Failure('bad-request', `this calendar does not tell its users: ${JSON.stringify(name)}`, {}, 'Give the ID of a user.');
    const found = users.find((user) => user.name === name) ?? users.find((user) => user.name.toLowerCase() === name.toLowerCase());
    if (found) return found.id;
    const shown = new Map(users.map((user) => [user.name, `${user.name} (${user.id})`]));
    const [near] = closestWords(name, shown.keys());
    throw new Failure('not-found', `no user has the name ${JSON.stringify(name)}`, {}, near && `Did you mean ${shown.get(near)}?`);
  }

  async #recordId(name: string, to: ResourceName): Promise<number> {
    const [resource, collection] = [resources[to] as Resource, this.named.calendar[to]];
    if (resource.family === 'term') {
      // Few calendars have more terms than a page: one request knows all of their slugs.
      this.#terms[to] ??= listWide({}, resource, collection);
      const known = (await this.#terms[to]!).entries.find(({ slug }) => slug === name);
      if (known) return known.id;
    }
    const id = async (ref: Ref) => ('id' in ref ? ref.id : (await collection.get(ref, { context: 'edit' })).id);
    return withNamed(name, resource, collection, id);
  }
}
