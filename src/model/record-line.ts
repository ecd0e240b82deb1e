import { keysByParent } from './fixture-order.ts';
import { DataError } from './problem.ts';
import { type Input, type ResourceName, resourceNames } from './resource.ts';
import type { Line } from './text-source.ts';

/** What one line of an ndjson export holds: settings first, then records by resource. */
export type RecordLine = { settings: Record<string, string>; line: number } | { resource: ResourceName; input: Input; line: number };

/** A record as a line of ndjson. */
export const recordLine = (resource: ResourceName, input: Input): string => `${JSON.stringify({ resource, ...input })}\n`;

/** The lines of an ndjson text as records. Fails with a DataError on a line that is none. */
export function* recordLines(lines: Iterable<Line>): Generator<RecordLine> {
  for (const { text, line } of lines) {
    if (text.trim() === '') continue;
    const value = parsed(text, line);
    const { resource, settings, ...input } = value;
    if (resource === undefined && settings !== undefined) yield { settings: settings as Record<string, string>, line };
    else if (resourceNames.some((name) => name === resource)) yield { resource: resource as ResourceName, input, line };
    else
      throw new DataError(
        `line ${line}`,
        `"resource" must be one of ${resourceNames.join(', ')}: ${JSON.stringify(resource) ?? 'it is missing'}`,
      );
  }
}

function parsed(text: string, line: number): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = (error as Error).message.replace(/ in JSON at position (\d+).*$/s, ' at column $1');
    throw new DataError(
      `line ${line}`,
      `is not JSON: ${reason === 'Unexpected end of JSON input' ? 'the line ends in the middle' : reason}`,
    );
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new DataError(`line ${line}`, 'must be a JSON object');
  return value as Record<string, unknown>;
}

/** Records with those that they stand under before them; only these two resources know such a thing. */
export function parentsFirst(records: readonly (Input & { id: number })[]): (Input & { id: number })[] {
  const byId = new Map(records.map((record) => [String(record.id), record]));
  const parents = new Map(
    records.map((record) => [String(record.id), byId.has(String(record.parent)) ? String(record.parent) : undefined]),
  );
  return keysByParent(parents).keys.map((key) => byId.get(key)!);
}
