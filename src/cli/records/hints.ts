import { didYouMean } from '../../model/did-you-mean.ts';
import { Failure } from '../../model/error.ts';
import type { Field } from '../../model/fields/field.ts';
import type { ListParameter } from '../../model/fields/list.ts';
import { flagOf } from '../options.ts';

type Parameter = Field | ListParameter;
type Values = Record<string, unknown>;

/** Adds a hint to a failure: the missing flags, or a similar choice. */
export function withHint(error: unknown, parameters: readonly Parameter[], values: Values): unknown {
  if (!(error instanceof Failure) || error.hint) return error;
  const hint =
    error.code === 'rest_missing_callback_param' ? missingFlags(error, parameters, values) : suggestion(error, parameters, values);
  return hint ? error.with({ hint }) : error;
}

function missingFlags({ data }: Failure, parameters: readonly Parameter[], { duration }: Values): string | undefined {
  const missing = Array.isArray(data.params) ? (data.params as string[]) : [];
  const names = missing.filter((name) => duration === undefined || name !== 'end_date');
  const flags = names.filter((name) => parameters.some((parameter) => parameter.name === name)).map((name) => flagOf({ name }));
  const instead = names.includes('end_date') ? ' (or --duration)' : '';
  return flags.length ? `Pass ${listOf(flags)}${instead}.` : undefined;
}

const listOf = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

function suggestion({ code, data }: Failure, parameters: readonly Parameter[], values: Values): string | undefined {
  if (code !== 'rest_invalid_param' || typeof data.params !== 'object') return undefined;
  for (const name of Object.keys(data.params ?? {})) {
    const parameter = parameters.find((candidate) => candidate.name === name);
    if (!parameter) continue;
    const words = parameter.choices ?? [];
    const texts = [values[name]].flat().filter((value) => typeof value === 'string' || typeof value === 'number');
    for (const word of texts.map(String)) {
      const hint = words.includes(word) ? undefined : (parameter.hint?.(word) ?? didYouMean(word, words));
      if (hint) return hint;
    }
    if (parameter.topic) return `See: calendar help ${parameter.topic}`;
  }
  return undefined;
}
