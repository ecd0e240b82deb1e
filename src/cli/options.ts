import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Field } from '../model/field.ts';
import type { Filter, Query } from '../model/filter.ts';
import type { Input } from '../model/resource.ts';
import { didYouMean } from './suggestion.ts';

type Parameter = Field | Filter;

/** The flag of a field or filter: `starts_after` is `--starts-after`. */
export const flagOf = (parameter: Pick<Parameter, 'name'>): string => `--${parameter.name.replaceAll('_', '-')}`;

/** The options of some fields or filters: a switch has a way to say no, a list repeats or takes commas. */
export function optionsOf(
  parameters: readonly Parameter[],
  group: (parameter: Parameter) => string,
  collect: (text: string, before?: unknown[]) => unknown[] = separated,
): Option[] {
  return parameters.flatMap((parameter) => {
    const flag = flagOf(parameter);
    const heading = group(parameter);
    if (!parameter.placeholder) {
      const opposite = flag.replace('--', '--no-');
      return [
        new Option(flag, `${parameter.about} (or ${opposite})`).helpGroup(heading),
        new Option(opposite, `not ${flag}`).hideHelp().helpGroup(heading),
      ];
    }
    const about = parameter.many ? `${parameter.about}; repeat it, or use commas` : parameter.about;
    const option = new Option(`${flag} <${parameter.placeholder}>`, about).helpGroup(heading);
    // Known words are shown and completed, but it is for the calendar to say what it takes.
    if (parameter.choices) option.choices(parameter.choices).argParser((text) => text);
    return [parameter.many ? option.argParser(collect) : option];
  });
}

/** More values of a list option; commas separate. */
const separated = (text: string, before: unknown[] = []): unknown[] => [
  ...before,
  ...text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
];

/** More values of a list option; commas separate, except inside JSON. */
export function separatedOrJson(text: string, before: unknown[] = []): unknown[] {
  if (!/^\s*[[{]/.test(text)) return separated(text, before);
  try {
    const value: unknown = JSON.parse(text);
    return [...before, ...(Array.isArray(value) ? value : [value])];
  } catch {
    throw new InvalidArgumentError('It looks like JSON but is none.');
  }
}

const attributeOf = (parameter: Parameter): string => new Option(flagOf(parameter)).attributeName();

/** What the options of some fields were given, by field name. */
export function inputFrom(fields: readonly Field[], options: Record<string, unknown>): Input {
  const input: Input = {};
  for (const field of fields) {
    const value = options[attributeOf(field)];
    if (value === undefined) continue;
    // Some switches of this API are declared as text.
    input[field.name] = typeof value === 'boolean' && field.wire.type === 'string' ? String(value) : value;
  }
  return input;
}

/** What the options of some filters were given, as a query. */
export function queryFrom(filters: readonly Filter[], options: Record<string, unknown>): Query {
  const query: Query = {};
  for (const filter of filters) {
    const value = options[attributeOf(filter)];
    if (value === undefined) continue;
    query[filter.name] = typeof value === 'boolean' ? String(value) : Array.isArray(value) && !value.length ? '' : value;
  }
  return query;
}

/** An option that takes one of some words. */
export const choice = <T extends string>(flags: string, about: string, choices: readonly T[]): Option =>
  new Option(flags, about).choices(choices).argParser(oneOf(choices));

/** A parser that takes one of some words. */
export const oneOf =
  <T extends string>(choices: readonly T[]) =>
  (text: string): T => {
    const found = choices.find((choice) => choice === text);
    if (found) return found;
    throw new InvalidArgumentError(didYouMean(text, choices) ?? `It must be one of ${choices.join(', ')}.`);
  };

/** A parser of an option that takes a whole number from 1. */
export function count(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || !Number.isSafeInteger(value)) throw new InvalidArgumentError('It takes a whole number from 1.');
  return value;
}

/** Adds options that a command does not have yet. */
export function addOptions(command: Command, options: readonly Option[]): Command {
  for (const option of options) if (!command.options.some((own) => own.long === option.long)) command.addOption(option);
  return command;
}
