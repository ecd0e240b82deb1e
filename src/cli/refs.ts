import { Failure } from '../model/error.ts';
import type { Query } from '../model/filter.ts';
import type { Collection, Ref, Resource } from '../model/resource.ts';
import { didYouMean } from './suggestion.ts';
import { readAll, type Terminal } from './terminal.ts';

/** The records that arguments name: IDs or slugs, and for `-` those on stdin, separated by white space. */
export async function namesOf(args: readonly string[], terminal: Terminal): Promise<string[]> {
  const names: string[] = [];
  for (const arg of args) {
    if (arg !== '-') names.push(arg);
    else names.push(...(await readAll(terminal)).split(/\s+/).filter((name) => name !== ''));
  }
  return [...new Set(names)];
}

/** The record that a name stands for: digits are an ID, all else is a slug. Terms are found by slug through their list. */
export async function refOf(name: string, resource: Resource, collection: Collection): Promise<Ref> {
  if (/^\d+$/.test(name)) return { id: Number(name) };
  // No address can end with these, so no record is called so.
  if (['', '.', '..'].includes(name)) throw await missing(name, resource, collection);
  if (resource.family === 'post') return { slug: name };
  const { entries } = await collection.list({ slug: name, hide_empty: 'false' });
  const found = entries.find((entry) => entry.slug === name);
  if (!found) throw await missing(name, resource, collection);
  return { id: found.id };
}

/** A failure to find a record by its name as what it is; the wire calls it an invalid parameter. Any other failure as it came. */
export async function explained(error: unknown, name: string, resource: Resource, collection: Collection): Promise<unknown> {
  if (!(error instanceof Failure) || error.code !== 'rest_invalid_param') return error;
  const params = Object.keys((error.data.params as object | undefined) ?? {});
  const part = /^\d+$/.test(name) ? 'id' : 'slug';
  return params.length === 1 && params[0] === part ? missing(name, resource, collection) : error;
}

async function missing(name: string, resource: Resource, collection: Collection): Promise<Failure> {
  const isId = /^\d+$/.test(name);
  const hint = isId ? `See calendar ${resource.name} list.` : didYouMean(name, await slugsLike(name, resource, collection));
  return new Failure('not-found', `no ${resource.kind} has the ${isId ? 'ID' : 'slug'} ${isId ? name : JSON.stringify(name)}`, {}, hint);
}

/** Some slugs among which a mistyped one may be found. */
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
      // A suggestion is not worth a failure of its own.
    }
  }
  return slugs;
}
