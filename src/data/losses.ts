import { type Input, type Resource, type ResourceName, resourceNames } from '../model/calendar.ts';
import type { Problem } from '../model/error.ts';
import { lossesOf } from '../model/formats/kept.ts';
import { htmlToLine } from '../model/html/plain-text.ts';
import { resources } from '../model/resources/all.ts';
import { recordLabel } from './transaction.ts';

/** The options of an export that decide what it leaves out. */
interface Exported {
  format: string;
  only?: readonly ResourceName[];
}

/** The records of a resource as inputs. */
export type SourcesOf = (name: ResourceName) => Iterable<Input>;

/** Returns what an export leaves out or changes, record by record. A column that was not asked for is not counted. */
export function lossesOfExport({ format, only }: Exported, sourcesOf: SourcesOf): Problem[] {
  if (format !== 'csv' && format !== 'ics') return [];
  const losses: Problem[] = [];
  for (const name of format === 'csv' ? (only ?? ['events']) : resourceNames) {
    const { fields, kind }: Resource = resources[name];
    const fieldNames = new Set(fields.map((field) => field.name));
    for (const source of sourcesOf(name))
      for (const reason of lossesOf(format, name, source, fieldNames))
        losses.push({ at: `${kind} ${source.id} (${htmlToLine(recordLabel(name, source))})`, reason });
  }
  return losses;
}

export const sourcesIn = (ndjson: string, name: ResourceName): Input[] =>
  ndjson
    .split('\n')
    .filter((line) => line.startsWith(`{"resource":"${name}"`))
    .map((line) => {
      const { resource: _, ...source }: Input = JSON.parse(line);
      return source;
    });
