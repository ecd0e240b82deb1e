import { type Entry, type Input, type ResourceName, resourceNames } from '../calendar.ts';
import type { Problem } from '../error.ts';
import type { Zod } from '../fields/field.ts';
import type { Series } from '../ical/occurrence.ts';
import { resources } from '../resources/all.ts';
import type { Declarations, Resources } from '../resources/declared.ts';
import { declaredFieldsForm } from '../resources/declared-form.ts';
import { type AnsweredRecord, resourceOf } from './answers.ts';
import type { TextLine } from './decode.ts';
import { memberNames, metadataForm, seriesForm } from './fixture.ts';
import { formProblems } from './issues.ts';

/** A line of NDJSON: the settings or a record of an export, a record of an API response, or the problem of an invalid line. */
export type RecordLine = { line: number } & (
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
export function* recordLines(
  lines: Iterable<TextLine>,
  z: Zod,
  only?: readonly ResourceName[],
  resourcesNow: () => Resources = () => resources,
): Generator<RecordLine> {
  const settingsForm = z.record(z.string(), z.union([z.string(), z.number()]));
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

/** Returns the names of the fields and of all members of the records of each resource. */
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
