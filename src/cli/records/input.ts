import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { type Entry, type Input, type Resource, type ResourceName, resourceNames } from '../../model/calendar.ts';
import type { Lookup, RequestContext } from '../../model/context.ts';
import { didYouMean } from '../../model/did-you-mean.ts';
import { Failure, isMissingRecord, systemFailure } from '../../model/error.ts';
import { defaultCurrency } from '../../model/fields/cost-format.ts';
import type { Field } from '../../model/fields/field.ts';
import { resources } from '../../model/resources/all.ts';
import { hasDates, linkFields } from '../../model/resources/relations.ts';
import { defaultSlugs } from '../../model/site-address.ts';
import { durationForms } from '../../model/time/date-steps.ts';
import { check } from '../../model/validate.ts';
import { owner } from '../../model/viewer.ts';
import { type Assignment, assign, bare, parseAssignment } from '../assignment.ts';
import type { Connection } from '../connect/connect.ts';
import { readTypedDates } from '../days/locale.ts';
import { inputOfOptions, isTyped, optionsOf, separatedOrJson, typedValues, UnknownField } from '../options.ts';
import { readAll } from '../terminal/prompt.ts';
import type { Terminal } from '../terminal/terminal.ts';

const heading = 'Input:';
const rareFields = ['author', 'date', 'date_utc', 'slug', 'post_password', 'post_parent'];

/** Adds a flag for each field, `--data` and `--set`. */
export function addInput(command: Command, resource: Resource, creating: boolean): Command {
  const required = creating ? 'Required:' : 'Fields:';
  const rank = ({ name, required }: Field) => (required ? 0 : rareFields.includes(name) ? 2 : 1);
  const fields = [...resource.fields].sort((a, b) => rank(a) - rank(b));
  // An event without an end gets one.
  const end = fields.find(({ name }) => name === 'end_date');
  const group = (field: object) => ('required' in field && field.required && field !== end ? required : 'Fields:');
  for (const option of optionsOf(fields, group, separatedOrJson)) command.addOption(option);
  const collect = (text: string, before: string[] = []) => [...before, text];
  if (takesDuration(resource)) {
    const length = new Option('--duration <length>', `Duration instead of an end: ${durationForms}${creating ? ' (default 1h)' : ''}`);
    command.addOption(length.helpGroup('Fields:').conflicts('endDate'));
  }
  if (linkFields(resource.name).some(({ makesNew }) => !makesNew))
    command.addOption(new Option('--create-missing', 'Create venues and organizers whose names are unknown').helpGroup(heading));
  return command
    .addOption(new Option('--data <json>', 'JSON object; use @file for a file, - for standard input').helpGroup(heading))
    .addOption(
      new Option('--set <name=text>', 'Set one field; name:=json for a JSON value (repeatable)').argParser(collect).helpGroup(heading),
    );
}

/** The inputs of a command: one from flags, or one for each record of `--data`, overridden by flags. */
export async function readInputs(resource: Resource, options: Record<string, unknown>, terminal: Terminal): Promise<Input[]> {
  const records = options.data === undefined ? [{}] : await dataOf(String(options.data), terminal);
  const set = bare();
  for (const text of (options.set as string[] | undefined) ?? []) {
    const assignment = readSet(text);
    const field = resource.fields.find(({ name }) => name === assignment.path);
    if (assignment.sign === '=' && field && isTyped(field))
      set[field.name] = [...[set[field.name] ?? []].flat(), ...typedValues(field, assignment.value)];
    else assign(set, assignment);
  }
  const flags = inputOfOptions(resource.fields, options);
  if (takesDuration(resource) && options.duration !== undefined) flags.duration = options.duration;
  const dates = resource.fields.filter(({ topic }) => topic === 'dates').map(({ name }) => name);
  for (const values of [set, flags]) readTypedDates(values, dates);
  return records.map((input) => {
    checkFields(input, resource);
    checkFields(set, resource);
    return { ...input, ...set, ...flags };
  });
}

const takesDuration = ({ name }: Resource): boolean => hasDates(name);

