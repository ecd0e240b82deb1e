import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { Input, Resource, ResourceName } from '../../model/calendar.ts';
import { didYouMean } from '../../model/did-you-mean.ts';
import { Failure } from '../../model/error.ts';
import type { Field } from '../../model/fields/field.ts';
import { resources } from '../../model/resources/all.ts';
import { hasDates } from '../../model/resources/relations.ts';
import { systemFailure } from '../../model/system-error.ts';
import { durationForms } from '../../model/time/duration.ts';
import { type Assignment, assign, bare, parseAssignment } from '../assignment.ts';
import { inputFrom, optionsOf, separatedOrJson } from '../options.ts';
import { readAll } from '../terminal/prompt.ts';
import type { Terminal } from '../terminal/terminal.ts';

const heading = 'Other ways to give fields:';
const least = ['author', 'date', 'date_utc', 'slug', 'post_password', 'post_parent'];

/** Adds the options for a record's fields: a flag each, `--data` and `--set`. */
export function addInput(command: Command, resource: Resource, creating: boolean): Command {
  const required = creating ? 'Required:' : 'Fields:';
  const rank = ({ name, required }: Field) => (required ? 0 : least.includes(name) ? 2 : 1);
  const fields = [...resource.fields].sort((a, b) => rank(a) - rank(b));
  const group = (field: object) => ('required' in field && field.required ? required : 'Fields:');
  for (const option of optionsOf(fields, group, separatedOrJson)) command.addOption(option);
  const collect = (text: string, before: string[] = []) => [...before, text];
  if (takesDuration(resource)) {
    const length = new Option('--duration <length>', `how long it lasts, in place of an end: ${durationForms}`);
    command.addOption(length.helpGroup('Fields:').conflicts('endDate'));
  }
  return command
    .addOption(new Option('--data <json>', 'a JSON object; @file reads a file, - reads stdin').helpGroup(heading))
    .addOption(new Option('--set <name=text>', 'one field; name:=json for a value in JSON').argParser(collect).helpGroup(heading));
}

/** The inputs that a command was given: one from flags, or one for each record of `--data` with the flags over it. */
export async function inputsOf(resource: Resource, options: Record<string, unknown>, terminal: Terminal): Promise<Input[]> {
  const given = options.data === undefined ? [{}] : await dataOf(String(options.data), terminal);
  const set = bare();
  for (const text of (options.set as string[] | undefined) ?? []) assign(set, readSet(text));
  const flags = inputFrom(resource.fields, options);
  if (takesDuration(resource) && options.duration !== undefined) flags.duration = options.duration;
  return given.map((input) => {
    checkNames(input, resource);
    checkNames(set, resource);
    return { ...input, ...set, ...flags };
  });
}

const takesDuration = ({ name }: Resource): boolean => hasDates(name);

/** Fails where an input has what is neither a field nor shown in answers: it would be passed over. */
export function checkNames(input: Input, resource: Resource): void {
  const fields = [...resource.fields.map(({ name }) => name), ...(takesDuration(resource) ? ['duration'] : [])];
  const shown = resource.answer.members.map(({ name }) => name);
  for (const [name, value] of Object.entries(input)) {
    if (![...fields, ...shown, 'id', 'uid', '_links'].includes(name)) {
      const hint = didYouMean(name, fields) ?? `Fields are ${fields.join(', ')}.`;
      throw new Failure('bad-request', `${resource.name} have no field ${JSON.stringify(name)}`, {}, hint);
    }
    const { links: to, join } = resource.fields.find((field) => field.name === name) ?? {};
    if (join) for (const item of [value].flat()) if (isNew(item)) checkNames(item, resources[to as ResourceName]);
  }
}

/** Whether a linked item is the data of a new record. */
const isNew = (item: unknown): item is Input => typeof item === 'object' && item !== null && !('id' in item);

async function dataOf(text: string, terminal: Terminal): Promise<Input[]> {
  const source =
    text === '-' ? await readAll(terminal, 'JSON') : text.startsWith('@') ? await fileText(resolve(terminal.cwd, text.slice(1))) : text;
  const value = parsed(source);
  const list = Array.isArray(value) ? value : [value];
  if (list.every((item) => typeof item === 'object' && item !== null && !Array.isArray(item))) return list as Input[];
  throw new Failure(
    'bad-request',
    '--data must be a JSON object, or a list of objects',
    {},
    `It is ${JSON.stringify(value)?.slice(0, 60)}`,
  );
}

async function fileText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw systemFailure(error, `cannot read ${path}`);
  }
}

/** Parses JSON, or one JSON object on each line. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    try {
      if (lines.length > 1) return lines.map((line) => JSON.parse(line) as unknown);
    } catch {}
    throw new Failure(
      'rest_invalid_json',
      `--data is not JSON: ${(error as Error).message}`,
      {},
      'Write it like \'{"title": "Concert"}\', @file.json or -.',
    );
  }
}

/** Reads one `--set`: `title=Concert`, `venue.city=Paris`, `all-day:=true`. */
function readSet(text: string): Assignment {
  const read = parseAssignment(text);
  if (!read) throw new Failure('bad-request', `--set takes name=text or name:=json: ${JSON.stringify(text)}`);
  return { ...read, path: read.path.replaceAll('-', '_') };
}
