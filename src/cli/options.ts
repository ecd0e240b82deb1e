import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Input, type ResourceName, resourceNames } from '../model/calendar.ts';
import { didYouMean } from '../model/did-you-mean.ts';
import type { Field } from '../model/fields/field.ts';
import type { ListParameter, Query } from '../model/fields/list.ts';

type Parameter = Field | ListParameter;

/** The flag of a field or filter: `starts_after` is `--starts-after`. */
export const flagOf = (parameter: Pick<Parameter, 'name'>): string => `--${parameter.name.replaceAll('_', '-')}`;

/** The options for fields or filters: a switch has a `--no-` form, a list repeats or takes commas. */
export function optionsOf(
  parameters: readonly Parameter[],
  group: (parameter: Parameter) => string,
  collect: Collect = separated,
): Option[] {
  return parameters.flatMap((parameter) => {
    const flag = flagOf(parameter);
    const heading = group(parameter);
    if (parameter.switch) {
      const opposite = flag.replace('--', '--no-');
      return [
        new Option(flag, `${parameter.about} (or ${opposite})`).helpGroup(heading),
        new Option(opposite, `not ${flag}`).hideHelp().helpGroup(heading),
      ];
    }
    const named = namesRecords(parameter);
    const about = [
      parameter.about,
      ...(named && !/\bID/.test(parameter.about) ? ['by ID, slug or name'] : []),
      ...(parameter.many ? ['repeat it, or use commas'] : []),
    ].join('; ');
    const option = new Option(`${flag} <${named ? 'name' : parameter.placeholder}>`, about).helpGroup(heading);
    // Choices are shown and completed, but the calendar decides what is valid.
    if (parameter.choices) option.choices(parameter.choices).argParser((text) => text);
    origins.set(option, parameter);
    return [parameter.many ? option.argParser(named ? wholeNames(collect) : collect) : option];
  });
}

const origins = new WeakMap<Option, Parameter>();
/** The field or filter that an option was made from; undefined for any other. */
export const parameterOf = (option: Option): Parameter | undefined => origins.get(option);

/** Whether values of a parameter name records that there are; what they name is looked up before the calendar hears of it. */
const namesRecords = ({ links, makesNew }: Parameter): boolean => links !== undefined && links !== 'images' && !makesNew;

type Collect = (text: string, before?: unknown[]) => unknown[];

/** Collects names of records, each whole: it may have commas in it. */
const wholeNames =
  (collect: Collect): Collect =>
  (text, before = []) =>
    /^\s*[[{]/.test(text) ? collect(text, before) : text.trim() === '' ? before : [...before, text.trim()];

/** Collects the values of a list option, separated by commas. */
const separated = (text: string, before: unknown[] = []): unknown[] => [
  ...before,
  ...text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
];

/** Collects the values of a list option, separated by commas, or given as JSON. */
export function separatedOrJson(text: string, before: unknown[] = []): unknown[] {
  if (!/^\s*[[{]/.test(text)) return separated(text, before);
  try {
    const value: unknown = JSON.parse(text);
    return [...before, ...(Array.isArray(value) ? value : [value])];
  } catch {
    throw new InvalidArgumentError('It looks like JSON but is none.');
  }
}

/** The name under which commander keeps what the flag of a field or filter gave. */
export const attributeOf = (parameter: Pick<Parameter, 'name'>): string => new Option(flagOf(parameter)).attributeName();

/** The values that options gave for fields, by field name. */
export function inputFrom(fields: readonly Field[], options: Record<string, unknown>): Input {
  const input: Input = {};
  for (const field of fields) {
    const value = options[attributeOf(field)];
    if (value !== undefined) input[field.name] = field.switch ? (value ? field.switch.on : field.switch.off) : value;
  }
  return input;
}

/** The values that options gave for filters, as a query. */
export function queryFrom(filters: readonly ListParameter[], options: Record<string, unknown>): Query {
  const query: Query = {};
  for (const filter of filters) {
    const value = options[attributeOf(filter)];
    if (value === undefined) continue;
    query[filter.name] = typeof value === 'boolean' ? String(value) : Array.isArray(value) && !value.length ? '' : value;
  }
  return query;
}

/** An option that takes one of some choices. */
export const choice = <T extends string>(flags: string, about: string, choices: readonly T[]): Option =>
  new Option(flags, about).choices(choices).argParser(oneOf(choices));

/** A parser of one of some choices. */
export const oneOf =
  <T extends string>(choices: readonly T[]) =>
  (text: string): T => {
    const found = choices.find((choice) => choice === text);
    if (found) return found;
    throw new InvalidArgumentError(didYouMean(text, choices) ?? `It must be one of ${choices.join(', ')}.`);
  };

/** A parser of names of resources, separated by commas. */
export function resourceList(text: string): ResourceName[] {
  return text.split(',').map((part) => {
    const name = resourceNames.find((known) => known === part.trim());
    if (!name) throw new InvalidArgumentError(didYouMean(part.trim(), resourceNames) ?? `It takes some of ${resourceNames.join(', ')}.`);
    return name;
  });
}

/** A parser of a whole number from 1. */
export function count(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || !Number.isSafeInteger(value)) throw new InvalidArgumentError('It takes a whole number from 1.');
  return value;
}

/** Adds the options that a command does not have yet. */
export function addOptions(command: Command, options: readonly Option[]): Command {
  for (const option of options) if (!command.options.some((own) => own.long === option.long)) command.addOption(option);
  return command;
}
