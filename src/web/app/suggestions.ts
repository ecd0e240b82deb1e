import type { ResourceName } from '../../model/calendar.ts';
import { definitions } from './definitions.ts';
import { plain } from './markup.ts';
import type { Option } from './picker.tsx';
import type { Post } from './record.ts';
import { ask, listAll, listPage } from './server/api.ts';

const maxSuggestions = 12;

/** Returns a record as an option: a post by ID, a term by slug. */
function optionOf(name: ResourceName, record: Post): Option {
  const { label, isPost } = definitions[name];
  const note = record.city ? { note: plain(record.city) } : {};
  return { value: String(isPost ? record.id : record.slug), label: plain(record[label]), ...note };
}

/** Returns a function that suggests records for a part of a name. */
const suggest =
  (name: ResourceName) =>
  async (search: string, signal: AbortSignal): Promise<Option[]> => {
    const query = { search, per_page: maxSuggestions, ...(!definitions[name].isPost && { hide_empty: false }) };
    const { records } = await listPage<Post>(name, query, signal).catch((error) => {
      // A list of posts without any record has no first page.
      if (error.status === 404) return { records: [] };
      throw error;
    });
    return records.map((record) => optionOf(name, record));
  };
export const suggestions = Object.fromEntries((Object.keys(definitions) as ResourceName[]).map((name) => [name, suggest(name)])) as Record<
  ResourceName,
  ReturnType<typeof suggest>
>;

/** What stands for values that an address names. */
export async function optionsFor(name: ResourceName, values: readonly string[], signal?: AbortSignal): Promise<Option[]> {
  const one = async (value: string): Promise<Option> => {
    const missing = { value, label: value };
    if (definitions[name].isPost)
      return ask<Post>('GET', `/${name}/${value}`, { signal }).then(
        ({ value: record }) => optionOf(name, record),
        () => missing,
      );
    const { value: terms } = await listAll<Post>(name, { slug: value, hide_empty: false }, signal);
    return terms[0] ? optionOf(name, terms[0]) : missing;
  };
  return Promise.all(values.map(one));
}