/** Throws `bad-request` for a member that is neither a field nor part of responses, because the API would ignore it. */
export function checkFields(input: Input, resource: Resource): void {
  const fields = [...resource.fields.map(({ name }) => name), ...(takesDuration(resource) ? ['duration'] : [])];
  const members = resource.response.members.map(({ name }) => name);
  for (const [name, value] of Object.entries(input)) {
    if (![...fields, ...members, 'id', 'uid', '_links'].includes(name)) {
      throw new UnknownField(name, resource.name, didYouMean(name, fields) ?? `Fields: ${fields.join(', ')}.`);
    }
    const { links: to, stored } = resource.fields.find((field) => field.name === name) ?? {};
    if (stored?.join) for (const item of [value].flat()) if (isNew(item)) checkFields(item, resources[to as ResourceName]);
  }
}

/** True if a linked item is the data of a new record. */
const isNew = (item: unknown): item is Input => typeof item === 'object' && item !== null && !('id' in item);

async function dataOf(text: string, terminal: Terminal): Promise<Input[]> {
  const source =
    text === '-' ? await standardInput(terminal) : text.startsWith('@') ? await fileText(resolve(terminal.cwd, text.slice(1))) : text;
  const value = parseData(source);
  const list = Array.isArray(value) ? value : [value];
  if (list.every((item) => typeof item === 'object' && item !== null && !Array.isArray(item))) return list as Input[];
  throw new Failure('bad-request', '--data must be a JSON object or a list of objects', `Found: ${JSON.stringify(value)?.slice(0, 60)}`);
}

const inputs = new WeakMap<object, Promise<string>>();

/** Reads JSON from standard input, once for a command that runs again with declared fields. */
function standardInput(terminal: Terminal): Promise<string> {
  const text = inputs.get(terminal.stdin) ?? readAll(terminal, 'JSON');
  inputs.set(terminal.stdin, text);
  return text;
}

async function fileText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw systemFailure(error, path);
  }
}

/** Parses JSON, or one JSON object per line. */
function parseData(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    try {
      if (lines.length > 1) return lines.map((line) => JSON.parse(line) as unknown);
    } catch {}
    throw new Failure(
      'rest_invalid_json',
      `Invalid JSON in --data: ${(error as Error).message}`,
      'Write it like \'{"title": "Concert"}\', @file.json or -.',
    );
  }
}

/** Parses one `--set`: `title=Concert`, `venue.city=Paris`, `all-day:=true`. */
function readSet(text: string): Assignment {
  const read = parseAssignment(text);
  if (!read) throw new Failure('bad-request', `Invalid --set ${JSON.stringify(text)}. Use name=text or name:=json.`);
  return { ...read, path: read.path.replaceAll('-', '_') };
}

/** By default, every linked record exists. */
export function checkContext(now: number, zone: string, lookup: Partial<Lookup> = {}): RequestContext {
  const store: Lookup = { hasUser: () => true, hasImage: () => true, hasPost: () => true, findTerm: () => 1, ...lookup };
  return {
    viewer: owner,
    now,
    zone,
    perPage: 10,
    radius: 1,
    currency: defaultCurrency,
    slugs: defaultSlugs,
    extensions: [],
    copying: false,
    newUid: () => '',
    store,
  };
}

/** Checks the new values of a record as a write would, with the model's checks and lookups of linked IDs. Throws `rest_invalid_param`. */
export async function checkValues({ fields }: Resource, values: Input, before: Entry | undefined, connection: Connection): Promise<void> {
  const now = (await connection.clock())();
  const zone = typeof before?.timezone === 'string' ? before.timezone : await connection.zone();
  const linked = new Map<string, { resource: string; id: number }>();
  const missing = new Set<string>();
  const exists = (resource: string, id: number) => {
    const key = `${resource} ${id}`;
    linked.set(key, { resource, id });
    return !missing.has(key);
  };
  const users = fields.some(({ name, links }) => links === 'users' && values[name] !== undefined) ? await connection.users() : undefined;
  const context = checkContext(now, zone, {
    hasUser: (id) => !users?.length || id === 1 || String(before?.author) === String(id) || users.some((user) => user.id === id),
    hasPost: exists,
    findTerm: (resource, ref) => (exists(resource, Number(ref)) ? Number(ref) : undefined),
  });
  const run = () => check(fields, values, context);
  run();
  for (const [key, { resource, id }] of linked) {
    const name = resourceNames.find((each) => each === resource);
    if (name === undefined || !Number.isSafeInteger(id)) continue;
    try {
      await connection.calendar[name].get({ id }, {});
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (isMissingRecord(error, { id }) || error.status === 404) missing.add(key);
    }
  }
  if (missing.size) run();
}
