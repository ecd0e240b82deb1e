import { type Entry, type Input, type Resource, type ResourceName, resourceNames } from '../calendar.ts';
import type { Problem } from '../error.ts';
import { isObject } from '../fields/coerce.ts';
import type { Zod } from '../fields/field.ts';
import type { Series } from '../ical/occurrence.ts';
import { settingValues } from '../operations/settings.ts';
import { resources } from '../resources/all.ts';
import { type Declarations, declaredFieldsForm, type Resources } from '../resources/declared.ts';
import type { TextLine } from './decode.ts';
import { memberNames, metadataForm, seriesForm } from './fixture.ts';
import { formProblems } from './issues.ts';

/** A line of NDJSON: the settings or a record of an export, a record of an API response, or the problem of an invalid line. */
type RecordLine = { line: number } & (
  | { settings: Record<string, string | number> }
  | { fields: Declarations }
  | { series: Series }
  | { resource: ResourceName; input: Input; problems: Problem[] }
  | { answer: AnsweredRecord }
  | { fault: Problem }
);

/** Formats a record as a line of NDJSON. */
export const recordLine = (resource: ResourceName, input: Input): string => `${JSON.stringify({ resource, ...input })}\n`;

/** Parses lines of NDJSON and skips empty lines. Records have the problems of their structure. Lines without a resource are of the one in `only`. */
export function* ndjsonLines(
  lines: Iterable<TextLine>,
  z: Zod,
  only?: readonly ResourceName[],
  resourcesNow: () => Resources = () => resources,
): Generator<RecordLine> {
  const settingsForm = settingValues(z);
  const otherForm = metadataForm(z);
  let validNames = namesIn(resourcesNow(), z);
  for (const { text, line } of lines) {
    if (text.trim() === '') continue;
    const fault = (reason: string): RecordLine => ({ fault: { at: `line ${line}`, reason }, line });
    const value = parseLine(text);
    if (typeof value === 'string') {
      yield fault(value);
      continue;
    }
    const { resource: resourceName, settings, ...input } = value;
    if (resourceName === undefined && input.series !== undefined) {
      const [problem] = formProblems(seriesForm(z), input.series, () => []);
      if (problem) yield fault(`series${problem.at === '$' ? '' : `.${problem.at}`}: ${problem.reason}`);
      else yield { series: input.series as Series, line };
      continue;
    }
    if (resourceName === undefined && input.fields !== undefined && settings === undefined) {
      const form = declaredFieldsForm(z);
      const [problem] = formProblems(form, input.fields, () => []);
      if (problem) yield fault(`fields${problem.at === '$' ? '' : `.${problem.at}`}: ${problem.reason}`);
      else yield { fields: form.parse(input.fields), line };
      validNames = namesIn(resourcesNow(), z);
      continue;
    }
    if (resourceName === undefined && settings !== undefined) {
      const [problem] = formProblems(settingsForm, settings, () => []);
      if (problem) yield fault(`settings${problem.at === '$' ? '' : `.${problem.at}`}: ${problem.reason}`);
      else yield { settings: settings as Record<string, string | number>, line };
      continue;
    }
    const responseResource = resourceName === undefined ? resourceOf(input) : undefined;
    if (responseResource) {
      yield { answer: { name: responseResource, entry: input as Entry, path: `line ${line}` }, line };
      continue;
    }
    const resource = resourceName ?? (only?.length === 1 ? only[0] : undefined);
    const name = resourceNames.find((each) => each === resource);
    if (!name) {
      yield fault(
        `"resource" must be one of ${resourceNames.join(', ')}, found ${JSON.stringify(resource) ?? 'nothing. For lines of one resource without it, pass e.g. --only events'}`,
      );
      continue;
    }
    // The store validates fields; the schema only describes the other members.
    const others: Input = {};
    for (const member of Object.keys(input)) if (!validNames[name]!.fields.has(member)) others[member] = input[member];
    const problems = formProblems(otherForm, others, () => validNames[name]!.members).map(({ at, reason }) => ({
      at: `line ${line}: ${at}`,
      reason,
    }));
    yield { resource: name, input, problems, line };
  }
}

/** The names of the fields and of all members of the records of each resource. */
const namesIn = (resources: Resources, z: Zod): Record<string, { fields: ReadonlySet<string>; members: string[] }> =>
  Object.fromEntries(
    resourceNames.map((name) => {
      const names = resources[name].fields.map((field) => field.name);
      return [name, { fields: new Set(names), members: memberNames(resources[name], z) }];
    }),
  );

/** Parses a line and returns its object or the problem. */
function parseLine(text: string): Record<string, unknown> | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = (error as Error).message.replace(/ in JSON at position (\d+).*$/s, ' at column $1');
    return `invalid JSON: ${reason === 'Unexpected end of JSON input' ? 'unexpected end of the line' : reason}`;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be a JSON object';
  return value as Record<string, unknown>;
}

/** A record in an API response. */
export interface AnsweredRecord {
  name: ResourceName;
  entry: Entry;
  /** Position in the document. */
  path: string;
}

/** The records of an API response: a page of a list, a list of records, or one record. Returns undefined for other documents. */
export function answersIn(document: unknown): AnsweredRecord[] | undefined {
  if (Array.isArray(document)) return answersOf(document, '');
  if (!isObject(document)) return undefined;
  // Some members of an event have the names of lists.
  if (resourceOf(document)) return answersOf([document], undefined);
  const listed = resourceNames.find((name) => Array.isArray(document[name]));
  return listed && ('rest_url' in document || 'total' in document) ? answersOf(document[listed] as unknown[], listed) : undefined;
}

/** Undefined if any value is not a record. */
function answersOf(values: readonly unknown[], section: string | undefined): AnsweredRecord[] | undefined {
  const records = values.map((value, at) => {
    const name = resourceOf(value);
    return name && { name, entry: value as Entry, path: section === undefined ? '$' : `${section}[${at}]` };
  });
  return records.every((record) => record !== undefined) ? records : undefined;
}

const taxonomyOf = (resource: Resource) => (resource.family === 'term' ? resource.taxonomy : undefined);
/** Resource of terms whose taxonomy has a different name on their server. */
const defaultTerms = resourceNames.find((name) => resources[name].family === 'term');
/** Required fields by post resource, longest list first, because an event also contains the names of linked records. */
const posts = resourceNames
  .filter((name) => resources[name].family === 'post')
  .map((name) => ({ name, required: resources[name].fields.filter((field) => field.required).map((field) => field.name) }))
  .toSorted((a, b) => b.required.length - a.required.length);

/** The resource of a record, based on members that only responses have. */
function resourceOf(value: unknown): ResourceName | undefined {
  if (!isObject(value) || typeof value.id !== 'number') return undefined;
  const { taxonomy } = value;
  if (taxonomy !== undefined) return resourceNames.find((name) => taxonomyOf(resources[name]) === taxonomy) ?? defaultTerms;
  if (!('global_id' in value)) return undefined;
  return posts.find(({ required }) => required.every((field) => field in value))?.name;
}

/** Undefined if the record has no URL. */
export function answeredRoot({ name, entry }: AnsweredRecord): string | undefined {
  const address = entry.rest_url ?? (entry.urls as { self?: unknown } | undefined)?.self;
  return new RegExp(`^(.+)/${name}/\\d+/?$`).exec(String(address ?? ''))?.[1];
}

/** The host in a record's global ID; empty if it has none. */
export const hostOf = (entry: Entry): string => /^(.+)\?id=\d+$/.exec(String(entry.global_id ?? ''))?.[1] ?? '';
