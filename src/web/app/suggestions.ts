import type { ResourceName } from '../../model/calendar.ts';
import { labels } from '../definitions.ts';
import { textOfHtml } from './parts/html.tsx';
import type { Option } from './parts/picker.tsx';
import type { Post } from './record.ts';
import { listAll, listPage, requestApi } from './server/api.ts';

const maxSuggestions = 12;

/** Converts a record to an option. The value is its ID, or the slug of a term. */
function toOption(name: ResourceName, record: Post, byId = labels[name].isPost): Option {
  const { label } = labels[name];
  const note = record.city ? { note: textOfHtml(record.city) } : {};
  return { value: String(byId ? record.id : record.slug), label: textOfHtml(record[label]), ...note };
}

/** A function that finds the records whose name contains a text. */
const createSuggest =
  (name: ResourceName, byId?: true) =>
  async (search: string, signal: AbortSignal): Promise<Option[]> => {
    const query = { search, per_page: maxSuggestions, ...(!labels[name].isPost && { hide_empty: false }) };
    const { records } = await listPage<Post>(name, query, signal).catch((error) => {
      // The API returns 404 for the first page of an empty list of posts.
      if (error.status === 404) return { records: [] };
      throw error;
    });
    return records.map((record) => toOption(name, record, byId));
  };
const createSuggestions = (byId?: true) =>
  Object.fromEntries((Object.keys(labels) as ResourceName[]).map((name) => [name, createSuggest(name, byId)])) as Record<
    ResourceName,
    ReturnType<typeof createSuggest>
  >;
export const suggestions = createSuggestions();
/** The suggestions with IDs as values, also of terms. */
export const suggestionsById = createSuggestions(true);

/** Loads the options for values, such as those in an address. Values without a record become their own label. */
export async function loadOptions(
  name: ResourceName,
  values: readonly string[],
  signal?: AbortSignal,
  byId = labels[name].isPost,
): Promise<Option[]> {
  const loadOption = async (value: string): Promise<Option> => {
    const missing = { value, label: value };
    if (byId)
      return requestApi<Post>('GET', `/${name}/${value}`, { signal }).then(
        ({ value: record }) => toOption(name, record, byId),
        () => missing,
      );
    const { value: terms } = await listAll<Post>(name, { slug: value, hide_empty: false }, signal);
    return terms[0] ? toOption(name, terms[0]) : missing;
  };
  return Promise.all(values.map(loadOption));
}
