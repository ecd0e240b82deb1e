import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Input, type ResourceName, resourceNames } from '../model/calendar.ts';
import { didYouMean } from '../model/did-you-mean.ts';
import { Failure } from '../model/error.ts';
import type { Field } from '../model/fields/field.ts';
import type { ListParameter, Query } from '../model/fields/list.ts';
import { readTime, type TimeUse, timeTexts } from '../model/time/duration.ts';

type Parameter = Field | ListParameter;
/** A field that reads texts as people type them. */
type TypedField = Field & Required<Pick<Field, 'typed'>>;

/** The flag of a field or filter: `starts_after` is `--starts-after`. */
export const flagOf = (parameter: Pick<Parameter, 'name'>): string => `--${parameter.name.replaceAll('_', '-')}`;

/** The options for fields or filters. A switch has a `--no-` form; a list is repeatable or comma-separated. */
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
        new Option(opposite, `Opposite of ${flag}`).hideHelp().helpGroup(heading),
      ];
    }
    const takesNames = namesRecords(parameter);
    const about = [
      parameter.about,
      ...(takesNames && !/\bID/.test(parameter.about) ? ['ID, slug or name'] : []),
      ...(parameter.many ? ['comma-separated or repeated'] : isTyped(parameter) ? ['repeatable'] : []),
    ].join('; ');
    const option = new Option(`${flag} <${takesNames ? 'name' : parameter.placeholder}>`, about).helpGroup(heading);
    // Choices are shown and completed, but the calendar decides what is valid.
    if (parameter.choices) option.choices(parameter.choices).argParser((text) => text);
    origins.set(option, parameter);
    if (isTyped(parameter)) return [option.argParser((text, before: string[] = []) => [...before, text])];
    return [parameter.many ? option.argParser(takesNames ? wholeNames(collect) : collect) : option];
  });
}

export const isTyped = (parameter: Parameter): parameter is TypedField => 'typed' in parameter && parameter.typed !== undefined;

const origins = new WeakMap<Option, Parameter>();
export const parameterOf = (option: Option): Parameter | undefined => origins.get(option);

/** True if the values of a parameter name existing records, which are looked up before the request. */
const namesRecords = ({ links, makesNew }: Parameter): boolean => links !== undefined && links !== 'images' && !makesNew;

type Collect = (text: string, before?: unknown[]) => unknown[];

/** Collects names of records, which may contain commas. */
const wholeNames =
  (collect: Collect): Collect =>
  (text, before = []) =>
    /^\s*[[{]/.test(text) ? collect(text, before) : text.trim() === '' ? before : [...before, text.trim()];

/** Collects comma-separated values. */
const separated = (text: string, before: unknown[] = []): unknown[] => [
  ...before,
  ...text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
];

/** Collects comma-separated values, or a JSON array. */
export function separatedOrJson(text: string, before: unknown[] = []): unknown[] {
  if (!/^\s*[[{]/.test(text)) return separated(text, before);
  try {
    const value: unknown = JSON.parse(text);
    return [...before, ...(Array.isArray(value) ? value : [value])];
  } catch {
    throw new InvalidArgumentError('Invalid JSON.');
  }
}

export const attributeOf = (parameter: Pick<Parameter, 'name'>): string => new Option(flagOf(parameter)).attributeName();

/** The values that a typed text stands for. Throws `bad-request` for one that would not be stored as it was meant. */
export function typedValues(field: TypedField, text: string): string[] {
  const { list, reason } = field.typed(text);
  if (reason === undefined) return list;
  const flag = flagOf(field);
  throw new Failure(
    'bad-request',
    `Invalid ${flag} ${JSON.stringify(text)}: ${reason}`,
    list.length
      ? `Use: ${list.map((each) => `${flag} '${each}'`).join(' ')}`
      : `To store this text, use: --set '${field.name}:=${JSON.stringify([text])}'`,
  );
}

export function inputOfOptions(fields: readonly Field[], options: Record<string, unknown>): Input {
  const input: Input = {};
  for (const field of fields) {
    const value = options[attributeOf(field)];
    if (value === undefined) continue;
    if (isTyped(field)) input[field.name] = (value as string[]).flatMap((text) => typedValues(field, text));
    else input[field.name] = field.switch ? (value ? field.switch.on : field.switch.off) : value;
  }
  return input;
}

export function queryFrom(filters: readonly ListParameter[], options: Record<string, unknown>): Query {
  const query: Query = {};
  for (const filter of filters) {
    const value = options[attributeOf(filter)];
    if (value === undefined) continue;
    query[filter.name] = typeof value === 'boolean' ? String(value) : Array.isArray(value) && !value.length ? '' : value;
  }
  return query;
}

/** Creates an option with a fixed set of choices. */
export const choice = <T extends string>(flags: string, about: string, choices: readonly T[]): Option =>
  new Option(flags, about).choices(choices).argParser(parseOneOf(choices));

export const parseOneOf =
  <T extends string>(choices: readonly T[]) =>
  (text: string): T => {
    const match = choices.find((choice) => choice === text);
    if (match) return match;
    throw new InvalidArgumentError(didYouMean(text, choices) ?? `Expected one of ${choices.join(', ')}.`);
  };

/** Parses comma-separated resource names. */
export function parseResources(text: string): ResourceName[] {
  return text.split(',').map((part) => {
    const name = resourceNames.find((candidate) => candidate === part.trim());
    if (!name) throw new InvalidArgumentError(didYouMean(part.trim(), resourceNames) ?? `Expected some of ${resourceNames.join(', ')}.`);
    return name;
  });
}

/** Parses a whole number of at least 1. */
export function parseCount(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || !Number.isSafeInteger(value))
    throw new InvalidArgumentError('Expected a whole number of at least 1.');
  return value;
}

/** A parser for times, which have a unit on the command line. */
export const timeFor =
  (use: TimeUse) =>
  (text: string): string => {
    if (readTime(text, use) !== undefined) return text;
    throw new InvalidArgumentError(`Expected ${timeTexts(use)}.`);
  };

/** Adds options that the command doesn't have yet. */
export function addOptions(command: Command, options: readonly Option[]): Command {
  for (const option of options) if (!command.options.some((own) => own.long === option.long)) command.addOption(option);
  return command;
}

/** The failure for a field that the definition of a resource lacks. The calendar may declare it. */
export class UnknownField extends Failure {
  constructor(name: string, resource: string, hint: string | undefined) {
    super('bad-request', `Unknown field ${JSON.stringify(name)} of ${resource}`, hint);
  }
}
