import type { Collection, Ref, Resource } from '../../model/calendar.ts';
import { didYouMean } from '../../model/did-you-mean.ts';
import { Failure } from '../../model/error.ts';
import type { Query } from '../../model/fields/filter.ts';
import { readAll } from '../terminal/prompt.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** The names that arguments give: IDs or slugs, and for `-` those on stdin, separated by white space. */
export async function namesOf(args: readonly string[], terminal: Terminal): Promise<string[]> {
  const names: string[] = [];
  for (const arg of args) {
    if (arg !== '-') names.push(arg);
    else names.push(...(await readAll(terminal, 'IDs or slugs')).split(/\s+/).filter((name) => name !== ''));
  }
  return [...new Set(names)];
}

/** Resolves a name: digits are an ID, all else is a slug. Terms are found by slug through their list. */
export async function refOf(name: string, resource: Resource, collection: Collection): Promise<Ref> {
  if (/^\d+$/.test(name)) return { id: Number(name) };
  // No URL path can end with these, so no record has such a slug.
  if (['', '.', '..'].includes(name)) throw await notFound(name, resource, collection);
  if (resource.family === 'post') return { slug: name };
  const { entries } = await collection.list({ slug: name, hide_empty: 'false' });
  const found = entries.find((entry) => entry.slug === name);
  if (!found) throw await notFound(name, resource, collection);
  return { id: found.id };
}

/** Turns the API's "invalid parameter" for an unknown ID or slug into a "not found"; any other failure stays. */
export async function asNotFound(error: unknown, name: string, resource: Resource, collection: Collection): Promise<unknown> {
  if (!(error instanceof Failure) || error.code !== 'rest_invalid_param') return error;
  const params = Object.keys((error.data.params as object | undefined) ?? {});
  const part = /^\d+$/.test(name) ? 'id' : 'slug';
  return params.length === 1 && params[0] === part ? notFound(name, resource, collection) : error;
}

async function notFound(name: string, resource: Resource, collection: Collection): Promise<Failure> {
  const isId = /^\d+$/.test(name);
  const hint = isId ? `See calendar ${resource.name} list.` : didYouMean(name, await slugsLike(name, resource, collection));
  return new Failure('not-found', `no ${resource.kind} has the ${isId ? 'ID' : 'slug'} ${isId ? name : JSON.stringify(name)}`, {}, hint);
}

/** Slugs to compare a mistyped one with. */
async function slugsLike(name: string, resource: Resource, collection: Collection): Promise<string[]> {
  const wide: Query =
    resource.name === 'events'
      ? { start_date: '1000-01-01', end_date: '9999-12-31' }
      : resource.family === 'term'
        ? { hide_empty: 'false' }
        : {};
  const word = name.split('-').sort((a, b) => b.length - a.length)[0]!;
  const slugs: string[] = [];
  for (const query of [{ ...wide, search: word }, wide]) {
    try {
      for (const { slug } of (await collection.list({ ...query, per_page: '50' })).entries) slugs.push(String(slug));
    } catch {
      // A suggestion is optional.
    }
  }
  return slugs;
}
