import { Failure } from '../model/error.ts';
import type { Field } from '../model/field.ts';
import type { Filter } from '../model/filter.ts';
import type { Calendar } from '../model/resource.ts';
import { flagOf } from './options.ts';
import { didYouMean } from './suggestion.ts';

type Parameter = Field | Filter;
type Values = Record<string, unknown>;

/** A failure over some values, with a hint where one can be found: flags that are missing, words and slugs that may have been meant. */
export async function hinted(error: unknown, parameters: readonly Parameter[], values: Values, calendar: Calendar): Promise<unknown> {
  if (!(error instanceof Failure) || error.hint) return error;
  const hint = error.code === 'rest_missing_callback_param' ? missing(error, parameters) : await meant(error, parameters, values, calendar);
  return hint ? new Failure(error.code, error.message, error.data, hint, error.status) : error;
}

function missing({ data }: Failure, parameters: readonly Parameter[]): string | undefined {
  const names = Array.isArray(data.params) ? (data.params as string[]) : [];
  const flags = names.filter((name) => parameters.some((known) => known.name === name)).map((name) => flagOf({ name }));
  return flags.length ? `Give ${flags.join(' and ')}.` : undefined;
}

async function meant(
  { code, data }: Failure,
  parameters: readonly Parameter[],
  values: Values,
  calendar: Calendar,
): Promise<string | undefined> {
  if (code !== 'rest_invalid_param' || typeof data.params !== 'object') return undefined;
  for (const name of Object.keys(data.params ?? {})) {
    const parameter = parameters.find((known) => known.name === name);
    if (!parameter) continue;
    const words = parameter.choices ?? (name === 'categories' || name === 'tags' ? await slugsOf(calendar, name) : []);
    for (const word of [values[name]].flat().map(String)) {
      const hint = words.includes(word) ? undefined : didYouMean(word, words);
      if (hint) return hint;
    }
    if (parameter.placeholder === 'date') return 'See calendar help dates.';
  }
  return undefined;
}

async function slugsOf(calendar: Calendar, name: 'categories' | 'tags'): Promise<string[]> {
  try {
    return (await calendar[name].list({ hide_empty: 'false', per_page: '50' })).entries.map(({ slug }) => String(slug));
  } catch {
    return [];
  }
}
