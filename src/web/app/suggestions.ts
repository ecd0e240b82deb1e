import { plain } from './markup.ts';
import type { Option } from './picker.tsx';
import type { Organizer, Term, Venue } from './record.ts';
import { ask, listAll, listPage } from './server/api.ts';

/** Kinds of record that can be chosen. */
export type Choice = 'venues' | 'organizers' | 'categories' | 'tags';

const most = 12;

const optionOf: Record<Choice, (record: never) => Option> = {
  venues: ({ id, venue, city }: Venue) => ({ value: String(id), label: plain(venue), note: plain(city) }),
  organizers: ({ id, organizer }: Organizer) => ({ value: String(id), label: plain(organizer) }),
  categories: ({ slug, name }: Term) => ({ value: slug, label: plain(name) }),
  tags: ({ slug, name }: Term) => ({ value: slug, label: plain(name) }),
};

/** What is suggested for a part of a name. */
const suggest =
  (kind: Choice) =>
  async (search: string, signal: AbortSignal): Promise<Option[]> => {
    const terms = kind === 'categories' || kind === 'tags';
    const query = { search, per_page: most, ...(terms && { hide_empty: false }) };
    const { records } = await listPage(kind, query, signal).catch((error) => {
      // A list of venues or organizers without any entry is a page that there is not.
      if (error.status === 404) return { records: [] };
      throw error;
    });
    return records.map((record) => optionOf[kind](record as never));
  };
export const suggestions = {
  venues: suggest('venues'),
  organizers: suggest('organizers'),
  categories: suggest('categories'),
  tags: suggest('tags'),
};

/** What stands for values that an address names. */
export async function optionsFor(kind: Choice, values: readonly string[], signal?: AbortSignal): Promise<Option[]> {
  const one = async (value: string): Promise<Option> => {
    const missing = { value, label: value };
    if (kind === 'venues' || kind === 'organizers')
      return ask('GET', `/${kind}/${value}`, { signal }).then(
        ({ value: record }) => optionOf[kind](record as never),
        () => missing,
      );
    const { value: terms } = await listAll<Term>(kind, { slug: value, hide_empty: false }, signal);
    return terms[0] ? optionOf[kind](terms[0] as never) : missing;
  };
  return Promise.all(values.map(one));
}
