import { type Entry, type Input, type ResourceName, resourceNames } from '../calendar.ts';
import type { Problem } from '../error.ts';
import type { Zod } from '../fields/field.ts';
import { resources } from '../resources/all.ts';
import { type AnsweredRecord, resourceOf } from './answers.ts';
import type { TextLine } from './decode.ts';
import { keptMembers, memberNames } from './fixture.ts';
import { formProblems } from './issues.ts';

/** One line of ndjson: of an export the settings first, then records by resource; or a record as an API answers it; or what is wrong with a line that is none. */
export type RecordLine = { line: number } & (
  | { settings: Record<string, string | number> }
  | { resource: ResourceName; input: Input; problems: Problem[] }
  | { answer: AnsweredRecord }
  | { fault: Problem }
);

/** A record as a line of ndjson. */
export const recordLine = (resource: ResourceName, input: Input): string => `${JSON.stringify({ resource, ...input })}\n`;

/** Reads the lines of an ndjson text, empty ones left out; a record comes with the problems of its form. */
export function* recordLines(lines: Iterable<TextLine>, z: Zod): Generator<RecordLine> {
  const settingsForm = z.record(z.string(), z.union([z.string(), z.number()]));
  const keptForm = keptMembers(z);
  const fields = Object.fromEntries(resourceNames.map((name) => [name, new Set(resources[name].fields.map((field) => field.name))]));
  const members = Object.fromEntries(resourceNames.map((name) => [name, memberNames(name, z)]));
  for (const { text, line } of lines) {
    if (text.trim() === '') continue;
    const fault = (reason: string): RecordLine => ({ fault: { at: `line ${line}`, reason }, line });
    const value = parsedLine(text);
    if (typeof value === 'string') {
      yield fault(value);
      continue;
    }
    const { resource, settings, ...input } = value;
    if (resource === undefined && settings !== undefined) {
      const [problem] = formProblems(settingsForm, settings, () => []);
      if (problem) yield fault(`settings${problem.at === '$' ? '' : `.${problem.at}`}: ${problem.reason}`);
      else yield { settings: settings as Record<string, string | number>, line };
      continue;
    }
    const answered = resource === undefined ? resourceOf(input) : undefined;
    if (answered) {
      yield { answer: { name: answered, entry: input as Entry, path: `line ${line}` }, line };
      continue;
    }
    const name = resourceNames.find((each) => each === resource);
    if (!name) {
      yield fault(`"resource" must be one of ${resourceNames.join(', ')}: ${JSON.stringify(resource) ?? 'it is missing'}`);
      continue;
    }
    // The store checks fields; the form only knows the other members.
    const others = Object.fromEntries(Object.entries(input).filter(([member]) => !fields[name]!.has(member)));
    const problems = formProblems(keptForm, others, () => members[name]!).map(({ at, reason }) => ({ at: `line ${line}: ${at}`, reason }));
    yield { resource: name, input, problems, line };
  }
}

/** The object that a line holds, or what is wrong with it. */
function parsedLine(text: string): Record<string, unknown> | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = (error as Error).message.replace(/ in JSON at position (\d+).*$/s, ' at column $1');
    return `is not JSON: ${reason === 'Unexpected end of JSON input' ? 'the line ends in the middle' : reason}`;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be a JSON object';
  return value as Record<string, unknown>;
}
