import type { Entry, Page, Resource } from '../model/calendar.ts';
import { closestWords } from '../model/did-you-mean.ts';
import { Failure } from '../model/error.ts';
import { maxPerPage, type Query } from '../model/fields/list.ts';
import { everyRecord, type Lister } from '../model/paging.ts';
import { wholeQuery } from '../model/resources/all.ts';

/** The first page of all records that the caller may see, and its query: without unpublished records if the caller may not request them. */
export async function listWhole(query: Query, resource: Resource, collection: Lister): Promise<{ page: Page; query: Query }> {
  const whole = wholeQuery(resource, query);
  const { status, ...published } = whole;
  try {
    return { page: await collection.list(whole), query: whole };
  } catch (error) {
    const mayRetry =
      status !== undefined && query.status === undefined && error instanceof Failure && [400, 401, 403].includes(error.status);
    if (!mayRetry) throw error;
    return { page: await collection.list(published), query: published };
  }
}

/** Loads what compares names; most references are IDs or slugs. */
export const nameNormalizer = async () => (await import('../model/html/plain-text.ts')).htmlNameKey;

/** The ID of the record with a slug or, ignoring case, a name; undefined if there is none. Throws `bad-request` if several records have the name. */
export async function idNamed(name: string, resource: Resource, collection: Lister): Promise<number | undefined> {
  const key = await nameNormalizer();
  const nameKey = key(name);
  if (nameKey === '') return undefined;
  const matches: Entry[] = [];
  for await (const entry of entriesLike(name, resource, collection)) {
    if (entry.slug === name) return entry.id;
    if (key(entry[resource.label]) === nameKey) matches.push(entry);
    if (matches.length > maxListed) break;
  }
  const same = matches.filter((entry) => entry[resource.label] === name);
  return onlyOf(same.length ? same : matches, name, resource);
}

/** Throws `bad-request` with the IDs if there are several. */
export function onlyOf(matches: readonly Entry[], name: string, resource: Resource): number | undefined {
  if (matches.length < 2) return matches[0]?.id;
  const ids = matches.map(({ id }) => id).sort((a, b) => a - b);
  const listedIds = ids.slice(0, maxListed).join(', ');
  throw new Failure(
    'bad-request',
    `${ids.length > maxListed ? `More than ${maxListed}` : ids.length} ${resource.name} have the name ${JSON.stringify(name)}: ${listedIds}`,
    'Use an ID instead.',
    { count: ids.length },
  );
}

const maxListed = 10;
/** Maximum number of records among which a name is looked up. */
const maxSearched = 1000;

/** Lists records of any date and of any status except the trash, unless the query contains a status. */
export async function listAny(query: Query, resource: Resource, collection: Lister): Promise<Page> {
  return (await listWhole({ ...query, per_page: String(maxPerPage) }, resource, collection)).page;
}

/** Yields records that may have a name, page by page. Throws `bad-request` after 1,000 of them. */
function entriesLike(name: string, resource: Resource, collection: Lister): AsyncIterable<Entry> {
  const words = (name.match(/[\p{L}\p{N}]+/gu) ?? []).sort((a, b) => b.length - a.length);
  // Terms are searched for one word, since punctuation is stored as entities.
  const search = resource.family === 'term' ? words[0] : words.join(' ');
  return entriesWithin(search ? { search } : {}, resource, collection);
}

export async function* entriesWithin(query: Query, resource: Resource, collection: Lister): AsyncIterable<Entry> {
  const { page: first, query: sent } = await listWhole({ ...query, per_page: String(maxPerPage) }, resource, collection);
  let count = 0;
  for await (const entry of everyRecord(collection, sent, { first })) {
    if (++count > maxSearched)
      throw new Failure('bad-request', `Too many ${resource.name} to look up a name: more than ${maxSearched}`, 'Use an ID instead.');
    yield entry;
  }
}

/** The records whose slugs or names are closest to an unknown one, the closest first; none if they can't be listed. */
export async function similarRecords(name: string, resource: Resource, collection: Lister): Promise<Entry[]> {
  const key = await nameNormalizer();
  const byText = new Map<string, Entry>();
  const [word] = name.split(/[\s-]/).sort((a, b) => b.length - a.length);
  for (const query of [...(word ? [{ search: word }] : []), {}]) {
    try {
      for (const entry of (await listAny(query, resource, collection)).entries)
        for (const text of [String(entry.slug ?? ''), key(entry[resource.label])]) if (text && !byText.has(text)) byText.set(text, entry);
    } catch {
      // The suggestion is optional.
    }
  }
  return [...new Set(closestWords(name, byText.keys()).map((text) => byText.get(text)!))];
}
